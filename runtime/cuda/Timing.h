//===- Timing.h - when an NVIDIA device did what ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For CUFORT_PROFILE and CUFORT_TRACE: CUPTI's records (Activity.h), or where
// the machine has no CUPTI an event of the driver before and after each
// operation. Then what lies between two operations of a stream, half a
// microsecond or so, counts for the first of them, and recording makes short
// kernels start later.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CUDA_TIMING_H
#define CUFORT_RUNTIME_CUDA_TIMING_H

#include "runtime/cuda/Activity.h"
#include "runtime/cuda/Driver.h"
#include "runtime/profile/Profile.h"
#include <deque>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

namespace cufort::cuda {

class Timing {
public:
  Timing(const Driver &driver, int device) : driver(driver), device(device) {
    Activity::open();
  }

  /// What \p submit() returns, which puts \p work into \p stream.
  template <typename Submit>
  auto measured(CUstream stream, profile::Work work, Submit submit)
      -> decltype(submit()) {
    profile::Recorder *recorder = profile::recorder();
    if (!recorder) [[likely]]
      return submit();
    if (Activity *activity = Activity::get()) {
      const bool runsNow = !isCaptured(stream);
      work.device = device;
      if (runsNow)
        activity->begin(*recorder, work);
      const auto result = submit();
      if (runsNow)
        activity->end(!result);
      return result;
    }
    const size_t place = begin(*recorder, stream, work);
    const auto result = submit();
    end(stream, place, !result);
    return result;
  }

  /// The same for the launch of a graph, whose kernels only CUPTI reports.
  template <typename Submit>
  auto measuredGraph(CUstream stream, const void *handle, Submit submit)
      -> decltype(submit()) {
    if (!Activity::get()) [[likely]]
      return submit();
    profile::Work work;
    work.stream = handle;
    return measured(stream, work, submit);
  }

  /// What a kernel's threads take of a multiprocessor that holds \p most.
  struct Resources {
    int registers = 0;
    float occupancy = 0;
  };
  Resources resourcesOf(CUfunction function, int threads, size_t dynamicShared,
                        int most);

  /// A module is unloaded: the names of its kernels go, and others may get
  /// their handles.
  void forgetKernels();

  /// Tells the recorder of what has ended.
  void collect();
  /// The context is reset, and the events are gone with it.
  void forget();

private:
  struct Pending {
    profile::Work work;
    CUevent before = nullptr, after = nullptr;
    bool complete = false; ///< submitted, or given up
  };
  static constexpr size_t None = ~size_t(0);

  /// What is captured runs later, as a part of its graph.
  bool isCaptured(CUstream stream) const;

  /// The number of the pending work; None: it cannot be measured.
  size_t begin(profile::Recorder &recorder, CUstream stream,
               profile::Work &work);
  void end(CUstream stream, size_t place, bool submitted);

  // Under the mutex.
  CUevent event();
  bool start();
  void collectHeld();
  void drop(Pending &pending);

  const Driver &driver;
  const int device;
  std::mutex mutex;
  std::map<std::tuple<CUfunction, int, size_t>, Resources> resources;
  std::vector<CUevent> spare;
  std::deque<Pending> pending;
  size_t first = 0; ///< the number of pending's first
  /// An event and when it was, from which others are measured.
  CUevent origin = nullptr;
  uint64_t originTime = 0;
};

} // namespace cufort::cuda

#endif // CUFORT_RUNTIME_CUDA_TIMING_H
