//===- Run.cpp - cufort run -----------------------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/Run.h"
#include "compiler/driver/Diagnostics.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace cufort::driver;

static volatile sig_atomic_t childProcess = 0;

static void passOn(int signal) {
  if (childProcess > 0)
    ::kill(childProcess, signal);
}

ProgramEnd cufort::driver::runProgram(const std::string &program,
                                      llvm::ArrayRef<std::string> arguments) {
  std::vector<char *> argv = {const_cast<char *>(program.c_str())};
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);

  // The child starts with the signals as this process was given them.
  struct sigaction ignore = {}, forward = {};
  ignore.sa_handler = SIG_IGN;
  forward.sa_handler = passOn;
  sigset_t defaults;
  sigemptyset(&defaults);
  for (int signal : {SIGINT, SIGQUIT}) {
    sigaddset(&defaults, signal);
    sigaction(signal, &ignore, nullptr);
  }
  for (int signal : {SIGTERM, SIGHUP}) {
    sigaddset(&defaults, signal);
    sigaction(signal, &forward, nullptr);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setsigdefault(&attributes, &defaults);

  pid_t child = 0;
  int problem = posix_spawn(&child, program.c_str(), nullptr, &attributes,
                            argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (problem) {
    error("cannot run the program: " + llvm::Twine(std::strerror(problem)));
    return {126, 0};
  }
  childProcess = child;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  childProcess = 0;
  if (WIFSIGNALED(status))
    return {128 + WTERMSIG(status), WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

void cufort::driver::endLike(const ProgramEnd &end) {
  if (end.signal) {
    // The program's core file is of interest, ours is not.
    rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    std::signal(end.signal, SIG_DFL);
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, end.signal);
    sigprocmask(SIG_UNBLOCK, &signals, nullptr);
    std::raise(end.signal);
  }
  std::exit(end.status);
}
