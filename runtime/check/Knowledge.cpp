//===- Knowledge.cpp - what threads learn by flags and counters -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Knowledge.h"
#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

namespace cufort::check {

/// What one thread has published at one time.
struct Piece {
  uint32_t run, thread;
  bool blockOnly; ///< for the threads of that block
  /// Its own accesses up to this interval.
  IntervalNumber own;
  /// Those of its block in epochs before this one.
  uint32_t epoch;
  /// Those of each thread of its block up to such an interval; may be null.
  std::shared_ptr<const std::vector<IntervalNumber>> fenced, known;
  const Knowledge *knowledge;
  /// Written without a fence: what the block read before its last barrier has
  /// been read, whatever others write now, but nothing more is known.
  bool readsOnly = false;
  /// If it gives a lock back: how it took it.
  bool takenByExchange = false;
  Thread::Lock taken{};
};

struct SyncObject {
  std::mutex mutex;
  std::vector<Piece> pieces;
};

/// The addresses by which the threads of one launch publish. Each launch has
/// its own: what threads of different launches know of each other does not come
/// from here, and a launch may end while another uses the same addresses.
struct Published {
  struct Shard {
    std::mutex mutex;
    std::unordered_map<const void *, SyncObject> objects;
  };
  std::array<Shard, 64> shards;

  Shard &shardOf(const void *address) {
    return shards[(reinterpret_cast<uintptr_t>(address) >> 2) % shards.size()];
  }
};

/// The object at \p address, made when there is none.
static SyncObject *makeObject(Launch &launch, const void *address) {
  Published *all = launch.published.load(std::memory_order_acquire);
  if (!all) {
    auto made = std::make_unique<Published>();
    if (launch.published.compare_exchange_strong(all, made.get(),
                                                 std::memory_order_acq_rel))
      all = made.release();
  }
  Published::Shard &shard = all->shardOf(address);
  std::lock_guard lock(shard.mutex);
  return &shard.objects[address];
}

/// The object at \p address, or null.
static SyncObject *findObject(const Launch &launch, const void *address) {
  Published *all = launch.published.load(std::memory_order_acquire);
  if (!all)
    return nullptr;
  Published::Shard &shard = all->shardOf(address);
  std::lock_guard lock(shard.mutex);
  auto found = shard.objects.find(address);
  return found == shard.objects.end() ? nullptr : &found->second;
}

static Knowledge *keep(Launch &launch, const Knowledge &one) {
  std::lock_guard lock(launch.mutex);
  launch.knowledge.push_back(one);
  return &launch.knowledge.back();
}

void forgetPublished(Launch &launch) {
  delete launch.published.exchange(nullptr);
}

Knowledge *join(Launch &launch, const Knowledge *a, const Knowledge *b) {
  if (!a || !b || a == b)
    return const_cast<Knowledge *>(a ? a : b);
  return keep(launch, {nullptr, 0, a, b});
}

/// \p thread comes to a fence or barrier.
static void acquire(Thread &thread, bool blockOnly) {
  Launch &launch = *thread.run->launch;
  for (int scope = blockOnly ? 1 : 0; scope < 2; ++scope)
    if (!thread.lock.to[scope])
      thread.lock.to[scope] = thread.interval;
  if (!thread.unfenced)
    return;
  if (!blockOnly) {
    thread.knowledge = join(launch, thread.unfenced, thread.knowledge);
    thread.unfenced = nullptr;
  } else {
    Knowledge own = *thread.unfenced;
    own.blockOnly = true;
    own.before = thread.knowledge;
    own.also = nullptr;
    thread.knowledge = keep(launch, own);
  }
  thread.run->anyLearnt = true;
}

void acquireAtBarrier(Thread &thread) { acquire(thread, /*blockOnly=*/false); }

bool takeLock(Thread &thread, const void *address, uint64_t expected,
              bool wrote) {
  BlockRun &run = *thread.run;
  if (wrote) {
    thread.interval = newInterval(run);
    thread.lock = {address, expected, thread.interval, {}};
  }
  SyncObject *object = findObject(*run.launch, address);
  if (!object)
    return false;
  size_t count;
  {
    std::lock_guard lock(object->mutex);
    count = object->pieces.size();
  }
  if (!count || (thread.unfenced && thread.unfenced->object == object &&
                 thread.unfenced->count == count))
    return false;
  thread.unfenced =
      keep(*run.launch, {object, count, thread.unfenced, thread.knowledge,
                         /*byExchange=*/true, /*blockOnly=*/false, expected});
  return run.anyLearnt = true;
}

void fence(Thread &thread, bool blockOnly) {
  BlockRun &run = *thread.run;
  if (thread.lock.address || thread.unfenced)
    acquire(thread, blockOnly);
  std::shared_ptr<std::vector<IntervalNumber>> known;
  if (!run.lanes.empty() || !run.peers.empty()) {
    known = std::make_shared<std::vector<IntervalNumber>>();
    known->reserve(run.threads.size());
    for (uint32_t i = 0; i < run.threads.size(); ++i)
      known->push_back(run.known(thread.number, i));
  }
  for (int scope = blockOnly ? 1 : 0; scope < 2; ++scope)
    thread.fences[scope] = {thread.now(), run.epoch, thread.knowledge, known};
  run.anyFenced = true;
  thread.interval = newInterval(run);
}

/// What a plain flag says: see Piece::readsOnly.
static void publishReads(const Thread &thread, const void *address) {
  const BlockRun &run = *thread.run;
  SyncObject *object = makeObject(*run.launch, address);
  std::lock_guard lock(object->mutex);
  if (!object->pieces.empty())
    if (const Piece &last = object->pieces.back();
        last.readsOnly && last.run == run.number && last.epoch == run.epoch &&
        last.knowledge == thread.knowledge)
      return;
  Piece piece{run.number, thread.number, false,   0,
              run.epoch,  nullptr,       nullptr, thread.knowledge};
  piece.readsOnly = true;
  object->pieces.push_back(std::move(piece));
}

void publish(Thread &thread, const void *address,
             const image::CheckSite &site) {
  BlockRun &run = *thread.run;
  if (site.flags & image::SiteReleases)
    fence(thread, site.flags & image::SiteBlockScope);
  else if (run.epoch > thread.fences[0].epoch &&
           !(site.flags & (image::SiteUpdates | image::SiteExchange)) &&
           static_cast<size_t>(static_cast<const char *>(address) -
                               run.shared) >= run.sharedBytes)
    publishReads(thread, address);
  const int scope = site.flags & image::SiteBlockScope ? 1 : 0;
  // What was fenced for the block alone is published to the block alone.
  for (int each = scope; each < 2; ++each) {
    const Thread::Fence &last = thread.fences[each];
    if (!last.interval && !run.fenced[each])
      continue;
    if (each == 1 && scope == 0 && last.interval == thread.fences[0].interval &&
        run.fenced[0] == run.fenced[1])
      continue;
    SyncObject *object = makeObject(*run.launch, address);
    Piece piece{run.number, thread.number,
                each == 1,  last.interval,
                last.epoch, run.fenced[each],
                last.known, last.knowledge ? last.knowledge : run.knowledge};
    if (thread.lock.address == address && !(site.flags & image::SiteExchange)) {
      piece.takenByExchange = true;
      piece.taken = thread.lock;
    }
    std::lock_guard lock(object->mutex);
    object->pieces.push_back(std::move(piece));
  }
}

bool learn(Thread &thread, const void *address, const image::CheckSite &site) {
  SyncObject *object = findObject(*thread.run->launch, address);
  if (!object)
    return false;
  size_t count;
  {
    std::lock_guard lock(object->mutex);
    count = object->pieces.size();
  }
  if (!count || (thread.knowledge && thread.knowledge->object == object &&
                 thread.knowledge->count == count))
    return false;
  thread.knowledge =
      keep(*thread.run->launch, {object, count, thread.knowledge, nullptr});
  return thread.run->anyLearnt = true;
}

namespace {
/// Looks through knowledge for an access.
class Search {
public:
  /// \p asksForFences: behind a lock that is taken.
  Search(const Thread &thread, Record record, bool asksForFences)
      : asks(*thread.run), at(intervalOf(record)), by(threadOf(record)),
        where(interval(at)), asksForFences(asksForFences) {
    const image::CheckSite *site = siteWith(siteOf(record));
    wrote = !site || site->flags & image::SiteWrites;
  }

