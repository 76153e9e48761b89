//===- builtin_types.h - the types of CUDA C++ ------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_BUILTIN_TYPES_H
#define CUFORT_BUILTIN_TYPES_H

#include "device_types.h"
#include "driver_types.h"
#include "vector_types.h"

#endif // CUFORT_BUILTIN_TYPES_H
