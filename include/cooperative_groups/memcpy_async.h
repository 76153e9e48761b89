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
template <class __Group, class T, class __U, class __Size>
static __device__ __forceinline__ void memcpy_async(const __Group &group, T *to,
                                                    const __U *from,
                                                    const __Size &bytes) {
  cufort_async::copy<cufort_async::alignmentOf<T, __Size>()>(
      to, from, bytes, group.thread_rank(), group.size());
  cufort_async::commit();
}
template <class __Group>
static __device__ __forceinline__ void wait(const __Group &group) {
  cufort_async::wait(0);
  group.sync();
}
/// But for the last \p Stages copies.
template <unsigned int __Stages, class __Group>
static __device__ __forceinline__ void wait_prior(const __Group &group) {
  cufort_async::wait(__Stages);
  group.sync();
}

} // namespace cooperative_groups

#endif // CUFORT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
