//===- DeviceFunctions.h - curand_kernel.h on the host ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host library's numbers are those of the device functions: the same source
// is compiled for the host, with mathematical functions that loops can call in
// vectors (VectorMath.h). All has internal linkage, for it is compiled for
// several processors.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CURAND_DEVICEFUNCTIONS_H
#define CUFORT_LIBRARIES_CURAND_DEVICEFUNCTIONS_H

#include "libraries/curand/VectorMath.h"
#include <cuda_runtime.h>

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#pragma clang diagnostic ignored "-Wmissing-braces"
#pragma clang diagnostic ignored "-Wunused-const-variable"

static inline unsigned __cufort_host_umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}

// NOLINTBEGIN: names of the device's.
#define __umulhi __cufort_host_umulhi
#define logf cufort::curand::vectorLog
#define log cufort::curand::vectorLog
#define expf cufort::curand::vectorExp
#define exp cufort::curand::vectorExp
#define sqrtf __builtin_elementwise_sqrt
#define sqrt __builtin_elementwise_sqrt
#define floor __builtin_floor
#define fabs __builtin_fabs
#define lgamma __builtin_lgamma
#define __sincosf cufort::curand::vectorSinCos
#define sincospi cufort::curand::vectorSinCosPi
// NOLINTEND
#include <curand_kernel.h>
#undef __umulhi
#undef logf
#undef log
#undef expf
#undef exp
#undef sqrtf
#undef sqrt
#undef floor
#undef fabs
#undef lgamma
#undef __sincosf
#undef sincospi

#pragma clang diagnostic pop

#endif // CUFORT_LIBRARIES_CURAND_DEVICEFUNCTIONS_H
