//===- FortranTransfer.cpp - transfers and launches of Fortran ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaApi.h"
#include "Descriptors.h"
#include "TestImage.h"
#include "runtime/core/Names.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

using namespace cufort;

namespace {

template <typename T> struct DeviceArray {
  explicit DeviceArray(const std::vector<int64_t> &shape)
      : array(describe<T>(nullptr, shape, Allocatable, 2)) {
    _FortranACUFAllocatableAllocate(array, nullptr, nullptr, false, nullptr,
                                    "test.cuf", 1, true);
  }
  ~DeviceArray() {
    _FortranACUFAllocatableDeallocate(array, false, nullptr, "test.cuf", 1);
  }
  Array array;
};

void transfer(Array &to, Array &from, unsigned mode) {
  _FortranACUFDataTransferDescDesc(to, from, mode, "test.cuf", 3);
}

TEST(FortranTransfer, SectionsBothWays) {
  std::vector<int> values(12 * 9), back(12 * 9, 0);
  std::iota(values.begin(), values.end(), 100);
  Array host = describe(values.data(), {12, 9});
  Array result = describe(back.data(), {12, 9});
  DeviceArray<int> device({12, 9});
  transfer(device.array, host, 0);

  // back(2:12:5, 9:1:-4) = device(1:3, 2:8:3)
  Array left = section(result, {{2, 12, 5}, {9, 1, -4}});
  Array right = section(device.array, {{1, 3, 1}, {2, 8, 3}});
  transfer(left, right, 1);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      EXPECT_EQ(back[(1 + 5 * i) + 12 * (8 - 4 * j)],
                values[i + 12 * (1 + 3 * j)]);
  EXPECT_EQ(std::count(back.begin(), back.end(), 0), 12 * 9 - 9);

  // device(12:1:-1, :) = values
  Array reversed = section(device.array, {{12, 1, -1}, {1, 9, 1}});
  transfer(reversed, host, 0);
  _FortranACUFDataTransferDescDescNoRealloc(result, device.array, 1, "t", 1);
  for (int i = 0; i < 12; ++i)
    EXPECT_EQ(back[i], values[11 - i]);
}

TEST(FortranTransfer, LargeSectionsInParallel) {
  const int64_t n = 2000;
  std::vector<double> values(n * n), back(n * n / 2);
  std::iota(values.begin(), values.end(), 0);
  Array host = describe(values.data(), {n, n});
  DeviceArray<double> device({n, n});
  transfer(device.array, host, 0);
  Array result = describe(back.data(), {n / 2, n});
  Array odd = section(device.array, {{1, n - 1, 2}, {1, n, 1}});
  transfer(result, odd, 1);
  for (int64_t i = 0; i < n * n / 2; ++i)
    ASSERT_EQ(back[i], 2.0 * i);
}

TEST(FortranTransfer, OverlappingDeviceSections) {
  std::vector<int> values(20), back(20);
  std::iota(values.begin(), values.end(), 1);
  Array host = describe(values.data(), {20}),
        result = describe(back.data(), {20});
  DeviceArray<int> device({20});
  transfer(device.array, host, 0);
  // a(3:20) = a(1:18)
  Array left = section(device.array, {{3, 20, 1}});
  Array right = section(device.array, {{1, 18, 1}});
  transfer(left, right, 2);
  transfer(result, device.array, 1);
  for (int i = 2; i < 20; ++i)
    EXPECT_EQ(back[i], i - 1);
  // a(1:20) = a(20:1:-1)
  transfer(device.array, host, 0);
  Array all = section(device.array, {{1, 20, 1}});
  Array backwards = section(device.array, {{20, 1, -1}});
  transfer(all, backwards, 2);
  transfer(result, device.array, 1);
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(back[i], 20 - i);
}

template <typename T> void scalarFills(T value) {
  const int64_t n = 500000;
  DeviceArray<T> device({n});
  Array scalar = describe(&value, {});
  _FortranACUFDataTransferCstDesc(device.array, scalar, 0, "test.cuf", 1);
  std::vector<T> back(n);
  Array result = describe(back.data(), {n});
  transfer(result, device.array, 1);
  EXPECT_TRUE(back == std::vector<T>(n, value));
  T other = value + 1;
  scalar = describe(&other, {});
  Array part = section(device.array, {{2, n, 3}});
  _FortranACUFDataTransferCstDesc(part, scalar, 0, "test.cuf", 1);
  transfer(result, device.array, 1);
  for (int64_t i = 0; i < 1000; ++i)
    EXPECT_EQ(back[i], i % 3 == 1 ? other : value);
}

TEST(FortranTransfer, ScalarsFillArraysAndSections) {
  scalarFills<int>(7);
  scalarFills<float>(1.5f);
  scalarFills<double>(-2.25);
  scalarFills<long>(1l << 40);
}

TEST(FortranTransfer, MemsetWritesOneElementEverywhere) {
  DeviceArray<double> device({9, 3});
  double value = 4.5;
  _FortranACUFMemsetDescriptor(device.array, &value, "test.cuf", 1);
  for (int i = 0; i < 27; ++i)
    EXPECT_EQ(static_cast<double *>(device.array.header.base)[i], 4.5);
}

TEST(FortranTransfer, AssignmentAllocatesAnew) {
  std::vector<float> values(6, 3.0f);
  Array host = describe(values.data(), {2, 3});
  host.dimensions[0].lowerBound = 0;
  Array device = describe<float>(nullptr, {0, 0}, Allocatable, 2);
  transfer(device, host, 0);
  EXPECT_EQ(device.dimensions[0].extent, 2);
  EXPECT_EQ(device.dimensions[0].lowerBound, 0);
  void *first = device.header.base;
  transfer(device, host, 0);
  EXPECT_EQ(device.header.base, first) << "same shape, same memory";
  std::vector<float> more(40, 4.0f);
  Array larger = describe(more.data(), {8, 5});
  transfer(device, larger, 0);
  EXPECT_EQ(device.header.elements(), 40u);
  EXPECT_EQ(static_cast<float *>(device.header.base)[39], 4.0f);
  _FortranACUFAllocatableDeallocate(device, false, nullptr, "test.cuf", 1);
}

TEST(FortranTransfer, TypesAreConverted) {
  std::vector<double> values{1.0, -2.75, 3.9, 1e9};
  Array host = describe(values.data(), {4});
  DeviceArray<int> integers({4});
  transfer(integers.array, host, 0);
  const int *device = static_cast<int *>(integers.array.header.base);
  EXPECT_EQ(std::vector<int>(device, device + 4),
            std::vector<int>({1, -2, 3, 1000000000}));
  std::vector<float> back(4);
  Array result = describe(back.data(), {4});
  transfer(result, integers.array, 1);
  EXPECT_EQ(back, std::vector<float>({1, -2, 3, 1e9f}));

  // A logical(4) constant for a logical(1) array.
  DeviceArray<int> room({2});
  char *flags = static_cast<char *>(room.array.header.base);
  std::fill_n(flags, 8, char(9));
  Array mask = describe<int>(nullptr, {5});
  mask.header.base = flags;
  mask.header.elementBytes = 1;
  mask.header.type = 39;
  mask.header.setContiguousStrides();
  int truth = 1;
  Array constant = describe(&truth, {});
  constant.header.type = 14;
  _FortranACUFDataTransferCstDesc(mask, constant, 0, "test.cuf", 1);
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(flags[i], i < 5 ? 1 : 9);
}

TEST(FortranTransfer, PointerAndDescriptor) {
  DeviceArray<int> device({10});
  for (int i = 0; i < 10; ++i)
    static_cast<int *>(device.array.header.base)[i] = i;
  Array odd = section(device.array, {{2, 10, 2}});
  int back[5];
  _FortranACUFDataTransferPtrDesc(back, odd, sizeof(back), 1, "test.cuf", 1);
  EXPECT_EQ(std::vector<int>(back, back + 5),
            std::vector<int>({1, 3, 5, 7, 9}));
}

TEST(FortranLaunch, DescriptorsAreParametersByValue) {
  DeviceArray<int> device({100});
  Array odd = section(device.array, {{1, 99, 2}});
  int n = 1000;
  void *parameters[] = {&odd, &n};
  _FortranACUFLaunch(&testimage::descriptorStub, 2, 1, 1, 32, 1, 1, 0, nullptr,
                     parameters, "test.cuf", 5);
  odd = {}; // copied already
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (int i = 0; i < 50; ++i)
    EXPECT_EQ(static_cast<int *>(device.array.header.base)[2 * i], 1000 + i);
}

TEST(FortranLaunch, AnOpenGridFillsTheDevice) {
  // Every block writes the sum of its threads: count the blocks that ran.
  DeviceArray<int> device({10000});
  int zero = 0;
  Array scalar = describe(&zero, {});
  _FortranACUFDataTransferCstDesc(device.array, scalar, 0, "test.cuf", 1);
  void *parameters[] = {&device.array.header.base};
  _FortranACUFLaunch(&testimage::sharedSumStub, -1, 1, 1, 64, 1, 1, 256,
                     nullptr, parameters, "test.cuf", 5);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  cudaDeviceProp p;
  ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  const int *sums = static_cast<int *>(device.array.header.base);
  EXPECT_EQ(std::count(sums, sums + 10000, 63 * 32), 8 * p.multiProcessorCount);
}

TEST(FortranLaunch, StreamsOfTheProgramAreUsed) {
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  const auto handle = reinterpret_cast<int64_t>(stream);
  DeviceArray<int> log({4}), next({1});
  static_cast<int *>(next.array.header.base)[0] = 0;
  int id = 1, nanoseconds = 20000000;
  void *parameters[] = {&log.array.header.base, &next.array.header.base, &id,
                        &nanoseconds};
  _FortranACUFLaunch(&testimage::logStub, 1, 1, 1, 1, 1, 1, 0, &handle,
                     parameters, "test.cuf", 5);
  EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST(FortranLaunch, NamesAreTheUsers) {
  using cufort::procedureName;
  EXPECT_EQ(procedureName("_QMheatPstep"), "step of module heat");
  EXPECT_EQ(procedureName("_QMheatSsubFouterPinner"), "inner of module heat");
  EXPECT_EQ(procedureName("_QPstep"), "step");
  EXPECT_EQ(procedureName("step_"), "step");
  EXPECT_EQ(procedureName("_Z4stepPf"), "_Z4stepPf");
}

TEST(FortranLaunch, FailedLaunchesAreThereForThoseWhoAsk) {
  _FortranACUFLaunch(&testimage::emptyStub, 1, 1, 1, 2000, 1, 1, 0, nullptr,
                     nullptr, "test.cuf", 5);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  // Asked for: transfers go on.
  DeviceArray<int> device({4});
  _FortranACUFLaunch(&testimage::emptyStub, 1, 1, 1, 0, 1, 1, 0, nullptr,
                     nullptr, "test.cuf", 6);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorInvalidConfiguration);
  cudaGetLastError();
}

} // namespace
