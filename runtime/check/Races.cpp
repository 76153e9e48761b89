//===- Races.cpp - accesses that nothing orders ---------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Races.h"
#include "runtime/check/Check.h"
#include "runtime/check/Findings.h"
#include "runtime/check/Knowledge.h"
#include "runtime/check/Order.h"
#include <cstring>

namespace cufort::check {

/// Whether two atomic accesses are so for each other.
static bool areAtomic(const Accessing &access, Record record, bool sameBlock) {
  const AccessKind mine = kindOf(access.record), theirs = kindOf(record);
  if (mine == AccessKind::Plain || theirs == AccessKind::Plain)
    return false;
  if (!sameBlock &&
      (mine == AccessKind::BlockAtomic || theirs == AccessKind::BlockAtomic))
    return false;
  return true;
}

/// Volatile accesses of shared memory by the lanes of a warp: programs from
/// before Volta count on lanes in step. Who has fenced what it did before it
/// writes sets a flag.
static bool countsOnSteps(const Accessing &access, Record record) {
  const image::CheckSite *other = siteWith(siteOf(record));
  const BlockRun &run = *access.thread.run;
  const Thread &writer =
      access.writes ? access.thread : run.threads[threadOf(record)];
  return !writer.fences[1].interval &&
         access.site.flags & image::SiteVolatile && other &&
         other->flags & image::SiteVolatile &&
         access.thread.number / 32 == threadOf(record) / 32 &&
         access.address - reinterpret_cast<uintptr_t>(run.shared) <
             run.sharedBytes;
}

static bool isHost(const image::CheckSite *site) {
  return site && site->flags & image::SiteHost;
}

void learnFromHost(const Thread &thread, uintptr_t address) {
  std::atomic<bool> &hears = thread.run->launch->hearsHost;
  const Chunk *chunk = chunkOf(address);
  if (!chunk || hears.load(std::memory_order_relaxed))
    return;
  const Record write =
      load(chunk->cells[(address & (ChunkBytes - 1)) >> 2].write);
  if (write && isHost(siteWith(siteOf(write))))
    hears.store(true, std::memory_order_relaxed);
}

/// Whether the access and \p record, of launch \p other, are ordered by what
/// the program says of their launches.
static bool areLaunchesOrdered(const Accessing &access, Record record,
                               uint32_t other) {
  Launch &launch = *access.thread.run->launch;
  const LaunchFacts &facts = launchFacts(other);
  if (!launch.work || !facts.ordered ||
      isBefore(facts.track, facts.number, *launch.work))
    return true;
  if (const image::CheckSite *site = siteWith(siteOf(record)); isHost(site)) {
    // A kernel that looks at a flag of the host's may learn all from it.
    if (kindOf(access.record) != AccessKind::Plain &&
        site->flags & image::SiteWrites)
      launch.hearsHost.store(true, std::memory_order_relaxed);
    return launch.hearsHost.load(std::memory_order_relaxed);
  }
  // A kernel that looks at a flag need not find it set by a volatile access:
  // Flang's pointers are written plainly.
  const image::CheckSite *looking = siteWith(siteOf(record));
  if (access.writes && isHost(&access.site) && looking &&
      kindOf(record) != AccessKind::Plain &&
      !(looking->flags & image::SiteWrites))
    return true;
  return areAtomic(access, record, false);
}

/// Whether \p record, which is not over, and the access are in any order. The
/// common cases have been asked before.
static bool isOrdered(const Accessing &access, Record record) {
  const Thread &thread = access.thread;
  const BlockRun &run = *thread.run;
  const IntervalNumber number = intervalOf(record);
  const Interval &there = interval(number);
  if (there.run == run.number) {
    if (threadOf(record) == thread.number || there.epoch != run.epoch)
      return true;
    if (areAtomic(access, record, true) && !countsOnSteps(access, record))
      return true;
    return run.known(thread.number, threadOf(record)) >= number ||
           knows(thread, record);
  }
  const RunFacts &other = runFacts(there.run);
  if (other.launch != run.launch->number)
    return areLaunchesOrdered(access, record, other.launch);
  if (there.gridEpoch != run.gridEpoch)
    return true;
  if (run.cluster && other.cluster == run.cluster &&
      there.clusterEpoch != run.clusterEpoch)
    return true;
  return areAtomic(access, record, false) || knows(thread, record);
}

/// Whether memory holds already what the access writes: then it does not matter
/// who writes last.
static bool writesSame(const Accessing &access) {
  if (!access.value || checking(image::CheckSameValue) ||
      access.bytes > sizeof(uint64_t))
    return false;
  return std::memcmp(reinterpret_cast<const void *>(access.address),
                     access.value, access.bytes) == 0;
}

/// Whether one is an exchange and the other a read of the same variable that
/// stands before one: see mayPrecedeExchange.
static bool isExchangeLoop(const Accessing &access, Record record) {
  const image::CheckSite *other = siteWith(siteOf(record));
  const uint32_t mine = access.site.flags, theirs = other ? other->flags : 0;
  return (mine & image::SiteExchange && theirs & image::SiteBeforeExchange) ||
         (theirs & image::SiteExchange && mine & image::SiteBeforeExchange);
}

/// Whether \p record conflicts with the access, to the bytes \p mask.
static inline bool conflicts(const Accessing &access, Record record,
                             uint32_t mask) {
  return !isFar(access, record) && (bytesOf(record) & mask) &&
         !isOrdered(access, record) && !isExchangeLoop(access, record);
}

/// What a loop around a compare-and-swap reads first, the programming guide's
/// own way to make an atomic operation of any other, need not be true: the
/// exchange finds out. Keeps the access until it is known whether one follows.
static bool mayPrecedeExchange(const Accessing &access, Record write) {
  const image::CheckSite *site = siteWith(siteOf(write));
  if (!site || !(site->flags & image::SiteExchange) ||
      kindOf(access.record) != AccessKind::Plain)
    return false;
  Thread &thread = access.thread;
  if (thread.pending.site == &access.site &&
      thread.pending.address == access.address)
    return true; // its second word
  reportPendingRead(thread);
  thread.run->anyPending = true;
  thread.pending = {&access.site, access.address, access.record, write,
                    access.bytes};
  return true;
}

void reportPendingRead(Thread &thread) {
  const PendingRead pending = thread.pending;
  if (!pending.site)
    return;
  thread.pending = {};
  reportRace({thread, *pending.site, pending.address, pending.bytes,
              pending.record, 0, false, nullptr},
             pending.write, true);
}

void reportPendingReads(BlockRun &run) {
  if (run.anyPending)
    for (Thread &thread : run.threads)
      reportPendingRead(thread);
  run.anyPending = false;
}

void beginWord(const Accessing &access, Cell &cell, uint32_t mask) {
  const Record own = access.record | mask;
  uint64_t &mine = access.writes ? cell.write : cell.read;
  uint64_t &theirs = access.writes ? cell.read : cell.write;
  // Of an exchange and a read after it in both threads, one sees the other.
  const Record before = __atomic_exchange_n(&mine, own, __ATOMIC_SEQ_CST);
  const Record meanwhile = __atomic_load_n(&theirs, __ATOMIC_SEQ_CST);
  if (access.writes) {
    if (before && conflicts(access, before, mask) && !writesSame(access))
      reportRace(access, before, true);
    if (meanwhile && conflicts(access, meanwhile, mask))
      reportRace(access, meanwhile, false);
    return;
  }
  if (before && !isOwn(access, before))
    store(cell.other, before);
  if (meanwhile && conflicts(access, meanwhile, mask) &&
      !mayPrecedeExchange(access, meanwhile))
    reportRace(access, meanwhile, true);
}

void compareWord(const Accessing &access, Cell &cell, uint32_t mask) {
  const Record own = access.record | mask;
  const Record write = load(cell.write);
  if (access.writes) {
    const Record read = load(cell.read), other = load(cell.other);
    if (write && conflicts(access, write, mask) && !writesSame(access))
      reportRace(access, write, true);
    if (read && conflicts(access, read, mask))
      reportRace(access, read, false);
    else if (other && conflicts(access, other, mask))
      reportRace(access, other, false);
    // Bytes that this one does not write keep their own.
    store(cell.write, isOwn(access, write) ? own | bytesOf(write) : own);
    if (read && !(bytesOf(read) & ~mask))
      store(cell.read, 0);
    if (other && !(bytesOf(other) & ~mask))
      store(cell.other, 0);
    return;
  }
  if (write && conflicts(access, write, mask) &&
      !mayPrecedeExchange(access, write))
    reportRace(access, write, true);
  const Record read = load(cell.read);
  if (read == own)
    return;
  if (!read || isOver(access, read) || isOwn(access, read)) {
    store(cell.read, isOwn(access, read) ? own | bytesOf(read) : own);
    return;
  }
  // Two threads' reads are enough: whoever writes is at most one of them. One
  // of another block is kept: it goes on to be unordered with all of this one.
  const Record other = load(cell.other);
  const uint32_t run = access.thread.run->number;
  const bool sameBlock = interval(intervalOf(read)).run == run;
  const bool sameThread = sameBlock && threadOf(read) == threadOf(own);
  if (other && isOver(access, other))
    store(cell.other, sameThread ? 0 : read);
  else if (!sameThread &&
           !(sameBlock && other && interval(intervalOf(other)).run != run))
    store(cell.other, read);
  store(cell.read, own);
}

} // namespace cufort::check
