//===- Streams.cpp - streams and events on the CPU engine -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaApi.h"
#include "TestImage.h"
#include "runtime/core/StreamNumbers.h"
#include <atomic>
#include <gtest/gtest.h>
#include <map>
#include <thread>
#include <vector>

using namespace cufort;

namespace {

/// Kernels that sleep and then write their number into a common log: the log
/// shows the order in which they finished.
class Streams : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(cudaMallocManaged(reinterpret_cast<void **>(&log), 4096, 1),
              cudaSuccess);
    ASSERT_EQ(cudaMallocManaged(reinterpret_cast<void **>(&next), 4, 1),
              cudaSuccess);
    *next = 0;
    ASSERT_EQ(cudaStreamCreate(&a), cudaSuccess);
    ASSERT_EQ(cudaStreamCreate(&b), cudaSuccess);
    ASSERT_EQ(cudaStreamCreateWithFlags(&free, 1), cudaSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    for (cudaStream_t stream : {a, b, free})
      EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    EXPECT_EQ(cudaFree(log), cudaSuccess);
    EXPECT_EQ(cudaFree(next), cudaSuccess);
  }
  void launch(cudaStream_t stream, int id, int milliseconds) {
    int nanoseconds = milliseconds * 1000000;
    void *parameters[] = {&log, &next, &id, &nanoseconds};
    ASSERT_EQ(cudaLaunchKernel(&testimage::logStub, {1, 1, 1}, {1, 1, 1},
                               parameters, 0, stream),
              cudaSuccess);
  }
  // Other streams' kernels may still be running.
  std::vector<int> order() {
    std::vector<int> result;
    const int count = __atomic_load_n(next, __ATOMIC_SEQ_CST);
    for (int i = 0; i < count; ++i)
      result.push_back(__atomic_load_n(log + i, __ATOMIC_SEQ_CST));
    return result;
  }

  int *log = nullptr, *next = nullptr;
  cudaStream_t a = nullptr, b = nullptr, free = nullptr;
};

TEST_F(Streams, KernelsAreAsynchronous) {
  launch(a, 1, 30);
  EXPECT_EQ(cudaStreamQuery(a), cudaErrorNotReady);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(a), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(a), cudaSuccess);
  EXPECT_EQ(order(), std::vector<int>({1}));
}

TEST_F(Streams, DefaultStreamOrdersWithBlockingStreams) {
  launch(a, 1, 20);
  launch(nullptr, 2, 10);
  launch(b, 3, 0);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(order(), std::vector<int>({1, 2, 3}));
}

TEST_F(Streams, SynchronousCopyWaitsForBlockingStreams) {
  launch(a, 1, 20);
  launch(b, 2, 20);
  int count = 0;
  EXPECT_EQ(cudaMemcpy(&count, next, 4, ToHost), cudaSuccess);
  EXPECT_EQ(count, 2);
}

TEST_F(Streams, NonBlockingStreamsDoNotWait) {
  // With one thread nothing overlaps; the order is free then.
  launch(a, 1, 60);
  launch(nullptr, 2, 0);
  launch(free, 3, 0);
  EXPECT_EQ(cudaStreamSynchronize(free), cudaSuccess);
  EXPECT_EQ(order(), std::vector<int>({3}));
}

TEST_F(Streams, StreamsOverlap) {
  launch(a, 1, 60);
  launch(b, 2, 0);
  EXPECT_EQ(cudaStreamSynchronize(b), cudaSuccess);
  EXPECT_EQ(order(), std::vector<int>({2}));
}

TEST_F(Streams, EventsOrderStreams) {
  cudaEvent_t event;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event), cudaSuccess) << "not recorded yet";
  launch(a, 1, 30);
  ASSERT_EQ(cudaEventRecord(event, a), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
  ASSERT_EQ(cudaStreamWaitEvent(free, event, 0), cudaSuccess);
  launch(free, 2, 0);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess) << "pending work keeps it";
  EXPECT_EQ(cudaStreamSynchronize(free), cudaSuccess);
  EXPECT_EQ(order(), std::vector<int>({1, 2}));
}

