//===- device_types.h - part of cuda_runtime.h ------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_DEVICE_TYPES_H
#define CUFORT_DEVICE_TYPES_H

#include "cuda_runtime_api.h"

#endif // CUFORT_DEVICE_TYPES_H
