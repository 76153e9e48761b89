//===- built_in_variables.h - threadIdx and the others ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the place of Clang's header of the built-in variables, whose types are
// their own: here they are CUDA's (guide, B.4). No file defines them; the
// compiler reads the registers instead (compiler/cuda/BuiltInVariables).
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_BUILT_IN_VARIABLES_H
#define CUFORT_BUILT_IN_VARIABLES_H

// Clang's header is left out where Clang's other headers ask for it.
#define __CUDA_BUILTIN_VARS_H

struct uint3;
struct dim3;

extern "C" {
extern __attribute__((device)) const uint3 threadIdx;
extern __attribute__((device)) const uint3 blockIdx;
extern __attribute__((device)) const dim3 blockDim;
extern __attribute__((device)) const dim3 gridDim;
}

__attribute__((device)) static const int warpSize = 32;

#endif // CUFORT_BUILT_IN_VARIABLES_H
