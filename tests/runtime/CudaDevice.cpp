//===- CudaDevice.cpp - the NVIDIA engine ---------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An executable of its own, because a program has one engine. Its image has
// hand-written PTX. Skipped where there is no NVIDIA device.
//
//===----------------------------------------------------------------------===//

#include "CudaApi.h"
#include "Descriptors.h"
#include "runtime/core/Device.h"
#include "runtime/core/engine/Engines.h"
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <iterator>
#include <numeric>

using namespace cufort;

namespace {

const char ptx[] = R"(
.version 6.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 deviceVariable = 7;
.extern .shared .align 4 .b8 dynamicShared[];

.visible .entry empty() { ret; }

.visible .entry set(.param .u64 a, .param .u32 value, .param .u32 n)
{
  .reg .pred %p;
  .reg .b32 %i, %t, %b, %v, %n;
  .reg .b64 %a, %o;
  ld.param.u64 %a, [a];
  ld.param.u32 %v, [value];
  ld.param.u32 %n, [n];
  mov.u32 %t, %tid.x;
  mov.u32 %b, %ctaid.x;
  mov.u32 %i, %ntid.x;
  mad.lo.u32 %i, %b, %i, %t;
  setp.ge.u32 %p, %i, %n;
  @%p ret;
  cvta.to.global.u64 %a, %a;
  mul.wide.u32 %o, %i, 4;
  add.u64 %a, %a, %o;
  st.global.u32 [%a], %v;
  ret;
}

// out[block] = the last thread's shared value, written by the first thread.
.visible .entry sharedLast(.param .u64 out)
{
  .reg .pred %p;
  .reg .b32 %t, %n, %s, %b, %v;
  .reg .b64 %a, %o;
  mov.u32 %t, %tid.x;
  mov.u32 %n, %ntid.x;
  mov.u32 %s, dynamicShared;
  mad.lo.u32 %v, %t, 4, %s;
  st.shared.u32 [%v], %t;
  bar.sync 0;
  setp.ne.u32 %p, %t, 0;
  @%p ret;
  sub.u32 %n, %n, 1;
  mad.lo.u32 %v, %n, 4, %s;
  ld.shared.u32 %v, [%v];
  ld.param.u64 %a, [out];
  cvta.to.global.u64 %a, %a;
  mov.u32 %b, %ctaid.x;
  mul.wide.u32 %o, %b, 4;
  add.u64 %a, %a, %o;
  st.global.u32 [%a], %v;
  ret;
}

.visible .entry trap()
{
  trap;
  ret;
}
)";

char emptyStub, setStub, sharedLastStub, trapStub, shadow[4];

const image::Parameter setParameters[] = {{0, 8}, {8, 4}, {12, 4}};
const image::Parameter onePointer[] = {{0, 8}};
const image::Kernel kernels[] = {
    {"empty", nullptr, 0, 0, 0, 0, 0, 0, {}, nullptr},
    {"set", setParameters, 3, 16, 0, 0, 0, 0, {}, nullptr},
    {"sharedLast", onePointer, 1, 8, 0, 0, 0, 0, {}, nullptr},
    {"trap", nullptr, 0, 0, 0, 0, 0, 0, {}, nullptr}};
const image::Variable variables[] = {
    {"deviceVariable", 4, 4, image::Space::Global, nullptr}};
const image::Code code[] = {{image::CodeKind::Ptx, 70, ptx, sizeof(ptx) - 1}};
const image::Image theImage = {image::Magic,
                               image::Version,
                               std::size(kernels),
                               std::size(variables),
                               std::size(code),
                               0,
                               kernels,
                               variables,
                               code};

image::OffloadEntry entry(void *address, const char *name, uint64_t size) {
  return {0, 1, 2, 0, address, const_cast<char *>(name), size, 0, nullptr};
}

image::OffloadEntry entries[] = {
    entry(&emptyStub, "empty", 0), entry(&setStub, "set", 0),
    entry(&sharedLastStub, "sharedLast", 0), entry(&trapStub, "trap", 0),
    entry(shadow, "deviceVariable", 4)};

[[gnu::constructor]] void registerImage() {
  __cufort_register_image(&theImage, std::begin(entries), std::end(entries));
}

class CudaDevice : public testing::Test {
protected:
  void SetUp() override {
    std::string problem;
    static const bool present = !makeCudaEngines(problem).empty();
    if (!present)
      GTEST_SKIP() << problem;
    setenv("CUFORT_DEVICE", "cuda", 1);
  }
};

Array deviceArray(const std::vector<int64_t> &shape) {
  Array a = describe<int>(nullptr, shape, Allocatable, 2);
  _FortranACUFAllocatableAllocate(a, nullptr, nullptr, false, nullptr, "t", 1,
                                  true);
  return a;
}

void release(Array &a) {
  _FortranACUFAllocatableDeallocate(a, false, nullptr, "t", 1);
}

