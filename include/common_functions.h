//===- common_functions.h - device functions: part of cuda_runtime.h -----===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMMON_FUNCTIONS_H
#define CUFORT_COMMON_FUNCTIONS_H

#include "cuda_runtime.h"

#endif // CUFORT_COMMON_FUNCTIONS_H
