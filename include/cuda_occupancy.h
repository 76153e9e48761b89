//===- cuda_occupancy.h - the occupancy of kernels --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs include this header for the runtime's functions of occupancy, which
// are there. The calculator for devices that are not (cudaOcc...) is not.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_CUDA_OCCUPANCY_H
#define CUFORT_CUDA_OCCUPANCY_H

#include "cuda_runtime_api.h"

#endif // CUFORT_CUDA_OCCUPANCY_H
