//===- Threads.cpp - who has come how far ---------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Threads.h"
#include "runtime/check/Check.h"
#include "runtime/check/Knowledge.h"
#include "runtime/check/Order.h"
#include "runtime/check/Records.h"
#include "runtime/check/Shadow.h"
#include "runtime/check/proofs/Proofs.h"
#include <algorithm>
#include <cstdlib>
#include <sys/mman.h>

namespace cufort::check {

thread_local constinit BlockRun *CurrentRun = nullptr;

/// A list that grows without moving: reserved address space, of which touched
/// pages are memory.
template <typename T> class Reserved {
public:
  T &operator[](size_t i) { return items()[i]; }

private:
  T *items() {
    static T *const made = [] {
      void *map = mmap(nullptr, Most * sizeof(T), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (map == MAP_FAILED)
        std::abort();
      if constexpr (sizeof(T) == sizeof(Interval))
        IntervalList = static_cast<T *>(map);
      return static_cast<T *>(map);
    }();
    return made;
  }
  static constexpr size_t Most =
      sizeof(T) == sizeof(Interval) ? size_t(MostIntervals) : size_t(1) << 28;
};

constinit const Interval *IntervalList = nullptr;
static Reserved<Interval> Intervals;
static Reserved<RunFacts> Runs;
static std::atomic<IntervalNumber> NextInterval{1};
static std::atomic<uint32_t> NextRun{1};

const RunFacts &runFacts(uint32_t run) { return Runs[run]; }

IntervalNumber newInterval(const BlockRun &run) {
  const IntervalNumber number =
      NextInterval.fetch_add(1, std::memory_order_relaxed);
  Intervals[number] = {run.number, run.epoch, run.gridEpoch, run.clusterEpoch};
  return number;
}

image::Dim3 threadIndex(uint32_t number, const image::Dim3 &shape) {
  return {number % shape.x, number / shape.x % shape.y,
          number / shape.x / shape.y};
}

std::unique_ptr<Launch> beginLaunch(const image::Kernel &kernel,
                                    const image::CpuLaunch &launch) {
  if (!checking())
    return nullptr;
  auto made = std::make_unique<Launch>();
  made->kernel = &kernel;
  made->grid = launch.grid;
  made->block = launch.block;
  made->number = addLaunch(kernel.name);
  return made;
}

bool Launch::isProved(const image::CpuLaunch &configuration,
                      const char *arguments) {
  std::call_once(asked, [&] {
    proved = check::isProved({*kernel, configuration, arguments}, accesses);
    accesses.resize(image::CheckProof::MostNumbers);
  });
  return proved;
}

const uint8_t NothingProved[image::CheckProof::MostNumbers] = {};

const uint8_t *Launch::provedAccesses() const {
  return accesses.empty() ? NothingProved : accesses.data();
}

void beginBlock(BlockRun &run, const BlockFacts &facts) {
  Launch &launch = *facts.launch;
  if (facts.configuration && launch.kernel->proof)
    launch.isProved(*facts.configuration, facts.arguments);
  const bool moved =
      run.shared != facts.shared || run.sharedBytes != facts.sharedBytes;
  if (moved && run.sharedBytes)
    setRange(Plane::Belongs, reinterpret_cast<uintptr_t>(run.shared),
             run.sharedBytes, false);
  run.launch = &launch;
  run.proved = launch.provedAccesses();
  run.number = NextRun.fetch_add(1, std::memory_order_relaxed);
  run.cluster = facts.cluster;
  run.block = facts.block;
  Runs[run.number] = {launch.number, facts.cluster, facts.block, launch.block};
  run.epoch = run.gridEpoch = run.clusterEpoch = 0;
  run.shared = facts.shared;
  run.sharedBytes = facts.sharedBytes;
  run.arguments = facts.arguments;
  run.argumentBytes = facts.argumentBytes;
  run.inLoops = facts.inLoops;
  if (!launch.floor.load(std::memory_order_acquire)) {
    IntervalNumber none = 0;
    launch.floor.compare_exchange_strong(
        none, beginOrder(launch, NextInterval.load(std::memory_order_relaxed)));
  }
  run.floor = launch.floor.load(std::memory_order_relaxed);
  run.first = run.interval = newInterval(run);
  run.current = 0;
  run.knowledge = nullptr;
  run.anyLearnt = run.anyFenced = run.anyPending = false;
  run.fenced[0].reset();
  run.fenced[1].reset();
  run.sharedVariables.clear();
  run.arrays.clear();
  run.lanes.clear();
  run.peers.clear();
  run.parts.clear();
  const size_t count = size_t(launch.block.x) * launch.block.y * launch.block.z;
  run.threads.resize(count);
  for (size_t i = 0; i < count; ++i)
    run.threads[i].begin(run, static_cast<uint32_t>(i));
  constexpr size_t Granule = image::ArenaThreadGranule;
  run.arena = facts.arena;
  run.arenaBytes = facts.inLoops ? (count + Granule - 1) / Granule * Granule *
                                       launch.kernel->checkedArenaBytesPerThread
                                 : 0;
  if (!run.sharedBytes)
    return;
  const auto begin = reinterpret_cast<uintptr_t>(run.shared);
  if (moved) {
    cover(begin, run.sharedBytes);
    setRange(Plane::Belongs, begin, run.sharedBytes, true);
  }
  setRange(Plane::Written, begin, run.sharedBytes, false);
  if (facts.cluster) {
    forgetAccesses(begin, run.sharedBytes);
    std::lock_guard lock(launch.sharedMutex);
    launch.shared.insert(run.shared);
  }
}

static void shareKnowledge(BlockRun &run) {
  if (!run.anyLearnt)
    return;
  for (Thread &thread : run.threads)
    if (thread.lock.address || thread.unfenced)
      acquireAtBarrier(thread);
  run.anyLearnt = false;
  Knowledge *all = run.knowledge;
  Knowledge *last = nullptr;
  for (Thread &thread : run.threads)
    if (thread.knowledge != run.knowledge && thread.knowledge != last) {
      all = join(*run.launch, thread.knowledge, all);
      last = thread.knowledge;
    }
  run.knowledge = all;
  for (Thread &thread : run.threads)
    thread.knowledge = all;
}

void passBarrier(BlockRun &run) {
  if (run.anyFenced) {
    // What each has fenced, any of them can publish from now on.
    for (int scope = 0; scope < 2; ++scope) {
      auto all = std::make_shared<std::vector<IntervalNumber>>();
      all->reserve(run.threads.size());
      for (const Thread &thread : run.threads)
        all->push_back(thread.fences[scope].interval);
      run.fenced[scope] = std::move(all);
    }
    run.anyFenced = false;
  }
  shareKnowledge(run);
  ++run.epoch;
  run.interval = newInterval(run);
}

void passGridBarrier(BlockRun &run) {
  compareGridBarriers(run);
  ++run.gridEpoch;
  passBarrier(run);
}

void passClusterBarrier(BlockRun &run) {
  ++run.clusterEpoch;
  passBarrier(run);
}

void passWarp(BlockRun &run, uint32_t warp, uint32_t lanes) {
  const uint32_t begin = warp * WarpSize;
  if (run.lanes.empty())
    run.lanes.assign((run.threads.size() + WarpSize - 1) / WarpSize * WarpSize *
                         WarpSize,
                     0);
  IntervalNumber all[WarpSize] = {};
  IntervalNumber *known = run.lanes.data() + size_t(begin) * WarpSize;
  Knowledge *knowledge = nullptr;
  bool differs = false;
  for (uint32_t i = 0; i < WarpSize; ++i) {
    if (!(lanes >> i & 1) || begin + i >= run.threads.size())
      continue;
    Thread &thread = run.threads[begin + i];
    if (thread.lock.address || thread.unfenced)
      acquireAtBarrier(thread);
    for (uint32_t j = 0; j < WarpSize; ++j)
      all[j] = std::max(all[j], known[i * WarpSize + j]);
    all[i] = std::max(all[i], thread.now());
    if (thread.knowledge != knowledge) {
      differs |= knowledge != nullptr || thread.knowledge != run.knowledge;
      knowledge = knowledge ? join(*run.launch, thread.knowledge, knowledge)
                            : thread.knowledge;
    }
  }
  const IntervalNumber number = newInterval(run);
  for (uint32_t i = 0; i < WarpSize; ++i) {
    if (!(lanes >> i & 1) || begin + i >= run.threads.size())
      continue;
    std::copy(std::begin(all), std::end(all), known + i * WarpSize);
    Thread &thread = run.threads[begin + i];
    thread.interval = number;
    if (differs) {
      thread.knowledge = knowledge;
      run.anyLearnt = true;
    }
  }
}

void arriveAtPart(Thread &thread, uint32_t part) {
  BlockRun &run = *thread.run;
  if (thread.lock.address || thread.unfenced)
    acquireAtBarrier(thread);
  const size_t count = run.threads.size();
  BlockRun::Part &all = run.parts[part];
  all.known.resize(count);
  for (uint32_t i = 0; i < count; ++i)
    all.known[i] = std::max(all.known[i], run.known(thread.number, i));
  all.known[thread.number] = thread.now();
  all.knowledge = join(*run.launch, thread.knowledge, all.knowledge);
  // What it does from now on, the others do not know.
  thread.interval = newInterval(run);
}

void passPart(BlockRun &run, uint32_t part,
              const std::vector<uint32_t> &waiting) {
  const BlockRun::Part all = std::move(run.parts[part]);
  run.parts.erase(part);
  run.peers.resize(run.threads.size());
  for (uint32_t i : waiting) {
    std::vector<IntervalNumber> &known = run.peers[i];
    known.resize(all.known.size());
    for (size_t j = 0; j < known.size(); ++j)
      known[j] = std::max(known[j], all.known[j]);
    if (Thread &thread = run.threads[i]; thread.knowledge != all.knowledge) {
      thread.knowledge = join(*run.launch, thread.knowledge, all.knowledge);
      run.anyLearnt = true;
    }
  }
}

} // namespace cufort::check
