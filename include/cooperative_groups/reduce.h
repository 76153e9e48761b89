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
    template <class __U>                                                       \
    __host__ __device__ __U operator()(__U a, __U b) const {                   \
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

/// Combines the values of all members; every member gets the result.
namespace details {
#if __CUDA_ARCH__ >= 800
/// 32-bit operations for which a warp has an instruction.
template <class __F> struct __InWarp {
  static constexpr bool isKnown = false;
};
#define __CUFORT_IN_WARP(name, function)                                       \
  template <class __V> struct __InWarp<name<__V>> {                            \
    static constexpr bool isKnown = true;                                      \
    template <class T>                                                         \
    static __device__ __forceinline__ T of(unsigned int mask, T value) {       \
      return function(mask, value);                                            \
    }                                                                          \
  };
__CUFORT_IN_WARP(plus, __reduce_add_sync)
__CUFORT_IN_WARP(less, __reduce_min_sync)
__CUFORT_IN_WARP(greater, __reduce_max_sync)
__CUFORT_IN_WARP(bit_and, __reduce_and_sync)
__CUFORT_IN_WARP(bit_or, __reduce_or_sync)
__CUFORT_IN_WARP(bit_xor, __reduce_xor_sync)
#undef __CUFORT_IN_WARP
#endif
template <class T> struct IsWord {
  static constexpr bool value = false;
};
template <> struct IsWord<int> {
  static constexpr bool value = true;
};
template <> struct IsWord<unsigned int> {
  static constexpr bool value = true;
};

/// Combines for each member its own value with those of all members on one
/// side, of which \p next is the nearest one's lane, or negative if there is
/// none. In every step twice as many values have been combined.
template <class T, class __F>
static __device__ __forceinline__ T combineMembers(unsigned int members,
                                                   T value, int next,
                                                   __F combine) {
#pragma unroll
  for (unsigned int known = 1; known < 32; known *= 2) {
    int from = next < 0 ? (int)lane() : next;
    T other = shuffle(value, Shuffle{members, from, 32});
    int further = __shfl_sync(members, next, from);
    if (next >= 0) {
      value = combine(value, other);
      next = further;
    }
  }
  return value;
}

/// Groups within a warp.
template <class __Group, class T, class __F>
static __device__ __forceinline__ T reduceInWarp(const __Group &group, T value,
                                                 __F operation) {
#if __CUDA_ARCH__ >= 800
  if constexpr (IsWord<T>::value && __InWarp<__F>::isKnown)
    return __InWarp<__F>::of(Members::of(group), value);
#endif
  if constexpr (IsTileInWarp<__Group>::value) {
    // Values from beyond the tile's end are wrong, but they never reach the
    // first thread.
#pragma unroll
    for (unsigned int step = 1; step < __Group::size(); step *= 2)
      value = operation(value, group.shfl_down(value, step));
    return group.shfl(value, 0);
  } else {
    unsigned int members = Members::of(group);
    unsigned int after = members & (~1u << lane());
    value = combineMembers(members, value, __ffs(after) - 1, operation);
    int first = __ffs(members) - 1;
    return shuffle(value, Shuffle{members, first, 32});
  }
}
template <class __Group, class T, class __F>
static __device__ __forceinline__ T scanInWarp(const __Group &group, T value,
                                               __F operation) {
  if constexpr (IsTileInWarp<__Group>::value) {
    unsigned int rank = group.thread_rank();
#pragma unroll
    for (unsigned int step = 1; step < __Group::size(); step *= 2) {
      T other = group.shfl_up(value, step);
      if (rank >= step)
        value = operation(other, value);
    }
    return value;
  } else {
    unsigned int members = Members::of(group);
    unsigned int before = members & ((1u << lane()) - 1);
    return combineMembers(members, value, 31 - __clz(before),
                          [&](T a, T b) { return operation(b, a); });
  }
}
using __Warp = thread_block_tile<32>;
} // namespace details

template <class __Group, class T, class __F>
static __device__ __forceinline__ T reduce(const __Group &group, T value,
                                           __F operation) {
  if constexpr (details::IsTileOfWarps<__Group>::value)
    return group.combine(
        details::reduceInWarp(details::__Warp(), value, operation), operation);
  else
    return details::reduceInWarp(group, value, operation);
}

template <class __Group, class T, class __F>
static __device__ __forceinline__ T inclusive_scan(const __Group &group,
                                                   T value, __F operation) {
  if constexpr (details::IsTileOfWarps<__Group>::value) {
    T inWarp = details::scanInWarp(details::__Warp(), value, operation);
    bool hasAny;
    T before = group.combineBefore(inWarp, operation, hasAny);
    return hasAny ? operation(before, inWarp) : inWarp;
  } else {
    return details::scanInWarp(group, value, operation);
  }
}
template <class __Group, class T>
static __device__ __forceinline__ T inclusive_scan(const __Group &group,
                                                   T value) {
  return inclusive_scan(group, value, plus<T>());
}
template <class __Group, class T, class __F>
static __device__ __forceinline__ T exclusive_scan(const __Group &group,
                                                   T value, __F operation) {
  if constexpr (details::IsTileOfWarps<__Group>::value) {
    T inWarp = details::scanInWarp(details::__Warp(), value, operation);
    bool hasAny;
    T before = group.combineBefore(inWarp, operation, hasAny);
    T left = details::__Warp().shfl_up(inWarp, 1);
    return details::__Warp::thread_rank() == 0 ? (hasAny ? before : T())
           : hasAny                            ? operation(before, left)
                                               : left;
  } else {
    T before = group.shfl_up(details::scanInWarp(group, value, operation), 1);
    return group.thread_rank() ? before : T();
  }
}
template <class __Group, class T>
static __device__ __forceinline__ T exclusive_scan(const __Group &group,
                                                   T value) {
  return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups

#endif // CUFORT_COOPERATIVE_GROUPS_REDUCE_H