TEST_F(Streams, ElapsedTime) {
  cudaEvent_t start, end, silent;
  ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&end), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&silent, 2), cudaSuccess);
  float time = -1;
  EXPECT_EQ(cudaEventElapsedTime(&time, start, end),
            cudaErrorInvalidResourceHandle);
  ASSERT_EQ(cudaEventRecord(start, a), cudaSuccess);
  launch(a, 1, 20);
  ASSERT_EQ(cudaEventRecord(end, a), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(silent, a), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&time, start, end), cudaErrorNotReady);
  ASSERT_EQ(cudaEventSynchronize(end), cudaSuccess);
  ASSERT_EQ(cudaEventElapsedTime(&time, start, end), cudaSuccess);
  EXPECT_GE(time, 20.0f);
  EXPECT_LT(time, 20000.0f);
  EXPECT_EQ(cudaEventElapsedTime(&time, start, silent),
            cudaErrorInvalidResourceHandle);
  for (cudaEvent_t event : {start, end, silent})
    EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  cudaGetLastError();
}

TEST_F(Streams, UnknownHandlesAreErrors) {
  int local;
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamSynchronize(&local), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventRecord(&local, nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventDestroy(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
}

TEST_F(Streams, DestroyedStreamsFinishTheirWork) {
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  launch(stream, 1, 20);
  launch(stream, 2, 0);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(order(), std::vector<int>({1, 2}));
}

TEST_F(Streams, HostFunctionsRunInOrder) {
  launch(a, 1, 20);
  static std::atomic<int> seen;
  seen = -1;
  ASSERT_EQ(cudaLaunchHostFunc(
                a, [](void *p) { seen = *static_cast<int *>(p); }, next),
            cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(a), cudaSuccess);
  EXPECT_EQ(seen, 1);
}

// It spares waking a thread for each of them.
TEST_F(Streams, WhoWaitsRunsHostFunctions) {
  struct Call {
    std::thread::id thread;
    unsigned calls = 0;
  } call;
  cudaEvent_t event;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  const auto waits = {
      +[](cudaStream_t stream, cudaEvent_t) {
        return cudaStreamSynchronize(stream);
      },
      +[](cudaStream_t stream, cudaEvent_t event) {
        EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
        return cudaEventSynchronize(event);
      },
      +[](cudaStream_t, cudaEvent_t) { return cudaDeviceSynchronize(); },
      +[](cudaStream_t, cudaEvent_t) {
        return cudaStreamSynchronize(nullptr);
      }};
  for (auto wait : waits) {
    // The other thread may have been faster, but not always.
    bool here = false;
    for (int i = 0; i < 2000 && !here; ++i) {
      const unsigned before = call.calls;
      ASSERT_EQ(cudaLaunchHostFunc(
                    a,
                    [](void *p) {
                      auto *c = static_cast<Call *>(p);
                      c->thread = std::this_thread::get_id();
                      ++c->calls;
                    },
                    &call),
                cudaSuccess);
      ASSERT_EQ(wait(a, event), cudaSuccess);
      EXPECT_EQ(call.calls, before + 1);
      here = call.thread == std::this_thread::get_id();
    }
    EXPECT_TRUE(here);
  }
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
}

// What another stream's function waits for may come after the wait.
TEST_F(Streams, WhoWaitsDoesNotRunFunctionsOfOtherStreams) {
  static std::atomic<bool> go;
  cudaEvent_t event;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  for (int i = 0; i < 200; ++i) {
    go = false;
    ASSERT_EQ(cudaLaunchHostFunc(
                  free,
                  [](void *) {
                    while (!go)
                      std::this_thread::yield();
                  },
                  nullptr),
              cudaSuccess);
    launch(a, 1, 0);
    ASSERT_EQ(cudaEventRecord(event, a), cudaSuccess);
    ASSERT_EQ(i % 2 ? cudaEventSynchronize(event) : cudaStreamSynchronize(a),
              cudaSuccess);
    go = true;
    ASSERT_EQ(cudaStreamSynchronize(free), cudaSuccess);
    *next = 0;
  }
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
}

// What they would wait for waits for them.
TEST_F(Streams, HostFunctionsMayNotUseDevices) {
  struct Said {
    cudaStream_t stream;
    cudaEvent_t event;
    std::vector<cudaError_t> errors;
    std::atomic<bool> done;
  };
  const auto function = [](void *p) {
    auto *said = static_cast<Said *>(p);
    void *memory;
    for (cudaError_t error :
         {cudaStreamSynchronize(said->stream), cudaDeviceSynchronize(),
          cudaEventSynchronize(said->event), cudaMalloc(&memory, 100),
          cudaLaunchHostFunc(
              said->stream, [](void *) {}, nullptr),
          cudaStreamQuery(said->stream), cudaStreamDestroy(said->stream),
          cudaDeviceReset(), cudaGetLastError(), cudaGetLastError()})
      said->errors.push_back(error);
    cudaSetDevice(99);
    said->done = true;
  };
  std::vector<cudaError_t> expected(9, cudaErrorNotPermitted);
  expected.push_back(cudaSuccess);
  for (bool waited : {true, false})
    for (int i = 0; i < 50; ++i) {
      Said said{a, nullptr, {}, false};
      ASSERT_EQ(cudaEventCreate(&said.event), cudaSuccess);
      ASSERT_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
      ASSERT_EQ(cudaLaunchHostFunc(a, function, &said), cudaSuccess);
      ASSERT_EQ(cudaEventRecord(said.event, a), cudaSuccess);
      if (waited)
        ASSERT_EQ(cudaStreamSynchronize(a), cudaSuccess);
      while (!said.done)
        std::this_thread::yield();
      EXPECT_EQ(said.errors, expected);
      // Even where this thread has called it.
      EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
      ASSERT_EQ(cudaEventSynchronize(said.event), cudaSuccess);
      ASSERT_EQ(cudaEventDestroy(said.event), cudaSuccess);
    }
}

TEST_F(Streams, AsynchronousCopiesOfPageableMemoryMayBeReused) {
  int value = 5, back = 0;
  int *device;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&device), 4), cudaSuccess);
  launch(a, 1, 20);
  ASSERT_EQ(cudaMemcpyAsync(device, &value, 4, ToDevice, a), cudaSuccess);
  value = 6;
  ASSERT_EQ(cudaMemcpyAsync(&back, device, 4, ToHost, a), cudaSuccess);
  EXPECT_EQ(back, 5);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

