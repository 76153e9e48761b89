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
void reportPendingRead(Thread &thread);
/// The same of all threads of a block.
void reportPendingReads(BlockRun &run);

/// Whether the access cannot be a race with \p record, or none: that is over,
/// or of the same thread in the same interval.
inline bool isOver(const Accessing &access, Record record) {
  return intervalOf(record) < access.floor;
}
inline bool isOwn(const Accessing &access, Record record) {
  return ((record ^ access.record) >> 24) == 0;
}
inline bool isFar(const Accessing &access, Record record) {
  return isOver(access, record) || isOwn(access, record);
}

inline Record load(const uint64_t &word) {
  return __atomic_load_n(&word, __ATOMIC_RELAXED);
}
inline void store(uint64_t &word, Record record) {
  __atomic_store_n(&word, record, __ATOMIC_RELAXED);
}

/// What accessWord does where records must be compared with the access.
void compareWord(const Accessing &access, Cell &cell, uint32_t mask);

/// The same where nothing is remembered: remembers first and compares then.
/// Two threads that come there at once wait for the same page of the shadow,
/// and go on at once.
void beginWord(const Accessing &access, Cell &cell, uint32_t mask);

/// Compares the access to the bytes \p mask of the word \p cell with what is
/// remembered of it, and remembers it.
inline void accessWord(const Accessing &access, Cell &cell, uint32_t mask) {
  const Record write = load(cell.write), read = load(cell.read);
  if (!(write | read)) {
    beginWord(access, cell, mask);
    return;
  }
  // A write of whole words needs nothing of what is over.
  if (!isFar(access, write) || !isFar(access, read) ||
      (access.writes && (mask != 0xf || !isFar(access, load(cell.other))))) {
    compareWord(access, cell, mask);
    return;
  }
  const Record own = access.record | mask;
  if (!access.writes) {
    if (read != own)
      store(cell.read, isOwn(access, read) ? own | bytesOf(read) : own);
    return;
  }
  store(cell.write, own);
  if (read)
    store(cell.read, 0);
  if (load(cell.other))
    store(cell.other, 0);
}

/// \p thread has made an atomic or volatile access to \p address: where the
/// host has written it meanwhile, the launch may learn from it.
void learnFromHost(const Thread &thread, uintptr_t address);

/// The calling thread comes to the end of a piece of work: if that was a host
/// function, what follows in its stream may have learnt from the host by it.
void endFunction();

} // namespace cufort::check

#endif // CUFORT_RUNTIME_CHECK_RACES_H
