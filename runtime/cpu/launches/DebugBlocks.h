//===- DebugBlocks.h - what a debugger asks of kernels ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The blocks that have begun and not ended, for the commands of
// tools/debugger/cufort_blocks.py, which reads them from the memory of the
// program: what is here and how it lies is written there once more.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_LAUNCHES_DEBUGBLOCKS_H
#define CUFORT_RUNTIME_CPU_LAUNCHES_DEBUGBLOCKS_H

#include "image/Image.h"
#include <cstdint>

/// A block of which each thread is a fiber.
struct cufort_debug_block {
  cufort_debug_block *next, *previous;
  const char *kernel; ///< its symbol
  const cufort::image::CpuLaunch *launch;
  const void *fibers; ///< FiberPool::Fiber, one for each thread
  uint64_t fiberBytes;
  uint32_t threads;
  uint32_t running; ///< the thread that runs, if any does
  cufort::image::Dim3 block;
  int32_t worker; ///< the system's number of the thread that runs it, or 0
};

/// The first of them.
extern "C" __attribute__((visibility("default")))
cufort_debug_block *cufort_debug_blocks;

namespace cufort::cpu {

/// Is in the list while the block lives.
class DebugBlock : public cufort_debug_block {
public:
  DebugBlock() : cufort_debug_block{} {}
  DebugBlock(const DebugBlock &) = delete;
  DebugBlock &operator=(const DebugBlock &) = delete;
  ~DebugBlock() { leave(); }

  void enter();
  void leave();

private:
  bool listed = false;
};

/// The system's number of the calling thread.
int32_t systemThread();

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_LAUNCHES_DEBUGBLOCKS_H
