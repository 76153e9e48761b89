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

void fence(Thread &thread, bool blockOnly) {
  BlockRun &run = *thread.run;
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

void publish(Thread &thread, const void *address,
             const image::CheckSite &site) {
  BlockRun &run = *thread.run;
  if (site.flags & image::SiteReleases)
    fence(thread, site.flags & image::SiteBlockScope);
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
  Search(const Thread &thread, Record record)
      : asks(*thread.run), at(intervalOf(record)), by(threadOf(record)),
        where(interval(at)) {}

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
  static constexpr unsigned MostSteps = 100000;

  bool findIn(const Knowledge &one, std::vector<const Knowledge *> &work) {
    auto *object = const_cast<SyncObject *>(one.object);
    std::lock_guard lock(object->mutex);
    for (size_t i = std::min(one.count, object->pieces.size()); i-- > 0;) {
      const Piece &piece = object->pieces[i];
      if (piece.blockOnly && piece.run != asks.number)
        continue;
      if (piece.run == where.run &&
          (where.epoch < piece.epoch ||
           (by == piece.thread && at <= piece.own) ||
           (piece.fenced && at <= (*piece.fenced)[by]) ||
           (piece.known && at <= (*piece.known)[by])))
        return true;
      if (piece.knowledge)
        work.push_back(piece.knowledge);
      ++steps;
    }
    return false;
  }

  const BlockRun &asks;
  const IntervalNumber at;
  const uint32_t by;
  const Interval &where;
  unsigned steps = 0;
};
} // namespace

bool knows(const Thread &thread, Record record) {
  if (!thread.knowledge)
    return false;
  return Search(thread, record).find(thread.knowledge);
}

} // namespace cufort::check
