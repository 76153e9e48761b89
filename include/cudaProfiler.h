//===- cudaProfiler.h - see cuda.h, and what is gone ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cuProfilerInitialize is not supported on any device any more.
//
//===----------------------------------------------------------------------===//

#include "cuda.h"

#ifndef CUFORT_CUDAPROFILER_H
#define CUFORT_CUDAPROFILER_H

typedef enum CUoutput_mode_enum {
  CU_OUT_KEY_VALUE_PAIR = 0,
  CU_OUT_CSV = 1
} CUoutput_mode;

#if defined(__cplusplus)
extern "C"
#endif
    CUresult cuProfilerInitialize(const char *configuration, const char *output,
                                  CUoutput_mode mode);

#endif /* CUFORT_CUDAPROFILER_H */
