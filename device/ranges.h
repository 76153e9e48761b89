//===- ranges.h - OUT_OF_RANGE of double precision --------------*- C -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For integers: Flang computes them with numbers of 16 bytes, which devices do
// not have. Elemental functions of Fortran's (modules/cudadevice.py), for
// device code, and for the host where a procedure is for both sides
// (host_math.c).
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_DEVICE_RANGES_H
#define CUFORT_DEVICE_RANGES_H

// The limits are whole numbers or, for the greatest integer of 64 bits, lie
// between it and the next number of double precision.
#define OUT_OF_RANGE(kind, T, half)                                            \
  int cufort_out_of_range_i##kind##_(const double *x, const T *mold,           \
                                     const int *rounded) {                     \
    const double whole =                                                       \
        rounded && *rounded ? __builtin_round(*x) : __builtin_trunc(*x);       \
    return !(whole >= -half && whole < half);                                  \
  }
OUT_OF_RANGE(1, signed char, 0x1p7)
OUT_OF_RANGE(2, short, 0x1p15)
OUT_OF_RANGE(4, int, 0x1p31)
OUT_OF_RANGE(8, long long, 0x1p63)

#endif // CUFORT_DEVICE_RANGES_H
