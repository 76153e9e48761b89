//===- Order.cpp - what the program has ordered ---------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Order.h"
#include "runtime/check/Allocations.h"
#include "runtime/check/Races.h"
#include "runtime/check/Threads.h"
#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <unordered_map>

constinit std::atomic<uint32_t> __cufort_check_live{0};

namespace cufort::check {

thread_local constinit const WorkPointer *Doing::current = nullptr;

//===----------------------------------------------------------------------===//
// Clocks
//===----------------------------------------------------------------------===//

static bool isBelow(const std::pair<TrackNumber, WorkNumber> &time,
                    TrackNumber track) {
  return time.first < track;
}

WorkNumber Clock::at(TrackNumber track) const {
  const auto found =
      std::lower_bound(times.begin(), times.end(), track, isBelow);
  return found != times.end() && found->first == track ? found->second : 0;
}

void Clock::set(TrackNumber track, WorkNumber number) {
  const auto found =
      std::lower_bound(times.begin(), times.end(), track, isBelow);
  if (found != times.end() && found->first == track)
    found->second = std::max(found->second, number);
  else
    times.insert(found, {track, number});
}

void Clock::join(const Clock &other) {
  for (const auto &[track, number] : other.times)
    set(track, number);
}

//===----------------------------------------------------------------------===//
// Tracks
//===----------------------------------------------------------------------===//

namespace {

constexpr TrackNumber HostTrack = 0;

struct Track {
  const void *device = nullptr;
  bool blocking = false, ended = false;
  Clock clock;         ///< what is over when its next work begins
  WorkNumber last = 0; ///< that may access memory
  bool live = false;   ///< the host does not know that to be over
  bool blind = false;
  struct Begun {
    WorkNumber number;
    uint32_t interval;
  };
  std::deque<Begun> begun; ///< in order
};

struct Order {
  std::mutex mutex;
  std::map<TrackNumber, Track> tracks;
  std::unordered_map<const void *, TrackNumber> numbers; ///< of streams
  std::map<const void *, TrackNumber> defaults;          ///< of devices
  TrackNumber nextTrack = HostTrack + 1;
  WorkNumber last = 0, over = 1;
  Clock host;
  /// What the host does since it last called CUDA; null: nothing worth noting.
  WorkPointer segment;
  uint32_t lastLaunch = 0;
  /// Host functions that have ended: what comes behind one in its stream knows
  /// what the host knew then, for it may have waited for the host.
  struct Function {
    TrackNumber track;
    WorkNumber number, over, hostNumber;
    Clock host;
  };
  std::deque<Function> functions;
};

Order &order() {
  static auto *instance = new Order;
  return *instance;
}

/// Under the lock, as all that follows.
TrackNumber numberOf(Order &o, const StreamFacts &stream) {
  const auto [found, isNew] = o.numbers.try_emplace(stream.stream, o.nextTrack);
  if (isNew) {
    Track &track = o.tracks[o.nextTrack++];
    track.device = stream.device;
    track.blocking = stream.blocking;
    if (stream.isDefault)
      o.defaults[stream.device] = found->second;
  }
  return found->second;
}

/// The rules of the default stream: it waits for all blocking streams and they
/// for it.
void followDefault(Order &o, const StreamFacts &stream, Track &track) {
  if (stream.isDefault) {
    for (auto &[number, other] : o.tracks)
      if (&other != &track && other.blocking && other.device == stream.device) {
        track.clock.join(other.clock);
        track.blind |= other.blind;
      }
  } else if (stream.blocking) {
    const auto found = o.defaults.find(stream.device);
    if (found != o.defaults.end()) {
      const Track &other = o.tracks[found->second];
      track.clock.join(other.clock);
      track.blind |= other.blind;
    }
  }
}

/// Nothing is under way any more: all numbers until now are over.
void forget(Order &o) {
  o.over = ++o.last + 1;
  o.host.clear();
  for (auto i = o.tracks.begin(); i != o.tracks.end();) {
    Track &track = i->second;
    track.clock.clear();
    track.begun.clear();
    track.blind = false;
    i = track.ended ? o.tracks.erase(i) : std::next(i);
  }
}

void hostKnows(Order &o, const Clock &clock) {
  o.segment = nullptr;
  o.host.join(clock);
  for (const auto &[number, time] : clock.all()) {
    const auto found = o.tracks.find(number);
    if (found == o.tracks.end() || !found->second.live ||
        o.host.at(number) < found->second.last)
      continue;
    found->second.live = false;
    if (__cufort_check_live.fetch_sub(1, std::memory_order_relaxed) == 1)
      return forget(o);
  }
}

/// All that is submitted by now. What a wait for a value in memory has seen is
/// a part of it, nobody knows which.
Clock everything(const Order &o) {
  Clock all;
  for (const auto &[number, track] : o.tracks)
    all.join(track.clock);
  return all;
}

/// Whether the calling thread is not the host's: it does work of a stream.
bool isWorking() { return Doing::work() != nullptr; }

} // namespace

WorkPointer submitted(const StreamFacts &stream, WorkKind kind,
                      const WorkPointer &awaited, const HostPlace *place) {
  // What work submits to be done within it.
  if (isWorking())
    return Doing::work();
  Order &o = order();
  std::lock_guard lock(o.mutex);
  const TrackNumber number = numberOf(o, stream);
  Track &track = o.tracks[number];
  if (awaited) {
    track.clock.join(awaited->before);
    track.blind |= awaited->blind;
  }
  track.blind |= kind == WorkKind::Blind;
  followDefault(o, stream, track);
  track.clock.join(o.host);
  auto work = std::make_shared<Work>();
  work->track = number;
  work->number = ++o.last;
  o.segment = nullptr;
  track.clock.set(HostTrack, work->number);
  if (kind != WorkKind::Marker) {
    track.clock.set(number, work->number);
    track.last = work->number;
    if (!track.live) {
      track.live = true;
      __cufort_check_live.fetch_add(1, std::memory_order_relaxed);
    }
  }
  work->over = o.over;
  work->before = track.clock;
  work->blind = track.blind;
  work->place = place ? place : __cufort_check_place;
  return work;
}

void streamWaits(const StreamFacts &stream, const WorkPointer &awaited) {
  if (!awaited || isWorking())
    return;
  Order &o = order();
  std::lock_guard lock(o.mutex);
  Track &track = o.tracks[numberOf(o, stream)];
  track.clock.join(awaited->before);
  track.blind |= awaited->blind;
}

void hostKnows(const WorkPointer &work) {
  if (!work || isWorking())
    return;
  Order &o = order();
  std::lock_guard lock(o.mutex);
  hostKnows(o, work->blind ? everything(o) : work->before);
}

static thread_local bool InFunction = false;
static std::atomic<bool> AnyFunctions{false};

void hostCallbackBegins(const WorkPointer &work) {
  if (!work)
    return;
  InFunction = true;
  Order &o = order();
  std::lock_guard lock(o.mutex);
  hostKnows(o, work->before);
}

void endFunction() {
  if (!InFunction)
    return;
  InFunction = false;
  // Later accesses ask all of them: the oldest give way.
  constexpr size_t Most = 256;
  Order &o = order();
  std::lock_guard lock(o.mutex);
  const WorkPointer &work = Doing::work();
  o.functions.push_back({work->track, work->number, o.over, o.last, o.host});
  if (o.functions.size() > Most)
    o.functions.pop_front();
  AnyFunctions.store(true, std::memory_order_relaxed);
}

/// Whether a host function tells \p later of a piece of work.
static bool tellsOf(TrackNumber track, WorkNumber number, const Work &later) {
  Order &o = order();
  std::lock_guard lock(o.mutex);
  return std::any_of(o.functions.begin(), o.functions.end(),
                     [&](const Order::Function &f) {
                       return later.before.at(f.track) >= f.number &&
                              (number < f.over || f.host.at(track) >= number ||
                               (track == HostTrack && f.hostNumber >= number));
                     });
}

const HostPlace *hostStatement() { return __cufort_check_place; }

void hostKnowsStream(const StreamFacts &stream) {
  if (isWorking())
    return;
  Order &o = order();
  std::lock_guard lock(o.mutex);
  Track &track = o.tracks[numberOf(o, stream)];
  followDefault(o, stream, track);
  const Clock clock = track.blind ? everything(o) : track.clock;
  track.blind = false;
  hostKnows(o, clock);
}

void hostKnowsDevice(const void *device) {
  if (isWorking())
    return;
  Order &o = order();
  std::lock_guard lock(o.mutex);
  Clock all;
  bool blind = false;
  for (auto &[number, track] : o.tracks)
    if (track.device == device) {
      all.join(track.clock);
      blind |= track.blind;
      track.blind = false;
    }
  hostKnows(o, blind ? everything(o) : all);
}

void streamBegins(const StreamFacts &stream) {
  Order &o = order();
  std::lock_guard lock(o.mutex);
  numberOf(o, stream);
}

bool hasStreams() {
  Order &o = order();
  std::lock_guard lock(o.mutex);
  return o.numbers.size() > 1;
}

void streamEnds(const void *stream) {
  Order &o = order();
  std::lock_guard lock(o.mutex);
  const auto found = o.numbers.find(stream);
  if (found == o.numbers.end())
    return;
  o.tracks[found->second].ended = true;
  o.numbers.erase(found);
}

//===----------------------------------------------------------------------===//
// Who is before whom
//===----------------------------------------------------------------------===//

bool isBefore(TrackNumber track, WorkNumber number, const Work &later) {
  return later.blind || number < later.over ||
         later.before.at(track) >= number ||
         (AnyFunctions.load(std::memory_order_relaxed) &&
          tellsOf(track, number, later));
}

/// By number; reserved address space, of which touched pages are memory.
static LaunchFacts *launches() {
  static LaunchFacts *const made = [] {
    // Addresses cost nothing: many more launches than a program makes that is
    // checked.
    constexpr size_t Most = size_t(1) << 28;
    void *map =
        mmap(nullptr, Most * sizeof(LaunchFacts), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED)
      std::abort();
    return static_cast<LaunchFacts *>(map);
  }();
  return made;
}

uint32_t addLaunch(const char *kernel) {
  Order &o = order();
  std::lock_guard lock(o.mutex);
  launches()[++o.lastLaunch].kernel = kernel;
  return o.lastLaunch;
}

const LaunchFacts &launchFacts(uint32_t launch) { return launches()[launch]; }

uint32_t beginOrder(Launch &launch, uint32_t nextInterval) {
  Order &o = order();
  std::lock_guard lock(o.mutex);
  if (!launch.work)
    launch.work = Doing::work();
  const Work *work = launch.work.get();
  if (!work)
    return nextInterval;
  LaunchFacts &facts = launches()[launch.number];
  facts.track = work->track;
  facts.number = work->number;
  facts.ordered = !work->blind;
  facts.place = work->place;
  Track &own = o.tracks[work->track];
  if (own.begun.empty() || own.begun.back().number < work->number)
    own.begun.push_back({work->number, nextInterval});
  uint32_t first = nextInterval;
  if (work->blind)
    return first;
  for (const auto &[number, track] : o.tracks) {
    if (number == work->track || track.begun.empty())
      continue;
    // The first that is not before it; they begin in the order of numbers.
    const WorkNumber known = std::max(work->before.at(number), work->over - 1);
    const auto begun = std::upper_bound(
        track.begun.begin(), track.begun.end(), known,
        [](WorkNumber n, const Track::Begun &b) { return n < b.number; });
    if (begun != track.begun.end())
      first = std::min(first, begun->interval);
  }
  return first;
}

WorkPointer hostSegment() {
  Order &o = order();
  std::lock_guard lock(o.mutex);
  if (!o.segment) {
    auto work = std::make_shared<Work>();
    work->track = HostTrack;
    work->number = ++o.last;
    work->over = o.over;
    work->before = o.host;
    work->before.set(HostTrack, work->number);
    o.segment = std::move(work);
  }
  return o.segment;
}

void hostPolls() {
  Order &o = order();
  std::lock_guard lock(o.mutex);
  o.segment = nullptr;
  for (const auto &[number, track] : o.tracks)
    if (!track.begun.empty())
      o.host.set(number, track.begun.back().number);
}

} // namespace cufort::check
