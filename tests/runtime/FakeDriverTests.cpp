//===- FakeDriverTests.cpp - the NVIDIA engine without a GPU --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the engine itself does around the driver: handles, errors, what it gives
// back. FakeDriver.h says what stands in for the driver.
//
//===----------------------------------------------------------------------===//

#include "FakeDriver.h"
#include "Workload.h"
#include "image/Image.h"
#include "runtime/core/Registry.h"
#include "runtime/core/process/FaultInjection.h"
#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace cufort;

namespace {

const char code[] = "not for a GPU";
char setStub, cooperativeStub, printStub, shadow[4];

const image::Parameter setParameters[] = {{0, 8}, {8, 4}, {12, 4}};
const image::Parameter onePointer[] = {{0, 8}};
const image::Kernel kernels[] = {
    {"set", setParameters, 3, 16, 0, 0, 0, 0, {}, nullptr},
    {"cooperative", onePointer, 1, 8, 0, 0, 0, 0, {}, nullptr},
    {"print", nullptr, 0, 0, 0, 0, 0, 0, {}, nullptr}};
const image::Variable variables[] = {
    {"variable", 4, 4, image::Space::Global, nullptr}};
const image::Code codes[] = {
    {image::CodeKind::Ptx, 70, code, sizeof(code) - 1}};
const image::Image theImage = {image::Magic,
                               image::Version,
                               std::size(kernels),
                               std::size(variables),
                               std::size(codes),
                               0,
                               kernels,
                               variables,
                               codes};

image::OffloadEntry entry(void *address, const char *name, uint64_t size) {
  return {0, 1, 2, 0, address, const_cast<char *>(name), size, 0, nullptr};
}

image::OffloadEntry entries[] = {
    entry(&setStub, "set", 0), entry(&cooperativeStub, "cooperative", 0),
    entry(&printStub, "print", 0), entry(shadow, "variable", 4)};

[[gnu::constructor]] void registerImage() {
  setenv("CUFORT_DEVICE", "cuda", 1);
  __cufort_register_image(&theImage, std::begin(entries), std::end(entries));
}

const WorkloadProgram program{&setStub, &cooperativeStub,   &printStub, shadow,
                              false,    CUFORT_TEST_MODULE, true};

void runClean(const std::string &when) {
  const WorkloadResult clean = runWorkload(program);
  ASSERT_EQ(clean.failed, 0u) << when << ": " << clean.firstCall << ": "
                              << cudaGetErrorName(clean.first);
  ASSERT_EQ(clean.wrong, nullptr) << when << ": " << clean.wrong;
}

#ifdef CUFORT_FAULT_INJECTION

// In fresh processes, before anything else here uses a device: the program
// works without what the call would have told, or gets or prints an error.
TEST(FakeDriverStart, EveryDriverCallFails) {
  unsigned stopped = 0, reported = 0;
  bool fired = true;
  for (int n = 1; fired && n < 1000; ++n) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
      dup2(ends[1], 2);
      setenv("CUFORT_FAULTS", ("driver:" + std::to_string(n)).c_str(), 1);
      void *memory = nullptr;
      int status = 0;
      if (cudaMalloc(&memory, 100) != cudaSuccess) {
        status = 2;
        if (cudaMalloc(&memory, 100) != cudaSuccess)
          std::exit(50);
      }
      if (cudaFree(memory) != cudaSuccess) {
        status = 2;
        if (cudaFree(memory) != cudaSuccess)
          std::exit(51);
      }
      std::exit(faultsFired() ? status : 3);
    }
    close(ends[1]);
    std::string text;
    char bytes[512];
    for (ssize_t count; (count = read(ends[0], bytes, sizeof(bytes))) > 0;)
      text.append(bytes, static_cast<size_t>(count));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status)) << "driver:" << n << ": " << text;
    switch (WEXITSTATUS(status)) {
    case 0: // a property that is not known
      break;
    case 1:
      ++stopped;
      EXPECT_NE(text.find("error: CUFORT_DEVICE=cuda failed"),
                std::string::npos)
          << text;
      break;
    case 2:
      ++reported;
      break;
    case 3:
      fired = false;
      break;
    default:
      ADD_FAILURE() << "driver:" << n << " ends with " << WEXITSTATUS(status)
                    << ": " << text;
    }
  }
  EXPECT_GT(stopped, 1u);
  EXPECT_GT(reported, 1u);
}

