//===- StridedPlan.h - the parameter of the strided copy -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included by the kernel (C) and by what launches it (C++).
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CUDA_STRIDEDPLAN_H
#define CUFORT_RUNTIME_CUDA_STRIDEDPLAN_H

// One dimension more than an array has: an element is several units.
enum { StridedPlanRank = 16 };

/// A copy of \c units numbers of 8 to 64 bits. Strides are in bytes.
struct StridedPlan {
  char *to;
  const char *from;
  unsigned long long units;
  long long rank;
  unsigned long long extent[StridedPlanRank];
  long long toStride[StridedPlanRank];
  long long fromStride[StridedPlanRank];
};

#endif // CUFORT_RUNTIME_CUDA_STRIDEDPLAN_H
