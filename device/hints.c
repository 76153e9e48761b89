//===- hints.c - loads and stores with cache hints ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// __ldca, __stcg and their like of the module cudadevice, for all types that it
// lists. Each access goes through a procedure for its size, which is one
// instruction of PTX; the CPU has others of these names (cpu.c).
//
//===----------------------------------------------------------------------===//

#include "device/hints.h"

typedef unsigned int u32;
typedef unsigned long long u64;

#define LOAD(hint, bytes, T, ptx, letter)                                      \
  T LOAD_NAME(hint, bytes)(const T *from) {                                    \
    T value;                                                                   \
    __asm__ volatile("ld." #hint "." ptx " %0, [%1];"                          \
                     : "=" letter(value)                                       \
                     : "l"(from)                                               \
                     : "memory");                                              \
    return value;                                                              \
  }
#define LOADS(hint)                                                            \
  EACH_SIZE(LOAD, hint)                                                        \
  void LOAD_NAME(hint, 16)(struct Sixteen * to, const struct Sixteen *from) {  \
    __asm__ volatile("ld." #hint ".v2.u64 {%0, %1}, [%2];"                     \
                     : "=l"(to->low), "=l"(to->high)                           \
                     : "l"(from)                                               \
                     : "memory");                                              \
  }
EACH_LOAD(LOADS)

#define STORE(hint, bytes, T, ptx, letter)                                     \
  void STORE_NAME(hint, bytes)(T * to, T value) {                              \
    __asm__ volatile("st." #hint "." ptx " [%0], %1;" ::"l"(to), letter(value) \
                     : "memory");                                              \
  }
#define STORES(hint)                                                           \
  EACH_SIZE(STORE, hint)                                                       \
  void STORE_NAME(hint, 16)(struct Sixteen * to, const struct Sixteen *from) { \
    __asm__ volatile("st." #hint ".v2.u64 [%0], {%1, %2};" ::"l"(to),          \
                     "l"(from->low), "l"(from->high)                           \
                     : "memory");                                              \
  }
EACH_STORE(STORES)

// The Fortran procedures. Four numbers of 4 bytes or two of 8 go at once where
// they are aligned for that.
#define INLINE static inline __attribute__((always_inline))

INLINE int isAligned(const void *address) { return ((u64)address & 15) == 0; }

#define FORTRAN_LOADS(hint)                                                    \
  u32 __ld##hint##_i4(const u32 *from) { return LOAD_NAME(hint, 4)(from); }    \
  u64 __ld##hint##_i8(const u64 *from) { return LOAD_NAME(hint, 8)(from); }    \
  void __ld##hint##_cd_(u64 *to, const u64 *from) {                            \
    *to = LOAD_NAME(hint, 8)(from);                                            \
  }                                                                            \
  _Float16 __ld##hint##_r2(const unsigned short *from) {                       \
    return __builtin_bit_cast(_Float16, LOAD_NAME(hint, 2)(from));             \
  }                                                                            \
  float __ld##hint##_r4(const u32 *from) {                                     \
    return __builtin_bit_cast(float, LOAD_NAME(hint, 4)(from));                \
  }                                                                            \
  double __ld##hint##_r8(const u64 *from) {                                    \
    return __builtin_bit_cast(double, LOAD_NAME(hint, 8)(from));               \
  }                                                                            \
  _Complex float __ld##hint##_c4x(const u32 *from) {                           \
    return __builtin_complex(__ld##hint##_r4(from),                            \
                             __ld##hint##_r4(from + 1));                       \
  }                                                                            \
  INLINE void eights_##hint(u64 *to, const u64 *from) {                        \
    if (isAligned(from)) {                                                     \
      struct Sixteen both;                                                     \
      LOAD_NAME(hint, 16)(&both, (const struct Sixteen *)from);                \
      to[0] = both.low, to[1] = both.high;                                     \
      return;                                                                  \
    }                                                                          \
    to[0] = LOAD_NAME(hint, 8)(from);                                          \
    to[1] = LOAD_NAME(hint, 8)(from + 1);                                      \
  }                                                                            \
  INLINE void fours_##hint(u32 *to, const u32 *from) {                         \
    if (isAligned(from)) {                                                     \
      struct Sixteen both;                                                     \
      LOAD_NAME(hint, 16)(&both, (const struct Sixteen *)from);                \
      to[0] = (u32)both.low, to[1] = (u32)(both.low >> 32);                    \
      to[2] = (u32)both.high, to[3] = (u32)(both.high >> 32);                  \
      return;                                                                  \
    }                                                                          \
    for (int i = 0; i < 4; ++i)                                                \
      to[i] = LOAD_NAME(hint, 4)(from + i);                                    \
  }                                                                            \
  _Complex double __ld##hint##_c8x(const u64 *from) {                          \
    u64 parts[2];                                                              \
    eights_##hint(parts, from);                                                \
    return __builtin_complex(__builtin_bit_cast(double, parts[0]),             \
                             __builtin_bit_cast(double, parts[1]));            \
  }                                                                            \
  void __ld##hint##_i4x4_(u32 *to, const u32 *from) {                          \
    fours_##hint(to, from);                                                    \
  }                                                                            \
  void __ld##hint##_r4x4_(u32 *to, const u32 *from) {                          \
    fours_##hint(to, from);                                                    \
  }                                                                            \
  void __ld##hint##_i8x2_(u64 *to, const u64 *from) {                          \
    eights_##hint(to, from);                                                   \
  }                                                                            \
  void __ld##hint##_r8x2_(u64 *to, const u64 *from) {                          \
    eights_##hint(to, from);                                                   \
  }                                                                            \
  void __ld##hint##_r2x2_(unsigned short *to, const unsigned short *from) {    \
    to[0] = LOAD_NAME(hint, 2)(from);                                          \
    to[1] = LOAD_NAME(hint, 2)(from + 1);                                      \
  }