  bool find(const Knowledge *start) {
    std::vector<const Knowledge *> work{start};
    std::unordered_set<const Knowledge *> seen;
    while (!work.empty()) {
      const Knowledge *one = work.back();
      work.pop_back();
      if (!one || !seen.insert(one).second)
        continue;
      // Rather no report than a false one.
      if (++steps > MostSteps)
        return true;
      if (one->object && findIn(*one, work))
        return true;
      work.push_back(one->before);
      work.push_back(one->also);
    }
    return false;
  }

private:
  /// Some milliseconds for one access.
  static constexpr unsigned MostSteps = 100000;

  bool findIn(const Knowledge &one, std::vector<const Knowledge *> &work) {
    auto *object = const_cast<SyncObject *>(one.object);
    std::lock_guard lock(object->mutex);
    for (size_t i = std::min(one.count, object->pieces.size()); i-- > 0;) {
      const Piece &piece = object->pieces[i];
      if ((piece.blockOnly || (one.blockOnly && asksForFences)) &&
          piece.run != asks.number)
        continue;
      if (piece.readsOnly && wrote)
        continue;
      if (piece.run == where.run &&
          (where.epoch < piece.epoch ||
           (by == piece.thread && at <= piece.own && !isEarly(one, piece)) ||
           (piece.fenced && at <= (*piece.fenced)[by]) ||
           (piece.known && at <= (*piece.known)[by])))
        return true;
      if (piece.knowledge)
        work.push_back(piece.knowledge);
      ++steps;
    }
    return false;
  }

  /// Whether \p piece is of a lock that is known as \p one, taken in the same
  /// way, and the access was made before there was a fence: the two blocks may
  /// just as well take it the other way around.
  bool isEarly(const Knowledge &one, const Piece &piece) const {
    const Thread::Lock &taken = piece.taken;
    const IntervalNumber to = taken.to[piece.run == asks.number ? 1 : 0];
    return asksForFences && one.byExchange && piece.takenByExchange &&
           one.expected == taken.expected && at >= taken.from &&
           (!to || at <= to);
  }

  const BlockRun &asks;
  const IntervalNumber at;
  const uint32_t by;
  const Interval &where;
  const bool asksForFences;
  bool wrote;
  unsigned steps = 0;
};
} // namespace

bool knows(const Thread &thread, Record record) {
  if (!thread.knowledge)
    return false;
  return Search(thread, record, /*asksForFences=*/true).find(thread.knowledge);
}

bool wouldKnow(const Thread &thread, Record record) {
  Search search(thread, record, /*asksForFences=*/false);
  return (thread.knowledge && search.find(thread.knowledge)) ||
         (thread.unfenced && search.find(thread.unfenced));
}

} // namespace cufort::check
