//===- Parallel.cpp - several sources at the same time --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In processes, not threads: Flang and LLVM keep options and handlers of theirs
// in global variables.
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/Parallel.h"
#include "compiler/driver/Compile.h"
#include "compiler/driver/Dependencies.h"
#include "compiler/driver/Diagnostics.h"
#include "compiler/driver/OutputFile.h"
#include "compiler/driver/toolchain/Link.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <map>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cufort;
using namespace cufort::driver;

namespace {
enum class State { Waiting, Running, Done, Failed };

class Schedule {
public:
  Schedule(const CommandLine &line, const std::vector<std::string> &outputs,
           Phases &phases)
      : line(line), outputs(outputs), phases(phases),
        needs(line.sources.size()),
        states(line.sources.size(), State::Waiting) {}

  std::vector<bool> run();

private:
  void findOrder();
  bool startNext();
  bool start(size_t source);
  void finishOne();
  bool isReady(size_t source) const;
  void refuseRest();

  /// A compilation that runs, and the file that its diagnostics go to.
  struct Child {
    size_t source;
    std::FILE *messages;
  };

  const CommandLine &line;
  const std::vector<std::string> &outputs;
  Phases &phases;
  /// The sources whose modules each source uses.
  std::vector<std::vector<size_t>> needs;
  std::vector<State> states;
  std::map<pid_t, Child> children;
};
} // namespace

void Schedule::findOrder() {
  llvm::StringMap<size_t> provider;
  std::vector<SourceModules> modules(line.sources.size());
  for (auto [number, source] : llvm::enumerate(line.sources)) {
    if (source.language != Source::Fortran)
      continue;
    // What cannot be read is reported when it is compiled.
    auto scanned = scanSource(line, source);
    if (!scanned) {
      states[number] = State::Failed;
      continue;
    }
    modules[number] = std::move(*scanned);
    for (const std::string &name : modules[number].provided)
      provider[name] = number;
  }
  for (size_t i = 0; i != modules.size(); ++i)
    for (const std::string &name : modules[i].required)
      if (auto found = provider.find(name);
          found != provider.end() && found->second != i)
        needs[i].push_back(found->second);
}

bool Schedule::isReady(size_t source) const {
  return states[source] == State::Waiting &&
         llvm::all_of(needs[source], [&](size_t other) {
           return states[other] == State::Done;
         });
}

bool Schedule::start(size_t source) {
  std::FILE *messages = std::tmpfile();
  if (!messages)
    return error("cannot make a temporary file for diagnostics");
  const Source &file = line.sources[source];
  phases.show("compile " + file.path);
  llvm::outs().flush();
  llvm::errs().flush();
  const pid_t child = ::fork();
  if (child < 0) {
    std::fclose(messages);
    return error("cannot start another process");
  }
  if (child) {
    children[child] = {source, messages};
    states[source] = State::Running;
    return true;
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  leaveOutputsToParent();
  ::dup2(::fileno(messages), STDERR_FILENO);
  Phases own;
  const bool ok = compileSource(line, file, outputs[source], own) &&
                  (line.action > Action::Object ||
                   closeObject(line, file, outputs[source], own));
  llvm::outs().flush();
  llvm::errs().flush();
  ::_exit(ok ? 0 : 1);
}

bool Schedule::startNext() {
  for (size_t i = 0; i != states.size(); ++i)
    if (isReady(i)) {
      if (!start(i))
        states[i] = State::Failed;
      return true;
    }
  return false;
}

void Schedule::finishOne() {
  int status = 0;
  pid_t child;
  while ((child = ::waitpid(-1, &status, 0)) < 0 && errno == EINTR) {
  }
  auto found = children.find(child);
  if (found == children.end())
    return;
  auto [source, messages] = found->second;
  children.erase(found);
  std::fseek(messages, 0, SEEK_SET);
  char text[4096];
  while (size_t size = std::fread(text, 1, sizeof text, messages))
    llvm::errs().write(text, size);
  std::fclose(messages);
  if (WIFSIGNALED(status))
    error("the compilation of '" + line.sources[source].path +
          "' ended with signal " + llvm::Twine(WTERMSIG(status)));
  states[source] = WIFEXITED(status) && WEXITSTATUS(status) == 0
                       ? State::Done
                       : State::Failed;
}

/// What waits for a source that failed is not compiled, as with make; what
/// waits for itself never can be.
void Schedule::refuseRest() {
  const bool failed = llvm::is_contained(states, State::Failed);
  for (size_t i = 0; i != states.size(); ++i)
    if (states[i] == State::Waiting) {
      if (!failed)
        error("'" + line.sources[i].path +
              "' uses a module of a file that, directly or not, uses one of "
              "its own modules");
      states[i] = State::Failed;
    }
}

std::vector<bool> Schedule::run() {
  findOrder();
  phases.begin("compile " + std::to_string(line.sources.size()) + " files");
  for (;;) {
    while (children.size() < line.jobs && startNext()) {
    }
    if (children.empty())
      break;
    finishOne();
  }
  phases.end();
  refuseRest();
  std::vector<bool> done;
  done.reserve(states.size());
  for (State state : states)
    done.push_back(state == State::Done);
  return done;
}

std::vector<bool>
cufort::driver::compileInParallel(const CommandLine &line,
                                  const std::vector<std::string> &outputs,
                                  Phases &phases) {
  return Schedule(line, outputs, phases).run();
}
