//===- KernelHandles.cpp - CUDA runtime API: kernels as handles ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/RuntimeApi.h"
#include "runtime/core/Device.h"
#include "runtime/core/Libraries.h"

using namespace cufort;

CUFORT_API cudaError_t cudaFuncGetParamInfo(const void *stub, size_t index,
                                            size_t *offset, size_t *bytes) {
  return onDevice([&](Engine &) {
    const KernelReference kernel = kernelNamed(stub);
    return kernel ? parameterOf(kernel, index, offset, bytes)
                  : cudaErrorInvalidDeviceFunction;
  });
}

// A kernel's handle is what launches name it by: the address of its host stub,
// or, of a library's kernel, the handle that the library has given.
CUFORT_API cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *stub) {
  if (!kernel)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &) {
    if (!kernelNamed(stub))
      return cudaErrorInvalidDeviceFunction;
    *kernel = static_cast<cudaKernel_t>(const_cast<void *>(stub));
    return cudaSuccess;
  });
}

CUFORT_API cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel,
                                                       int attribute, int value,
                                                       int device) {
  const profile::Call recorded;
  if (!deviceAt(device) || !kernel)
    return recordError(kernel ? cudaErrorInvalidDevice
                              : cudaErrorInvalidResourceHandle);
  const int before = currentDevice();
  if (const Error error = setCurrentDevice(device); error != cudaSuccess)
    return recordError(error);
  const cudaError_t error = cudaFuncSetAttribute(kernel, attribute, value);
  setCurrentDevice(before);
  return error;
}
