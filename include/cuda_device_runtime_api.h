//===- cuda_device_runtime_api.h - part of cuda_runtime_api.h ---*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_CUDA_DEVICE_RUNTIME_API_H
#define CUFORT_CUDA_DEVICE_RUNTIME_API_H

#include "cuda_runtime_api.h"

#endif // CUFORT_CUDA_DEVICE_RUNTIME_API_H
