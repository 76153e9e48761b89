//===- memcpy_async.h - copies by a group -----------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define CUFORT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "cooperative_groups.h"

namespace cooperative_groups {

/// Copies with all threads of the group; finished after wait.
template <class Group, class T, class U>
static __device__ __forceinline__ void
memcpy_async(const Group &group, T *to, const U *from, size_t bytes) {
  auto *target = (unsigned char *)to;
  auto *source = (const unsigned char *)from;
  size_t step = group.size();
  if ((((size_t)target | (size_t)source | bytes) & 3) == 0) {
    for (size_t i = group.thread_rank(); i < bytes / 4; i += step)
      ((unsigned int *)target)[i] = ((const unsigned int *)source)[i];
    return;
  }
  for (size_t i = group.thread_rank(); i < bytes; i += step)
    target[i] = source[i];
}
template <class Group>
static __device__ __forceinline__ void wait(const Group &group) {
  group.sync();
}
template <unsigned int Stages, class Group>
static __device__ __forceinline__ void wait_prior(const Group &group) {
  group.sync();
}

} // namespace cooperative_groups

#endif // CUFORT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
