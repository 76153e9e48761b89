//===- Threads.h - who has come how far -------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Time, as the checkers see it. What a thread does between two places where it
// may learn of others, or they of it, is an interval with a number; numbers
// grow, and the threads of a block mostly share them. What orders two accesses
// follows from their intervals: barriers count epochs, warps keep for each lane
// what it knows of the others, and fences with atomics hand on knowledge
// (Knowledge.h).
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CHECK_THREADS_H
#define CUFORT_RUNTIME_CHECK_THREADS_H

#include "image/Check.h"
#include "image/Image.h"
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <tuple>
#include <vector>

namespace cufort::check {

struct Knowledge;
struct Published;
struct BlockRun;
struct Report;
struct Work;

using IntervalNumber = uint32_t;

/// Of all GPUs that there are.
inline constexpr uint32_t WarpSize = 32;

/// Between two places of synchronisation; of a block, a warp or a thread.
struct Interval {
  uint32_t run; ///< the block's
  uint32_t epoch, gridEpoch, clusterEpoch;
};

/// A launch of a kernel.
struct Launch {
  const image::Kernel *kernel = nullptr;
  image::Dim3 grid{}, block{};
  uint32_t number = 0;
  /// All intervals before it are over; 0 before its first block.
  std::atomic<IntervalNumber> floor{0};
  /// What it is in the order of the program (Order.h), from its first block on.
  std::shared_ptr<const Work> work;
  /// How many barriers of the grid the thread passed that ended first.
  std::atomic<uint32_t> firstEnd{~0u};
  /// It has looked at something that the host writes meanwhile, as at a flag.
  std::atomic<bool> hearsHost{false};
  /// What its threads have published (Knowledge.h); null: nothing. Its own.
  std::atomic<Published *> published{nullptr};

  std::mutex mutex; ///< guards what follows
  std::deque<Knowledge> knowledge;
  /// Reads of what nothing had written, by place. Said when the launch ends:
  /// where a place is one of a race, that is why.
  std::map<const image::CheckSite *, std::unique_ptr<Report>> unset;
  std::set<const image::CheckSite *> races;
  /// What has been reported of two records' places, near which address and of
  /// which other launch: as countAgain has it.
  std::map<std::tuple<uint32_t, uint32_t, uintptr_t, uint32_t>, size_t> said;

  /// What proofs/Proofs.h says of it, once it begins.
  bool isProved(const image::CpuLaunch &configuration, const char *arguments);
  /// For each access, by its number: image::CheckNeed.
  const uint8_t *provedAccesses() const;

  /// Where the shared memory of its clusters' blocks begins.
  std::mutex sharedMutex;
  std::set<const char *> shared;

  Launch();
  ~Launch();

private:
  std::once_flag asked;
  bool proved = false;
  std::vector<uint8_t> accesses;
};

/// What outlives a block: for reports of who was there before.
struct RunFacts {
  uint32_t launch; ///< its number
  uint32_t cluster;
  image::Dim3 block, shape; ///< its index; how many threads
};

/// A read of what others exchange, of which nothing was said yet.
struct PendingRead {
  image::CheckSite *site = nullptr;
  uintptr_t address = 0;
  uint64_t record = 0, write = 0;
  uint32_t bytes = 0;
};

struct Thread {
  BlockRun *run = nullptr;
  uint32_t number = 0;
  IntervalNumber interval = 0; ///< its own, if it has begun one: see now()
  /// Its last fence, by scope (0 the device, 1 the block): everything up to
  /// that interval, and of the other threads up to the epoch, can be published.
  struct Fence {
    IntervalNumber interval = 0;
    uint32_t epoch = 0;
    Knowledge *knowledge = nullptr;
    /// What it knew of others by warps and barriers for parts of the block.
    std::shared_ptr<const std::vector<IntervalNumber>> known;
  } fences[2];
  Knowledge *knowledge = nullptr;
  /// What it will know at its next fence.
  Knowledge *unfenced = nullptr;
  /// The lock it took last: by an exchange that expected that value, and from
  /// which interval to which it accessed memory without a fence, by the scope
  /// of the fence; 0: until now.
  struct Lock {
    const void *address = nullptr;
    uint64_t expected = 0;
    IntervalNumber from = 0, to[2] = {};
  } lock;
  const image::CheckSite *waitsAt = nullptr;
  bool ended = false;
  /// The iteration of a kernel loop that it executes, outermost loop first;
  /// without a name: none.
  struct Loop {
    const char *name = nullptr;
    int64_t number = 0;
  };
  /// A kernel loop may have more; the outermost are named.
  static constexpr uint32_t MostLoops = 7;
  Loop loops[MostLoops];
  PendingRead pending;
  /// Where it has just been reported for a subscript: the access itself is not
  /// looked at as well.
  const image::CheckSite *said = nullptr;

  /// The interval in which it is.
  inline IntervalNumber now() const;

