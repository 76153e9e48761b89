//===- Fibers.h - one fiber per thread of a block ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference mode (CUFORT_CPU_FIBERS=1): every thread of a block is a fiber
// that runs the kernel unfissioned. Slow and simple; what the fissioned code
// computes is compared with it.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_FIBERS_H
#define CUFORT_RUNTIME_CPU_FIBERS_H

#include "image/Image.h"
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cufort::cpu {

class FiberPool {
public:
  FiberPool() = default;
  FiberPool(const FiberPool &) = delete;
  FiberPool &operator=(const FiberPool &) = delete;
  ~FiberPool();

  /// Puts the threads of one block at the start of \p entry. \p launch and
  /// \p workspace must live as long as the block runs.
  void begin(image::CpuThreadEntry entry, const char *arguments,
             const image::CpuLaunch &launch, const image::Dim3 &block,
             const image::CpuWorkspace &workspace);

  /// Runs the block's threads, in ascending order between barriers. True: all
  /// have ended; false: some wait at a barrier of the grid, from where the next
  /// call, perhaps on another thread of the host, goes on.
  bool run();

private:
  struct Fiber {
    void *stackPointer;
    char *stack;
    image::Dim3 thread;
    bool live;
  };
  friend void fiberMain(FiberPool *pool);
  friend struct FiberSwitch;

  void makeStacks(size_t count);
  friend void suspend(bool atGridBarrier);

  std::vector<Fiber> fibers;
  void *callerStackPointer = nullptr;
  Fiber *running = nullptr;
  size_t threads = 0;         ///< of the block
  bool atGridBarrier = false; ///< whether one of them is

  image::CpuThreadEntry entry = nullptr;
  const char *arguments = nullptr;
  const image::CpuLaunch *launch = nullptr;
  image::Dim3 block{};
  const image::CpuWorkspace *workspace = nullptr;
};

} // namespace cufort::cpu

/// Called by kernels in the reference mode: suspends the calling thread of the
/// block until all others that have not returned are here as well.
extern "C" __attribute__((visibility("default"))) void
__cufort_cpu_block_barrier();

/// The same for all blocks of a cooperative launch.
extern "C" __attribute__((visibility("default"))) void
__cufort_cpu_grid_barrier();

#endif // CUFORT_RUNTIME_CPU_FIBERS_H
