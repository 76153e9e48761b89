//===- Device.cpp - the devices of this run -------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Device.h"
#include "runtime/check/Check.h"
#include "runtime/check/report/Report.h"
#include "runtime/core/KernelOutput.h"
#include "runtime/core/LaunchFailure.h"
#include "runtime/core/engine/Engines.h"
#include "runtime/core/process/Environment.h"
#include "runtime/core/process/Process.h"
#include "runtime/core/process/Stop.h"
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <unistd.h>

namespace cufort {

struct Devices {
  std::vector<Engine *> engines;
};

namespace {

/// What exit calls first of all, before its handlers: on the main thread.
struct MainThread {
  ~MainThread() {
    if (gettid() != getpid() || process().forked.load())
      return;
    enterExit();
    waitIfStopping();
  }
};

void leaveProgram() {
  if (process().forked.load())
    return; // The parent's threads and contexts do not exist here.
  enterExit();
  process().exiting.store(true);
  reportPendingLaunchFailure();
  // What was launched last is checked and counted as well.
  profile::Recorder *recorder = profile::recorder();
  if ((check::checking() || recorder) && !programStops() &&
      !threadState().inHostFunction)
    for (Engine *engine : process().devices.load()->engines)
      if (engine->isInUse())
        engine->synchronize();
  if (kernelsHaveOutput()) {
    // What still runs may print, unless the program ends with an error or in a
    // function that the rest of its stream waits for.
    if (!programStops() && !threadState().inHostFunction)
      for (Engine *engine : process().devices.load()->engines)
        if (engine->mayHaveOutput())
          engine->synchronize();
    // A kernel that is about to end the program, or has.
    waitIfStopping();
    deliverAllOutput();
    if (OutputTurn turn; turn)
      outputReplay().flush();
  }
  if (recorder)
    recorder->finish();
  for (Engine *engine : process().devices.load()->engines)
    engine->shutDown();
}

std::vector<Engine *> makeEngines() {
  if (const char *problem = registrationProblem())
    stopProgram(nullptr, 0, "starting the program", cudaErrorInvalidKernelImage,
                problem);
  const Environment &env = environment();
  std::vector<Engine *> engines;
  if (env.device != DeviceChoice::Cpu) {
    std::string problem;
    // Without kernels (a program that only copies) any device will do.
    if (!programs().empty() && !haveGpuCode())
      problem = "the program was compiled without GPU code (-Mcuda=emu or "
                "--device=cpu)";
    else
      engines = makeCudaEngines(problem);
    if (!engines.empty() && check::checking())
      check::runUnchecked();
    if (engines.empty() && env.device == DeviceChoice::Cuda)
      stopProgram(nullptr, 0, "CUFORT_DEVICE=cuda", cudaErrorNoDevice,
                  problem.c_str());
  }
  return engines.empty() ? makeCpuEngines(env) : engines;
}

Devices *choose() {
  profile::start();
  Devices *devices = nullptr;
  const Error error = catchExhaustion([&] {
    auto fresh = std::make_unique<Devices>();
    fresh->engines = makeEngines();
    devices = fresh.release();
    return cudaSuccess;
  });
  if (error != cudaSuccess)
    stopProgram(nullptr, 0, "starting the program", error,
                "the host's memory is exhausted");
  pthread_atfork(nullptr, nullptr, [] { process().forked.store(true); });
  std::atexit(leaveProgram);
  return devices;
}

Devices &devices() {
  if (Devices *ready = process().devices.load(std::memory_order_acquire))
    return *ready;
  std::lock_guard lock(processWide<std::mutex>(ProcessObject::DeviceMutex));
  if (Devices *ready = process().devices.load(std::memory_order_acquire))
    return *ready;
  Devices *fresh = choose();
  process().devices.store(fresh, std::memory_order_release);
  return *fresh;
}

} // namespace

int deviceCount() { return static_cast<int>(devices().engines.size()); }

Engine *deviceAt(int index) {
  Devices &all = devices();
  return index >= 0 && index < static_cast<int>(all.engines.size())
             ? all.engines[static_cast<size_t>(index)]
             : nullptr;
}

int currentDevice() {
  if (const int chosen = threadState().device; chosen >= 0)
    return chosen;
  const unsigned bound = environment().boundDevice;
  return bound ? static_cast<int>(bound % devices().engines.size()) : 0;
}
unsigned deviceChoices() { return threadState().deviceChoices; }

Error setCurrentDevice(int index) {
  if (!deviceAt(index))
    return cudaErrorInvalidDevice;
  threadState().device = index;
  ++threadState().deviceChoices;
  return cudaSuccess;
}

DeviceUse useDevice() {
  if (process().forked.load(std::memory_order_relaxed)) {
    // Programs seldom test every status: say once what is wrong.
    static std::atomic<bool> said{false};
    if (!said.exchange(true))
      std::fprintf(stderr, "error: %s: %s\n",
                   errorName(cudaErrorInitializationError),
                   errorAdvice(cudaErrorInitializationError));
    return {nullptr, cudaErrorInitializationError};
  }
  static thread_local MainThread mainThread;
  (void)mainThread;
  Devices &all = devices();
  waitIfStopping();
  if (process().exiting.load(std::memory_order_relaxed))
    return {nullptr, cudaErrorCudartUnloading};
  if (threadState().inHostFunction)
    return {nullptr, cudaErrorNotPermitted};
  Engine *engine = all.engines[static_cast<size_t>(currentDevice())];
  return {engine, engine->failure()};
}

HostFunctionScope::HostFunctionScope()
    : error(takeLastError()), device(threadState().device),
      nested(threadState().inHostFunction) {
  threadState().inHostFunction = true;
}

HostFunctionScope::~HostFunctionScope() {
  threadState().inHostFunction = nested;
  threadState().device = device;
  takeLastError();
  recordError(error);
}

void deliverAllOutput() {
  if (Devices *chosen = process().devices.load(std::memory_order_acquire))
    for (Engine *engine : chosen->engines)
      engine->deliverOutput();
}

bool devicesInUse() {
  return process().devices.load(std::memory_order_acquire);
}

bool programIsExiting() { return process().exiting.load(); }

} // namespace cufort
