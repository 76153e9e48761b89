//===- Memory.cpp - device memory on the CPU engine -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaApi.h"
#include "TestImage.h"
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

using namespace cufort;

namespace {

TEST(Memory, AllocationsAreAlignedAndCounted) {
  size_t before, total, during, after;
  ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  EXPECT_LE(before, total);
  for (size_t bytes : {1ul, 100ul, 4096ul, 5ul << 20, 64ul << 20}) {
    void *memory = nullptr;
    ASSERT_EQ(cudaMalloc(&memory, bytes), cudaSuccess);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 256, 0u);
    std::memset(memory, 1, bytes);
    EXPECT_EQ(cudaFree(memory), cudaSuccess);
  }
  void *memory;
  ASSERT_EQ(cudaMalloc(&memory, 1), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&during, &total), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_LE(after, total);
}

TEST(Memory, NothingIsAllocatedForZeroBytes) {
  void *memory = &memory;
  EXPECT_EQ(cudaMalloc(&memory, 0), cudaSuccess);
  EXPECT_EQ(memory, nullptr);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
}

TEST(Memory, WrongFreesAreErrors) {
  char *memory;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&memory), 1000), cudaSuccess);
  EXPECT_EQ(cudaFree(memory + 8), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(memory), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaErrorInvalidValue);
  int local;
  EXPECT_EQ(cudaFree(&local), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(Memory, AnExhaustedDeviceIsAnError) {
  size_t free, total;
  ASSERT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  void *memory;
  EXPECT_EQ(cudaMalloc(&memory, total + 1), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMalloc(&memory, SIZE_MAX - 10), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  ASSERT_EQ(cudaMalloc(&memory, 1 << 20), cudaSuccess) << "still usable";
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

TEST(Memory, PointersAreKnown) {
  char *device, *pinned, *managed, local;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&device), 100), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(reinterpret_cast<void **>(&pinned), 100),
            cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(reinterpret_cast<void **>(&managed), 100, 1),
            cudaSuccess);
  cudaPointerAttributes a;
  ASSERT_EQ(cudaPointerGetAttributes(&a, device + 99), cudaSuccess);
  EXPECT_EQ(a.type, 2);
  ASSERT_EQ(cudaPointerGetAttributes(&a, device + 100), cudaSuccess);
  EXPECT_NE(a.devicePointer, device + 100);
  ASSERT_EQ(cudaPointerGetAttributes(&a, pinned), cudaSuccess);
  EXPECT_EQ(a.type, 1);
  ASSERT_EQ(cudaPointerGetAttributes(&a, managed), cudaSuccess);
  EXPECT_EQ(a.type, 3);
  ASSERT_EQ(cudaPointerGetAttributes(&a, &local), cudaSuccess);
  EXPECT_EQ(a.type, 0);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
}

TEST(Memory, CopiesOfAllSizes) {
  for (size_t bytes : {size_t(1), size_t(1000), size_t(1) << 20,
                       (size_t(1) << 20) + 1, (size_t(9) << 20) + 17}) {
    std::vector<unsigned char> from(bytes), to(bytes);
    std::iota(from.begin(), from.end(), 0);
    void *a, *b;
    ASSERT_EQ(cudaMalloc(&a, bytes), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&b, bytes), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(a, from.data(), bytes, ToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(b, a, bytes, OnDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(to.data(), b, bytes, ToHost), cudaSuccess);
    EXPECT_TRUE(from == to) << bytes;
    EXPECT_EQ(cudaMemset(a, 0x5a, bytes), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(to.data(), a, bytes, ToHost), cudaSuccess);
    EXPECT_TRUE(to == std::vector<unsigned char>(bytes, 0x5a)) << bytes;
    cudaFree(a);
    cudaFree(b);
  }
}

TEST(Memory, WrongCopiesAreErrors) {
  char a[8] = {}, b[8] = {};
  EXPECT_EQ(cudaMemcpy(nullptr, a, 8, ToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(a, nullptr, 8, ToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(nullptr, nullptr, 0, ToHost), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(a, b, 8, static_cast<cudaMemcpyKind>(9)),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpy2D(a, 2, b, 4, 3, 2, ToHost), cudaErrorInvalidPitchValue);
  cudaGetLastError();
}

TEST(Memory, TwoDimensions) {
  const int rows = 50, width = 24, pitch = 64;
  char *device;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&device), rows * pitch),
            cudaSuccess);
  std::vector<char> from(rows * width), to(rows * width), all(rows * pitch);
  std::iota(from.begin(), from.end(), 0);
  EXPECT_EQ(cudaMemset2D(device, pitch, 7, pitch, rows), cudaSuccess);
  EXPECT_EQ(
      cudaMemcpy2D(device, pitch, from.data(), width, width, rows, ToDevice),
      cudaSuccess);
  EXPECT_EQ(cudaMemcpy2D(to.data(), width, device, pitch, width, rows, ToHost),
            cudaSuccess);
  EXPECT_EQ(from, to);
  EXPECT_EQ(cudaMemcpy(all.data(), device, rows * pitch, ToHost), cudaSuccess);
  for (int row = 0; row < rows; ++row)
    for (int i = width; i < pitch; ++i)
      ASSERT_EQ(all[row * pitch + i], 7);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST(Devices, PropertiesAndChoice) {
  int count = 0, device = -1;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  ASSERT_GE(count, 1);
  EXPECT_EQ(cudaSetDevice(count), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(device, 0);
  cudaDeviceProp p;
  ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  EXPECT_NE(p.name[0], 0);
  EXPECT_EQ(p.maxThreadsPerBlock, 1024);
  EXPECT_EQ(p.warpSize, 32);
  EXPECT_EQ(p.sharedMemPerBlockOptin, 227u * 1024);
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, 16, 0), cudaSuccess);
  EXPECT_EQ(value, p.multiProcessorCount);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, 9999, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, 16, 99), cudaErrorInvalidDevice);
  cudaGetLastError();
}

