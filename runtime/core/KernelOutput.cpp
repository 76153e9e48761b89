//===- KernelOutput.cpp - what kernels print, and stop --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/KernelOutput.h"
#include "runtime/core/Device.h"
#include "runtime/core/Registry.h"
#include "runtime/core/process/Process.h"
#include "runtime/core/process/Stop.h"
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace cufort {
namespace {

std::mutex &turns() {
  return processWide<std::mutex>(ProcessObject::OutputMutex);
}

} // namespace

void setOutputReplay(const OutputReplay &replay) {
  process().outputReplay = &replay;
}

const OutputReplay &outputReplay() {
  if (!process().outputReplay)
    stopProgram(nullptr, 0, "output of a kernel", cudaErrorNotSupported,
                "the program has no Fortran runtime");
  return *process().outputReplay;
}

OutputTurn::OutputTurn() : mine(!threadState().deliversOutput) {
  if (!mine)
    return;
  turns().lock();
  threadState().deliversOutput = true;
}

OutputTurn::~OutputTurn() {
  if (!mine)
    return;
  threadState().deliversOutput = false;
  turns().unlock();
}

void stopForKernel(const KernelStop &stop, void (*wake)()) {
  const unsigned kind = stop.kind & ~unsigned(CUFORT_STOP_QUIET);
  beginStop(kind == CUFORT_STOP_TEXT         ? 0
            : kind == CUFORT_ERROR_STOP_TEXT ? 1
                                             : stop.code);
  const HandedStop handed{[](const void *argument) {
                            deliverAllOutput();
                            outputReplay().stop(
                                *static_cast<const KernelStop *>(argument));
                            std::abort();
                          },
                          &stop};
  if (leavesStopsToHost())
    handStopOver(handed, wake);
  handed.end(handed.argument);
  __builtin_unreachable();
}

bool kernelsHaveOutput() {
  static const bool have =
      static_cast<bool>(findVariableByName(CUFORT_OUTPUT_CHANNEL_NAME));
  return have;
}

size_t outputBufferBytes() {
  return process().outputBufferBytes.load(std::memory_order_relaxed);
}

void setOutputBufferBytes(size_t bytes) {
  process().outputBufferBytes.store(bytes, std::memory_order_relaxed);
}

} // namespace cufort
