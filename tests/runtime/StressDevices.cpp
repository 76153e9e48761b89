//===- StressDevices.cpp - several devices, resets, long runs -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each test runs in a fresh process: the environment decides how many devices
// there are and how much memory they have.
//
//===----------------------------------------------------------------------===//

#include "CudaApi.h"
#include "TestImage.h"
#include "WorkloadDriver.h"
#include <atomic>
#include <barrier>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <malloc.h>
#include <random>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace cufort;

namespace {

class StressDevices : public testing::Test {
protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

/// Ends the program unless the call succeeds.
void must(cudaError_t error, const char *call) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorName(error));
  _exit(1);
}
#define MUST(call) must(call, #call)
#define MUST_BE(condition)                                                     \
  must(condition ? cudaSuccess : cudaErrorUnknown, #condition)

constexpr int Count = 500;
constexpr size_t Bytes = Count * sizeof(double);

cudaError_t scale(double *memory, double factor, cudaStream_t stream) {
  int count = Count;
  void *parameters[] = {&memory, &factor, &count};
  return cudaLaunchKernel(&testimage::scaleStub, {16, 1, 1}, {32, 1, 1},
                          parameters, 0, stream);
}

//===----------------------------------------------------------------------===//
// Several devices
//===----------------------------------------------------------------------===//

/// What two host threads do with each of the devices, and with the next one.
class DeviceUser {
public:
  DeviceUser(int device, unsigned seed) : device(device), random(seed) {}

  void life() {
    MUST(cudaSetDevice(device));
    double *memory, *there;
    cudaStream_t stream, away;
    cudaEvent_t here, done;
    MUST(cudaMalloc(reinterpret_cast<void **>(&memory), Bytes));
    MUST(cudaMemset(memory, 0, Bytes));
    MUST(cudaStreamCreateWithFlags(&stream, random() % 2));
    MUST(cudaEventCreateWithFlags(&here, 2));
    MUST(cudaSetDevice(0)); // which is never reset
    MUST(cudaMalloc(reinterpret_cast<void **>(&there), Bytes));
    MUST(cudaStreamCreate(&away));
    MUST(cudaEventCreateWithFlags(&done, 2));
    MUST(cudaSetDevice(device));
    MUST(cudaDeviceSynchronize());
    std::vector<double> expected(Count, 0.0), back(Count);
    for (int step = 0; step < 40; ++step) {
      const double factor = 0.5 + random() % 3;
      MUST(scale(memory, factor, stream));
      for (int i = 0; i < Count; ++i)
        expected[size_t(i)] = expected[size_t(i)] * factor + i;
      if (step % 4 == 0) {
        // To device 0 and back, each side waiting for the other's event.
        MUST(cudaEventRecord(here, stream));
        MUST(cudaSetDevice(0));
        MUST(cudaStreamWaitEvent(away, here, 0));
        MUST(cudaMemcpyPeerAsync(there, 0, memory, device, Bytes, away));
        MUST(scale(there, 1.0, away));
        MUST(cudaMemcpyPeerAsync(memory, device, there, 0, Bytes, away));
        MUST(cudaEventRecord(done, away));
        MUST(cudaSetDevice(device));
        MUST(cudaStreamWaitEvent(stream, done, 0));
        for (int i = 0; i < Count; ++i)
          expected[size_t(i)] += i;
      }
      if (step % 7 == 0) {
        void *other;
        MUST(cudaMallocAsync(&other, 1 + random() % 100000, stream));
        MUST(cudaFreeAsync(other, stream));
      }
      if (step % 10 == 9) {
        MUST(cudaMemcpyAsync(back.data(), memory, Bytes, ToHost, stream));
        MUST(cudaStreamSynchronize(stream));
        MUST_BE((back == expected));
      }
    }
    MUST(cudaStreamSynchronize(stream));
    MUST(cudaFree(there));
    MUST(cudaSetDevice(0));
    MUST(cudaStreamDestroy(away));
    MUST(cudaEventDestroy(done));
    MUST(cudaSetDevice(device));
    // A reset takes the rest.
    if (random() % 2) {
      MUST(cudaFree(memory));
      MUST(cudaStreamDestroy(stream));
      MUST(cudaEventDestroy(here));
    }
  }

private:
  const int device;
  std::mt19937 random;
};

TEST_F(StressDevices, ManyThreadsOnEachAndResets) {
  const auto program = [] {
    setenv("CUFORT_CPU_DEVICES", "4", 1);
    setenv("CUFORT_NUM_THREADS", "8", 1);
    std::vector<std::thread> threads;
    // The two threads of a device are done with it when one resets it.
    std::vector<std::unique_ptr<std::barrier<>>> pairs;
    for (int device = 0; device < 4; ++device)
      pairs.push_back(std::make_unique<std::barrier<>>(2));
    for (unsigned id = 0; id < 8; ++id)
      threads.emplace_back([id, &pairs] {
        const int device = static_cast<int>(id / 2);
        for (unsigned life = 0; life < 4; ++life) {
          DeviceUser(device, id * 100 + life).life();
          pairs[id / 2]->arrive_and_wait();
          if (device && id % 2)
            MUST(cudaDeviceReset());
          pairs[id / 2]->arrive_and_wait();
        }
      });
    for (std::thread &thread : threads)
      thread.join();
    std::exit(9);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(9), "");
}

// Threads still use their devices when the program ends.
TEST_F(StressDevices, TheEndWhileAllDevicesWork) {
  const auto program = [] {
    setenv("CUFORT_CPU_DEVICES", "4", 1);
    setenv("CUFORT_NUM_THREADS", "8", 1);
    static std::atomic<int> running{0};
    for (int device = 0; device < 4; ++device)
      std::thread([device] {
        double *memory = nullptr;
        cudaStream_t stream = nullptr;
        cudaSetDevice(device);
        cudaMalloc(reinterpret_cast<void **>(&memory), Bytes);
        cudaMemset(memory, 0, Bytes);
        cudaStreamCreate(&stream);
        ++running;
        for (;;) {
          const cudaError_t error = scale(memory, 0.5, stream);
          if (error == cudaErrorCudartUnloading)
            break;
          MUST(error);
          if (cudaStreamSynchronize(stream) != cudaSuccess)
            break;
        }
        pause();
      }).detach();
    while (running < 4)
      std::this_thread::yield();
    std::exit(9);
  };
  for (int i = 0; i < 5; ++i)
    EXPECT_EXIT(program(), testing::ExitedWithCode(9), "");
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

cudaError_t setAt(int *memory, cudaStream_t stream = nullptr) {
  int value = 1, count = 4;
  void *parameters[] = {&memory, &value, &count};
  return cudaLaunchKernel(&testimage::setStub, {1, 1, 1}, {4, 1, 1}, parameters,
                          0, stream);
}

/// Launches a kernel that fails, perhaps before the launch has returned.
void failSoon(cudaStream_t stream) {
  const cudaError_t error = setAt(reinterpret_cast<int *>(16), stream);
  MUST_BE((error == cudaSuccess || error == cudaErrorIllegalAddress));
}

// The error of a kernel is told by the next call that waits, sticks to its
// device whichever thread calls, and ends with the reset.
TEST_F(StressDevices, FailuresStickToTheirDevice) {
  const auto program = [] {
    setenv("CUFORT_CPU_DEVICES", "2", 1);
    int *good;
    cudaStream_t stream;
    cudaEvent_t event;
    MUST(cudaMalloc(reinterpret_cast<void **>(&good), 64));
    MUST(cudaStreamCreate(&stream));
    MUST(cudaEventCreate(&event));
    failSoon(stream);
    MUST_BE((cudaStreamSynchronize(stream) == cudaErrorIllegalAddress));
    MUST_BE((cudaGetLastError() == cudaErrorIllegalAddress));
    void *more;
    int host[16];
    for (const cudaError_t error :
         {cudaMalloc(&more, 64), cudaMemcpy(host, good, 64, ToHost),
          cudaMemsetAsync(good, 0, 64, stream), setAt(good, stream),
          cudaEventRecord(event, stream), cudaEventSynchronize(event),
          cudaStreamQuery(stream), cudaFree(good), cudaDeviceSynchronize(),
          cudaStreamCreate(&stream)})
      MUST_BE((error == cudaErrorIllegalAddress));
    std::thread([] {
      MUST_BE((cudaDeviceSynchronize() == cudaErrorIllegalAddress));
      MUST(cudaSetDevice(1));
      int *there;
      MUST(cudaMalloc(reinterpret_cast<void **>(&there), 64));
      MUST(setAt(there));
      MUST(cudaDeviceSynchronize());
      MUST(cudaFree(there));
    }).join();
    MUST(cudaDeviceReset());
    MUST_BE((cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle));
    MUST(cudaMalloc(reinterpret_cast<void **>(&good), 64));
    MUST(setAt(good));
    MUST(cudaMemcpy(host, good, 64, ToHost));
    MUST_BE((host[3] == 1));
    std::exit(9);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(9), "");
}

// One fiber per thread: a fault within one of them.
TEST_F(StressDevices, FailuresOnFibers) {
  const auto program = [] {
    setenv("CUFORT_CPU_FIBERS", "1", 1);
    int *good, host[4];
    for (int round = 0; round < 3; ++round) {
      failSoon(nullptr);
      MUST_BE((cudaDeviceSynchronize() == cudaErrorIllegalAddress));
      MUST(cudaDeviceReset());
      MUST(cudaMalloc(reinterpret_cast<void **>(&good), 64));
      MUST(setAt(good));
      MUST(cudaMemcpy(host, good, 16, ToHost));
      MUST_BE((host[3] == 1));
    }
    std::exit(9);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(9), "");
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST_F(StressDevices, AnExhaustedDeviceStaysUsable) {
  const auto program = [] {
    setenv("CUFORT_CPU_MEMORY", "64M", 1);
    double *memory;
    cudaStream_t stream;
    cudaEvent_t event;
    MUST(cudaMalloc(reinterpret_cast<void **>(&memory), Bytes));
    MUST(cudaStreamCreate(&stream));
    size_t before, free, total;
    MUST(cudaMemGetInfo(&before, &total));
    for (int round = 0; round < 3; ++round) {
      std::vector<void *> all;
      for (size_t bytes = 8 << 20; bytes >= 256; bytes /= 2)
        for (;;) {
          void *piece = nullptr;
          const cudaError_t error = cudaMalloc(&piece, bytes);
          if (error != cudaSuccess) {
            MUST_BE((error == cudaErrorMemoryAllocation && !piece));
            MUST_BE((cudaGetLastError() == cudaErrorMemoryAllocation));
            break;
          }
          all.push_back(piece);
        }
      MUST(cudaMemGetInfo(&free, &total));
      MUST_BE((free < 256));
      // Nothing else minds.
      void *no;
      cudaArray_t array;
      const cudaChannelFormatDesc format{32, 0, 0, 0, 0};
      MUST_BE((cudaMallocManaged(&no, 4096, 1) == cudaErrorMemoryAllocation));
      MUST_BE(
          (cudaMallocAsync(&no, 4096, stream) == cudaErrorMemoryAllocation));
      MUST_BE((cudaMallocArray(&array, &format, 64, 64, 0) ==
               cudaErrorMemoryAllocation));
      MUST(cudaEventCreate(&event));
      MUST(cudaMemsetAsync(memory, 0, Bytes, stream));
      MUST(scale(memory, 2, stream));
      MUST(cudaEventRecord(event, stream));
      MUST(cudaEventSynchronize(event));
      double host[Count];
      MUST(cudaMemcpy(host, memory, Bytes, ToHost));
      MUST_BE((host[Count - 1] == Count - 1));
      MUST(cudaEventDestroy(event));
      for (void *piece : all)
        MUST(cudaFree(piece));
      MUST(cudaMemGetInfo(&free, &total));
      MUST_BE((free == before));
    }
    std::exit(9);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(9), "");
}

/// The process's resident memory in bytes.
size_t resident() {
  size_t pages = 0;
  if (FILE *file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%*u %zu", &pages) != 1)
      pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

/// A little of everything that allocates, in the runtime or on the device.
void use(unsigned round) {
  std::mt19937 random(round);
  void *pieces[8];
  for (void *&piece : pieces)
    MUST(cudaMalloc(&piece, 1 + random() % (random() % 8 ? 20000 : 6 << 20)));
  cudaStream_t stream;
  cudaEvent_t event;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  MUST(cudaStreamCreate(&stream));
  MUST(cudaEventCreate(&event));
  double *memory;
  MUST(cudaMallocAsync(reinterpret_cast<void **>(&memory), Bytes, stream));
  MUST(cudaStreamBeginCapture(stream, 2));
  MUST(scale(memory, 1, stream));
  MUST(scale(memory, 1, stream));
  MUST(cudaStreamEndCapture(stream, &graph));
  MUST(cudaGraphInstantiate(&exec, graph, 0));
  MUST(cudaMemsetAsync(memory, 0, Bytes, stream));
  MUST(cudaGraphLaunch(exec, stream));
  MUST(cudaEventRecord(event, stream));
  MUST(cudaStreamWaitEvent(nullptr, event, 0));
  MUST(cudaFreeAsync(memory, stream));
  MUST(cudaStreamSynchronize(stream));
  MUST(cudaGraphExecDestroy(exec));
  MUST(cudaGraphDestroy(graph));
  MUST(cudaEventDestroy(event));
  MUST(cudaStreamDestroy(stream));
  for (void *piece : pieces)
    MUST(cudaFree(piece));
  if (round % 16 == 0)
    workOnDriver(CUFORT_TEST_MODULE, true, [](int error, const char *) {
      MUST(static_cast<cudaError_t>(error));
      return true;
    });
}

// A process that does this for hours must not grow: thousands of rounds after
// the first ones take nothing. What the device and the C library keep for the
// next allocation does not count.
size_t residentWithoutSpare() {
  MUST(cudaDeviceReset());
  malloc_trim(0);
  return resident();
}

TEST_F(StressDevices, LongRunsDoNotGrow) {
  const auto program = [] {
    for (unsigned round = 0; round < 1500; ++round)
      use(round);
    const size_t before = residentWithoutSpare();
    for (unsigned round = 0; round < 12000; ++round)
      use(round);
    const size_t after = residentWithoutSpare();
    std::fprintf(stderr, "  12000 rounds: %zd bytes more\n",
                 static_cast<ssize_t>(after - before));
    if (after > before + (size_t(1) << 20)) {
      std::fprintf(stderr, "resident bytes grew from %zu to %zu\n", before,
                   after);
      std::exit(1);
    }
    std::exit(9);
  };
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers keep memory that has been freed";
#endif
  EXPECT_EXIT(program(), testing::ExitedWithCode(9), "");
}

} // namespace
