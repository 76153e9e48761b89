//===- warp_matrices.h - a part of mma.h ------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instructions of tensor cores, and what the CPU does in their place. There
// the elements of a matrix are dealt out to the lanes in the order of its rows;
// of b, in the order of its columns. So the elements that are multiplied with
// each other have the same number in their lanes.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_WARP_MATRICES_H
#define CUFORT_WARP_MATRICES_H

namespace nvcuda {
namespace wmma {

//===----------------------------------------------------------------------===//
// On the CPU
//===----------------------------------------------------------------------===//

// The code for a warp is long already: do not unroll.
#define __CUFORT_AS_LOOP _Pragma("unroll 1")

/// The compiler of each engine replaces this with a constant.
__device__ inline bool __cufort_on_cpu() {
  return __nvvm_reflect("__CUFORT_CPU");
}

template <int rows, int columns, class T, class __Element>
__device__ inline void __cufort_load_along(T *x, const __Element *from,
                                           unsigned rowStep,
                                           unsigned columnStep) {
  constexpr int each = rows * columns / 32;
  const int first = __nvvm_read_ptx_sreg_laneid() * each;
  __CUFORT_AS_LOOP
  for (int i = 0; i < each; ++i)
    x[i] = from[(first + i) / columns * rowStep +
                (first + i) % columns * columnStep];
}

template <int rows, int columns, class T>
__device__ inline void __cufort_store_along(T *to, const T *x, unsigned rowStep,
                                            unsigned columnStep) {
  constexpr int each = rows * columns / 32;
  const int first = __nvvm_read_ptx_sreg_laneid() * each;
  __CUFORT_AS_LOOP
  for (int i = 0; i < each; ++i)
    to[(first + i) / columns * rowStep + (first + i) % columns * columnStep] =
        x[i];
  __syncwarp();
}

template <bool first, class __A, class __B> struct __cufort_choose {
  typedef __A type;
};
template <class __A, class __B> struct __cufort_choose<false, __A, __B> {
  typedef __B type;
};

/// As numbers that are multiplied and added.
template <class T>
using __cufort_factor_of = typename __cufort_choose<
    __is_same(T, signed char) || __is_same(T, unsigned char), int,
    typename __cufort_choose<__is_same(T, double), double, float>::type>::type;
template <class T, class __Element>
__device__ inline __cufort_factor_of<T> __cufort_factor(__Element value) {
  if constexpr (__is_same(T, precision::tf32))
    // The instructions ignore the last bits.
    return __uint_as_float(__float_as_uint(value) & 0xffffe000u);
  else
    return (__cufort_factor_of<T>)value;
}

template <int m, int n, int k, class T, class __D, class __E, class __C>
__device__ inline void __cufort_multiply(__D *d, const __E *a, const __E *b,
                                         const __C *c, bool saturates) {
  constexpr int eachA = m * k / 32, eachB = n * k / 32, each = m * n / 32;
  const int first = __nvvm_read_ptx_sreg_laneid() * each;
  const int row = first / n, column = first % n;
  typedef __cufort_factor_of<T> Factor;
  constexpr bool isInt = __is_same(Factor, int);
  typename __cufort_choose<isInt, long long, Factor>::type sums[each];
  __CUFORT_AS_LOOP
  for (int i = 0; i < each; ++i)
    sums[i] = c[i];
  __CUFORT_AS_LOOP
  for (int j = 0; j < k; ++j) {
    const Factor mineA = __cufort_factor<T>(a[j % eachA]);
    const Factor mineB = __cufort_factor<T>(b[j % eachB]);
    const Factor x = __shfl_sync(0xffffffffu, mineA, (row * k + j) / eachA);
    __CUFORT_AS_LOOP
    for (int i = 0; i < each; ++i)
      sums[i] +=
          x * __shfl_sync(0xffffffffu, mineB, ((column + i) * k + j) / eachB);
  }
  __CUFORT_AS_LOOP
  for (int i = 0; i < each; ++i) {
    if constexpr (isInt) {
      const long long limit = 0x7fffffff;
      d[i] = !saturates             ? (int)sums[i]
             : sums[i] > limit      ? (int)limit
             : sums[i] < -limit - 1 ? (int)(-limit - 1)
                                    : (int)sums[i];
    } else {
      d[i] = sums[i];
    }
  }
}

//===----------------------------------------------------------------------===//
// On a GPU
//===----------------------------------------------------------------------===//

template <int m, int n, int k> struct __instructions;

#define __CUFORT_LOAD(function, instruction, type, tag)                        \
  template <int layout>                                                        \
  static __device__ void function(int *x, const type *from, unsigned ldm,      \
                                  tag *) {                                     \
    instruction(x, (const int *)from, ldm, layout);                            \
  }
#define __CUFORT_LOAD_C(instruction, type, word)                               \
  template <int layout>                                                        \
  static __device__ void loadC(type *x, const type *from, unsigned ldm) {      \
    instruction((word *)x, (const word *)from, ldm, layout);                   \
  }
#define __CUFORT_STORE_C(instruction, type, word)                              \
  template <int layout>                                                        \
  static __device__ void storeC(type *to, const type *x, unsigned ldm) {       \
    instruction((word *)to, (const word *)x, ldm, layout);                     \
  }
#define __CUFORT_MULTIPLY(instruction, typeD, wordD, typeC, wordC, tag)        \
  template <int layouts, int saturates>                                        \
  static __device__ void multiply(typeD *d, const int *a, const int *b,        \
                                  const typeC *c, tag *) {                     \
    instruction((wordD *)d, a, b, (const wordC *)c, layouts, saturates);       \
  }
#define __CUFORT_INSTRUCTIONS(m, n, k, shape)                                  \
  template <> struct __instructions<m, n, k> {                                 \
    __CUFORT_LOAD(loadA, __hmma_##shape##_ld_a, __half, __half)                \
    __CUFORT_LOAD(loadB, __hmma_##shape##_ld_b, __half, __half)                \
    __CUFORT_LOAD_C(__hmma_##shape##_ld_c_f16, __half, int)                    \
    __CUFORT_LOAD_C(__hmma_##shape##_ld_c_f32, float, float)                   \
    __CUFORT_STORE_C(__hmma_##shape##_st_c_f16, __half, int)                   \
    __CUFORT_STORE_C(__hmma_##shape##_st_c_f32, float, float)                  \
    __CUFORT_MULTIPLY(__hmma_##shape##_mma_f32f32, float, float, float, float, \
                      __half)                                                  \
    __CUFORT_MULTIPLY(__hmma_##shape##_mma_f32f16, float, float, __half, int,  \
                      __half)                                                  \
    __CUFORT_MULTIPLY(__hmma_##shape##_mma_f16f32, __half, int, float, float,  \
                      __half)                                                  \
    __CUFORT_MULTIPLY(__hmma_##shape##_mma_f16f16, __half, int, __half, int,   \
                      __half)                                                  \
    __CUFORT_LOAD(loadA, __imma_##shape##_ld_a_s8, signed char, signed char)   \
    __CUFORT_LOAD(loadB, __imma_##shape##_ld_b_s8, signed char, signed char)   \
    __CUFORT_LOAD(loadA, __imma_##shape##_ld_a_u8, unsigned char,              \
                  unsigned char)                                               \
    __CUFORT_LOAD(loadB, __imma_##shape##_ld_b_u8, unsigned char,              \
                  unsigned char)                                               \
    __CUFORT_LOAD_C(__imma_##shape##_ld_c, int, int)                           \
    __CUFORT_STORE_C(__imma_##shape##_st_c_i32, int, int)                      \
    __CUFORT_MULTIPLY(__imma_##shape##_mma_s8, int, int, int, int,             \
                      signed char)                                             \
    __CUFORT_MULTIPLY(__imma_##shape##_mma_u8, int, int, int, int,             \
                      unsigned char)                                           \
    __CUFORT_LOAD(loadA, __mma_bf16_##shape##_ld_a, __nv_bfloat16,             \
                  __nv_bfloat16)                                               \
    __CUFORT_LOAD(loadB, __mma_bf16_##shape##_ld_b, __nv_bfloat16,             \
                  __nv_bfloat16)                                               \
    __CUFORT_MULTIPLY(__mma_bf16_##shape##_mma_f32, float, float, float,       \
                      float, __nv_bfloat16)                                    \
  };
__CUFORT_INSTRUCTIONS(16, 16, 16, m16n16k16)
__CUFORT_INSTRUCTIONS(32, 8, 16, m32n8k16)
__CUFORT_INSTRUCTIONS(8, 32, 16, m8n32k16)
template <> struct __instructions<16, 16, 8> {
  __CUFORT_LOAD(loadA, __mma_tf32_m16n16k8_ld_a, float, precision::tf32)
  __CUFORT_LOAD(loadB, __mma_tf32_m16n16k8_ld_b, float, precision::tf32)
  __CUFORT_LOAD_C(__mma_tf32_m16n16k8_ld_c, float, float)
  __CUFORT_STORE_C(__mma_m16n16k8_st_c_f32, float, float)
  __CUFORT_MULTIPLY(__mma_tf32_m16n16k8_mma_f32, float, float, float, float,
                    precision::tf32)
};
#define __CUFORT_LOAD_DOUBLES(function, instruction, tag)                      \
  template <int layout>                                                        \
  static __device__ void function(int *x, const double *from, unsigned ldm,    \
                                  tag *) {                                     \
    instruction((double *)x, from, ldm, layout);                               \
  }
template <> struct __instructions<8, 8, 4> {
  __CUFORT_LOAD_DOUBLES(loadA, __dmma_m8n8k4_ld_a, double)
  __CUFORT_LOAD_DOUBLES(loadB, __dmma_m8n8k4_ld_b, double)
  __CUFORT_LOAD_C(__dmma_m8n8k4_ld_c, double, double)
  __CUFORT_STORE_C(__dmma_m8n8k4_st_c_f64, double, double)
  template <int layouts, int saturates>
  static __device__ void multiply(double *d, const int *a, const int *b,
                                  const double *c, double *) {
    __dmma_m8n8k4_mma_f64(d, (const double *)a, (const double *)b, c, layouts,
                          saturates);
  }
};
#undef __CUFORT_LOAD_DOUBLES
#undef __CUFORT_INSTRUCTIONS
#undef __CUFORT_MULTIPLY
#undef __CUFORT_STORE_C
#undef __CUFORT_LOAD_C
#undef __CUFORT_LOAD
#undef __CUFORT_AS_LOOP

} // namespace wmma
} // namespace nvcuda

#endif // CUFORT_WARP_MATRICES_H
