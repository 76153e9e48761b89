//===- KernelOutput.h - what kernels print on the CPU -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Generated code calls the functions __cufort_cpu_output_* (their list is in
// image/KernelOutput.h) for every output statement. Finished records wait here
// until the host synchronises, and are printed in the order of launches, then
// of blocks, then of the threads' statements: the same in every run. What C's
// printf has made is printed before that, by the next launch, where its kernel
// has ended by then: CUDA promises it.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_LAUNCHES_KERNELOUTPUT_H
#define CUFORT_RUNTIME_CPU_LAUNCHES_KERNELOUTPUT_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace cufort::cpu {

class LaunchOperation;

/// The block that the calling thread runs.
struct RunningBlock {
  uint64_t launch = 0;             ///< the operation's sequence number
  uint64_t nested = 0;             ///< and its place among those with that one
  const uint64_t *block = nullptr; ///< its number in the grid
  const char *kernel = nullptr;    ///< its name
  LaunchOperation *operation = nullptr;
};
extern constinit thread_local RunningBlock Running;

/// Says what the calling thread runs, for as long as it lives.
class RunningScope {
public:
  RunningScope(LaunchOperation &operation, const uint64_t &block);
  ~RunningScope() { Running = before; }
  RunningScope(const RunningScope &) = delete;
  RunningScope &operator=(const RunningScope &) = delete;

private:
  RunningBlock before;
};

/// Keeps \p text, which a kernel's printf has made, until it is printed with
/// the records. Of such text the buffer holds cudaLimitPrintfFifoSize bytes,
/// counted as \p bytes says; the oldest goes where it is full.
void keepPrintedText(std::string text, size_t bytes);

/// Prints all finished records.
void deliverKernelOutput();

/// A launch that has called printf; its records know it.
struct PrintingLaunch {
  std::atomic<bool> ended{false};
};

/// Whether such a launch has ended since somebody looked.
extern constinit std::atomic<bool> PrintingLaunchEnded;

/// Prints the text of those that have ended, up to the first output statement
/// of Fortran's that waits: the order stays.
void deliverTextOfEnded();

/// The same, for launches: next to nothing where there is none.
inline void deliverAtLaunch() {
  if (PrintingLaunchEnded.load(std::memory_order_relaxed)) [[unlikely]]
    deliverTextOfEnded();
}

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_LAUNCHES_KERNELOUTPUT_H