#endif

TEST(FakeDriver, HasEveryFunction) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(library, nullptr);
#define CUFORT_DRIVER(member, symbol, parameters)                              \
  EXPECT_NE(dlsym(library, symbol), nullptr) << symbol;
#include "runtime/cuda/DriverFunctions.def"
}

TEST(FakeDriver, TheWorkloadGivesEverythingBack) {
  runClean("first");
  const long live = fakeDriverLiveObjects();
  for (int i = 0; i < 3; ++i)
    runClean("again");
  EXPECT_EQ(fakeDriverLiveObjects(), live);
}

TEST(FakeDriver, ResetGivesEverythingBack) {
  runClean("before");
  void *lost;
  cudaStream_t stream;
  cudaEvent_t event;
  cudaGraph_t graph;
  ASSERT_EQ(cudaMalloc(&lost, 1000), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(fakeDriverLiveObjects(), 0);
  EXPECT_EQ(cudaFree(lost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventSynchronize(event), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaErrorInvalidValue);
  cudaGetLastError();
  runClean("after");
}

// What would end the program in the driver, and what the driver would not find.
TEST(FakeDriver, IsNotAskedForWhatItDiesOf) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphNode_t node;
  void *managed;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 100, 1), cudaSuccess);
  EXPECT_EQ(cudaStreamAttachMemAsync(stream, managed, 0, 0),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamAttachMemAsync(stream, managed, 0, 4), cudaSuccess);
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, graph),
            cudaErrorInvalidValue);
  cudaGraphExec_t executable;
  cudaGraphInstantiateParams parameters{};
  parameters.flags = cudaGraphInstantiateFlagUpload;
  EXPECT_EQ(cudaGraphInstantiateWithParams(&executable, graph, &parameters),
            cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, managed, managed,
                                     16, static_cast<cudaMemcpyKind>(9)),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);

  // A capture whose graph nobody wants.
  ASSERT_EQ(cudaStreamBeginCapture(stream, 2), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(stream, nullptr), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(stream, nullptr), cudaErrorIllegalState);
  // A launch that is refused here spoils the capture that is the driver's.
  ASSERT_EQ(cudaStreamBeginCapture(stream, 2), cudaSuccess);
  EXPECT_EQ(
      cudaLaunchKernel(&printStub, {1, 1, 1}, {2000, 1, 1}, nullptr, 0, stream),
      cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaStreamEndCapture(stream, nullptr),
            cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);

  constexpr int output = 1;
  size_t bytes = 0, before = 0;
  ASSERT_EQ(cudaDeviceGetLimit(&before, output), cudaSuccess);
  EXPECT_EQ(cudaDeviceSetLimit(output, size_t(1) << 60), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetLimit(&bytes, output), cudaSuccess);
  EXPECT_EQ(bytes, size_t(2) << 30);
  EXPECT_EQ(cudaDeviceSetLimit(output, before), cudaSuccess);
  cudaGetLastError();
}

// A failed kernel is told by the next call that waits, and by every one until
// the reset.
TEST(FakeDriver, FailuresStick) {
  cudaStream_t stream;
  void *memory;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&memory, 100), cudaSuccess);
  fakeDriverFailKernel(cudaErrorIllegalAddress);
  EXPECT_EQ(cudaMemsetAsync(memory, 0, 100, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaMemset(memory, 0, 100), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaFree(memory), cudaErrorIllegalAddress);
  // The other device goes on.
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  cudaGetLastError();
  runClean("after a reset");
}

// A GPU does not say which kernel has failed: all are named that were launched
// since the program last waited.
TEST(FakeDriver, NamesKernelsThatMayHaveFailed) {
  void *memory;
  ASSERT_EQ(cudaMalloc(&memory, 100), cudaSuccess);
  int count = 25, value = 1;
  void *arguments[] = {&memory, &count, &value};
  const auto launch = [&](const void *stub, void **with) {
    ASSERT_EQ(cudaLaunchKernel(stub, {1, 1, 1}, {32, 1, 1}, with, 0, nullptr),
              cudaSuccess);
  };
  launch(&printStub, nullptr);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  launch(&setStub, arguments);
  launch(&setStub, arguments);
  fakeDriverFailKernel(cudaErrorIllegalAddress);
  testing::internal::CaptureStderr();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("one of those launched since the program last waited for "
                      "the device: 'set'\n"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("compile with -gpu=lineinfo and run 'compute-sanitizer "
                      "PROGRAM'"),
            std::string::npos)
      << said;
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  cudaGetLastError();
}

