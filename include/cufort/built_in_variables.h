//===- built_in_variables.h - threadIdx and the others ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the place of Clang's header of the built-in variables, whose variables no
// file defines and nobody may copy: here "auto index = threadIdx" is a copy
// that has the same members, and "dim3 extent = gridDim" refers to nothing that
// the link would look for, optimised or not.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_BUILT_IN_VARIABLES_H
#define CUFORT_BUILT_IN_VARIABLES_H

// Clang's header is left out where Clang's other headers ask for it.
#define __CUDA_BUILTIN_VARS_H

struct uint3;
struct dim3;

// A member that is read is a call; there is none to write it. The conversions
// are defined where the vector types are known.
#define __CUFORT_MEMBER(member, reader)                                        \
  __declspec(property(get = __fetch_builtin_##member)) unsigned member;        \
  __attribute__((device, always_inline)) static inline unsigned                \
  __fetch_builtin_##member() {                                                 \
    return reader##member();                                                   \
  }
#define __CUFORT_VARIABLE(name, reader)                                        \
  struct __cuda_builtin_##name##_t {                                           \
    __CUFORT_MEMBER(x, reader)                                                 \
    __CUFORT_MEMBER(y, reader)                                                 \
    __CUFORT_MEMBER(z, reader)                                                 \
    __attribute__((device)) operator dim3() const;                             \
    __attribute__((device)) operator uint3() const;                            \
  };                                                                           \
  __attribute__((device)) static const __cuda_builtin_##name##_t name = {};
__CUFORT_VARIABLE(threadIdx, __nvvm_read_ptx_sreg_tid_)
__CUFORT_VARIABLE(blockIdx, __nvvm_read_ptx_sreg_ctaid_)
__CUFORT_VARIABLE(blockDim, __nvvm_read_ptx_sreg_ntid_)
__CUFORT_VARIABLE(gridDim, __nvvm_read_ptx_sreg_nctaid_)
#undef __CUFORT_VARIABLE
#undef __CUFORT_MEMBER

__attribute__((device)) static const int warpSize = 32;

#endif // CUFORT_BUILT_IN_VARIABLES_H
