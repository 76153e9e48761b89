//===- Teams.cpp - work of libraries on a device's threads ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The death tests run in fresh processes, so that the number of threads can be
// set before the device is chosen.
//
//===----------------------------------------------------------------------===//

#include "CudaApi.h"
#include "TestImage.h"
#include "libraries/common/Perform.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace cufort;
using cufort::libraries::perform;

namespace {

class Teams : public testing::Test {
protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

/// As FFTW's plans for many threads have them.
TEST_F(Teams, LoopsWithinLoops) {
  const auto program = [] {
    setenv("CUFORT_NUM_THREADS", "8", 1);
    bool right = true;
    for (int round = 0; round < 200; ++round) {
      std::vector<std::atomic<int>> calls(40 * 30);
      perform(LegacyStream, {.wait = true}, [&](Team &team) {
        team.forEach(uint64_t(40), [&](uint64_t i) {
          team.forEach(uint64_t(30), [&](uint64_t j) { ++calls[i * 30 + j]; });
        });
      });
      for (const std::atomic<int> &each : calls)
        right &= each == 1;
    }
    std::exit(right ? 0 : 1);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(0), "");
}

/// What another stream has to do starts when a library with threads of its own
/// has ended, and not only then if it came first.
TEST_F(Teams, WithThreadsOfTheirOwnAreAlone) {
  const auto program = [] {
    setenv("CUFORT_NUM_THREADS", "4", 1);
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, 1);
    cudaStreamCreateWithFlags(&b, 1);
    std::atomic<int> begun = 0, ended = 0, early = 0, after = 0;
    for (int round = 1; round <= 20; ++round) {
      std::thread caller([&] {
        perform(a, {.bringsThreads = true}, [&](Team &team) {
          early += team.threads() != 4;
          ++begun;
          std::this_thread::sleep_for(std::chrono::milliseconds(3));
          ++ended;
        });
      });
      while (begun != round)
        std::this_thread::yield();
      perform(b, {}, [&, round](Team &team) {
        team.forEach(uint64_t(16), [&](uint64_t) { early += ended != round; });
        ++after;
      });
      caller.join();
      cudaDeviceSynchronize();
    }
    std::exit(early == 0 && after == 20 ? 0 : 1);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(0), "");
}

/// One thread goes on with a series of them and wakes nobody between, but for
/// those who wait for one of the series.
TEST_F(Teams, InSeriesWakeWhoWaits) {
  const auto program = [] {
    setenv("CUFORT_NUM_THREADS", "4", 1);
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, 1);
    constexpr int Series = 40, Events = 4;
    std::atomic<int> ended = 0, early = 0;
    for (int round = 0; round < 20; ++round) {
      ended = 0;
      cudaEvent_t events[Events];
      std::vector<std::thread> waiting;
      std::atomic<bool> submitted = false;
      perform(stream, {.small = true}, [&](Team &) {
        while (!submitted)
          std::this_thread::yield();
      });
      for (int i = 0; i < Series; ++i) {
        perform(stream, {.bringsThreads = true}, [&](Team &) {
          std::this_thread::sleep_for(std::chrono::microseconds(200));
          ++ended;
        });
        if (i % 10)
          continue;
        cudaEvent_t &event = events[i / 10];
        cudaEventCreate(&event);
        cudaEventRecord(event, stream);
        waiting.emplace_back([&, event, i] {
          cudaEventSynchronize(event);
          early += ended < i + 1;
        });
      }
      submitted = true;
      cudaStreamSynchronize(stream);
      early += ended != Series;
      for (std::thread &each : waiting)
        each.join();
      for (cudaEvent_t event : events)
        cudaEventDestroy(event);
    }
    std::exit(early == 0 ? 0 : 1);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(0), "");
}

/// Nobody is woken for one that has nothing to wait for; behind other work it
/// is left to the device.
TEST_F(Teams, TheCallerPerformsWhatTakesAllCores) {
  const auto program = [] {
    setenv("CUFORT_NUM_THREADS", "4", 1);
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, 1);
    cudaStreamCreateWithFlags(&b, 1);
    const auto self = std::this_thread::get_id();
    std::atomic<int> ended = 0, wrong = 0;
    for (int round = 1; round <= 100; ++round) {
      perform(a, {.bringsThreads = true}, [&](Team &) {
        wrong += std::this_thread::get_id() != self;
        ++ended;
      });
      wrong += ended != round;
    }
    for (cudaStream_t before : {a, b}) {
      std::atomic<bool> submitted = false, ran = false;
      perform(before, {.small = true}, [&](Team &) {
        while (!submitted)
          std::this_thread::yield();
      });
      perform(a, {.bringsThreads = true}, [&](Team &) { ran = true; });
      wrong += before == a && ran;
      submitted = true;
      cudaDeviceSynchronize();
      wrong += !ran;
    }
    std::exit(wrong ? 1 : 0);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(0), "");
}

/// Several devices work at the same time for one thread of the host.
TEST_F(Teams, DevicesPerformSideBySide) {
  const auto program = [] {
    setenv("CUFORT_NUM_THREADS", "4", 1);
    setenv("CUFORT_CPU_DEVICES", "2", 1);
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::seconds(20);
    std::atomic<int> begun = 0, wrong = 0;
    for (int device : {0, 1}) {
      cudaSetDevice(device);
      perform(LegacyStream, {.bringsThreads = true}, [&](Team &team) {
        wrong += team.threads() != 2;
        ++begun;
        while (begun != 2 && std::chrono::steady_clock::now() < end)
          std::this_thread::yield();
        wrong += begun != 2;
      });
    }
    for (int device : {0, 1}) {
      cudaSetDevice(device);
      cudaDeviceSynchronize();
    }
    std::exit(wrong ? 1 : 0);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(0), "");
}

/// A thread finds in its caches what it worked on in the loop before.
TEST_F(Teams, ThreadsKeepTheirIterations) {
  const auto program = [] {
    setenv("CUFORT_NUM_THREADS", "2", 1);
    bool right = true;
    std::thread::id first[2];
    for (int round = 0; round < 100; ++round) {
      std::thread::id by[2];
      perform(LegacyStream, {.wait = true}, [&](Team &team) {
        std::atomic<int> arrived = 0;
        team.forEach(uint64_t(2), [&](uint64_t i) {
          by[i] = std::this_thread::get_id();
          ++arrived;
          while (arrived != 2)
            std::this_thread::yield();
        });
      });
      if (round == 0)
        std::copy(by, by + 2, first);
      right &= by[0] != by[1] && by[0] == first[0] && by[1] == first[1];
    }
    std::exit(right ? 0 : 1);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(0), "");
}

} // namespace
