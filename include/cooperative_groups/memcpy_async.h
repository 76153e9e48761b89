//===- memcpy_async.h - copies by a group -----------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define CUFORT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "cooperative_groups.h"
#include "cufort/async_copies.h"

namespace cooperative_groups {

/// Copies with all threads of the group; finished after wait.
template <class Group, class T, class U, class Size>
static __device__ __forceinline__ void
memcpy_async(const Group &group, T *to, const U *from, const Size &bytes) {
  cufort_async::copy<cufort_async::alignmentOf<T, Size>()>(
      to, from, bytes, group.thread_rank(), group.size());
  cufort_async::commit();
}
template <class Group>
static __device__ __forceinline__ void wait(const Group &group) {
  cufort_async::wait(0);
  group.sync();
}
/// But for the last \p Stages copies.
template <unsigned int Stages, class Group>
static __device__ __forceinline__ void wait_prior(const Group &group) {
  cufort_async::wait(Stages);
  group.sync();
}

} // namespace cooperative_groups

#endif // CUFORT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
