//===- Races.h - accesses that nothing orders -------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CHECK_RACES_H
#define CUFORT_RUNTIME_CHECK_RACES_H

#include "runtime/check/Records.h"
#include "runtime/check/Shadow.h"
#include "runtime/check/Threads.h"

namespace cufort::check {

/// An access that is being made.
struct Accessing {
  Thread &thread;
  image::CheckSite &site;
  uintptr_t address;
  uint32_t bytes;
  Record record;        ///< without bytes
  IntervalNumber floor; ///< what is before it is over
  bool writes;
  const uint64_t *value; ///< what is written, if it is known
};

/// Reports the read that \p thread has made as if an exchange would follow.
void sayPending(Thread &thread);

/// Compares the access to the bytes \p mask of the word \p cell with what is
/// remembered of it, and remembers it.
void accessWord(const Accessing &access, Cell &cell, uint32_t mask);

/// \p thread has made an atomic or volatile access to \p address: where the
/// host has written it meanwhile, the launch may learn from it.
void hearHost(const Thread &thread, uintptr_t address);

/// The calling thread comes to the end of a piece of work: if that was a host
/// function, what follows in its stream may have learnt from the host by it.
void endFunction();

} // namespace cufort::check

#endif // CUFORT_RUNTIME_CHECK_RACES_H
