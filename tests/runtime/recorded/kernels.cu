//===- kernels.cu - kernels and libraries as handles -----------*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"
#include "Work.h"

/// Those that are there and those that are not.
static void kernels() {
  allocate(1 << 20);
  cudaKernel_t kernel = nullptr;
  CALL(cudaGetKernel(&kernel, (const void *)empty));
  CALL(cudaGetKernel(nullptr, (const void *)empty));
  CALL(cudaGetKernel(&kernel, (const void *)pageable));
  CALL(cudaGetKernel(&kernel, nullptr));
  SETUP(cudaGetKernel(&kernel, (const void *)empty));
  CALL(cudaKernelSetAttributeForDevice(
      kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024, 0));
  CALL(cudaKernelSetAttributeForDevice(
      kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024, 77));
  CALL(cudaKernelSetAttributeForDevice(kernel, (cudaFuncAttribute)77, 1, 0));
  CALL(cudaKernelSetAttributeForDevice(
      nullptr, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024, 0));
  CALL(cudaKernelSetAttributeForDevice(
      kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 30, 0));

  cudaLibrary_t library = nullptr;
  CALL(cudaLibraryLoadData(&library, pageable, nullptr, nullptr, 0, nullptr,
                           nullptr, 0));
  CALL(cudaLibraryLoadData(&library, nullptr, nullptr, nullptr, 0, nullptr,
                           nullptr, 0));
  CALL(cudaLibraryLoadData(nullptr, pageable, nullptr, nullptr, 0, nullptr,
                           nullptr, 0));
  CALL(cudaLibraryLoadFromFile(&library, "/nowhere", nullptr, nullptr, 0,
                               nullptr, nullptr, 0));
  CALL(cudaLibraryLoadFromFile(&library, nullptr, nullptr, nullptr, 0, nullptr,
                               nullptr, 0));
  CALL(cudaLibraryUnload(nullptr));
  CALL(cudaLibraryGetKernel(&kernel, nullptr, "x"));
  unsigned count;
  CALL(cudaLibraryGetKernelCount(&count, nullptr));
  size_t bytes;
  CALL(cudaLibraryGetGlobal(&pointer, &bytes, nullptr, "x"));
  CALL(cudaLibraryGetManaged(&pointer, &bytes, nullptr, "x"));
  CALL(cudaLibraryGetUnifiedFunction(&pointer, nullptr, "x"));
  CALL(cudaLibraryEnumerateKernels(&kernel, 1, nullptr));

  CALL(cudaMemcpyToArrayAsync(nullptr, 0, 0, pageable, 16,
                              cudaMemcpyHostToDevice, stream));
  CALL(cudaMemcpyFromArrayAsync(pageable, nullptr, 0, 0, 16,
                                cudaMemcpyDeviceToHost, stream));
  CALL(cudaMemcpy2DToArrayAsync(nullptr, 0, 0, pageable, 16, 16, 1,
                                cudaMemcpyHostToDevice, stream));
  CALL(cudaMemcpy2DFromArrayAsync(pageable, 16, nullptr, 0, 0, 16, 1,
                                  cudaMemcpyDeviceToHost, stream));
  CALL(cudaMemcpy2DArrayToArray(nullptr, 0, 0, nullptr, 0, 0, 16, 1,
                                cudaMemcpyDeviceToDevice));
}

int main(int count, char **arguments) {
  return record(count, arguments, {{"kernels", kernels}});
}
