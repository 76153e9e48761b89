//===- Counts.cpp - what kernels count ------------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs that were built with --count-operations: a thread of a kernel has
// returned. The worker that runs it adds it up.
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/launches/DeviceFunctions.h"
#include "runtime/profile/Profile.h"

void cufort::cpu::device::count(uint64_t flops32, uint64_t flops64,
                                uint64_t bytes) {
  profile::Counts &counted = profile::Counted;
  counted.flops32 += flops32;
  counted.flops64 += flops64;
  counted.bytes += bytes;
}
