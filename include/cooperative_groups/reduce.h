//===- reduce.h - reductions and scans over a group -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COOPERATIVE_GROUPS_REDUCE_H
#define CUFORT_COOPERATIVE_GROUPS_REDUCE_H

#include "cooperative_groups.h"

namespace cooperative_groups {

#define __CUFORT_OPERATION(name, expression)                                   \
  template <class T = void> struct name {                                      \
    __host__ __device__ T operator()(T a, T b) const { return expression; }    \
  };                                                                           \
  template <> struct name<void> {                                              \
    template <class U> __host__ __device__ U operator()(U a, U b) const {      \
      return expression;                                                       \
    }                                                                          \
  };
__CUFORT_OPERATION(plus, a + b)
__CUFORT_OPERATION(less, b < a ? b : a)
__CUFORT_OPERATION(greater, a < b ? b : a)
__CUFORT_OPERATION(bit_and, a &b)
__CUFORT_OPERATION(bit_or, a | b)
__CUFORT_OPERATION(bit_xor, a ^ b)
#undef __CUFORT_OPERATION

/// The combination of all members' values, for every member.
namespace details {
/// Groups within a warp.
template <class Group, class T, class F>
static __device__ __forceinline__ T reduceInWarp(const Group &group, T value,
                                                 F operation) {
  unsigned int size = group.size(), rank = group.thread_rank();
  for (unsigned int step = 1; step < size; step *= 2) {
    T other = group.shfl_down(value, step);
    if (rank + step < size)
      value = operation(value, other);
  }
  return group.shfl(value, 0);
}
template <class Group, class T, class F>
static __device__ __forceinline__ T scanInWarp(const Group &group, T value,
                                               F operation) {
  unsigned int size = group.size(), rank = group.thread_rank();
  for (unsigned int step = 1; step < size; step *= 2) {
    T other = group.shfl_up(value, step);
    if (rank >= step)
      value = operation(other, value);
  }
  return value;
}
using Warp = thread_block_tile<32>;
} // namespace details

template <class Group, class T, class F>
static __device__ __forceinline__ T reduce(const Group &group, T value,
                                           F operation) {
  if constexpr (details::IsTileOfWarps<Group>::value)
    return group.combine(
        details::reduceInWarp(details::Warp(), value, operation), operation);
  else
    return details::reduceInWarp(group, value, operation);
}

template <class Group, class T, class F>
static __device__ __forceinline__ T inclusive_scan(const Group &group, T value,
                                                   F operation) {
  if constexpr (details::IsTileOfWarps<Group>::value) {
    T inWarp = details::scanInWarp(details::Warp(), value, operation);
    bool hasAny;
    T before = group.combineBefore(inWarp, operation, hasAny);
    return hasAny ? operation(before, inWarp) : inWarp;
  } else {
    return details::scanInWarp(group, value, operation);
  }
}
template <class Group, class T>
static __device__ __forceinline__ T inclusive_scan(const Group &group,
                                                   T value) {
  return inclusive_scan(group, value, plus<T>());
}
template <class Group, class T, class F>
static __device__ __forceinline__ T exclusive_scan(const Group &group, T value,
                                                   F operation) {
  if constexpr (details::IsTileOfWarps<Group>::value) {
    T inWarp = details::scanInWarp(details::Warp(), value, operation);
    bool hasAny;
    T before = group.combineBefore(inWarp, operation, hasAny);
    T left = details::Warp().shfl_up(inWarp, 1);
    return details::Warp::thread_rank() == 0 ? (hasAny ? before : T())
           : hasAny                          ? operation(before, left)
                                             : left;
  } else {
    T before = group.shfl_up(details::scanInWarp(group, value, operation), 1);
    return group.thread_rank() ? before : T();
  }
}
template <class Group, class T>
static __device__ __forceinline__ T exclusive_scan(const Group &group,
                                                   T value) {
  return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups

#endif // CUFORT_COOPERATIVE_GROUPS_REDUCE_H
