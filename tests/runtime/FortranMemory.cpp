//===- FortranMemory.cpp - allocate, deallocate, descriptors --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaApi.h"
#include "Descriptors.h"
#include "TestImage.h"
#include <cstring>
#include <gtest/gtest.h>
#include <string>

using namespace cufort;

extern "C" int _FortranAAllocatableDeallocate(CufDescriptor &, bool,
                                              const CufDescriptor *,
                                              const char *, int);

namespace {

int allocate(Array &a, bool hasStat = false, Array *errMsg = nullptr) {
  return _FortranACUFAllocatableAllocate(a, nullptr, nullptr, hasStat,
                                         errMsg ? &errMsg->header : nullptr,
                                         "test.cuf", 1, true);
}

int deallocate(Array &a, bool hasStat = false) {
  return _FortranACUFAllocatableDeallocate(a, hasStat, nullptr, "test.cuf", 2);
}

TEST(FortranMemory, AllocatablesOfAllKinds) {
  const int types[] = {1, 2, 3, 3}; // host, device, managed
  for (int allocator : {1, 2, 3, 4}) {
    Array a = describe<double>(nullptr, {10, 20}, Allocatable, allocator);
    ASSERT_EQ(allocate(a), 0);
    ASSERT_NE(a.header.base, nullptr);
    EXPECT_EQ(a.dimensions[1].stride, 80);
    cudaPointerAttributes attributes;
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, a.header.base),
              cudaSuccess);
    EXPECT_EQ(attributes.type, types[allocator - 1]);
    EXPECT_EQ(deallocate(a), 0);
    EXPECT_EQ(a.header.base, nullptr);
  }
}

TEST(FortranMemory, FlangsOwnDeallocationComesToUs) {
  Array a = describe<double>(nullptr, {1000}, Allocatable, 2);
  ASSERT_EQ(allocate(a), 0);
  void *memory = a.header.base;
  ASSERT_EQ(_FortranAAllocatableDeallocate(a, false, nullptr, "test.cuf", 1),
            0);
  EXPECT_EQ(a.header.base, nullptr);
  EXPECT_EQ(cudaFree(memory), cudaErrorInvalidValue) << "already freed";
  cudaGetLastError();
}

TEST(FortranMemory, StatAndErrmsg) {
  Array a = describe<double>(nullptr, {int64_t(1) << 50}, Allocatable, 2);
  char text[60];
  Array message = describe<int>(nullptr, {});
  message.header.base = text;
  message.header.elementBytes = sizeof(text);
  message.header.type = 40;
  EXPECT_EQ(allocate(a, true, &message), 19);
  EXPECT_EQ(std::string(text, 25), "cudaErrorMemoryAllocation");
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "stat= has told it";
  EXPECT_EQ(deallocate(a, true), 11);

  Array huge =
      describe<double>(nullptr, {INT64_MAX / 2, 1000, 1000}, Allocatable, 2);
  EXPECT_EQ(allocate(huge, true), 19);

  Array b = describe<double>(nullptr, {5}, Allocatable, 2);
  EXPECT_EQ(allocate(b), 0);
  EXPECT_EQ(allocate(b, true), 12);
  EXPECT_EQ(deallocate(b), 0);
}

TEST(FortranMemory, ZeroSizedArraysAreAllocated) {
  Array a = describe<double>(nullptr, {0, 5}, Allocatable, 2);
  EXPECT_EQ(allocate(a), 0);
  EXPECT_NE(a.header.base, nullptr);
  EXPECT_EQ(deallocate(a), 0);
  Array negative = describe<double>(nullptr, {-3}, Allocatable, 2);
  EXPECT_EQ(allocate(negative), 0);
  EXPECT_EQ(negative.dimensions[0].extent, 0);
  EXPECT_EQ(deallocate(negative), 0);
}

TEST(FortranMemory, PinnedIsReported) {
  Array a = describe<double>(nullptr, {10}, Allocatable, 1);
  bool pinned = false;
  EXPECT_EQ(_FortranACUFAllocatableAllocate(a, nullptr, &pinned, false, nullptr,
                                            "test.cuf", 1, false),
            0);
  EXPECT_TRUE(pinned);
  EXPECT_EQ(deallocate(a), 0);
}

