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

#include "runtime/core/Error.h"
#include <string>

namespace cufort {

/// Remembers that the launch of \p kernel at \p file:\p line failed.
void noteLaunchFailure(Error error, const char *kernel, const char *file,
                       int line, const char *detail);

/// The failure that nobody has asked for yet; cudaSuccess if there is none.
Error pendingLaunchFailure();

/// What is known of it, for a message that says more than the error: the kernel
/// and the detail; empty if there is none.
std::string pendingLaunchDetail();

/// The program has asked for errors: forgets the failure.
void forgetLaunchFailure();

/// Stops the program if a launch failed and nobody asked.
void reportPendingLaunchFailure();

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_LAUNCHFAILURE_H