  /// Becomes thread \p its of the block that begins.
  void begin(BlockRun &block, uint32_t its) {
    run = &block;
    number = its;
    interval = 0;
    for (Fence &each : fences)
      if (each.interval)
        each = {};
    knowledge = unfenced = nullptr;
    lock.address = nullptr;
    waitsAt = said = nullptr;
    ended = false;
    for (Loop &each : loops)
      each.name = nullptr;
    pending.site = nullptr;
  }
};

/// A shared variable's place in the block that runs.
struct SharedVariable {
  const char *address;
  const image::CheckVariable *variable;
};

/// An array that a procedure has by name.
struct NamedArray {
  const char *address;
  const char *name;
  uint64_t elementBytes;
  struct Dimension {
    int64_t lower, extent, stride; ///< in bytes
  };
  std::vector<Dimension> dimensions;
};

/// Of accesses of which nothing is known.
extern const uint8_t NothingProved[image::CheckProof::MostNumbers];

/// A block while it runs.
struct BlockRun {
  Launch *launch = nullptr;
  uint32_t number = 0; ///< of the run, over all launches
  uint32_t cluster = 0;
  image::Dim3 block{};
  uint32_t epoch = 0, gridEpoch = 0, clusterEpoch = 0;
  IntervalNumber first = 0;    ///< of its intervals
  IntervalNumber interval = 0; ///< of the threads, since its last barrier
  IntervalNumber floor = 0;    ///< the launch's
  /// Of the thread whose calls these are.
  uint32_t current = 0;
  const uint8_t *proved = nullptr; ///< Launch::provedAccesses
  const char *shared = nullptr;
  size_t sharedBytes = 0;
  const char *arguments = nullptr;
  size_t argumentBytes = 0;
  /// Private arrays of threads that are no fibers.
  const char *arena = nullptr;
  size_t arenaBytes = 0;
  std::vector<Thread> threads;
  /// What each lane knows of those of its warp: up to which interval; 32 for
  /// each thread, made when first needed.
  std::vector<IntervalNumber> lanes;
  /// The same of all threads, where barriers are for parts of a block.
  std::vector<std::vector<IntervalNumber>> peers;
  /// What those have done who have come to a barrier for a part of the block,
  /// by its number.
  struct Part {
    std::vector<IntervalNumber> known;
    Knowledge *knowledge = nullptr;
  };
  std::map<uint32_t, Part> parts;
  std::vector<SharedVariable> sharedVariables;
  std::vector<NamedArray> arrays;
  Knowledge *knowledge = nullptr;
  bool anyLearnt = false;  ///< a thread knows more than the block
  bool anyFenced = false;  ///< since the last barrier
  bool anyPending = false; ///< a thread may have a read to be reported
  bool inLoops = false;    ///< its threads are no fibers
  /// Up to where each thread's accesses had been fenced at the last barrier, by
  /// scope.
  std::shared_ptr<const std::vector<IntervalNumber>> fenced[2];

  /// What \p thread knows of \p other without fences: up to which interval.
  IntervalNumber known(uint32_t thread, uint32_t other) const {
    IntervalNumber last = 0;
    if (!lanes.empty() && thread / WarpSize == other / WarpSize)
      last = lanes[size_t(thread) * WarpSize + other % WarpSize];
    if (!peers.empty() && !peers[thread].empty())
      last = last > peers[thread][other] ? last : peers[thread][other];
    return last;
  }
};

inline IntervalNumber Thread::now() const {
  return interval > run->interval ? interval : run->interval;
}

/// The block that the calling worker runs; null: none that is checked.
extern thread_local constinit BlockRun *CurrentRun;
/// Its thread that runs, or null.
inline Thread *currentThread() {
  return CurrentRun ? &CurrentRun->threads[CurrentRun->current] : nullptr;
}

/// What the engine says of a block that begins.
struct BlockFacts {
  Launch *launch;
  const image::CpuLaunch *configuration; ///< null: not of a kernel
  image::Dim3 block;
  uint32_t cluster; ///< its number; 0: none
  const char *shared;
  size_t sharedBytes;
  const char *arguments;
  size_t argumentBytes;
  const char *arena; ///< of threads that are no fibers
  bool inLoops;      ///< they are not
};

void beginBlock(BlockRun &run, const BlockFacts &facts);
/// A thread has come to the end of its kernel; all that are no fibers have.
void endThread(BlockRun &run, size_t thread);
/// All threads of the block that have not ended pass a barrier.
void passBarrier(BlockRun &run);
/// The block continues after a barrier of the grid, which all threads of all
/// blocks must have come to, or of its cluster.
void passGridBarrier(BlockRun &run);
void passClusterBarrier(BlockRun &run);

/// \p lanes of warp \p warp pass a syncwarp.
void passWarp(BlockRun &run, uint32_t warp, uint32_t lanes);
/// A warp operation is complete.
struct WarpFacts {
  bool synchronises;
  uint32_t mask, members; ///< whom it names, who has come
};
void passWarpOperation(BlockRun &run, uint32_t warp, const WarpFacts &facts);
/// All threads of the block that have not ended are at barriers: reports those
/// that are at different ones, or not there.
void compareBarriers(BlockRun &run);
/// The block is at a barrier of the grid: the same, and whether threads of
/// other blocks have ended before.
void compareGridBarriers(BlockRun &run);
/// \p thread executes a warp operation whose mask does not name it.
void reportWarpCaller(const Thread &thread, uint32_t mask);
/// The threads of the block that have not ended wait for what never comes.
void reportDeadlock(const BlockRun &run);
/// \p thread has come to barrier \p part, for some threads of the block: to
/// wait for them, or only for them to know of it.
void arriveAtPart(Thread &thread, uint32_t part);
/// All of them have come; \p waiting are those that learn of the others.
void passPart(BlockRun &run, uint32_t part,
              const std::vector<uint32_t> &waiting);

IntervalNumber newInterval(const BlockRun &run);
/// All that have begun; null before the first.
extern constinit const Interval *IntervalList;
inline const Interval &interval(IntervalNumber number) {
  return IntervalList[number];
}
const RunFacts &runFacts(uint32_t run);
/// The index of thread \p number in a block of \p shape, counted from 0.
image::Dim3 threadIndex(uint32_t number, const image::Dim3 &shape);

/// What beginLaunch makes for an operation of the engine.
std::unique_ptr<Launch> beginLaunch(const image::Kernel &kernel,
                                    const image::CpuLaunch &launch);
/// It is over: says what was kept until then.
void endLaunch(Launch &launch);

} // namespace cufort::check

#endif // CUFORT_RUNTIME_CHECK_THREADS_H
