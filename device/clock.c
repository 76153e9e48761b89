//===- clock.c - clocks of a device ---------------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What modules/cudadevice.py adds for time: gpu_time, the guide's name for the
// clock cycle counter, and nanosleep.
//
//===----------------------------------------------------------------------===//

void __cufort_gpu_time(long long *clock) {
  *clock = __nvvm_read_ptx_sreg_clock64();
}

void __cufort_nanosleep(int nanoseconds) {
  __nvvm_nanosleep((unsigned int)nanoseconds);
}
