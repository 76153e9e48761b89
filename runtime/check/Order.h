//===- Order.h - what the program has ordered -------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches, copies, fills and what the host does between two calls of CUDA are
// pieces of work. Each stream and the host is a track of them; a piece knows by
// a vector clock which pieces of all tracks are over when it begins: those
// before it in its stream, those before an event that it waits for, those that
// the rules of the default stream name, and all that the host knew to be over
// when it submitted it. In what order the engine happened to run things does
// not matter.
//
// The threads of the host are one track: how they wait for each other is not
// seen, so that whatever comes later is taken to be ordered.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CHECK_ORDER_H
#define CUFORT_RUNTIME_CHECK_ORDER_H

#include "runtime/check/Check.h"
#include <memory>
#include <utility>
#include <vector>

namespace cufort::check {

struct HostPlace;
struct Launch;

using TrackNumber = uint32_t;
using WorkNumber = uint64_t;

/// Up to which piece of each track things are over.
class Clock {
public:
  WorkNumber at(TrackNumber track) const;
  void set(TrackNumber track, WorkNumber number);
  void join(const Clock &other);
  void clear() { times.clear(); }
  const std::vector<std::pair<TrackNumber, WorkNumber>> &all() const {
    return times;
  }

private:
  std::vector<std::pair<TrackNumber, WorkNumber>> times; // by track
};

/// One piece of work.
struct Work {
  TrackNumber track = 0;
  WorkNumber number = 0;
  WorkNumber over = 0; ///< all of smaller numbers is over
  Clock before;        ///< with itself
  /// It waits for something that the checkers do not see: nothing is said of
  /// it.
  bool blind = false;
  const HostPlace *place = nullptr;
};
using WorkPointer = std::shared_ptr<const Work>;

/// A stream, for the engine to name it.
struct StreamFacts {
  const void *stream, *device;
  bool isDefault, blocking;
};

enum class WorkKind : uint8_t {
  Work,   ///< may access memory
  Marker, ///< only has a place in its stream
  Blind,  ///< waits for what others do to memory
};

/// Something is submitted to a stream; \p awaited: after that.
WorkPointer submitted(const StreamFacts &stream, WorkKind kind,
                      const WorkPointer &awaited = nullptr,
                      const HostPlace *place = nullptr);
/// What is submitted to \p stream from now on waits for \p awaited.
void streamWaits(const StreamFacts &stream, const WorkPointer &awaited);
/// The statement that the calling thread executes, or null.
const HostPlace *hostStatement();
/// \p work calls a function of the program's, from which other threads may
/// learn, by ways that are not seen, that all before it is over.
void hostCallbackBegins(const WorkPointer &work);
/// The host has seen the end of ...
void hostKnows(const WorkPointer &work);
void hostKnowsStream(const StreamFacts &stream);
void hostKnowsDevice(const void *device);
void streamBegins(const StreamFacts &stream);
void streamEnds(const void *stream);
/// Whether there is more than one stream.
bool hasStreams();

/// What the host does now, for those who work at the same time to compare with.
WorkPointer hostSegment();
/// The host polls what devices write at the same time, as a flag: all that has
/// begun until now counts as known.
void hostPolls();

/// The calling thread does \p work while it lives.
class Doing {
public:
  explicit Doing(const WorkPointer &work) : before(current) {
    current = work ? &work : nullptr;
  }
  Doing(const Doing &) = delete;
  Doing &operator=(const Doing &) = delete;
  ~Doing() {
    endAccesses();
    current = before;
  }

  static const WorkPointer &work() {
    static const WorkPointer none;
    return current ? *current : none;
  }

private:
  void endAccesses();

  static thread_local constinit const WorkPointer *current;
  const WorkPointer *const before;
};

/// Whether all that \p earlier is was over before \p later began.
bool isBefore(TrackNumber track, WorkNumber number, const Work &later);

/// \p launch, whose work the calling thread does, begins: from which interval
/// on others may be unordered with it.
uint32_t beginOrder(Launch &launch, uint32_t nextInterval);

/// Of a launch, or of what stands for another piece of work, by its number.
struct LaunchFacts {
  const char *kernel; ///< "": none
  TrackNumber track;
  bool ordered; ///< what follows is known
  WorkNumber number;
  const HostPlace *place;
};
uint32_t addLaunch(const char *kernel);
const LaunchFacts &launchFacts(uint32_t launch);

enum class RangeUse : uint8_t { Read, Write, Allocate, Free };

/// Copies and fills: the calling thread accesses the bytes for its work. So do
/// allocations and releases in a stream, with which all accesses are ordered.
void workAccesses(const void *begin, size_t bytes, RangeUse use);

} // namespace cufort::check

/// How many tracks have work that the host does not know to be over: as long as
/// there is none, nobody need ask what the host does.
extern "C" std::atomic<uint32_t> __cufort_check_live;

/// Host code that was compiled with --check accesses memory that devices may
/// reach.
extern "C" void __cufort_check_host(const void *begin, uint64_t bytes,
                                    cufort::image::CheckSite *site);

namespace cufort::check {

/// Fortran's description of an array, as far as it matters here (CFI_cdesc_t).
struct StridedArray {
  const char *base;
  uint64_t elementBytes;
  int version;
  unsigned char rank, type, attribute, extra;
  struct {
    int64_t lower, extent, stride;
  } dimensions[1];
};

} // namespace cufort::check

/// The same of a whole array, which goes to Fortran's library.
extern "C" void
__cufort_check_host_array(const cufort::check::StridedArray *array,
                          cufort::image::CheckSite *site);

#endif // CUFORT_RUNTIME_CHECK_ORDER_H
