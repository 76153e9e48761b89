//===- StressAll.cpp - everything at once, from many threads --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaApi.h"
#include "TestImage.h"
#include "WorkloadDriver.h"
#include <atomic>
#include <gtest/gtest.h>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

using namespace cufort;

namespace {

/// One host thread's world: what it does must come out as if it were alone.
class World {
public:
  World(unsigned seed, std::atomic<int> &failures)
      : random(seed), failures(failures), expected(Count, 0.0),
        host(Count, 0.0) {
    for (cudaStream_t &stream : streams)
      check(cudaStreamCreateWithPriority(&stream, random() % 2,
                                         -static_cast<int>(random() % 3)));
    check(cudaEventCreateWithFlags(&event, 2));
    check(cudaMalloc(&memory, Count * sizeof(double)));
    check(cudaMemsetAsync(memory, 0, Count * sizeof(double), stream()));
  }
  ~World() {
    if (exec)
      check(cudaGraphExecDestroy(exec));
    check(cudaFree(memory));
    check(cudaEventDestroy(event));
    for (cudaStream_t stream : streams)
      check(cudaStreamDestroy(stream));
  }

  void step() {
    switch (random() % 10) {
    case 0:
      compare();
      break;
    case 1: // on in another stream
      check(cudaEventRecord(event, stream()));
      current = random() % 3;
      check(cudaStreamWaitEvent(stream(), event, 0));
      break;
    case 2:
      temporary();
      break;
    case 3:
      replay();
      break;
    case 4:
      if (cudaStreamQuery(stream()) == cudaSuccess)
        compare();
      break;
    case 5: {
      double *other;
      check(cudaMalloc(reinterpret_cast<void **>(&other), 5 << 20));
      check(cudaFree(other));
      break;
    }
    case 6:
      check(cudaLaunchHostFunc(
          stream(), [](void *p) { ++*static_cast<std::atomic<int> *>(p); },
          &calls));
      ++expectedCalls;
      break;
    default:
      scale(stream());
      apply();
    }
  }

  void compare() {
    check(cudaMemcpyAsync(host.data(), memory, Count * sizeof(double), ToHost,
                          stream()));
    check(cudaStreamSynchronize(stream()));
    if (host != expected || calls.load() != expectedCalls)
      ++failures;
  }

private:
  static constexpr int Count = 700;

  cudaStream_t stream() const { return streams[current]; }

  void check(cudaError_t error) {
    if (error != cudaSuccess) {
      ++failures;
      std::printf("%s\n", cudaGetErrorName(error));
    }
  }

  void scale(cudaStream_t where) {
    int count = Count;
    void *parameters[] = {&memory, &factor, &count};
    check(cudaLaunchKernel(&testimage::scaleStub, {22, 1, 1}, {32, 1, 1},
                           parameters, 0, where));
  }
  void apply() {
    for (int i = 0; i < Count; ++i)
      expected[static_cast<size_t>(i)] =
          expected[static_cast<size_t>(i)] * factor + i;
  }

  /// Through memory that lives only in the stream's order.
  void temporary() {
    void *other;
    check(cudaMallocAsync(&other, Count * sizeof(double), stream()));
    check(cudaMemcpyAsync(other, memory, Count * sizeof(double), OnDevice,
                          stream()));
    check(cudaMemsetAsync(memory, 0, Count * sizeof(double), stream()));
    check(cudaMemcpyAsync(memory, other, Count * sizeof(double), OnDevice,
                          stream()));
    check(cudaFreeAsync(other, stream()));
  }

  void replay() {
    if (!exec) {
      cudaGraph_t graph;
      check(cudaStreamBeginCapture(stream(), 2));
      scale(stream());
      scale(stream());
      check(cudaStreamEndCapture(stream(), &graph));
      check(cudaGraphInstantiate(&exec, graph, 0));
      check(cudaGraphDestroy(graph));
    }
    check(cudaGraphLaunch(exec, stream()));
    apply();
    apply();
  }

