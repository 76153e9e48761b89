//===- Stop.h - failures that no status can carry ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_STOP_H
#define CUFORT_RUNTIME_CORE_STOP_H

#include "runtime/core/Error.h"

namespace cufort {

/// Ends the program with exit status 1 after printing
///   FILE:LINE: error: CALL failed: NAME: TEXT
///   DETAIL
///   what to do: ADVICE
/// to standard error. \p file may be null (no place known), \p detail may be
/// null or empty. Buffered output of the program is written first.
[[noreturn]] void stopProgram(const char *file, int line, const char *call,
                              Error error, const char *detail = nullptr);

/// The calling thread ends the program from here on; waits for ever where
/// another thread already does.
void beginStop();

/// Whether some thread is ending the program.
bool programStops();

/// Does not return while another thread is ending the program; every call that
/// may use a device starts with it, so that the program does not run on.
void waitIfStopping();

/// How the program ends: the Fortran room installs error stop, which closes
/// the program's files. The default flushes C's streams and exits.
void setProgramEnd(void (*end)(int status));

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_STOP_H
