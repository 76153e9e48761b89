//===- Error.h - status codes of the runtime --------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_PROCESS_ERROR_H
#define CUFORT_RUNTIME_CORE_PROCESS_ERROR_H

namespace cufort {

/// The only kind of status in the runtime: CUDA's own codes, so that nothing
/// has to be translated on the way from an engine to the program.
enum Error : int {
#define CUFORT_ERROR(name, number, text) name = number,
#include "runtime/core/process/ErrorCodes.def"
};

/// "cudaErrorInvalidValue"; "unrecognized error code" for an unknown number.
const char *errorName(Error error);

/// A short English text; "unrecognized error code" for an unknown number.
const char *errorText(Error error);

/// What a user can do about \p error; empty where there is no general advice.
const char *errorAdvice(Error error);

/// The calling thread's last error, as cudaGetLastError defines it.
Error lastError();

/// Records \p error as the calling thread's last error unless it is
/// cudaSuccess, and returns it.
Error recordError(Error error);

/// Sets the calling thread's last error back to cudaSuccess and returns what
/// it was.
Error takeLastError();

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_PROCESS_ERROR_H
