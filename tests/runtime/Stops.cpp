//===- Stops.cpp - failures that end the program, other modes -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each test runs in a fresh process, so the environment can be set before the
// device is chosen.
//
//===----------------------------------------------------------------------===//

#include "CudaApi.h"
#include "Descriptors.h"
#include "TestImage.h"
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sched.h>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace cufort;

namespace {

class Stops : public testing::Test {
protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

void useDevice() {
  int count;
  cudaGetDeviceCount(&count);
}

void useWith(const char *variable, const char *value) {
  setenv(variable, value, 1);
  useDevice();
}

cudaError_t launch(const void *stub) {
  return cudaLaunchKernel(stub, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr);
}

void badLaunch() {
  _FortranACUFLaunch(&testimage::setStub, 1, 1, 1, 2048, 1, 1, 0, nullptr,
                     nullptr, "prog.cuf", 42);
}

TEST_F(Stops, UnknownDevice) {
  EXPECT_EXIT(setenv("CUFORT_DEVICE", "gpu", 1);
              useDevice(), testing::ExitedWithCode(1),
              "CUFORT_DEVICE=gpu is not valid; use auto, cpu or cuda");
}

TEST_F(Stops, GpuWithoutGpuCode) {
  EXPECT_EXIT(setenv("CUFORT_DEVICE", "cuda", 1);
              useDevice(), testing::ExitedWithCode(1), "without GPU code");
}

TEST_F(Stops, WrongNumberOfThreads) {
  for (const char *value : {"0", "-3", "two", "4x", "99999999999999999999"})
    EXPECT_EXIT(setenv("CUFORT_NUM_THREADS", value, 1);
                useDevice(), testing::ExitedWithCode(1),
                "use a number from 1 to 4096");
}

TEST_F(Stops, WrongMemoryLimit) {
  for (const char *value : {"0", "much", "4Q", "4GG", "-1"})
    EXPECT_EXIT(setenv("CUFORT_CPU_MEMORY", value, 1);
                useDevice(), testing::ExitedWithCode(1),
                "use a number of bytes");
}

TEST_F(Stops, MemoryLimit) {
  const auto program = [] {
    setenv("CUFORT_CPU_MEMORY", "64M", 1);
    void *memory;
    if (cudaMalloc(&memory, 65 << 20) == cudaErrorMemoryAllocation &&
        cudaMalloc(&memory, 40 << 20) == cudaSuccess &&
        cudaFree(memory) == cudaSuccess &&
        cudaMalloc(&memory, 60 << 20) == cudaSuccess &&
        cudaMalloc(&memory, 10 << 20) == cudaErrorMemoryAllocation)
      std::exit(7);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(7), "");
}

TEST_F(Stops, LaunchOutsideTheLimitsAtTheNextTransfer) {
  const auto program = [] {
    badLaunch();
    int x = 0, y = 0;
    _FortranACUFDataTransferPtrPtr(&x, &y, 4, 0, "prog.cuf", 50);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(1),
              "prog.cuf:42: error: launch of kernel set failed: "
              "cudaErrorInvalidConfiguration.*\n.*block 2048 x 1 x 1");
}

TEST_F(Stops, LaunchOutsideTheLimitsAtTheEnd) {
  const auto program = [] {
    badLaunch();
    std::exit(0);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(1),
              "prog.cuf:42: error: launch of kernel set");
}

TEST_F(Stops, AllocateWithoutStat) {
  const auto program = [] {
    Array a = describe<double>(nullptr, {int64_t(1) << 50}, Allocatable, 2);
    _FortranACUFAllocatableAllocate(a, nullptr, nullptr, false, nullptr,
                                    "prog.cuf", 7, true);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(1),
              "prog.cuf:7: error: allocate failed: cudaErrorMemoryAllocation");
}

TEST_F(Stops, ShapesThatDiffer) {
  const auto program = [] {
    int x[12] = {}, y[12] = {};
    Array a = describe(x, {3, 4}), b = describe(y, {4, 2});
    _FortranACUFDataTransferDescDesc(a, b, 0, "prog.cuf", 9);
  };
  // A warning (an error with CUFORT_STRICT=1); what stops it is that the left
  // side is no device's.
  EXPECT_EXIT(program(), testing::ExitedWithCode(1),
              "prog.cuf:9: warning: assignment of host data to device data: "
              "the shapes differ: left \\(3,4\\), right \\(4,2\\)");
}

TEST_F(Stops, ArraysThatAreNotAllocated) {
  const auto program = [] {
    int value = 1;
    Array a = describe<int>(nullptr, {3}, Allocatable, 2);
    Array scalar = describe(&value, {});
    _FortranACUFDataTransferCstDesc(a, scalar, 0, "prog.cuf", 9);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(1),
              "left-hand side is not allocated");
}

// What has been freed may be the host's by now: nothing may be written there.
TEST_F(Stops, TransfersOfWhatHasBeenFreed) {
  enum Way { FromArray, FromScalar, ToArray, WithinDevice, Bytes };
  for (Way way : {FromArray, FromScalar, ToArray, WithinDevice, Bytes})
    for (bool reset : {true, false}) {
      const auto program = [way, reset] {
        int x[100] = {}, value = 1;
        int *memory = static_cast<int *>(
            _FortranACUFMemAlloc(sizeof(x), 0, "prog.cuf", 8));
        if (reset)
          cudaDeviceReset();
        else
          _FortranACUFMemFree(memory, 0, "prog.cuf", 8);
        int *other = static_cast<int *>(
            _FortranACUFMemAlloc(2 * sizeof(x), 0, "prog.cuf", 8));
        Array host = describe(x, {100}), scalar = describe(&value, {}),
              gone = describe(memory, {100}), there = describe(other, {100});
        switch (way) {
        case FromArray:
          return _FortranACUFDataTransferDescDesc(gone, host, 0, "prog.cuf", 9);
        case FromScalar:
          return _FortranACUFDataTransferCstDesc(gone, scalar, 0, "prog.cuf",
                                                 9);
        case ToArray:
          return _FortranACUFDataTransferDescDesc(host, gone, 1, "prog.cuf", 9);
        case WithinDevice:
          return _FortranACUFDataTransferDescDesc(gone, there, 2, "prog.cuf",
                                                  9);
        case Bytes:
          return _FortranACUFDataTransferPtrPtr(memory, x, 4, 0, "prog.cuf", 9);
        }
      };
      EXPECT_EXIT(program(), testing::ExitedWithCode(1),
                  "prog.cuf:9: error: assignment of .*cudaErrorInvalidValue.*\n"
                  ".*lies in no allocation");
    }
}

TEST_F(Stops, UnknownVariables) {
  const auto program = [] {
    int local;
    _FortranACUFGetDeviceAddress(&local, "prog.cuf", 9);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(1),
              "prog.cuf:9: .*cudaErrorInvalidSymbol");
}

TEST_F(Stops, NonContiguousSections) {
  const auto program = [] {
    int x[10];
    Array a = section(describe(x, {10}), {{1, 10, 2}});
    _FortranACUFDescriptorCheckSection(a, "prog.cuf", 9);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(1), "not contiguous");
}

TEST_F(Stops, GridBarrierInAnOrdinaryLaunch) {
  const auto program = [] {
    int *device;
    cudaMalloc(reinterpret_cast<void **>(&device), 4000);
    void *parameters[] = {&device};
    cudaLaunchKernel(&testimage::gridBarrierStub, {2, 1, 1}, {1, 1, 1},
                     parameters, 0, nullptr);
    cudaDeviceSynchronize();
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(1),
              "not launched cooperatively");
}

/// Of programs that fork while they have threads: the child has their memory
/// but not them.
struct WithoutLeakCheck {
  WithoutLeakCheck() {
    if (const char *set = std::getenv("ASAN_OPTIONS"))
      options = set;
    setenv("ASAN_OPTIONS", (options + ":detect_leaks=0").c_str(), 1);
  }
  ~WithoutLeakCheck() { setenv("ASAN_OPTIONS", options.c_str(), 1); }
  std::string options;
};

TEST_F(Stops, DevicesDoNotSurviveFork) {
  const WithoutLeakCheck forked;
  const auto program = [] {
    useDevice();
    const pid_t child = fork();
    if (child == 0) {
      void *memory;
      if (cudaMalloc(&memory, 4) != cudaErrorInitializationError ||
          launch(&testimage::emptyStub) != cudaErrorInitializationError ||
          cudaDeviceSynchronize() != cudaErrorInitializationError)
        _exit(1);
      std::exit(9); // with exit handlers
    }
    int status = 0;
    waitpid(child, &status, 0);
    std::exit(WEXITSTATUS(status));
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(9),
              "cudaErrorInitializationError: .* before fork");
}

TEST_F(Stops, ForkWhileKernelsRun) {
  const WithoutLeakCheck forked;
  const auto program = [] {
    static int log[100], next, *logAddress = log, *nextAddress = &next;
    int id = 1, nanoseconds = 2000000;
    void *parameters[] = {&logAddress, &nextAddress, &id, &nanoseconds};
    cudaLaunchKernel(&testimage::logStub, {20, 1, 1}, {1, 1, 1}, parameters, 0,
                     nullptr);
    const pid_t child = fork();
    if (child == 0)
      std::exit(cudaDeviceSynchronize() == cudaErrorInitializationError ? 9
                                                                        : 1);
    int status = 0;
    waitpid(child, &status, 0);
    // The parent goes on as if nothing had happened.
    std::exit(cudaDeviceSynchronize() == cudaSuccess && next == 1
                  ? WEXITSTATUS(status)
                  : 2);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(9), "before fork");
}

TEST_F(Stops, AChildMayUseTheDeviceFirst) {
  const auto program = [] {
    const pid_t child = fork();
    if (child == 0) {
      void *memory;
      std::exit(cudaMalloc(&memory, 4) == cudaSuccess &&
                        cudaFree(memory) == cudaSuccess
                    ? 9
                    : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    std::exit(WEXITSTATUS(status));
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(9), "");
}

//===----------------------------------------------------------------------===//
// One fiber per thread
//===----------------------------------------------------------------------===//

TEST_F(Stops, FibersMeetAtBarriersAndMayLeaveEarly) {
  const auto program = [] {
    setenv("CUFORT_CPU_FIBERS", "1", 1);
    int *memory;
    cudaMallocManaged(reinterpret_cast<void **>(&memory), 8, 1);
    memory[0] = memory[1] = 0;
    int *errors = memory, *count = memory + 1;
    void *parameters[] = {&errors, &count};
    for (unsigned threads : {1u, 2u, 33u, 1024u})
      if (cudaLaunchKernel(&testimage::fiberStub, {20, 1, 1}, {threads, 1, 1},
                           parameters, 0, nullptr) != cudaSuccess)
        std::exit(2);
    if (cudaDeviceSynchronize() != cudaSuccess)
      std::exit(3);
    const int expected = 20 * (1 + 1 + 17 + 512);
    std::exit(*errors == 0 && *count == expected ? 9 : 4);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(9), "");
}

TEST_F(Stops, FibersThatWaitForEachOtherForEver) {
  const auto program = [](const char *stub) {
    setenv("CUFORT_CPU_FIBERS", "1", 1);
    cudaLaunchKernel(stub, {1, 1, 1}, {70, 1, 1}, nullptr, 0, nullptr);
    cudaDeviceSynchronize();
    std::exit(0);
  };
  EXPECT_EXIT(program(&testimage::fiberWaitStub), testing::ExitedWithCode(1),
              "kernel fiberWait .*\n?.*for ever: thread .0,0,0. at syncwarp "
              "with mask 00000003, thread .1,0,0. at a barrier of the block");
  EXPECT_EXIT(program(&testimage::fiberMaskStub), testing::ExitedWithCode(1),
              "thread .1,0,0. executes a warp operation whose mask does not "
              "name it");
}

TEST_F(Stops, FibersWithoutTheirCode) {
  const auto program = [] {
    setenv("CUFORT_CPU_FIBERS", "1", 1);
    cudaLaunchKernel(&testimage::emptyStub, {1, 1, 1}, {1, 1, 1}, nullptr, 0,
                     nullptr);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(1),
              "without the code that runs one fiber");
}

TEST_F(Stops, LaunchBlocking) {
  const auto program = [] {
    setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    static int log[4], next, *logAddress = log, *nextAddress = &next;
    int id = 1, nanoseconds = 20000000;
    void *parameters[] = {&logAddress, &nextAddress, &id, &nanoseconds};
    cudaLaunchKernel(&testimage::logStub, {1, 1, 1}, {1, 1, 1}, parameters, 0,
                     stream);
    std::exit(cudaStreamQuery(stream) == cudaSuccess ? 9 : 1);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(9), "");
}

TEST_F(Stops, TheProgramEndsWhileKernelsRun) {
  const auto program = [] {
    static int log[100], next, *logAddress = log, *nextAddress = &next;
    int id = 1, nanoseconds = 10000000;
    void *parameters[] = {&logAddress, &nextAddress, &id, &nanoseconds};
    cudaLaunchKernel(&testimage::logStub, {1000, 1, 1}, {1, 1, 1}, parameters,
                     0, nullptr);
    std::exit(9);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(9), "");
}

TEST_F(Stops, AWorkerEndsTheProgram) {
  const auto program = [] {
    cudaLaunchHostFunc(nullptr, [](void *) { std::exit(9); }, nullptr);
    for (int i = 0; i < 100; ++i)
      launch(&testimage::emptyStub);
    // This thread must not take part, or it would be the one that ends.
    std::this_thread::sleep_for(std::chrono::seconds(20));
    std::exit(1);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(9), "");
}

// The stream whose function it is never comes to an end.
TEST_F(Stops, AFunctionEndsTheProgramWhoseObjectsUseItsStream) {
  struct User {
    cudaStream_t stream = nullptr;
    void *memory = nullptr;
    ~User() {
      cudaStreamSynchronize(stream);
      cudaStreamDestroy(stream);
      cudaFree(memory);
      cudaDeviceSynchronize();
    }
  };
  for (bool waits : {true, false}) {
    const auto program = [waits] {
      launch(&testimage::emptyStub);
      static User user;
      cudaStreamCreate(&user.stream);
      cudaMalloc(&user.memory, 100);
      cudaLaunchHostFunc(user.stream, [](void *) { std::exit(9); }, nullptr);
      if (waits)
        cudaStreamSynchronize(user.stream);
      std::this_thread::sleep_for(std::chrono::seconds(20));
      _exit(1);
    };
    EXPECT_EXIT(program(), testing::ExitedWithCode(9), "");
  }
}

struct LateUser {
  bool armed = false;
  ~LateUser() {
    // The device is gone, whatever the order; no call may hang.
    if (armed && (launch(&testimage::emptyStub) != cudaErrorCudartUnloading ||
                  cudaDeviceSynchronize() != cudaErrorCudartUnloading))
      _exit(1);
  }
};

TEST_F(Stops, DestructorsOfStaticObjectsMayCallTheRuntime) {
  const auto program = [] {
    // Made before the device is used, so destroyed after it is gone.
    static LateUser user;
    user.armed = true;
    launch(&testimage::emptyStub);
    std::exit(9);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(9), "");
}

} // namespace
