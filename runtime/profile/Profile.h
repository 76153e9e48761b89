//===- Profile.h - what a program's time goes to ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUFORT_PROFILE and CUFORT_TRACE. The other components say what they are asked
// to do (Call), what a device is to do and when it did it (Work), and when a
// host thread waits (Waiting). Without these variables each of them costs a
// load and a branch.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_PROFILE_PROFILE_H
#define CUFORT_RUNTIME_PROFILE_PROFILE_H

#include "image/Image.h"
#include "runtime/core/process/Process.h"
#include <cstdint>
#include <ctime>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>

namespace cufort {
class Engine;
}

namespace cufort::profile {

/// Nanoseconds of the clock that everything is measured with.
inline uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return uint64_t(time.tv_sec) * 1000000000u + uint64_t(time.tv_nsec);
}

/// A statement of the program; line 0: unknown. \c code: an instruction that
/// belongs to it, where nothing else is known.
struct Source {
  const char *file = nullptr;
  int line = 0;
  const void *code = nullptr;
};

/// What kernels of a program built with --count-operations have done.
struct Counts {
  uint64_t flops32 = 0, flops64 = 0, bytes = 0;

  bool any() const { return flops32 | flops64 | bytes; }
};

/// Of the kernels that the calling worker has run since it began to count.
extern thread_local Counts Counted;

enum class WorkKind : uint8_t { Kernel, Copy, Fill, Library, HostFunction };

/// An operation of a stream.
struct Work {
  WorkKind kind = WorkKind::Kernel;
  /// Of a kernel, as in its image.
  const char *name = "";
  int device = 0;
  const void *stream = nullptr; ///< null: the default one
  image::Dim3 grid{}, block{};
  uint32_t sharedBytes = 0;
  /// On the CPU: its blocks or threads are fibers; bits of its vectors.
  bool onFibers = false;
  unsigned vectorBits = 0;
  /// On a GPU: registers of a thread; what part of a multiprocessor's threads
  /// can be its own.
  int registers = 0;
  float occupancy = 0;
  /// Of the workers that have taken part, each by itself.
  Counts counts = {};
  /// Of a copy or a fill.
  const void *to = nullptr, *from = nullptr;
  uint64_t bytes = 0;

  // Filled in by the recorder.
  uint64_t number = 0; ///< as the call's that asked for it
  Source source = {};
  uint8_t direction = 0;
  bool pageable = false;
  uint64_t begin = 0, end = 0; ///< by now()
};

/// What records, in the copy of the runtime that made it.
class Recorder {
public:
  virtual ~Recorder() = default;

  /// \p work will run; called when it is asked for.
  virtual void submitted(Work &work) = 0;
  /// \p work has run, from begin to end.
  virtual void ended(const Work &work) = 0;
  /// A worker of the CPU took part in \p work.
  virtual void tookPart(const Work &work, unsigned worker, uint64_t begin,
                        uint64_t end) = 0;
  /// A function of the API or a statement of Fortran, on the calling thread.
  virtual void called(std::string_view name, const Source &source,
                      uint64_t number, uint64_t begin, uint64_t end) = 0;
  virtual void waited(uint64_t begin, uint64_t end) = 0;
  /// NVTX, on the calling thread; the depth of its ranges.
  virtual int push(const char *name) = 0;
  virtual int pop() = 0;
  /// Ranges that may end on another thread.
  virtual uint64_t rangeBegins(const char *name) = 0;
  virtual void rangeEnds(uint64_t range) = 0;
  virtual void mark(const char *name) = 0;
  /// Calls \p deliver before anything is printed: what a device has done may
  /// not have been told yet.
  virtual void askBefore(void (*deliver)()) = 0;
  /// cudaProfilerStart and cudaProfilerStop.
  virtual void resume() = 0;
  virtual void pause() = 0;
  /// The program ends.
  virtual void finish() = 0;
  /// A signal is about to end the program, which goes on for the moment.
  virtual void interrupted() = 0;
};

/// Null: nothing is recorded.
inline Recorder *recorder() {
  return process().recorder.load(std::memory_order_acquire);
}

/// Looks at the environment, once; a device is about to be used, or NVTX.
void start();

/// The same where the program may not have used a device yet.
inline Recorder *recorderFromStart() {
  if (!process().profileAsked.load(std::memory_order_relaxed)) [[unlikely]]
    start();
  return recorder();
}

/// One call of a thread: a function of the API, or what At says; others are
/// not counted, nor are calls within calls.
class Call {
public:
  explicit Call(
      const std::source_location &where = std::source_location::current())
      : to(recorderFromStart()) {
    if (to) [[unlikely]]
      enter(where);
  }
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;
  ~Call() {
    if (to) [[unlikely]]
      leave();
  }

private:
  void enter(const std::source_location &where);
  void leave();

  Recorder *to;
  bool outer = false;
  const char *function = nullptr;
  uint64_t begin = 0, number = 0;
};

/// While it lives, calls of this thread are those of a statement.
class At {
public:
  At(const char *what, Source source) : active(recorderFromStart()) {
    if (active) [[unlikely]]
      enter(what, source);
  }
  At(const At &) = delete;
  At &operator=(const At &) = delete;
  ~At() {
    if (active) [[unlikely]]
      leave();
  }

private:
  void enter(const char *what, Source source);
  void leave();

  const bool active;
  const char *beforeWhat = nullptr;
  Source before;
};

/// While it lives, the thread waits for a device.
class Waiting {
public:
  Waiting() : to(recorder()), begin(to ? now() : 0) {}
  Waiting(const Waiting &) = delete;
  Waiting &operator=(const Waiting &) = delete;
  ~Waiting() {
    if (to) [[unlikely]]
      to->waited(begin, now());
  }

private:
  Recorder *const to;
  const uint64_t begin;
};

/// Adds what the calling worker has counted to \p work, which other workers may
/// do at the same time, and begins anew.
void addCounts(Work &work);

/// What runs at once, on the calling thread.
template <typename Run> void runNow(Recorder &to, Work work, Run run) {
  to.submitted(work);
  work.begin = now();
  run();
  work.end = now();
  to.ended(work);
}

} // namespace cufort::profile

#endif // CUFORT_RUNTIME_PROFILE_PROFILE_H
