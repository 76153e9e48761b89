//===- scoped_atomics.h - cuda::atomic --------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_SCOPED_ATOMICS_H
#define CUFORT_SCOPED_ATOMICS_H

#include "cuda_runtime.h"
#include <atomic>

#define __CUFORT_BOTH __host__ __device__ __forceinline__
#define __CUFORT_SCOPED __CUFORT_BOTH __cufort_atomic_scope__(scope)

namespace cuda {

/// The threads for which an operation is atomic.
enum thread_scope {
  thread_scope_system = 0,
  thread_scope_device = 1,
  thread_scope_block = 2,
  thread_scope_thread = 10
};

using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

namespace details {
template <thread_scope __Scope> constexpr int memoryScope() {
  return __Scope == thread_scope_system   ? __MEMORY_SCOPE_SYSTEM
         : __Scope == thread_scope_device ? __MEMORY_SCOPE_DEVICE
         : __Scope == thread_scope_block  ? __MEMORY_SCOPE_WRKGRP
                                          : __MEMORY_SCOPE_SINGLE;
}
template <thread_scope __Scope>
__CUFORT_BOTH
__cufort_atomic_scope__(memoryScope<__Scope>()) void fence(memory_order order) {
  __scoped_atomic_thread_fence((int)order, memoryScope<__Scope>());
}
/// The memory order of a compare-and-exchange that fails.
__CUFORT_BOTH constexpr memory_order whereFailed(memory_order order) {
  return order == memory_order_acq_rel   ? memory_order_acquire
         : order == memory_order_release ? memory_order_relaxed
                                         : order;
}

/// The atomic operations on an object at an address.
template <class T, thread_scope __Scope> class Operations {
  static constexpr int scope = memoryScope<__Scope>();
  static constexpr bool isPointer = __is_pointer(T);
  template <class __U> struct Target {
    static constexpr size_t bytes = 1;
  };
  template <class __U> struct Target<__U *> {
    static constexpr size_t bytes = sizeof(__U);
  };

public:
  using Difference = typename ::std::conditional<isPointer, ptrdiff_t, T>::type;
  static __CUFORT_SCOPED T load(const T *p, memory_order order) {
    T result;
    __scoped_atomic_load(p, &result, (int)order, scope);
    return result;
  }
  static __CUFORT_SCOPED void store(T *p, T value, memory_order order) {
    __scoped_atomic_store(p, &value, (int)order, scope);
  }
  static __CUFORT_SCOPED T exchange(T *p, T value, memory_order order) {
    T result;
    __scoped_atomic_exchange(p, &value, &result, (int)order, scope);
    return result;
  }
  static __CUFORT_SCOPED bool compareExchange(T *p, T &expected, T value,
                                              memory_order order,
                                              memory_order failure) {
    return __scoped_atomic_compare_exchange(p, &expected, &value, false,
                                            (int)order, (int)failure, scope);
  }
  static __CUFORT_SCOPED T fetchAdd(T *p, Difference value,
                                    memory_order order) {
    if constexpr (isPointer)
      return (T)__scoped_atomic_fetch_add((size_t *)p, value * Target<T>::bytes,
                                          (int)order, scope);
    else
      return __scoped_atomic_fetch_add(p, value, (int)order, scope);
  }
#define __CUFORT_FETCH(name, expression)                                       \
  static __CUFORT_SCOPED T name(T *p, T value, memory_order order) {           \
    T old = load(p, memory_order_relaxed);                                     \
    while (!compareExchange(p, old, expression, order, whereFailed(order)))    \
      ;                                                                        \
    return old;                                                                \
  }
  __CUFORT_FETCH(fetchAnd, (T)(old & value))
  __CUFORT_FETCH(fetchOr, (T)(old | value))
  __CUFORT_FETCH(fetchXor, (T)(old ^ value))
  __CUFORT_FETCH(fetchMin, value < old ? value : old)
  __CUFORT_FETCH(fetchMax, old < value ? value : old)
#undef __CUFORT_FETCH
};

/// What atomic and atomic_ref have in common; Place knows the address.
template <class T, thread_scope __Scope, class __Place> class Atomic {
  using Does = Operations<T, __Scope>;
  using Difference = typename Does::Difference;
  /// Objects may be volatile; where they are does not change.
  __CUFORT_BOTH T *place() const volatile {
    return static_cast<const __Place *>(const_cast<const Atomic *>(this))
        ->address();
  }

public:
  using value_type = T;
  static constexpr bool is_always_lock_free = sizeof(T) <= 8;
  __CUFORT_BOTH bool is_lock_free() const volatile {
    return is_always_lock_free;
  }
  __CUFORT_BOTH T load(memory_order order = memory_order_seq_cst) const
      volatile {
    return Does::load(place(), order);
  }
  __CUFORT_BOTH operator T() const volatile { return load(); }
  /// Returns when the value is another one than \p old.
  __CUFORT_BOTH void wait(T old,
                          memory_order order = memory_order_seq_cst) const
      volatile {
    while (load(order) == old)
      ;
  }
  __CUFORT_BOTH void notify_one() const volatile {}
  __CUFORT_BOTH void notify_all() const volatile {}
  __CUFORT_BOTH void store(T value,
                           memory_order order = memory_order_seq_cst) const
      volatile {
    Does::store(place(), value, order);
  }
  __CUFORT_BOTH T exchange(T value,
                           memory_order order = memory_order_seq_cst) const
      volatile {
    return Does::exchange(place(), value, order);
  }
#define __CUFORT_EXCHANGE(name)                                                \
  __CUFORT_BOTH bool name(T &expected, T value, memory_order order,            \
                          memory_order failure) const volatile {               \
    return Does::compareExchange(place(), expected, value, order, failure);    \
  }                                                                            \
  __CUFORT_BOTH bool name(T &expected, T value,                                \
                          memory_order order = memory_order_seq_cst)           \
      const volatile {                                                         \
    return Does::compareExchange(place(), expected, value, order,              \
                                 whereFailed(order));                          \
  }
  __CUFORT_EXCHANGE(compare_exchange_strong)
  __CUFORT_EXCHANGE(compare_exchange_weak)
#undef __CUFORT_EXCHANGE
  __CUFORT_BOTH T fetch_add(Difference value,
                            memory_order order = memory_order_seq_cst) const
      volatile {
    return Does::fetchAdd(place(), value, order);
  }
  __CUFORT_BOTH T fetch_sub(Difference value,
                            memory_order order = memory_order_seq_cst) const
      volatile {
    return Does::fetchAdd(place(), (Difference)-value, order);
  }
#define __CUFORT_FETCH(name, function)                                         \
  __CUFORT_BOTH T name(T value, memory_order order = memory_order_seq_cst)     \
      const volatile {                                                         \
    return Does::function(place(), value, order);                              \
  }
  __CUFORT_FETCH(fetch_and, fetchAnd)
  __CUFORT_FETCH(fetch_or, fetchOr)
  __CUFORT_FETCH(fetch_xor, fetchXor)
  __CUFORT_FETCH(fetch_min, fetchMin)
  __CUFORT_FETCH(fetch_max, fetchMax)
#undef __CUFORT_FETCH
  __CUFORT_BOTH T operator++() const volatile { return fetch_add(1) + 1; }
  __CUFORT_BOTH T operator--() const volatile { return fetch_sub(1) - 1; }
  __CUFORT_BOTH T operator++(int) const volatile { return fetch_add(1); }
  __CUFORT_BOTH T operator--(int) const volatile { return fetch_sub(1); }
  __CUFORT_BOTH T operator+=(Difference d) const volatile {
    return fetch_add(d) + d;
  }
  __CUFORT_BOTH T operator-=(Difference d) const volatile {
    return fetch_sub(d) - d;
  }
  __CUFORT_BOTH T operator&=(T d) const volatile { return fetch_and(d) & d; }
  __CUFORT_BOTH T operator|=(T d) const volatile { return fetch_or(d) | d; }
  __CUFORT_BOTH T operator^=(T d) const volatile { return fetch_xor(d) ^ d; }
};
} // namespace details

template <class T, thread_scope __Scope = thread_scope_system>
class atomic : public details::Atomic<T, __Scope, atomic<T, __Scope>> {
  friend details::Atomic<T, __Scope, atomic>;
  alignas(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8
              ? sizeof(T)
              : alignof(T)) mutable T value;
  __CUFORT_BOTH T *address() const { return &value; }

public:
  atomic() = default;
  __host__ __device__ constexpr atomic(T first) : value(first) {}
  atomic(const atomic &) = delete;
  atomic &operator=(const atomic &) = delete;
  __CUFORT_BOTH T operator=(T given) {
    this->store(given);
    return given;
  }
  __CUFORT_BOTH T operator=(T given) volatile {
    this->store(given);
    return given;
  }
};

template <class T, thread_scope __Scope = thread_scope_system>
class atomic_ref : public details::Atomic<T, __Scope, atomic_ref<T, __Scope>> {
  friend details::Atomic<T, __Scope, atomic_ref>;
  T *referred;
  __CUFORT_BOTH T *address() const { return referred; }

public:
  __host__ __device__ explicit atomic_ref(T &object) : referred(&object) {}
  atomic_ref(const atomic_ref &) = default;
  atomic_ref &operator=(const atomic_ref &) = delete;
  __CUFORT_BOTH T operator=(T given) {
    this->store(given);
    return given;
  }
};

static __CUFORT_BOTH void
atomic_thread_fence(memory_order order,
                    thread_scope scope = thread_scope_system) {
  if (scope == thread_scope_block)
    details::fence<thread_scope_block>(order);
  else if (scope == thread_scope_device)
    details::fence<thread_scope_device>(order);
  else if (scope == thread_scope_system)
    details::fence<thread_scope_system>(order);
}

namespace std {
using namespace ::std;
template <class T> using atomic = ::cuda::atomic<T>;
template <class T> using atomic_ref = ::cuda::atomic_ref<T>;
} // namespace std

} // namespace cuda

#undef __CUFORT_BOTH
#undef __CUFORT_SCOPED

#endif // CUFORT_SCOPED_ATOMICS_H
