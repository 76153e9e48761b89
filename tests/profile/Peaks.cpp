//===- Peaks.cpp - the roofs of devices that are not here -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/profile/Peaks.h"
#include <gtest/gtest.h>

using namespace cufort;

namespace {

DeviceProperties device(int major, int minor, int multiprocessors,
                        int clockKilohertz, int memoryKilohertz, int busBits) {
  DeviceProperties properties{};
  properties.kind = "GPU";
  properties.major = major;
  properties.minor = minor;
  properties.multiprocessors = multiprocessors;
  properties.clockKilohertz = clockKilohertz;
  properties.memoryClockKilohertz = memoryKilohertz;
  properties.memoryBusBits = busBits;
  return properties;
}

/// Data sheets: 67 and 34 Tflop/s, 4.8 TB/s.
TEST(Peaks, OfAnH200) {
  const profile::Peaks peaks =
      profile::computePeaks(device(9, 0, 132, 1980000, 3201000, 6144));
  EXPECT_NEAR(peaks.flops32, 66.9e12, 0.1e12);
  EXPECT_NEAR(peaks.flops64, 33.5e12, 0.1e12);
  EXPECT_NEAR(peaks.bytes, 4.92e12, 0.01e12);
  EXPECT_STREQ(peaks.from, "computed");
}

/// 19.5 and 9.7 Tflop/s, 1.56 TB/s.
TEST(Peaks, OfAnA100) {
  const profile::Peaks peaks =
      profile::computePeaks(device(8, 0, 108, 1410000, 1215000, 5120));
  EXPECT_NEAR(peaks.flops32, 19.5e12, 0.1e12);
  EXPECT_NEAR(peaks.flops64, 9.75e12, 0.05e12);
  EXPECT_NEAR(peaks.bytes, 1.555e12, 0.005e12);
}

TEST(Peaks, UnknownWhereAnythingIs) {
  EXPECT_EQ(
      profile::computePeaks(device(99, 0, 132, 1980000, 3201000, 6144)).flops32,
      0);
  EXPECT_EQ(profile::computePeaks(device(9, 0, 132, 1980000, 0, 6144)).bytes,
            0);
  EXPECT_EQ(profile::computePeaks(device(9, 0, 132, 0, 3201000, 6144)).flops64,
            0);
  DeviceProperties cpu = device(9, 0, 2, 2000000, 3201000, 128);
  cpu.kind = "CPU";
  EXPECT_EQ(profile::computePeaks(cpu).bytes, 0);
}

TEST(Peaks, OfThisProcessor) {
  DeviceProperties cpu{};
  cpu.kind = "CPU";
  cpu.multiprocessors = 2;
  const profile::Peaks peaks = profile::measurePeaks(cpu);
  EXPECT_STREQ(peaks.from, "measured");
  EXPECT_GT(peaks.flops32, 1e8);
  EXPECT_LT(peaks.flops32, 1e13);
  EXPECT_GT(peaks.flops64, 1e8);
  EXPECT_LT(peaks.flops64, 1e13);
  EXPECT_LT(peaks.bytes, 1e13);
}

} // namespace
