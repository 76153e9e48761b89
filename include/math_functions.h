//===- math_functions.h - functions: part of cuda_runtime.h --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_MATH_FUNCTIONS_H
#define CUFORT_MATH_FUNCTIONS_H

#include "cuda_runtime.h"

#endif // CUFORT_MATH_FUNCTIONS_H
