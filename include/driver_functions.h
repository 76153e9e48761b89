//===- driver_functions.h - make_cudaExtent and others ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_DRIVER_FUNCTIONS_H
#define CUFORT_DRIVER_FUNCTIONS_H

#include "cuda_runtime_api.h"

#endif // CUFORT_DRIVER_FUNCTIONS_H
