//===- GlobalTimer.cpp - the time, for kernels ----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <time.h>

/// Called by kernels that read the register globaltimer: nanoseconds since
/// 1970.
extern "C" __attribute__((visibility("default"))) uint64_t
__cufort_cpu_nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return uint64_t(now.tv_sec) * 1000000000 + uint64_t(now.tv_nsec);
}