TEST_F(CudaDevice, Kernels) {
  const int n = 100000;
  int *device, value = 5, count = n;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&device), n * 4), cudaSuccess);
  void *parameters[] = {&device, &value, &count};
  ASSERT_EQ(cudaLaunchKernel(&setStub, {(n + 255) / 256, 1, 1}, {256, 1, 1},
                             parameters, 0, nullptr),
            cudaSuccess);
  std::vector<int> host(n);
  ASSERT_EQ(cudaMemcpy(host.data(), device, n * 4, ToHost), cudaSuccess);
  EXPECT_TRUE(host == std::vector<int>(n, 5));
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFree(device), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST_F(CudaDevice, DynamicSharedMemoryUpToTheLimit) {
  int *device, host[4];
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&device), 16), cudaSuccess);
  void *parameters[] = {&device};
  for (size_t bytes : {4096ul, 49152ul, 100000ul, 65536ul}) {
    ASSERT_EQ(cudaMemset(device, 0, 16), cudaSuccess);
    ASSERT_EQ(cudaLaunchKernel(&sharedLastStub, {4, 1, 1}, {1024, 1, 1},
                               parameters, bytes, nullptr),
              cudaSuccess)
        << bytes;
    ASSERT_EQ(cudaMemcpy(host, device, 16, ToHost), cudaSuccess);
    EXPECT_EQ(host[3], 1023);
  }
  EXPECT_EQ(cudaLaunchKernel(&sharedLastStub, {4, 1, 1}, {1024, 1, 1},
                             parameters, 1 << 20, nullptr),
            cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaLaunchKernel(&sharedLastStub, {4, 1, 1}, {1025, 1, 1},
                             parameters, 4100, nullptr),
            cudaErrorInvalidConfiguration);
  cudaGetLastError();
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST_F(CudaDevice, OpenGrid) {
  const int n = 1 << 22;
  int *device, value = 1, count = n;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&device), n * 4), cudaSuccess);
  ASSERT_EQ(cudaMemset(device, 0, n * 4), cudaSuccess);
  void *parameters[] = {&device, &value, &count};
  _FortranACUFLaunch(&setStub, -1, 1, 1, 128, 1, 1, 0, nullptr, parameters, "t",
                     1);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  std::vector<int> host(n);
  ASSERT_EQ(cudaMemcpy(host.data(), device, n * 4, ToHost), cudaSuccess);
  const auto written = std::count(host.begin(), host.end(), 1);
  cudaDeviceProp p;
  ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  EXPECT_EQ(written, p.multiProcessorCount * p.maxThreadsPerMultiProcessor);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST_F(CudaDevice, Variables) {
  int value = 0, other = 9;
  ASSERT_EQ(cudaMemcpyFromSymbol(&value, shadow, 4, 0, ToHost), cudaSuccess);
  EXPECT_EQ(value, 7);
  ASSERT_EQ(cudaMemcpyToSymbol(shadow, &other, 4, 0, ToDevice), cudaSuccess);
  void *address = _FortranACUFGetDeviceAddress(shadow, "t", 1);
  ASSERT_EQ(cudaMemcpy(&value, address, 4, ToHost), cudaSuccess);
  EXPECT_EQ(value, 9);
}

TEST_F(CudaDevice, StridedTransfers) {
  const std::vector<int64_t> shape{20, 15, 12};
  std::vector<int> values(20 * 15 * 12), back(values.size());
  std::iota(values.begin(), values.end(), 1);
  Array host = describe(values.data(), shape);
  Array device = deviceArray(shape), other = deviceArray(shape);
  const std::vector<std::vector<Range>> sections = {
      {{1, 20, 1}, {1, 15, 1}, {3, 9, 1}},  // contiguous
      {{2, 19, 1}, {1, 15, 1}, {1, 12, 1}}, // rows
      {{1, 20, 1}, {2, 14, 2}, {1, 12, 3}}, // planes
      {{3, 18, 3}, {2, 14, 4}, {1, 12, 5}}, // all strided
      {{20, 1, -1}, {1, 15, 1}, {12, 2, -2}},
      {{5, 5, 1}, {1, 15, 1}, {4, 4, 1}},
      {{1, 19, 2}, {1, 1, 1}, {1, 1, 1}}};
  for (const auto &ranges : sections) {
    std::vector<int> expected(values.size(), -1);
    Array e = section(describe(expected.data(), shape), ranges);
    Array h = section(host, ranges), d = section(device, ranges);
    Array o = section(other, ranges);
    copyStridedOnHost(e.header.view(), h.header.view());
    int minusOne = -1;
    Array scalar = describe(&minusOne, {});
    _FortranACUFDataTransferCstDesc(device, scalar, 0, "t", 1);
    _FortranACUFDataTransferCstDesc(other, scalar, 0, "t", 1);
    _FortranACUFDataTransferDescDesc(d, h, 0, "t", 1);
    _FortranACUFDataTransferDescDesc(o, d, 2, "t", 1);
    for (Array *which : {&device, &other}) {
      Array all = describe(back.data(), shape);
      _FortranACUFDataTransferDescDesc(all, *which, 1, "t", 1);
      EXPECT_TRUE(back == expected);
    }
    std::vector<int> strided(values.size(), -1);
    Array s = section(describe(strided.data(), shape), ranges);
    _FortranACUFDataTransferDescDesc(s, d, 1, "t", 1);
    EXPECT_TRUE(strided == expected);
  }
  release(device);
  release(other);
}

