//===- FiberStops.cpp - fibers that end the program -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Names.h"
#include "runtime/core/process/Stop.h"
#include "runtime/cpu/launches/Fibers.h"
#include <algorithm>

namespace cufort::cpu {

/// Says who waits and for whom.
void FiberPool::stopForEver() const {
  if (checked)
    check::reportDeadlock(*checked);
  auto place = [&](size_t i) -> std::string {
    if (fibers[i].at == Barrier::Part)
      return "barrier " + std::to_string(fibers[i].part) +
             " of part of the block, where " +
             std::to_string(arrivedAtParts[fibers[i].part]) + " have come";
    if (fibers[i].at != Barrier::None)
      return fibers[i].at == Barrier::Block     ? "a barrier of the block"
             : fibers[i].at == Barrier::Cluster ? "a barrier of the cluster"
                                                : "a barrier of the grid";
    return warps.describe(i);
  };
  auto isIn = [&](size_t i, size_t begin, size_t end, uint32_t mask) {
    return i >= begin && i < end && mask >> (i - begin) % Warps::Size & 1;
  };
  size_t one = threads;
  for (size_t i = 0; i < threads; ++i)
    if (fibers[i].live && (one == threads || warps.isWaiting(i))) {
      one = i;
      if (warps.isWaiting(i))
        break;
    }
  // At a warp operation it waits for lanes of its warp only.
  const bool inWarp = warps.isWaiting(one);
  const size_t begin = inWarp ? one / Warps::Size * Warps::Size : 0;
  const size_t end = inWarp ? std::min(begin + Warps::Size, threads) : threads;
  const uint32_t mask = inWarp ? warps.mask(one) : ~0u;
  std::string text =
      "threads of a block wait for each other for ever: thread " + nameOf(one) +
      " at " + place(one);
  for (size_t i = 0; i < threads; ++i)
    if (fibers[i].live && isIn(i, begin, end, mask) && place(i) != place(one)) {
      text += ", thread " + nameOf(i) + " at " + place(i);
      break;
    }
  stop(text);
}

std::string FiberPool::nameOf(size_t thread) const {
  const image::Dim3 index = fibers[thread].thread;
  const unsigned first = firstIndex(work.kernel->name);
  return "(" + std::to_string(index.x + first) + "," +
         std::to_string(index.y + first) + "," +
         std::to_string(index.z + first) + ")";
}

void FiberPool::stop(const std::string &text) const {
  stopProgram(nullptr, 0, (std::string("kernel ") + work.kernel->name).c_str(),
              cudaErrorLaunchFailure, text.c_str());
}

void stopAtGridBarrier(const char *kernel) {
  stopProgram(nullptr, 0, (std::string("kernel ") + kernel).c_str(),
              cudaErrorNotSupported,
              "it contains a grid-wide barrier but was not launched "
              "cooperatively");
}

} // namespace cufort::cpu