// What small integers of Fortran stand for, without use of the handles.
TEST(StreamNumbers, AreGivenAgain) {
  const auto handle = [](size_t i) {
    return reinterpret_cast<cudaStream_t>((i + 1) << 20);
  };
  const auto valueOf = [](int number) {
    return reinterpret_cast<cudaStream_t>(static_cast<size_t>(number));
  };
  std::map<int, size_t> numbered;
  size_t count = 0;
  for (int number; (number = numberStream(handle(count))); ++count)
    EXPECT_TRUE(numbered.emplace(number, count).second);
  EXPECT_GT(count, 60000u);
  for (auto [number, i] : numbered)
    ASSERT_EQ(handleOfNumber(valueOf(number)), handle(i));
  // Whose handle comes again keeps its number.
  EXPECT_EQ(numbered.at(numberStream(handle(77))), 77u);
  EXPECT_EQ(numberStream(handle(count)), 0);
  for (size_t i = 0; i < count; i += 2)
    forgetStreamNumber(handle(i));
  forgetStreamNumber(handle(count));
  for (auto [number, i] : numbered)
    ASSERT_EQ(handleOfNumber(valueOf(number)),
              i % 2 ? handle(i) : valueOf(number));
  const int again = numberStream(handle(count));
  EXPECT_EQ(numbered.at(again) % 2, 0u);
  EXPECT_EQ(handleOfNumber(valueOf(again)), handle(count));
  for (size_t i = 0; i <= count; ++i)
    forgetStreamNumber(handle(i));
  EXPECT_EQ(handleOfNumber(valueOf(again)), valueOf(again));
}

// A reset ends a thread's default stream before the thread; another stream,
// with the same address, must not end with the thread.
TEST(StreamsOfThreads, AResetEndsThemBeforeTheirThread) {
  const auto ownStream = reinterpret_cast<cudaStream_t>(size_t(2));
  std::vector<cudaStream_t> others(64);
  std::thread([&] {
    ASSERT_EQ(cudaStreamSynchronize(ownStream), cudaSuccess);
    ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
    for (cudaStream_t &other : others)
      ASSERT_EQ(cudaStreamCreate(&other), cudaSuccess);
  }).join();
  for (cudaStream_t other : others) {
    EXPECT_EQ(cudaStreamQuery(other), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
  }
}

} // namespace
