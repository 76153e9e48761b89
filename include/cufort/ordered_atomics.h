//===- ordered_atomics.h - atomics with an order and a scope ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_ORDERED_ATOMICS_H
#define CUFORT_ORDERED_ATOMICS_H

// CUDA's __nv_atomic functions. Their order and scope are constants, as those
// of Clang's builtins; macros hand them on as such, also where nothing is
// optimised. The scope may be left out: all threads of the system.

#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST

#define __NV_THREAD_SCOPE_THREAD __MEMORY_SCOPE_SINGLE
#define __NV_THREAD_SCOPE_BLOCK __MEMORY_SCOPE_WRKGRP
// A cluster's threads are among those of the device.
#define __NV_THREAD_SCOPE_CLUSTER __MEMORY_SCOPE_DEVICE
#define __NV_THREAD_SCOPE_DEVICE __MEMORY_SCOPE_DEVICE
#define __NV_THREAD_SCOPE_SYSTEM __MEMORY_SCOPE_SYSTEM

#define __CUFORT_FIRST(scope, ...) scope
#define __CUFORT_SCOPE(...)                                                    \
  __CUFORT_FIRST(__VA_ARGS__ __VA_OPT__(, ) __NV_THREAD_SCOPE_SYSTEM, )

#define __nv_atomic_load(p, result, order, ...)                                \
  __scoped_atomic_load(p, result, order, __CUFORT_SCOPE(__VA_ARGS__))
#define __nv_atomic_load_n(p, order, ...)                                      \
  __scoped_atomic_load_n(p, order, __CUFORT_SCOPE(__VA_ARGS__))
#define __nv_atomic_store(p, value, order, ...)                                \
  __scoped_atomic_store(p, value, order, __CUFORT_SCOPE(__VA_ARGS__))
#define __nv_atomic_store_n(p, value, order, ...)                              \
  __scoped_atomic_store_n(p, value, order, __CUFORT_SCOPE(__VA_ARGS__))
#define __nv_atomic_exchange(p, value, result, order, ...)                     \
  __scoped_atomic_exchange(p, value, result, order, __CUFORT_SCOPE(__VA_ARGS__))
#define __nv_atomic_exchange_n(p, value, order, ...)                           \
  __scoped_atomic_exchange_n(p, value, order, __CUFORT_SCOPE(__VA_ARGS__))
#define __nv_atomic_compare_exchange(p, expected, value, weak, order, failure, \
                                     ...)                                      \
  __scoped_atomic_compare_exchange(p, expected, value, weak, order, failure,   \
                                   __CUFORT_SCOPE(__VA_ARGS__))
#define __nv_atomic_compare_exchange_n(p, expected, value, weak, order,        \
                                       failure, ...)                           \
  __scoped_atomic_compare_exchange_n(p, expected, value, weak, order, failure, \
                                     __CUFORT_SCOPE(__VA_ARGS__))

#define __nv_atomic_fetch_add(p, value, order, ...)                            \
  __scoped_atomic_fetch_add(p, value, order, __CUFORT_SCOPE(__VA_ARGS__))
#define __nv_atomic_fetch_sub(p, value, order, ...)                            \
  __scoped_atomic_fetch_sub(p, value, order, __CUFORT_SCOPE(__VA_ARGS__))
#define __nv_atomic_fetch_and(p, value, order, ...)                            \
  __scoped_atomic_fetch_and(p, value, order, __CUFORT_SCOPE(__VA_ARGS__))
#define __nv_atomic_fetch_or(p, value, order, ...)                             \
  __scoped_atomic_fetch_or(p, value, order, __CUFORT_SCOPE(__VA_ARGS__))
#define __nv_atomic_fetch_xor(p, value, order, ...)                            \
  __scoped_atomic_fetch_xor(p, value, order, __CUFORT_SCOPE(__VA_ARGS__))
#define __nv_atomic_fetch_min(p, value, order, ...)                            \
  __scoped_atomic_fetch_min(p, value, order, __CUFORT_SCOPE(__VA_ARGS__))
#define __nv_atomic_fetch_max(p, value, order, ...)                            \
  __scoped_atomic_fetch_max(p, value, order, __CUFORT_SCOPE(__VA_ARGS__))

#define __nv_atomic_add(...) ((void)__nv_atomic_fetch_add(__VA_ARGS__))
#define __nv_atomic_sub(...) ((void)__nv_atomic_fetch_sub(__VA_ARGS__))
#define __nv_atomic_and(...) ((void)__nv_atomic_fetch_and(__VA_ARGS__))
#define __nv_atomic_or(...) ((void)__nv_atomic_fetch_or(__VA_ARGS__))
#define __nv_atomic_xor(...) ((void)__nv_atomic_fetch_xor(__VA_ARGS__))
#define __nv_atomic_min(...) ((void)__nv_atomic_fetch_min(__VA_ARGS__))
#define __nv_atomic_max(...) ((void)__nv_atomic_fetch_max(__VA_ARGS__))

#define __nv_atomic_thread_fence(order, ...)                                   \
  __scoped_atomic_thread_fence(order, __CUFORT_SCOPE(__VA_ARGS__))

#endif // CUFORT_ORDERED_ATOMICS_H
