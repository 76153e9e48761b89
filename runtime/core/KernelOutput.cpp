//===- KernelOutput.cpp - what kernels print, and stop --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/KernelOutput.h"
#include "runtime/core/Device.h"
#include "runtime/core/Registry.h"
#include "runtime/core/Stop.h"
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace cufort {
namespace {

const OutputReplay *Replay = nullptr;
/// The guide (B.14.3) says 1 MB. CUDA's records are of 16 bytes and more, ours
/// on a GPU of 128 (CufortOutputSlot): this holds as many, so that a program
/// which sets no limit loses nothing that it would not lose there.
std::atomic<size_t> BufferBytes{size_t(8) << 20};
thread_local bool Delivering = false;

std::mutex &turns() {
  static std::mutex *mutex = new std::mutex;
  return *mutex;
}

} // namespace

void setOutputReplay(const OutputReplay &replay) { Replay = &replay; }

const OutputReplay &outputReplay() {
  if (!Replay)
    stopProgram(nullptr, 0, "output of a kernel", cudaErrorNotSupported,
                "the program has no Fortran runtime");
  return *Replay;
}

OutputTurn::OutputTurn() : mine(!Delivering) {
  if (!mine)
    return;
  turns().lock();
  Delivering = true;
}

OutputTurn::~OutputTurn() {
  if (!mine)
    return;
  Delivering = false;
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
  return BufferBytes.load(std::memory_order_relaxed);
}

void setOutputBufferBytes(size_t bytes) {
  BufferBytes.store(bytes, std::memory_order_relaxed);
}

} // namespace cufort
