//===- kinds.c - kinds and ranges of numbers on a device ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SELECTED_INT_KIND and its kin where the arguments are variables, with the
// host's answers, and OUT_OF_RANGE of double precision, which Flang computes
// with numbers of 16 bytes (modules/cudadevice.py).
//
//===----------------------------------------------------------------------===//

#include "device/descriptors.h"
#include "device/ranges.h"

/// An integer argument; what it stands for where it is absent.
INLINE i64 argument(const void *from, int bytes, i64 otherwise) {
  return from ? loadInteger(from, (u64)bytes) : otherwise;
}

int FORTRAN(SelectedIntKind)(const char *file, int line, void *range,
                             int bytes) {
  const i64 r = argument(range, bytes, 0);
  return r <= 2 ? 1 : r <= 4 ? 2 : r <= 9 ? 4 : r <= 18 ? 8 : r <= 38 ? 16 : -1;
}

int FORTRAN(SelectedLogicalKind)(const char *file, int line, void *bits,
                                 int bytes) {
  const i64 b = argument(bits, bytes, 0);
  return b <= 8 ? 1 : b <= 16 ? 2 : b <= 32 ? 4 : b <= 64 ? 8 : -1;
}

int FORTRAN(SelectedRealKind)(const char *file, int line, void *precision,
                              int precisionBytes, void *range, int rangeBytes,
                              void *radix, int radixBytes) {
  const i64 p = argument(precision, precisionBytes, 0);
  const i64 r = argument(range, rangeBytes, 0);
  const int precise = p <= 3 ? 2 : p <= 6 ? 4 : p <= 15 ? 8 : p <= 18 ? 10 : -1;
  const int wide = r <= 4      ? 2
                   : r <= 37   ? 3
                   : r <= 307  ? 8
                   : r <= 4931 ? 10
                               : -2;
  if (argument(radix, radixBytes, 2) != 2)
    return -5;
  if (precise < 0 || wide < 0)
    return (precise < 0 ? precise : 0) + (wide < 0 ? wide : 0);
  return precise > wide ? precise : wide;
}
