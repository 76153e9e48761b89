//===- mma.h - products of small matrices by a warp -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nvcuda::wmma for half, __nv_bfloat16, tf32, double and integers of 8 bits. On
// a GPU these are the instructions of tensor cores; on the CPU the lanes of a
// warp compute the same with shuffles (cufort/warp_matrices.h). Which elements
// of the matrix a fragment holds is unspecified in either case.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_MMA_H
#define CUFORT_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if defined(__cplusplus) && defined(__CUDA__)

namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision {
struct tf32;
}
namespace experimental {
using namespace precision;
}

/// The elements that one lane holds of a matrix.
template <class __Use, int m, int n, int k, class T, class __Layout = void>
class fragment;

} // namespace wmma
} // namespace nvcuda

#include "cufort/warp_matrices.h"

namespace nvcuda {
namespace wmma {

#define __CUFORT_FRAGMENT(use, m, n, k, type, storage, count)                  \
  template <class __Layout>                                                    \
  class __attribute__((aligned(sizeof(storage) > 4 ? sizeof(storage) : 4)))    \
  fragment<use, m, n, k, type, __Layout> {                                     \
  public:                                                                      \
    typedef storage element_type;                                              \
    typedef storage storage_element_type;                                      \
    enum { num_elements = count, num_storage_elements = count };               \
    storage x[count];                                                          \
  };
// The instructions for half hold each element of a and b twice.
#define __CUFORT_FRAGMENTS(m, n, k)                                            \
  __CUFORT_FRAGMENT(matrix_a, m, n, k, __half, __half, 16)                     \
  __CUFORT_FRAGMENT(matrix_b, m, n, k, __half, __half, 16)                     \
  __CUFORT_FRAGMENT(matrix_a, m, n, k, __nv_bfloat16, __nv_bfloat16,           \
                    m *k / 32)                                                 \
  __CUFORT_FRAGMENT(matrix_b, m, n, k, __nv_bfloat16, __nv_bfloat16,           \
                    n *k / 32)                                                 \
  __CUFORT_FRAGMENT(matrix_a, m, n, k, signed char, signed char, m *k / 32)    \
  __CUFORT_FRAGMENT(matrix_b, m, n, k, signed char, signed char, n *k / 32)    \
  __CUFORT_FRAGMENT(matrix_a, m, n, k, unsigned char, unsigned char,           \
                    m *k / 32)                                                 \
  __CUFORT_FRAGMENT(matrix_b, m, n, k, unsigned char, unsigned char,           \
                    n *k / 32)                                                 \
  __CUFORT_FRAGMENT(accumulator, m, n, k, __half, __half, 8)                   \
  __CUFORT_FRAGMENT(accumulator, m, n, k, float, float, 8)                     \
  __CUFORT_FRAGMENT(accumulator, m, n, k, int, int, 8)
__CUFORT_FRAGMENTS(16, 16, 16)
__CUFORT_FRAGMENTS(32, 8, 16)
__CUFORT_FRAGMENTS(8, 32, 16)
__CUFORT_FRAGMENT(matrix_a, 16, 16, 8, precision::tf32, float, 4)
__CUFORT_FRAGMENT(matrix_b, 16, 16, 8, precision::tf32, float, 4)
__CUFORT_FRAGMENT(accumulator, 16, 16, 8, float, float, 8)
__CUFORT_FRAGMENT(matrix_a, 8, 8, 4, double, double, 1)
__CUFORT_FRAGMENT(matrix_b, 8, 8, 4, double, double, 1)
__CUFORT_FRAGMENT(accumulator, 8, 8, 4, double, double, 2)
#undef __CUFORT_FRAGMENTS
#undef __CUFORT_FRAGMENT

template <class __Use, int m, int n, int k, class T, class __Layout>
__device__ inline void fill_fragment(
    fragment<__Use, m, n, k, T, __Layout> &f,
    const typename fragment<__Use, m, n, k, T, __Layout>::element_type &value) {
  for (int i = 0; i < f.num_elements; ++i)
    f.x[i] = value;
}

/// Rounds to what tf32 has: ten bits behind the point, ties away from zero.
__device__ inline float __float_to_tf32(float value) {
  unsigned bits = __float_as_uint(value);
  if ((bits & 0x7f800000u) != 0x7f800000u)
    bits = (bits + 0x1000u) & 0xffffe000u;
  return __uint_as_float(bits);
}

template <int m, int n, int k, class T, class __Layout, class __Element>
__device__ inline void
load_matrix_sync(fragment<matrix_a, m, n, k, T, __Layout> &f,
                 const __Element *from, unsigned ldm) {
  constexpr bool isColumns = __is_same(__Layout, col_major);
  if (__cufort_on_cpu())
    __cufort_load_along<m, k>(f.x, from, isColumns ? 1 : ldm,
                              isColumns ? ldm : 1);
  else
    __instructions<m, n, k>::template loadA<isColumns>((int *)f.x, from, ldm,
                                                       (T *)nullptr);
}

template <int m, int n, int k, class T, class __Layout, class __Element>
__device__ inline void
load_matrix_sync(fragment<matrix_b, m, n, k, T, __Layout> &f,
                 const __Element *from, unsigned ldm) {
  constexpr bool isColumns = __is_same(__Layout, col_major);
  if (__cufort_on_cpu())
    __cufort_load_along<n, k>(f.x, from, isColumns ? ldm : 1,
                              isColumns ? 1 : ldm);
  else
    __instructions<m, n, k>::template loadB<isColumns>((int *)f.x, from, ldm,
                                                       (T *)nullptr);
}

template <int m, int n, int k, class T>
__device__ inline void load_matrix_sync(fragment<accumulator, m, n, k, T> &f,
                                        const T *from, unsigned ldm,
                                        layout_t layout) {
  if (__cufort_on_cpu())
    __cufort_load_along<m, n>(f.x, from, layout == mem_row_major ? ldm : 1,
                              layout == mem_row_major ? 1 : ldm);
  else if (layout == mem_row_major)
    __instructions<m, n, k>::template loadC<0>(f.x, from, ldm);
  else
    __instructions<m, n, k>::template loadC<1>(f.x, from, ldm);
}

template <int m, int n, int k, class T>
__device__ inline void
store_matrix_sync(T *to, const fragment<accumulator, m, n, k, T> &f,
                  unsigned ldm, layout_t layout) {
  if (__cufort_on_cpu())
    __cufort_store_along<m, n>(to, f.x, layout == mem_row_major ? ldm : 1,
                               layout == mem_row_major ? 1 : ldm);
  else if (layout == mem_row_major)
    __instructions<m, n, k>::template storeC<0>(to, f.x, ldm);
  else
    __instructions<m, n, k>::template storeC<1>(to, f.x, ldm);
}

/// d = a b + c. With \p satf what an int cannot hold is its limit.
template <int m, int n, int k, class T, class LayoutA, class LayoutB, class __D,
          class __C>
__device__ inline void
mma_sync(fragment<accumulator, m, n, k, __D> &d,
         const fragment<matrix_a, m, n, k, T, LayoutA> &a,
         const fragment<matrix_b, m, n, k, T, LayoutB> &b,
         const fragment<accumulator, m, n, k, __C> &c, bool satf = false) {
  constexpr int layouts =
      2 * __is_same(LayoutA, col_major) + __is_same(LayoutB, col_major);
  if (__cufort_on_cpu())
    __cufort_multiply<m, n, k, T>(d.x, a.x, b.x, c.x, satf);
  else if (satf && __is_same(__D, int))
    __instructions<m, n, k>::template multiply<layouts, __is_same(__D, int)>(
        d.x, (const int *)a.x, (const int *)b.x, c.x, (T *)nullptr);
  else
    __instructions<m, n, k>::template multiply<layouts, 0>(
        d.x, (const int *)a.x, (const int *)b.x, c.x, (T *)nullptr);
}

} // namespace wmma
} // namespace nvcuda

#endif // __cplusplus && __CUDA__
#endif // CUFORT_MMA_H