TEST(FortranMemory, Pointers) {
  Array p = describe<float>(nullptr, {7}, Pointer, 2);
  EXPECT_EQ(_FortranACUFPointerAllocate(p, nullptr, nullptr, false, nullptr,
                                        "test.cuf", 1, true),
            0);
  void *first = p.header.base;
  EXPECT_EQ(_FortranACUFPointerAllocate(p, nullptr, nullptr, false, nullptr,
                                        "test.cuf", 1, true),
            0)
      << "a pointer may be allocated again";
  EXPECT_NE(p.header.base, first);
  EXPECT_EQ(_FortranACUFPointerDeallocate(p, false, nullptr, "test.cuf", 1), 0);
  EXPECT_EQ(cudaFree(first), cudaSuccess);
}

TEST(FortranMemory, SourceIsCopied) {
  std::vector<double> values{1, 2, 3, 4};
  Array source = describe(values.data(), {4});
  Array a = describe<double>(nullptr, {4}, Allocatable, 2);
  ASSERT_EQ(_FortranACUFAllocatableAllocateSource(a, source, nullptr, nullptr,
                                                  false, nullptr, "test.cuf", 1,
                                                  false),
            0);
  Array b = describe<double>(nullptr, {4}, Allocatable, 2);
  ASSERT_EQ(_FortranACUFAllocatableAllocateSource(b, a, nullptr, nullptr, false,
                                                  nullptr, "test.cuf", 1, true),
            0);
  double back[4];
  ASSERT_EQ(cudaMemcpy(back, b.header.base, 32, ToHost), cudaSuccess);
  EXPECT_EQ(std::vector<double>(back, back + 4), values);
  EXPECT_EQ(deallocate(a), 0);
  EXPECT_EQ(deallocate(b), 0);
}

// A module allocatable has a host descriptor, which is the shadow, and a
// device copy.
TEST(FortranMemory, ModuleDescriptorsAreKeptEqual) {
  auto &host =
      *reinterpret_cast<CufDescriptor *>(testimage::moduleDescriptorShadow);
  const auto &device =
      *reinterpret_cast<const CufDescriptor *>(testimage::moduleDescriptor);
  const Array initial = describe<float>(nullptr, {6, 4}, Allocatable, 2);
  std::memcpy(&host, &initial, 72);
  ASSERT_EQ(_FortranACUFAllocatableAllocateSync(host, nullptr, nullptr, false,
                                                nullptr, "test.cuf", 1, true),
            0);
  EXPECT_EQ(device.base, host.base);
  EXPECT_EQ(std::memcmp(&device, &host, 72), 0);

  // Assignment of another shape allocates anew.
  std::vector<float> values(10, 2.5f);
  Array from = describe(values.data(), {5, 2});
  _FortranACUFDataTransferGlobalDescDesc(&host, from, 0, "test.cuf", 2);
  EXPECT_EQ(host.dimensions()[0].extent, 5);
  EXPECT_EQ(std::memcmp(&device, &host, 72), 0);
  EXPECT_EQ(static_cast<float *>(device.base)[9], 2.5f);

  EXPECT_EQ(
      _FortranACUFAllocatableDeallocate(host, false, nullptr, "test.cuf", 3),
      0);
  EXPECT_EQ(device.base, nullptr);
}

TEST(FortranMemory, VariablesHaveDeviceAddresses) {
  EXPECT_EQ(_FortranACUFGetDeviceAddress(testimage::deviceVariableShadow,
                                         "test.cuf", 1),
            &testimage::deviceVariable);
}

TEST(FortranMemory, LocalDeviceArrays) {
  for (unsigned type : {0u, 1u, 2u, 3u}) {
    void *memory = _FortranACUFMemAlloc(100, type, "test.cuf", 1);
    ASSERT_NE(memory, nullptr);
    _FortranACUFMemFree(memory, type, "test.cuf", 2);
  }
  void *empty = _FortranACUFMemAlloc(0, 0, "test.cuf", 1);
  EXPECT_NE(empty, nullptr);
  _FortranACUFMemFree(empty, 0, "test.cuf", 2);
}

} // namespace