TEST_F(CudaDevice, OppositeDirectionsAndOverlap) {
  std::vector<int> values(50), back(50);
  std::iota(values.begin(), values.end(), 1);
  Array host = describe(values.data(), {50}),
        result = describe(back.data(), {50});
  Array device = deviceArray({50});
  Array backwards = section(device, {{50, 1, -1}});
  _FortranACUFDataTransferDescDesc(backwards, host, 0, "t", 1);
  Array left = section(device, {{3, 50, 1}}),
        right = section(device, {{1, 48, 1}});
  _FortranACUFDataTransferDescDesc(left, right, 2, "t", 1);
  _FortranACUFDataTransferDescDesc(result, device, 1, "t", 1);
  for (int i = 2; i < 50; ++i)
    EXPECT_EQ(back[i], 52 - i);
  release(device);
}

TEST_F(CudaDevice, Fills) {
  for (size_t count : {1ul, 1000ul, 3000001ul}) {
    Array a = describe<double>(nullptr, {static_cast<int64_t>(count)},
                               Allocatable, 2);
    _FortranACUFAllocatableAllocate(a, nullptr, nullptr, false, nullptr, "t", 1,
                                    true);
    for (double value : {0.0, -1.0 / 3}) {
      _FortranACUFMemsetDescriptor(a, &value, "t", 1);
      std::vector<double> back(count);
      ASSERT_EQ(cudaMemcpy(back.data(), a.header.base, count * 8, ToHost),
                cudaSuccess);
      EXPECT_TRUE(back == std::vector<double>(count, value));
    }
    release(a);
  }
}

TEST_F(CudaDevice, StreamsAndEvents) {
  cudaStream_t stream;
  cudaEvent_t start, end;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&end), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(start, stream), cudaSuccess);
  ASSERT_EQ(
      cudaLaunchKernel(&emptyStub, {1, 1, 1}, {32, 1, 1}, nullptr, 0, stream),
      cudaSuccess);
  ASSERT_EQ(cudaEventRecord(end, stream), cudaSuccess);
  ASSERT_EQ(cudaEventSynchronize(end), cudaSuccess);
  float time = -1;
  ASSERT_EQ(cudaEventElapsedTime(&time, start, end), cudaSuccess);
  EXPECT_GE(time, 0);
  EXPECT_EQ(cudaEventDestroy(start), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(end), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

TEST_F(CudaDevice, MemoryOfAllKinds) {
  void *device, *pinned, *managed;
  ASSERT_EQ(cudaMalloc(&device, 100), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&pinned, 100), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 100, 1), cudaSuccess);
  static_cast<int *>(managed)[0] = 3;
  const int types[] = {2, 1, 3};
  void *const pointers[] = {device, pinned, managed};
  for (int i = 0; i < 3; ++i) {
    cudaPointerAttributes a;
    ASSERT_EQ(cudaPointerGetAttributes(&a, pointers[i]), cudaSuccess);
    EXPECT_EQ(a.type, types[i]);
    EXPECT_EQ(a.device, 0);
  }
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&device, size_t(1) << 50), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
}

TEST_F(CudaDevice, Latency) {
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const int rounds = 5000;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds; ++i) {
    cudaLaunchKernel(&emptyStub, {1, 1, 1}, {32, 1, 1}, nullptr, 0, nullptr);
    cudaDeviceSynchronize();
  }
  const std::chrono::duration<double, std::micro> time =
      std::chrono::steady_clock::now() - start;
  std::printf("  empty launch and synchronise: %.2f microseconds\n",
              time.count() / rounds);
}

TEST_F(CudaDevice, ResetAndUseAgain) {
  void *memory;
  ASSERT_EQ(cudaMalloc(&memory, 100), cudaSuccess);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  int *device, value = 2, count = 10, host[10];
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&device), 40), cudaSuccess);
  void *parameters[] = {&device, &value, &count};
  ASSERT_EQ(
      cudaLaunchKernel(&setStub, {1, 1, 1}, {32, 1, 1}, parameters, 0, nullptr),
      cudaSuccess);
  ASSERT_EQ(cudaMemcpy(host, device, 40, ToHost), cudaSuccess);
  EXPECT_EQ(host[9], 2);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

// Last: the context does not survive it.
TEST_F(CudaDevice, ZFaultsAreReported) {
  ASSERT_EQ(
      cudaLaunchKernel(&trapStub, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr),
      cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  void *memory;
  EXPECT_EQ(cudaMalloc(&memory, 100), cudaErrorLaunchFailure);
}

} // namespace
