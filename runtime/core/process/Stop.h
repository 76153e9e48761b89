//===- Stop.h - failures that no status can carry ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_PROCESS_STOP_H
#define CUFORT_RUNTIME_CORE_PROCESS_STOP_H

#include "runtime/core/process/Error.h"

namespace cufort {

/// Ends the program with exit status 1 after printing
///   FILE:LINE: error: CALL failed: NAME: TEXT
///   DETAIL
///   what to do: ADVICE
/// to standard error. \p file may be null (no place known), \p detail may be
/// null or empty. Buffered output of the program is written first.
[[noreturn]] void stopProgram(const char *file, int line, const char *call,
                              Error error, const char *detail = nullptr);

/// The calling thread ends the program from here on, with exit status \p
/// status; waits for ever where another thread already does.
void beginStop(int status);

/// Whether some thread is ending the program.
bool programStops();

/// Does not return while another thread is ending the program; every call that
/// may use a device starts with it, so that the program does not run on.
void waitIfStopping();

/// How the program ends: runtime/fortran installs error stop, which closes
/// the program's files. The default flushes C's streams and exits.
void setProgramEnd(void (*end)(int status));

//===----------------------------------------------------------------------===//
// A worker's kernel ends the program. Ending it at once would meet the host's
// threads in the middle of a statement: flang_rt closes files without asking
// who is writing; and of two threads in exit either the faster one decides the
// status, or (glibc 2.41 and later) the second waits for the first. So a thread
// of the program does it: the one that is in exit, or the first that uses or
// waits for a device.
//===----------------------------------------------------------------------===//

/// The calling thread is the runtime's own: it leaves stops to the others.
void leaveStopsToHost();

/// Whether the calling thread is one that leaves stops to others.
bool leavesStopsToHost();

/// The calling thread has entered exit.
void enterExit();

/// What ends the program; does not return.
struct HandedStop {
  void (*end)(const void *argument);
  const void *argument;
};

/// Gives \p stop, which must live as long as the program, to a thread of the
/// program; \p wake wakes those that wait for a device. After beginStop. Ends
/// the program on the calling thread if no other comes.
[[noreturn]] void handStopOver(const HandedStop &stop, void (*wake)());

/// Executes what was handed over, if something was and it is for this thread.
void takeStopOver();

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_PROCESS_STOP_H
