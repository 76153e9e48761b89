//===- Peaks.cpp - what a device can do at most ---------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/profile/Peaks.h"
#include "runtime/core/process/Stop.h"
#include "runtime/profile/Profile.h"
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <memory>
#include <new>
#include <thread>
#include <unistd.h>
#include <vector>

namespace cufort::profile {
namespace {

/// Multiply-adds that a multiprocessor does in a cycle: "Throughput of Native
/// Arithmetic Instructions" in the CUDA C++ Programming Guide.
struct Throughput {
  int major, minor, of32, of64;
};
constexpr Throughput Throughputs[] = {
    {5, 0, 128, 4}, {5, 2, 128, 4},  {5, 3, 128, 4},   {6, 0, 64, 32},
    {6, 1, 128, 4}, {6, 2, 128, 4},  {7, 0, 64, 32},   {7, 2, 64, 32},
    {7, 5, 64, 2},  {8, 0, 64, 32},  {8, 6, 128, 2},   {8, 7, 128, 2},
    {8, 9, 128, 2}, {9, 0, 128, 64}, {10, 0, 128, 64}, {12, 0, 128, 2}};

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// As many sums as hide the time that a multiply-add takes: ten of vectors for
/// the four or five cycles of two units.
constexpr int Sums = 10;

/// Multiply-adds on \p Bytes of registers; the result has to be used.
template <typename T, int Bytes>
[[gnu::always_inline]] inline double multiplyAdd(long times) {
  typedef T Vector __attribute__((vector_size(Bytes)));
  const Vector factor = Vector{} + T(0.9999), summand = Vector{} + T(1e-4);
  Vector sums[Sums];
  for (int i = 0; i < Sums; ++i)
    sums[i] = Vector{} + T(i);
  for (long n = 0; n < times; ++n) {
#pragma GCC unroll 10
    for (int i = 0; i < Sums; ++i)
      sums[i] = sums[i] * factor + summand;
    // The loop is to run as it stands.
    asm volatile("" ::: "memory");
  }
  double result = 0;
  for (const Vector &each : sums)
    result += double(each[0]);
  return result;
}

struct Arithmetic {
  double (*of32)(long), (*of64)(long);
  int bytes;
};

#ifdef __x86_64__
// Multiplication and addition become one instruction where the processor has
// it.
[[gnu::target("avx512f,fma")]] double widest32(long n) {
  return multiplyAdd<float, 64>(n);
}
[[gnu::target("avx512f,fma")]] double widest64(long n) {
  return multiplyAdd<double, 64>(n);
}
[[gnu::target("avx2,fma")]] double wide32(long n) {
  return multiplyAdd<float, 32>(n);
}
[[gnu::target("avx2,fma")]] double wide64(long n) {
  return multiplyAdd<double, 32>(n);
}
#endif
double narrow32(long n) { return multiplyAdd<float, 16>(n); }
double narrow64(long n) { return multiplyAdd<double, 16>(n); }

Arithmetic arithmetic() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f"))
    return {widest32, widest64, 64};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return {wide32, wide64, 32};
#endif
  return {narrow32, narrow64, 16};
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// The shortest of several runs of \p work(number, run) on \p count threads
/// that begin together, in seconds. With many short ones some are not disturbed
/// by what else the machine does.
template <typename Work> double shortest(unsigned count, int runs, Work work) {
  double best = 0;
  for (int run = 0; run < runs; ++run) {
    std::atomic<unsigned> ready{0};
    std::vector<uint64_t> begin(count), end(count);
    const auto one = [&](unsigned number) {
      ready.fetch_add(1);
      while (ready.load() < count)
        std::this_thread::yield();
      begin[number] = now();
      work(number, run);
      end[number] = now();
    };
    std::vector<std::thread> threads;
    for (unsigned number = 1; number < count; ++number)
      threads.emplace_back([&, number] {
        leaveStopsToHost();
        one(number);
      });
    one(0);
    for (std::thread &each : threads)
      each.join();
    const double taken = double(*std::max_element(end.begin(), end.end()) -
                                *std::min_element(begin.begin(), begin.end())) *
                         1e-9;
    if (run == 0 || taken < best)
      best = taken;
  }
  return best;
}

double flopsPerSecond(unsigned threads, double (*function)(long),
                      uint64_t lanes) {
  // The shortest counts: one of so many is not disturbed.
  constexpr int Runs = 25;
  constexpr long Times = 400000; // some two milliseconds
  std::atomic<double> used{0};
  const double time = shortest(threads, Runs, [&](unsigned, int) {
    used.store(function(Times), std::memory_order_relaxed);
  });
  return 2.0 * Sums * double(lanes) * double(Times) * threads / time;
}

/// Bytes that a program can have, what the system keeps of files among them:
/// those it gives back.
size_t availableMemory() {
  if (std::FILE *file = std::fopen("/proc/meminfo", "re")) {
    unsigned long kilobytes = 0;
    char line[128];
    while (!kilobytes && std::fgets(line, sizeof(line), file))
      std::sscanf(line, "MemAvailable: %lu", &kilobytes);
    std::fclose(file);
    if (kilobytes)
      return size_t(kilobytes) << 10;
  }
  return size_t(std::max(sysconf(_SC_AVPHYS_PAGES), 0L)) *
         size_t(sysconf(_SC_PAGESIZE));
}

double bytesPerSecond(unsigned threads) {
  // Four times the last cache, so that it serves at most a quarter, where that
  // is not too large; and a part of the memory that is free.
  const size_t cache = size_t(std::max(sysconf(_SC_LEVEL3_CACHE_SIZE), 0L));
  // Where the size of the cache is not known; what is written in a moment.
  constexpr size_t Least = size_t(64) << 20, Most = size_t(256) << 20;
  const size_t bytes = std::clamp(cache * 4 / 3, Least, Most);
  if (availableMemory() / 8 < bytes)
    return 0;
  // A run takes one piece of each array; all others have come before it does
  // so again.
  constexpr size_t Pieces = 16, Rounds = 4;
  const size_t size = bytes / sizeof(double), piece = size / Pieces,
               part = piece / threads;
  std::unique_ptr<double[]> memory(new (std::nothrow) double[3 * size]);
  if (!memory)
    return 0;
  double *a = memory.get(), *b = a + size, *c = b + size;
  const auto each = [&](auto work) {
    return [=](unsigned number, int run) {
      const size_t begin = size_t(run) % Pieces * piece + number * part;
      for (size_t i = begin; i < begin + part; ++i)
        work(i);
    };
  };
  // Pages lie where they are first written.
  shortest(threads, Pieces,
           each([=](size_t i) { a[i] = 0, b[i] = 1, c[i] = 2; }));
  const double time =
      shortest(threads, Pieces * Rounds,
               each([=](size_t i) { a[i] = b[i] + 3.0 * c[i]; }));
  return double(3 * sizeof(double)) * double(part * threads) / time;
}

} // namespace

Peaks computePeaks(const DeviceProperties &device) {
  if (device.kind != "GPU" || device.clockKilohertz <= 0 ||
      device.memoryClockKilohertz <= 0 || device.memoryBusBits <= 0)
    return {};
  for (const Throughput &each : Throughputs)
    if (each.major == device.major && each.minor == device.minor) {
      const double cycles =
          1e3 * device.clockKilohertz * device.multiprocessors;
      // Memory moves data at both edges of its clock.
      return {2e3 * device.memoryClockKilohertz * device.memoryBusBits / 8,
              2 * cycles * each.of32, 2 * cycles * each.of64, "computed"};
    }
  return {};
}

Peaks measurePeaks(const DeviceProperties &device) {
  if (device.kind != "CPU")
    return computePeaks(device);
  const unsigned threads = unsigned(std::max(device.multiprocessors, 1));
  const Arithmetic of = arithmetic();
  const auto lanes = [&](size_t size) { return uint64_t(of.bytes) / size; };
  return {bytesPerSecond(threads),
          flopsPerSecond(threads, of.of32, lanes(sizeof(float))),
          flopsPerSecond(threads, of.of64, lanes(sizeof(double))), "measured"};
}

} // namespace cufort::profile
