//===- CudaApi.h - the CUDA runtime API for tests ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_TESTS_RUNTIME_CUDAAPI_H
#define CUFORT_TESTS_RUNTIME_CUDAAPI_H

#include "runtime/api/RuntimeApi.h"

static_assert(sizeof(cudaDeviceProp) == 1008);
static_assert(sizeof(cudaMemPoolProps) == 88);

inline constexpr cudaMemcpyKind ToDevice = cudaMemcpyKind::HostToDevice;
inline constexpr cudaMemcpyKind ToHost = cudaMemcpyKind::DeviceToHost;
inline constexpr cudaMemcpyKind OnDevice = cudaMemcpyKind::DeviceToDevice;

#endif // CUFORT_TESTS_RUNTIME_CUDAAPI_H
