//===- cuda_fp16.hpp - half precision ----------------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_CUDA_FP16_HPP
#define CUFORT_CUDA_FP16_HPP

#include "cuda_fp16.h"

#endif // CUFORT_CUDA_FP16_HPP
