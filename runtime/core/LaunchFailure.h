//===- LaunchFailure.h - launches that failed unasked -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch statement has no status. A failed one records its error for
// cudaGetLastError; if the program never asks, the next transfer or allocation
// or the end of the program stops it with the launch's source line. No failure
// is lost.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_LAUNCHFAILURE_H
#define CUFORT_RUNTIME_CORE_LAUNCHFAILURE_H

#include "runtime/core/process/Error.h"
#include <string>

namespace cufort {

/// Remembers that the launch of \p kernel at \p file:\p line failed.
void noteLaunchFailure(Error error, const char *kernel, const char *file,
                       int line, const char *detail);

/// The failure that has not been reported yet; cudaSuccess if there is none.
Error pendingLaunchFailure();

/// What is known of the kernel that failed last with \p error, also if the
/// program has asked meanwhile, for a message that says more than the error:
/// the kernel and the detail; empty if there is nothing.
std::string launchFailureDetail(Error error);

/// The program has asked for errors: does not report the failure unasked.
void forgetLaunchFailure();

/// Stops the program if a launch failed and the error has not been asked for.
void reportPendingLaunchFailure();

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_LAUNCHFAILURE_H