  std::mt19937 random;
  std::atomic<int> &failures;
  std::vector<double> expected, host;
  std::atomic<int> calls{0};
  int expectedCalls = 0;
  double factor = 0.5;
  cudaStream_t streams[3] = {};
  unsigned current = 0;
  cudaEvent_t event = nullptr;
  cudaGraphExec_t exec = nullptr;
  void *memory = nullptr;
};

TEST(StressAll, ManyThreads) {
  std::atomic<int> failures{0};
  size_t before, after, total;
  ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  std::vector<std::thread> threads;
  for (unsigned id = 0; id < 6; ++id)
    threads.emplace_back([&, id] {
      for (unsigned life = 0; life < 3; ++life) {
        World world(id * 10 + life, failures);
        for (int i = 0; i < 120; ++i)
          world.step();
        world.compare();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

// Graphs that are changed, with objects, events and memory of their own.
TEST(StressAll, NodesFromManyThreads) {
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (unsigned id = 0; id < 6; ++id)
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round)
        workOnNodes(&testimage::setStub, nullptr,
                    [&](int error, const char *call) {
                      if (error != cudaSuccess) {
                        ++failures;
                        std::printf("%s: %d\n", call, error);
                      }
                      return error == cudaSuccess;
                    });
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  constexpr int used = 0, reserved = 2;
  for (int attribute : {used, reserved}) {
    uint64_t bytes = 1;
    EXPECT_EQ(cudaDeviceGetGraphMemAttribute(0, attribute, &bytes),
              cudaSuccess);
    EXPECT_EQ(bytes, 0u);
  }
}

// Libraries, modules, arrays, values and graphs of the driver API.
TEST(StressAll, DriverFromManyThreads) {
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (unsigned id = 0; id < 6; ++id)
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round)
        workOnDriver(CUFORT_TEST_MODULE, true,
                     [&](int error, const char *call) {
                       if (error != cudaSuccess) {
                         ++failures;
                         std::printf("%s: %d\n", call, error);
                       }
                       return error == cudaSuccess;
                     });
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

// One library whose kernels many threads look up and launch, on several
// devices' worth of modules, while others load and unload libraries.
TEST(StressAll, OneLibraryFromManyThreads) {
  cudaLibrary_t library = nullptr;
  ASSERT_EQ(cudaLibraryLoadFromFile(&library, CUFORT_TEST_MODULE, nullptr,
                                    nullptr, 0, nullptr, nullptr, 0),
            cudaSuccess);
  std::atomic<int> failures{0};
  const auto check = [&](cudaError_t error) {
    failures += error != cudaSuccess;
  };
  std::vector<std::thread> threads;
  for (unsigned id = 0; id < 6; ++id)
    threads.emplace_back([&, id] {
      int *a = nullptr, value = int(id), n = 256, back[256];
      cudaStream_t stream;
      check(cudaMalloc(reinterpret_cast<void **>(&a), sizeof(back)));
      check(cudaStreamCreateWithFlags(&stream, 1));
      void *parameters[] = {&a, &value, &n};
      for (int round = 0; round < 50; ++round) {
        if (id % 3 == 2) {
          cudaLibrary_t own = nullptr;
          check(cudaLibraryLoadFromFile(&own, CUFORT_TEST_MODULE, nullptr,
                                        nullptr, 0, nullptr, nullptr, 0));
          check(cudaLibraryUnload(own));
        }
        cudaKernel_t kernel = nullptr;
        check(cudaLibraryGetKernel(&kernel, library, "set"));
        check(cudaLaunchKernel(kernel, {2, 1, 1}, {128, 1, 1}, parameters, 0,
                               stream));
        check(cudaMemcpyAsync(back, a, sizeof(back), ToHost, stream));
        check(cudaStreamSynchronize(stream));
        failures += back[0] != value + 5 || back[255] != value + 5;
      }
      check(cudaFree(a));
      check(cudaStreamDestroy(stream));
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(cudaLibraryUnload(library), cudaSuccess);
}

// Resets while nothing runs, between whole lives.
TEST(StressAll, ResetsBetween) {
  std::atomic<int> failures{0};
  for (unsigned round = 0; round < 5; ++round) {
    {
      World world(round, failures);
      for (int i = 0; i < 50; ++i)
        world.step();
      world.compare();
    }
    void *lost;
    cudaStream_t stream;
    EXPECT_EQ(cudaMalloc(&lost, 100000), cudaSuccess);
    EXPECT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    EXPECT_EQ(cudaFree(lost), cudaErrorInvalidValue);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  }
  cudaGetLastError();
  EXPECT_EQ(failures, 0);
}

TEST(StressAll, TenThousandStreamsAndEvents) {
  std::vector<cudaStream_t> streams(10000);
  std::vector<cudaEvent_t> events(10000);
  for (size_t i = 0; i < streams.size(); ++i) {
    ASSERT_EQ(cudaStreamCreate(&streams[i]), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&events[i]), cudaSuccess);
  }
  const auto time = [&](size_t count) {
    const auto begin = std::chrono::steady_clock::now();
    for (int round = 0; round < 2000; ++round) {
      const size_t i = static_cast<size_t>(round) * 7919 % count;
      cudaEventRecord(events[i], streams[i]);
      cudaStreamSynchronize(streams[i]);
    }
    return std::chrono::duration<double, std::micro>(
               std::chrono::steady_clock::now() - begin)
               .count() /
           2000;
  };
  const double one = time(1);
  time(streams.size());
  const double all = time(streams.size());
  std::printf("  record and synchronise: %.2f microseconds with 1 stream and "
              "event, %.2f with 10000\n",
              one, all);
  for (size_t i = 0; i < streams.size(); ++i) {
    EXPECT_EQ(cudaStreamDestroy(streams[i]), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(events[i]), cudaSuccess);
  }
}

} // namespace
