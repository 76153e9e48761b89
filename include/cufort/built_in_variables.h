//===- built_in_variables.h - threadIdx and the others ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces Clang's header of built-in variables, which have types of their own:
// here they are CUDA's (guide, B.4). No file defines them; the compiler reads
// the registers instead (compiler/cuda/BuiltInVariables).
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_BUILT_IN_VARIABLES_H
#define CUFORT_BUILT_IN_VARIABLES_H

// Clang's own header is skipped when its other headers include it.
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
