//===- Claims.cpp - every unit once, in the promised order ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/launches/Claims.h"
#include "CudaApi.h"
#include "TestImage.h"
#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace cufort;
using namespace cufort::cpu;

namespace {

// Participants that claim at the same time, some of them late or not at all.
TEST(Claims, EveryUnitIsClaimedOnce) {
  for (Claims::Order order : {Claims::Order::Shares, Claims::Order::Ascending})
    for (unsigned participants : {1u, 2u, 5u})
      for (uint64_t units : {0ul, 1ul, 3ul, 10ul, 1001ul, 40000ul})
        for (unsigned present = 1; present <= participants; ++present) {
          Claims claims(units, order);
          claims.divide(participants);
          for (int round = 0; round < 3; ++round) {
            std::vector<std::atomic<int>> times(units);
            std::vector<std::thread> threads;
            std::atomic<bool> disorder{false};
            for (unsigned i = 0; i < present; ++i)
              threads.emplace_back([&, i] {
                uint64_t begin, end, last = 0;
                while (claims.claim(i, begin, end)) {
                  if (order == Claims::Order::Ascending &&
                      (end != begin + 1 || end <= last))
                    disorder = true;
                  last = end;
                  for (; begin < end; ++begin)
                    ++times[begin];
                }
              });
            for (std::thread &thread : threads)
              thread.join();
            ASSERT_TRUE(claims.exhausted());
            ASSERT_FALSE(disorder);
            ASSERT_TRUE(std::all_of(times.begin(), times.end(),
                                    [](int n) { return n == 1; }));
            claims.restart();
            ASSERT_EQ(claims.exhausted(), units == 0);
          }
        }
}

// The whole range of grids, without overflow.
TEST(Claims, TheLargestGrid) {
  const uint64_t units = 2147483647ull * 65535 * 65535;
  Claims claims(units, Claims::Order::Shares);
  claims.divide(7);
  uint64_t begin, end, total = 0, last = 0;
  for (unsigned i = 0; i < 7; ++i) {
    ASSERT_TRUE(claims.claim(i, begin, end));
    EXPECT_EQ(begin, last);
    last = units / 7 * (i + 1) + std::min<uint64_t>(i + 1, units % 7);
  }
  claims.restart();
  for (int i = 0; claims.claim(3, begin, end); ++i)
    total += end - begin;
  EXPECT_EQ(total, units);
}

// The participant whose share it is gets it, kernel after kernel.
TEST(Claims, SharesStayTheSame) {
  for (int launch = 0; launch < 3; ++launch) {
    Claims claims(1000, Claims::Order::Shares);
    claims.divide(4);
    for (unsigned i : {2u, 0u, 3u, 1u}) {
      uint64_t begin, end;
      ASSERT_TRUE(claims.claim(i, begin, end));
      EXPECT_EQ(begin, 250 * i);
    }
  }
}

// Pages are filled in pieces of a copy and used by blocks of kernels: whoever
// starts at a place with the one starts there with the other.
TEST(Claims, SharesOfAllSizesBeginAtTheSamePlaces) {
  for (unsigned participants : {2u, 3u, 4u, 16u})
    for (uint64_t units : {16ul * 3, 256ul * 3, 65536ul * 3})
      for (unsigned i = 0; i < participants; ++i) {
        Claims claims(units, Claims::Order::Shares);
        claims.divide(participants);
        uint64_t begin, end;
        ASSERT_TRUE(claims.claim(i, begin, end));
        EXPECT_EQ(begin, units * i / participants);
      }
}

double bestMicroseconds(cudaStream_t stream) {
  double best = 1e9;
  for (int round = 0; round < 20; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 200; ++i)
      cudaLaunchKernel(&testimage::emptyStub, {1, 1, 1}, {32, 1, 1}, nullptr, 0,
                       stream);
    cudaStreamSynchronize(stream);
    const std::chrono::duration<double, std::micro> time =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / 200);
  }
  return best;
}

// Other users report launches that cost more with every stream there is.
TEST(Claims, LaunchesCostTheSameWithManyStreams) {
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  const double one = bestMicroseconds(stream);
  std::vector<cudaStream_t> streams(9999);
  for (cudaStream_t &each : streams) {
    ASSERT_EQ(cudaStreamCreate(&each), cudaSuccess);
    ASSERT_EQ(cudaLaunchKernel(&testimage::emptyStub, {1, 1, 1}, {32, 1, 1},
                               nullptr, 0, each),
              cudaSuccess);
  }
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const double many = bestMicroseconds(stream);
  std::printf("  a launch with 1 stream: %.2f, with 10000: %.2f microseconds\n",
              one, many);
  EXPECT_LT(many, 3 * one + 2);
  for (cudaStream_t each : streams)
    ASSERT_EQ(cudaStreamDestroy(each), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

} // namespace
