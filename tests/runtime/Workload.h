//===- Workload.h - a little of every chapter of the API --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For runs in which single calls fail: what a failed call should have made is
// not used, and everything else is given back. Nothing is allocated here, so
// that what is allocated meanwhile is the runtime's.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_TESTS_RUNTIME_WORKLOAD_H
#define CUFORT_TESTS_RUNTIME_WORKLOAD_H

#include "CudaApi.h"

/// The kernels and the variable that the workload uses.
struct WorkloadProgram {
  const void *set;         ///< (int *a, int value, int n): a[i] = value, i < n
  const void *cooperative; ///< (int *a), with one block; null: none
  const void *printing;    ///< (): prints a line; null: none
  const void *variable;    ///< the shadow of a device variable of 4 bytes
  bool computes;           ///< whether kernels do something
  const char *module;      ///< the file of TestModule.cpp
  bool links;              ///< whether device code can be linked
};

struct WorkloadResult {
  unsigned calls = 0, failed = 0;
  cudaError_t first = cufort::cudaSuccess; ///< the first error
  const char *firstCall = "";
  /// What must not happen even if calls fail: wrong data, a handle that cannot
  /// be given back. Null: nothing.
  const char *wrong = nullptr;
  /// Asynchronous work has failed: the device needs a reset.
  bool deviceFailed = false;
};

/// Which calls of a workload are made to fail: every one, but under
/// ThreadSanitizer, which is slow, every seventh. It looks for races, wherever
/// they are; that each call's failure leaves everything in order the other
/// sanitizers show.
#if defined(__SANITIZE_THREAD__)
#define CUFORT_TEST_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CUFORT_TEST_THREAD_SANITIZER 1
#endif
#endif
#if defined(CUFORT_TEST_THREAD_SANITIZER)
inline constexpr int FaultStep = 7;
#else
inline constexpr int FaultStep = 1;
#endif

/// Uses device 0 and, if there is one, device 1.
WorkloadResult runWorkload(const WorkloadProgram &program);

#endif // CUFORT_TESTS_RUNTIME_WORKLOAD_H
