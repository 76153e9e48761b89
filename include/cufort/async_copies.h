//===- async_copies.h - copies into shared memory ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Copies for pipelines and groups. GPUs from compute capability 8.0 on have
// copies from global to shared memory that go on by themselves (cp.async in the
// PTX manual); everywhere else, and for what is not so aligned, a copy is done
// when the call returns, and there is nothing to wait for.
#ifndef CUFORT_ASYNC_COPIES_H
#define CUFORT_ASYNC_COPIES_H

#include "cuda_runtime.h"

namespace cuda {
/// A number of bytes that is a multiple of Alignment, as the addresses are.
template <size_t Alignment> struct aligned_size_t {
  size_t value;
  __host__ __device__ constexpr explicit aligned_size_t(size_t bytes)
      : value(bytes) {}
  __host__ __device__ constexpr operator size_t() const { return value; }
};
} // namespace cuda

namespace cufort_async {

/// The alignment of addresses and size that a program has promised.
template <class T> struct AlignmentOf {
  static constexpr size_t value = alignof(T);
};
template <> struct AlignmentOf<void> {
  static constexpr size_t value = 1;
};
template <> struct AlignmentOf<const void> : AlignmentOf<void> {};
template <class __Size> struct AlignmentOfSize {
  static constexpr size_t value = 1;
};
template <size_t Alignment>
struct AlignmentOfSize<cuda::aligned_size_t<Alignment>> {
  static constexpr size_t value = Alignment;
};
template <class T, class __Size> constexpr size_t alignmentOf() {
  constexpr size_t type = AlignmentOf<T>::value,
                   size = AlignmentOfSize<__Size>::value,
                   known = type > size ? type : size;
  return known > 16 ? 16 : known;
}

static __device__ __forceinline__ bool areThere() {
#if __CUDA_ARCH__ >= 800
  return !__nvvm_reflect("__CUFORT_CPU");
#else
  return false;
#endif
}

/// Copies \p Bytes, 4, 8 or 16, to which both addresses are aligned.
template <unsigned int __Bytes>
static __device__ __forceinline__ void copyPiece(void *to, const void *from) {
#if __CUDA_ARCH__ >= 800
  if (areThere() && __isShared(to) && __isGlobal(from)) {
    unsigned int place = (unsigned int)__cvta_generic_to_shared(to);
    size_t origin = __cvta_generic_to_global(from);
    if constexpr (__Bytes == 16)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place),
                   "l"(origin)
                   : "memory");
    else
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(place),
                   "l"(origin), "n"(__Bytes)
                   : "memory");
    return;
  }
#endif
  memcpy(__builtin_assume_aligned(to, __Bytes),
         __builtin_assume_aligned(from, __Bytes), __Bytes);
}

/// Copies \p bytes in pieces of \p Alignment: every \p step-th one from the
/// \p first on.
template <size_t Alignment>
static __device__ __forceinline__ void copy(void *to, const void *from,
                                            size_t bytes, size_t first = 0,
                                            size_t step = 1) {
  auto *target = (unsigned char *)to;
  auto *source = (const unsigned char *)from;
  if constexpr (Alignment >= 4) {
    if (bytes % Alignment == 0) {
      for (size_t i = first * Alignment; i < bytes; i += step * Alignment)
        copyPiece<Alignment>(target + i, source + i);
      return;
    }
  }
  if (((((size_t)target | (size_t)source | bytes) & 3) == 0)) {
    for (size_t i = first * 4; i < bytes; i += step * 4)
      copyPiece<4>(target + i, source + i);
  } else {
    for (size_t i = first; i < bytes; i += step)
      target[i] = source[i];
  }
}

/// Makes the copies so far a group that can be waited for.
static __device__ __forceinline__ void commit() {
#if __CUDA_ARCH__ >= 800
  if (areThere())
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits for the thread's own copies, but for the last \p prior groups.
static __device__ __forceinline__ void wait(size_t prior) {
#if __CUDA_ARCH__ >= 800
  if (!areThere())
    return;
  switch (prior) {
#define __CUFORT_PRIOR(n)                                                      \
  case n:                                                                      \
    asm volatile("cp.async.wait_group " #n ";" ::: "memory");                  \
    break;
    __CUFORT_PRIOR(1)
    __CUFORT_PRIOR(2)
    __CUFORT_PRIOR(3)
    __CUFORT_PRIOR(4)
    __CUFORT_PRIOR(5)
    __CUFORT_PRIOR(6)
    __CUFORT_PRIOR(7)
#undef __CUFORT_PRIOR
  default: // of groups that are further back some are waited for in vain
    asm volatile("cp.async.wait_group 0;" ::: "memory");
  }
#endif
}

} // namespace cufort_async

#endif // CUFORT_ASYNC_COPIES_H