// The engine's tables and what it makes at the first use, from many threads on
// both devices.
TEST(FakeDriver, ManyThreads) {
  runClean("before");
  const long live = fakeDriverLiveObjects();
  std::atomic<unsigned> failures{0};
  const auto use = [&](int device) {
    const auto check = [&](cudaError_t error) {
      failures += error != cudaSuccess;
    };
    check(cudaSetDevice(device));
    for (int round = 0; round < 50; ++round) {
      int *memory = nullptr, value = 1, count = 10;
      cudaStream_t stream;
      cudaEvent_t event;
      cudaGraph_t graph;
      cudaGraphExec_t exec;
      check(cudaMalloc(reinterpret_cast<void **>(&memory), 1000));
      check(cudaStreamCreate(&stream));
      check(cudaEventCreate(&event));
      check(cudaStreamBeginCapture(stream, 2));
      void *parameters[] = {&memory, &value, &count};
      check(cudaLaunchKernel(&setStub, {1, 1, 1}, {32, 1, 1}, parameters, 0,
                             stream));
      check(cudaStreamEndCapture(stream, &graph));
      check(cudaGraphInstantiate(&exec, graph, 0));
      check(cudaGraphLaunch(exec, stream));
      check(cudaLaunchKernel(&setStub, {1, 1, 1}, {32, 1, 1}, parameters,
                             50000 + round, stream));
      check(cudaEventRecord(event, stream));
      check(cudaStreamWaitEvent(nullptr, event, 0));
      check(cudaEventSynchronize(event));
      check(cudaGraphExecDestroy(exec));
      check(cudaGraphDestroy(graph));
      check(cudaEventDestroy(event));
      check(cudaStreamDestroy(stream));
      check(cudaFree(memory));
    }
  };
  for (int life = 0; life < 3; ++life) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back(use, i % 2);
    for (std::thread &thread : threads)
      thread.join();
    for (int device : {1, 0}) {
      ASSERT_EQ(cudaSetDevice(device), cudaSuccess);
      ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
    }
  }
  EXPECT_EQ(failures, 0u);
  EXPECT_EQ(fakeDriverLiveObjects(), 0);
  runClean("after");
  EXPECT_EQ(fakeDriverLiveObjects(), live);
}

#ifdef CUFORT_FAULT_INJECTION

/// Lets the first, second, ... call of \p kind fail until there are no more.
void failEach(const std::string &kind) {
  for (int i = 0; i < 3; ++i)
    runClean("before");
  unsigned faults = 0, reported = 0;
  const long driverLive = fakeDriverLiveObjects();
  for (int n = 1; n < 5000 && !testing::Test::HasFatalFailure();
       n += FaultStep) {
    const std::string specification = kind + ":" + std::to_string(n);
    const long before = liveAllocations();
    setFaults(specification.c_str());
    const WorkloadResult r = runWorkload(program);
    const bool fired = faultsFired();
    setFaults("");
    cudaGetLastError();
    const WorkloadResult clean = runWorkload(program);
    const long after = liveAllocations();
    const std::string what = specification + " (" + r.firstCall + ")";
    EXPECT_EQ(after, before) << what;
    EXPECT_EQ(clean.failed, 0u) << what << ": then " << clean.firstCall << ": "
                                << cudaGetErrorName(clean.first);
    EXPECT_EQ(clean.wrong, nullptr) << what << ": then " << clean.wrong;
    EXPECT_EQ(r.wrong, nullptr) << what << ": " << r.wrong;
    reported += r.failed > 0;
    if (r.failed)
      EXPECT_TRUE(r.first == cudaErrorMemoryAllocation ||
                  r.first == cudaErrorUnknown)
          << what << ": " << cudaGetErrorName(r.first);
    EXPECT_EQ(fakeDriverLiveObjects(), driverLive) << what;
    if (!fired)
      break;
    ++faults;
  }
  std::printf("  %u faults, %u errors\n", faults, reported);
  EXPECT_GT(reported, faults / 2);
  EXPECT_GT(faults, 10u);
}

TEST(FakeDriver, EveryDriverCallFails) { failEach("driver"); }

TEST(FakeDriver, EveryAllocationFails) { failEach("alloc"); }

#endif

} // namespace