EACH_LOAD(FORTRAN_LOADS)

#define FORTRAN_STORES(hint)                                                   \
  void __st##hint##_i4(u32 *to, u32 value) { STORE_NAME(hint, 4)(to, value); } \
  void __st##hint##_i8(u64 *to, u64 value) { STORE_NAME(hint, 8)(to, value); } \
  void __st##hint##_cd(u64 *to, const u64 *from) {                             \
    STORE_NAME(hint, 8)(to, *from);                                            \
  }                                                                            \
  void __st##hint##_r2(unsigned short *to, _Float16 value) {                   \
    STORE_NAME(hint, 2)(to, __builtin_bit_cast(unsigned short, value));        \
  }                                                                            \
  void __st##hint##_r4(u32 *to, float value) {                                 \
    STORE_NAME(hint, 4)(to, __builtin_bit_cast(u32, value));                   \
  }                                                                            \
  void __st##hint##_r8(u64 *to, double value) {                                \
    STORE_NAME(hint, 8)(to, __builtin_bit_cast(u64, value));                   \
  }                                                                            \
  void __st##hint##_c4(u32 *to, const u32 *from) {                             \
    STORE_NAME(hint, 4)(to, from[0]);                                          \
    STORE_NAME(hint, 4)(to + 1, from[1]);                                      \
  }                                                                            \
  INLINE void storeEights_##hint(u64 *to, const u64 *from) {                   \
    if (isAligned(to)) {                                                       \
      struct Sixteen both = {from[0], from[1]};                                \
      STORE_NAME(hint, 16)((struct Sixteen *)to, &both);                       \
      return;                                                                  \
    }                                                                          \
    STORE_NAME(hint, 8)(to, from[0]);                                          \
    STORE_NAME(hint, 8)(to + 1, from[1]);                                      \
  }                                                                            \
  INLINE void storeFours_##hint(u32 *to, const u32 *from) {                    \
    if (isAligned(to)) {                                                       \
      struct Sixteen both = {from[0] | (u64)from[1] << 32,                     \
                             from[2] | (u64)from[3] << 32};                    \
      STORE_NAME(hint, 16)((struct Sixteen *)to, &both);                       \
      return;                                                                  \
    }                                                                          \
    for (int i = 0; i < 4; ++i)                                                \
      STORE_NAME(hint, 4)(to + i, from[i]);                                    \
  }                                                                            \
  void __st##hint##_c8(u64 *to, const u64 *from) {                             \
    storeEights_##hint(to, from);                                              \
  }                                                                            \
  void __st##hint##_i4x4(u32 *to, const u32 *from) {                           \
    storeFours_##hint(to, from);                                               \
  }                                                                            \
  void __st##hint##_r4x4(u32 *to, const u32 *from) {                           \
    storeFours_##hint(to, from);                                               \
  }                                                                            \
  void __st##hint##_i8x2(u64 *to, const u64 *from) {                           \
    storeEights_##hint(to, from);                                              \
  }                                                                            \
  void __st##hint##_r8x2(u64 *to, const u64 *from) {                           \
    storeEights_##hint(to, from);                                              \
  }                                                                            \
  void __st##hint##_r2x2(unsigned short *to, const unsigned short *from) {     \
    STORE_NAME(hint, 2)(to, from[0]);                                          \
    STORE_NAME(hint, 2)(to + 1, from[1]);                                      \
  }
EACH_STORE(FORTRAN_STORES)
