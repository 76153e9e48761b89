//===- Timing.h - when an NVIDIA device did what ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For CUFORT_PROFILE and CUFORT_TRACE: an event of the driver before and after
// each operation. What lies between two operations of a stream, half a
// microsecond or so, counts for the first of them.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CUDA_TIMING_H
#define CUFORT_RUNTIME_CUDA_TIMING_H

#include "runtime/cuda/Driver.h"
#include "runtime/profile/Profile.h"
#include <deque>
#include <mutex>
#include <vector>

namespace cufort::cuda {

class Timing {
public:
  Timing(const Driver &driver, int device) : driver(driver), device(device) {}

  /// What \p submit() returns, which puts \p work into \p stream.
  template <typename Submit>
  auto measured(CUstream stream, profile::Work work, Submit submit)
      -> decltype(submit()) {
    profile::Recorder *recorder = profile::recorder();
    if (!recorder) [[likely]]
      return submit();
    const size_t place = begin(*recorder, stream, work);
    const auto result = submit();
    end(stream, place, !result);
    return result;
  }

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
  std::vector<CUevent> spare;
  std::deque<Pending> pending;
  size_t first = 0; ///< the number of pending's first
  /// An event and when it was, from which others are measured.
  CUevent origin = nullptr;
  uint64_t originTime = 0;
};

} // namespace cufort::cuda

#endif // CUFORT_RUNTIME_CUDA_TIMING_H
