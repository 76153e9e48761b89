//===- cache_hints.h - loads and stores with cache hints, dot products ---===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_CACHE_HINTS_H
#define CUFORT_CACHE_HINTS_H

// Functions that Clang's headers lack. A hint does not depend on the type:
// there is one load and one store for each size, which all types of that size
// use.
template <int size> struct __cufort_bits;
template <> struct __cufort_bits<1> {
  using type = unsigned char;
};
template <> struct __cufort_bits<2> {
  using type = unsigned short;
};
template <> struct __cufort_bits<4> {
  using type = unsigned int;
};
template <> struct __cufort_bits<8> {
  using type = unsigned long long;
};
template <> struct __cufort_bits<16> {
  using type = ulonglong2;
};

#define __CUFORT_WORDS(EACH, name, hint)                                       \
  EACH(name, hint, unsigned char, unsigned int, "u8", "r")                     \
  EACH(name, hint, unsigned short, unsigned short, "u16", "h")                 \
  EACH(name, hint, unsigned int, unsigned int, "u32", "r")                     \
  EACH(name, hint, unsigned long long, unsigned long long, "u64", "l")
#define __CUFORT_LOAD(name, hint, Word, Register, type, letter)                \
  static __device__ __forceinline__ Word name##_bits(const Word *p) {          \
    Register value;                                                            \
    asm("ld.global." hint "." type " %0, [%1];"                                \
        : "=" letter(value)                                                    \
        : "l"(p)                                                               \
        : "memory");                                                           \
    return value;                                                              \
  }
#define __CUFORT_LOADS(name, hint)                                             \
  __CUFORT_WORDS(__CUFORT_LOAD, name, hint)                                    \
  static __device__ __forceinline__ ulonglong2 name##_bits(                    \
      const ulonglong2 *p) {                                                   \
    ulonglong2 value;                                                          \
    asm("ld.global." hint ".v2.u64 {%0, %1}, [%2];"                            \
        : "=l"(value.x), "=l"(value.y)                                         \
        : "l"(p)                                                               \
        : "memory");                                                           \
    return value;                                                              \
  }
__CUFORT_LOADS(__ldca, "ca")
__CUFORT_LOADS(__ldcg, "cg")
__CUFORT_LOADS(__ldcs, "cs")
__CUFORT_LOADS(__ldcv, "cv")
__CUFORT_LOADS(__ldlu, "lu")
#undef __CUFORT_LOADS
#undef __CUFORT_LOAD

#define __CUFORT_STORE(name, hint, Word, Register, type, letter)               \
  static __device__ __forceinline__ void name##_bits(Word *p, Word value) {    \
    asm volatile("st.global." hint "." type " [%0], %1;" ::"l"(p),             \
                 letter((Register)value)                                       \
                 : "memory");                                                  \
  }
#define __CUFORT_STORES(name, hint)                                            \
  __CUFORT_WORDS(__CUFORT_STORE, name, hint)                                   \
  static __device__ __forceinline__ void name##_bits(ulonglong2 *p,            \
                                                     ulonglong2 value) {       \
    asm volatile("st.global." hint ".v2.u64 [%0], {%1, %2};" ::"l"(p),         \
                 "l"(value.x), "l"(value.y)                                    \
                 : "memory");                                                  \
  }
__CUFORT_STORES(__stcg, "cg")
__CUFORT_STORES(__stcs, "cs")
__CUFORT_STORES(__stwb, "wb")
__CUFORT_STORES(__stwt, "wt")
#undef __CUFORT_STORES
#undef __CUFORT_STORE
#undef __CUFORT_WORDS

#define __CUFORT_LOAD(name, T)                                                 \
  static __device__ __forceinline__ T name(const T *p) {                       \
    return __builtin_bit_cast(                                                 \
        T, name##_bits((const __cufort_bits<sizeof(T)>::type *)p));            \
  }
#define __CUFORT_STORE(name, T)                                                \
  static __device__ __forceinline__ void name(T *p, T value) {                 \
    using bits = __cufort_bits<sizeof(T)>::type;                               \
    name##_bits((bits *)p, __builtin_bit_cast(bits, value));                   \
  }
// The functions that Clang does not have for any type.
#define __CUFORT_HINTS(T)                                                      \
  __CUFORT_LOAD(__ldca, T)                                                     \
  __CUFORT_LOAD(__ldlu, T)                                                     \
  __CUFORT_STORE(__stcg, T)                                                    \
  __CUFORT_STORE(__stcs, T)                                                    \
  __CUFORT_STORE(__stwb, T)
// All functions, for a type that Clang does not know.
#define __CUFORT_ALL_HINTS(T)                                                  \
  __CUFORT_HINTS(T)                                                            \
  __CUFORT_LOAD(__ldcg, T)                                                     \
  __CUFORT_LOAD(__ldcs, T)                                                     \
  __CUFORT_LOAD(__ldcv, T)                                                     \
  __CUFORT_STORE(__stwt, T)
#define __CUFORT_VECTOR_HINTS(T)                                               \
  __CUFORT_HINTS(T##2)                                                         \
  __CUFORT_HINTS(T##4)
__CUFORT_HINTS(char)
__CUFORT_HINTS(signed char)
__CUFORT_HINTS(unsigned char)
__CUFORT_HINTS(short)
__CUFORT_HINTS(unsigned short)
__CUFORT_HINTS(int)
__CUFORT_HINTS(unsigned int)
__CUFORT_HINTS(long)
__CUFORT_STORE(__stwt, long)
__CUFORT_ALL_HINTS(unsigned long)
__CUFORT_HINTS(long long)
__CUFORT_HINTS(unsigned long long)
__CUFORT_HINTS(float)
__CUFORT_HINTS(double)
__CUFORT_VECTOR_HINTS(char)
__CUFORT_VECTOR_HINTS(uchar)
__CUFORT_VECTOR_HINTS(short)
__CUFORT_VECTOR_HINTS(ushort)
__CUFORT_VECTOR_HINTS(int)
__CUFORT_VECTOR_HINTS(uint)
__CUFORT_VECTOR_HINTS(float)
__CUFORT_HINTS(longlong2)
__CUFORT_HINTS(ulonglong2)
__CUFORT_HINTS(double2)
#undef __CUFORT_VECTOR_HINTS

#define __CUFORT_DOT(T, type)                                                  \
  static __device__ __forceinline__ T __dp4a(T a, T b, T c) {                  \
    T result;                                                                  \
    asm("dp4a." type "." type " %0, %1, %2, %3;"                               \
        : "=r"(result)                                                         \
        : "r"(a), "r"(b), "r"(c));                                             \
    return result;                                                             \
  }
__CUFORT_DOT(int, "s32")
__CUFORT_DOT(unsigned int, "u32")
#undef __CUFORT_DOT
static __device__ __forceinline__ int __dp4a(char4 a, char4 b, int c) {
  return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
static __device__ __forceinline__ unsigned int __dp4a(uchar4 a, uchar4 b,
                                                      unsigned int c) {
  return __dp4a(__builtin_bit_cast(unsigned int, a),
                __builtin_bit_cast(unsigned int, b), c);
}

#endif // CUFORT_CACHE_HINTS_H
