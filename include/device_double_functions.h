//===- device_double_functions.h - part of cuda_runtime.h -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_DEVICE_DOUBLE_FUNCTIONS_H
#define CUFORT_DEVICE_DOUBLE_FUNCTIONS_H

#include "cuda_runtime.h"

#endif // CUFORT_DEVICE_DOUBLE_FUNCTIONS_H
