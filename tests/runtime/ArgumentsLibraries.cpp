//===- ArgumentsLibraries.cpp - wrong arguments: code that is loaded ------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PublicArguments.h"

using namespace publicapi;

namespace {

TEST(Arguments, OfLibraries) {
  cudaLibrary_t library;
  cudaKernel_t kernel;
  cudaFunction_t function;
  void *address;
  size_t bytes;
  unsigned count;
  cudaJitOption jit = cudaJitMaxRegisters;
  cudaLibraryOption unknown = cudaLibraryOption(7);
  auto *none = reinterpret_cast<cudaLibrary_t>(&address);
  const auto image = cudaErrorInvalidKernelImage;
  checkCalls({
      VALUE(cudaLibraryLoadData(nullptr, ".version 7.0")),
      VALUE(cudaLibraryLoadData(&library, nullptr)),
      VALUE(cudaLibraryLoadData(&library, "text", &jit, nullptr, 1)),
      VALUE(cudaLibraryLoadData(&library, "text", nullptr, nullptr, 0, &unknown,
                                nullptr, 1)),
      LINE(image, cudaLibraryLoadData(&library, "")),
      LINE(image, cudaLibraryLoadData(&library, ".version 7.0")),
      VALUE(cudaLibraryLoadFromFile(nullptr, "/nowhere")),
      VALUE(cudaLibraryLoadFromFile(&library, nullptr)),
      LINE(cudaErrorFileNotFound,
           cudaLibraryLoadFromFile(&library, "/nowhere")),
      LINE(image, cudaLibraryLoadFromFile(&library, "/dev/null")),
      HANDLE(cudaLibraryUnload(none)),
      HANDLE(cudaLibraryUnload(nullptr)),
      VALUE(cudaLibraryGetKernel(nullptr, none, "k")),
      VALUE(cudaLibraryGetKernel(&kernel, none, nullptr)),
      HANDLE(cudaLibraryGetKernel(&kernel, none, "k")),
      VALUE(cudaLibraryGetKernelCount(nullptr, none)),
      HANDLE(cudaLibraryGetKernelCount(&count, none)),
      VALUE(cudaLibraryEnumerateKernels(nullptr, 1, none)),
      HANDLE(cudaLibraryEnumerateKernels(&kernel, 1, none)),
      VALUE(cudaLibraryGetGlobal(nullptr, nullptr, none, "v")),
      VALUE(cudaLibraryGetGlobal(&address, &bytes, none, nullptr)),
      HANDLE(cudaLibraryGetGlobal(&address, &bytes, none, "v")),
      VALUE(cudaLibraryGetManaged(&address, &bytes, none, nullptr)),
      HANDLE(cudaLibraryGetManaged(&address, &bytes, none, "v")),
      VALUE(cudaLibraryGetUnifiedFunction(nullptr, none, "f")),
      HANDLE(cudaLibraryGetUnifiedFunction(&address, none, "f")),
      VALUE(cudaGetDriverEntryPoint(nullptr, &address, cudaEnableDefault)),
      VALUE(cudaGetDriverEntryPoint("cuInit", nullptr, cudaEnableDefault)),
      VALUE(cudaGetDriverEntryPoint("cuInit", &address, 7)),
      LINE(cudaErrorSymbolNotFound,
           cudaGetDriverEntryPoint("cuNothing", &address, cudaEnableDefault)),
      VALUE(cudaGetDriverEntryPointByVersion(nullptr, &address, 12000,
                                             cudaEnableDefault)),
      VALUE(cudaGetFuncBySymbol(nullptr, &testimage::setStub)),
      LINE(cudaErrorInvalidDeviceFunction,
           cudaGetFuncBySymbol(&function, &testimage::unknownStub)),
      LINE(cudaErrorInvalidDeviceFunction,
           cudaLaunchKernel(none, dim3(1), dim3(1), nullptr, 0, nullptr)),
  });
}

} // namespace
