//===- Signals.h - programs that somebody ends ------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_PROFILE_SIGNALS_H
#define CUFORT_RUNTIME_PROFILE_SIGNALS_H

namespace cufort::profile {

class Recorder;

/// Lets \p recorder write what it has when SIGINT, SIGTERM or SIGHUP is about
/// to end the program: of those that the program does not handle or ignore.
void writeAtSignals(Recorder &recorder);

} // namespace cufort::profile

#endif // CUFORT_RUNTIME_PROFILE_SIGNALS_H
