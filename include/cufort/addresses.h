//===- addresses.h - where an address lies ----------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_ADDRESSES_H
#define CUFORT_ADDRESSES_H

#define __CUFORT_DEVICE static __device__ __forceinline__ __attribute__((const))
__CUFORT_DEVICE unsigned int __isGlobal(const void *p) {
  return __nvvm_isspacep_global(p);
}
__CUFORT_DEVICE unsigned int __isShared(const void *p) {
  return __nvvm_isspacep_shared(p);
}
__CUFORT_DEVICE unsigned int __isConstant(const void *p) {
  return __nvvm_isspacep_const(p);
}
__CUFORT_DEVICE unsigned int __isLocal(const void *p) {
  return __nvvm_isspacep_local(p);
}

#define __CUFORT_CONVERT(space, number)                                        \
  __CUFORT_DEVICE size_t __cvta_generic_to_##space(const void *p) {            \
    return (size_t)(void __attribute__((address_space(number))) *)p;           \
  }                                                                            \
  __CUFORT_DEVICE void *__cvta_##space##_to_generic(size_t address) {          \
    return (void *)(void __attribute__((address_space(number))) *)address;     \
  }
__CUFORT_CONVERT(global, 1)
__CUFORT_CONVERT(shared, 3)
__CUFORT_CONVERT(constant, 4)
__CUFORT_CONVERT(local, 5)
#undef __CUFORT_CONVERT
#undef __CUFORT_DEVICE

#endif // CUFORT_ADDRESSES_H