TEST(Errors, NamesAndTexts) {
  EXPECT_STREQ(cudaGetErrorName(cudaErrorMemoryAllocation),
               "cudaErrorMemoryAllocation");
  EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidConfiguration),
               "invalid configuration argument");
  EXPECT_STREQ(cudaGetErrorName(static_cast<Error>(12345)),
               "unrecognized error code");
}

// Fills and copies of what is no device's, or is no more: it may be the host's
// by now, and stays as it is.
TEST(Memory, WhatIsNotDeviceData) {
  int host = 3, *freed = nullptr, *memory = nullptr, *reset = nullptr;
  const auto allocate = [](int **result) {
    ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(result), 400), cudaSuccess);
  };
  allocate(&reset);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  allocate(&freed);
  allocate(&memory);
  const int five = 5;
  EXPECT_EQ(__cufort_fill(memory, &five, 4, 100, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemset3D({memory, 40, 40, 5}, 1, {40, 5, 2}), cudaSuccess);
  ASSERT_EQ(cudaFree(freed), cudaSuccess);
  for (int *gone : {freed, &host, reset}) {
    const cudaPitchedPtr box = {gone, 4, 4, 1}, there = {memory, 4, 4, 1},
                         here = {&host, 4, 4, 1};
    const auto copyBox = [](const cudaPitchedPtr &to,
                            const cudaPitchedPtr &from, CopyKind kind) {
      const cudaMemcpy3DParms p = {nullptr, {}, from,      nullptr,
                                   {},      to, {4, 1, 1}, kind};
      return cudaMemcpy3D(&p);
    };
    const cudaError_t wrong[] = {
        __cufort_fill(gone, &five, 4, 1, nullptr),
        cudaMemset(gone, 0, 4),
        cudaMemsetAsync(gone, 0, 4, nullptr),
        cudaMemset2D(gone, 4, 0, 4, 1),
        cudaMemset2DAsync(gone, 4, 0, 4, 1, nullptr),
        cudaMemset3D(box, 0, {4, 1, 1}),
        cudaMemset3DAsync(box, 0, {4, 1, 1}, nullptr),
        cudaMemcpy(gone, &host, 4, CopyKind::HostToDevice),
        cudaMemcpy(&host, gone, 4, CopyKind::DeviceToHost),
        cudaMemcpyAsync(memory, gone, 4, CopyKind::DeviceToDevice, nullptr),
        cudaMemcpy2D(gone, 4, memory, 4, 4, 1, CopyKind::DeviceToDevice),
        cudaMemcpyPeer(gone, 0, memory, 0, 4),
        cudaMemcpyPeerAsync(memory, 0, gone, 0, 4, nullptr),
        copyBox(box, here, CopyKind::HostToDevice),
        copyBox(here, box, CopyKind::DeviceToHost),
        copyBox(there, box, CopyKind::DeviceToDevice),
    };
    for (const cudaError_t &error : wrong)
      EXPECT_EQ(error, cudaErrorInvalidValue) << &error - wrong;
  }
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(host, 3);
  // Nothing is wrong with no bytes.
  EXPECT_EQ(cudaMemset(freed, 0, 0), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

TEST(Memory, NothingBesideAVariable) {
  void *variable = nullptr;
  int host[2] = {8, 9};
  ASSERT_EQ(cudaGetSymbolAddress(&variable, testimage::deviceVariableShadow),
            cudaSuccess);
  void *inside = static_cast<char *>(variable) + 1;
  EXPECT_EQ(cudaMemset(variable, 0, 5), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(inside, 0, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(variable, host, 5, CopyKind::HostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host, inside, 4, CopyKind::DeviceToHost),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset2D(variable, 4, 0, 4, 2), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host, variable, 4, CopyKind::DeviceToHost), cudaSuccess);
  EXPECT_EQ(host[0], testimage::deviceVariable);
  EXPECT_EQ(host[1], 9);
  EXPECT_EQ(cudaMemcpy(&host[1], inside, 3, CopyKind::DeviceToHost),
            cudaSuccess);
  cudaGetLastError();
}

} // namespace
