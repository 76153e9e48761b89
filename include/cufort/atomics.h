//===- atomics.h - atomic functions -----------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_ATOMICS_H
#define CUFORT_ATOMICS_H

// Operations take addresses of any memory and have CUDA's ordering and scope:
// relaxed, for all threads of the device, of the block (_block) or of the
// system
// (_system).
#define __CUFORT_ATOMIC(scope)                                                 \
  static __device__ __forceinline__ __cufort_atomic_scope__(scope)
#define __CUFORT_SCOPES(X, ...)                                                \
  X(, __MEMORY_SCOPE_DEVICE, __VA_ARGS__)                                      \
  X(_block, __MEMORY_SCOPE_WRKGRP, __VA_ARGS__)                                \
  X(_system, __MEMORY_SCOPE_SYSTEM, __VA_ARGS__)

#define __CUFORT_FETCH(suffix, scope, name, operation, T)                      \
  __CUFORT_ATOMIC(scope) T atomic##name##suffix(T *p, T value) {               \
    return __scoped_atomic_##operation(p, value, __ATOMIC_RELAXED, scope);     \
  }
#define __CUFORT_EACH(name, operation, T)                                      \
  __CUFORT_SCOPES(__CUFORT_FETCH, name, operation, T)
#define __CUFORT_INTEGERS(X, name, operation)                                  \
  X(name, operation, int)                                                      \
  X(name, operation, unsigned int)                                             \
  X(name, operation, long long)                                                \
  X(name, operation, unsigned long long)                                       \
  X(name, operation, long)                                                     \
  X(name, operation, unsigned long)
__CUFORT_INTEGERS(__CUFORT_EACH, Add, fetch_add)
__CUFORT_INTEGERS(__CUFORT_EACH, Sub, fetch_sub)
__CUFORT_INTEGERS(__CUFORT_EACH, And, fetch_and)
__CUFORT_INTEGERS(__CUFORT_EACH, Or, fetch_or)
__CUFORT_INTEGERS(__CUFORT_EACH, Xor, fetch_xor)
__CUFORT_INTEGERS(__CUFORT_EACH, Min, fetch_min)
__CUFORT_INTEGERS(__CUFORT_EACH, Max, fetch_max)
__CUFORT_EACH(Add, fetch_add, float)
__CUFORT_EACH(Add, fetch_add, double)

#define __CUFORT_EXCHANGE(suffix, scope, T)                                    \
  __CUFORT_ATOMIC(scope) T atomicExch##suffix(T *p, T value) {                 \
    return __scoped_atomic_exchange_n(p, value, __ATOMIC_RELAXED, scope);      \
  }
#define __CUFORT_COMPARE(suffix, scope, T)                                     \
  __CUFORT_ATOMIC(scope) T atomicCAS##suffix(T *p, T compare, T value) {       \
    __scoped_atomic_compare_exchange_n(                                        \
        p, &compare, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED, scope); \
    return compare;                                                            \
  }
#define __CUFORT_EXCHANGES(T)                                                  \
  __CUFORT_SCOPES(__CUFORT_EXCHANGE, T)                                        \
  __CUFORT_SCOPES(__CUFORT_COMPARE, T)
__CUFORT_EXCHANGES(int)
__CUFORT_EXCHANGES(unsigned int)
__CUFORT_EXCHANGES(long long)
__CUFORT_EXCHANGES(unsigned long long)
__CUFORT_EXCHANGES(long)
__CUFORT_EXCHANGES(unsigned long)
__CUFORT_SCOPES(__CUFORT_COMPARE, unsigned short)

#define __CUFORT_EXCHANGE_REAL(suffix, scope, T, I)                            \
  __CUFORT_ATOMIC(scope) T atomicExch##suffix(T *p, T value) {                 \
    return __builtin_bit_cast(                                                 \
        T, __scoped_atomic_exchange_n((I *)p, __builtin_bit_cast(I, value),    \
                                      __ATOMIC_RELAXED, scope));               \
  }
__CUFORT_SCOPES(__CUFORT_EXCHANGE_REAL, float, unsigned int)
__CUFORT_SCOPES(__CUFORT_EXCHANGE_REAL, double, unsigned long long)

// 128 bits, which GPUs can from sm_90 on.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__CUFORT_SCOPES(__CUFORT_EXCHANGE, unsigned __int128)
__CUFORT_SCOPES(__CUFORT_COMPARE, unsigned __int128)
#endif

// Vectors: each element for itself, as CUDA has it.
#define __CUFORT_ADD2(suffix, scope, T)                                        \
  __CUFORT_ATOMIC(scope) T##2 atomicAdd##suffix(T##2 * p, T##2 value) {        \
    return {atomicAdd##suffix(&p->x, value.x),                                 \
            atomicAdd##suffix(&p->y, value.y)};                                \
  }
#define __CUFORT_ADD4(suffix, scope, T)                                        \
  __CUFORT_ATOMIC(scope) T##4 atomicAdd##suffix(T##4 * p, T##4 value) {        \
    return {                                                                   \
        atomicAdd##suffix(&p->x, value.x), atomicAdd##suffix(&p->y, value.y),  \
        atomicAdd##suffix(&p->z, value.z), atomicAdd##suffix(&p->w, value.w)}; \
  }
__CUFORT_SCOPES(__CUFORT_ADD2, float)
__CUFORT_SCOPES(__CUFORT_ADD4, float)

#define __CUFORT_WRAP(suffix, scope, name, operation)                          \
  __CUFORT_ATOMIC(scope)                                                       \
  unsigned int atomic##name##suffix(unsigned int *p, unsigned int limit) {     \
    return __scoped_atomic_fetch_##operation(p, limit, __ATOMIC_RELAXED,       \
                                             scope);                           \
  }
__CUFORT_SCOPES(__CUFORT_WRAP, Inc, uinc)
__CUFORT_SCOPES(__CUFORT_WRAP, Dec, udec)

#undef __CUFORT_ATOMIC
#undef __CUFORT_SCOPES
#undef __CUFORT_FETCH
#undef __CUFORT_EACH
#undef __CUFORT_INTEGERS
#undef __CUFORT_EXCHANGE
#undef __CUFORT_COMPARE
#undef __CUFORT_EXCHANGES
#undef __CUFORT_EXCHANGE_REAL
#undef __CUFORT_ADD2
#undef __CUFORT_ADD4
#undef __CUFORT_WRAP

#endif // CUFORT_ATOMICS_H
