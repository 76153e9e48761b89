//===- Knowledge.h - what threads learn by flags and counters ---*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread publishes what it has done, and what its block did before, by a
// fence and an atomic or volatile write behind it; whoever reads that address
// in the same way knows of it from then on, and its block from the next barrier
// on. Each such address has the list of what was published there. Knowledge is
// a reference to the front of such a list, together with knowledge from before:
// learning costs nothing, and only who suspects a race looks through it.
//
// Who takes a lock by a compare-and-swap knows what was published there only
// once it has come to a fence, or to a barrier; of what it accesses before,
// others that take the lock in the same way do not know either, since it may
// have been done before the lock was taken. Behind a look at a flag no fence is
// asked for.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CHECK_KNOWLEDGE_H
#define CUFORT_RUNTIME_CHECK_KNOWLEDGE_H

#include "runtime/check/Records.h"
#include "runtime/check/Threads.h"

namespace cufort::check {

struct SyncObject;

/// All that was published at \p object by the time when it had \p count pieces,
/// or what two others know.
struct Knowledge {
  const SyncObject *object;
  size_t count;
  const Knowledge *before, *also;
  /// By an exchange, which expected that value there.
  bool byExchange = false;
  /// Only what threads of the same block have published there.
  bool blockOnly = false;
  uint64_t expected = 0;
};

Knowledge *join(Launch &launch, const Knowledge *a, const Knowledge *b);

/// \p thread makes an access by which others may learn what it has fenced.
void publish(Thread &thread, const void *address, const image::CheckSite &site);
/// \p thread has made an access by which it may learn from others. Whether it
/// has.
bool learn(Thread &thread, const void *address, const image::CheckSite &site);
/// \p thread has made a compare-and-swap there, by which it has taken a lock if
/// that \p wrote, or has seen that another has it.
bool takeLock(Thread &thread, const void *address, uint64_t expected,
              bool wrote);
/// \p thread comes to a barrier: what it has taken locks for it knows.
void acquireAtBarrier(Thread &thread);
/// \p thread comes to a fence.
void fence(Thread &thread, bool blockOnly);

/// Frees what was published in \p launch, which is not needed any longer.
void forgetPublished(Launch &launch);

/// Whether \p thread knows of the access \p record, of another thread.
bool knows(const Thread &thread, Record record);
/// Whether it would if all threads that take locks came to fences then.
bool wouldKnow(const Thread &thread, Record record);

} // namespace cufort::check

#endif // CUFORT_RUNTIME_CHECK_KNOWLEDGE_H
