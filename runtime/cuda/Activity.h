//===- Activity.h - when a device did what, from CUPTI ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For CUFORT_PROFILE and CUFORT_TRACE, where the machine has NVIDIA's CUPTI:
// the device's own records of what ran, which cost a kernel nothing and show
// those of a graph one by one. The library is opened at run time; CUFORT_CUPTI
// names one, or is 0 for none.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CUDA_ACTIVITY_H
#define CUFORT_RUNTIME_CUDA_ACTIVITY_H

#include "runtime/profile/Profile.h"
#include <atomic>

namespace cufort::cuda {

class Activity {
public:
  virtual ~Activity() = default;

  /// The next calls of the driver by this thread are \p work, or for one
  /// without a name a graph, whose kernels have names and shapes of their own.
  virtual void begin(profile::Recorder &recorder, profile::Work &work) = 0;
  /// They have been made; \p submitted: and work has been put into a stream.
  virtual void end(bool submitted) = 0;
  /// Asks for the records of all that has ended: before the context goes, and
  /// with it the names of kernels.
  virtual void flush() = 0;
  /// Null: the library is not there, or nothing is recorded.
  static Activity *get() { return active.load(std::memory_order_acquire); }
  /// Opens the library if anything is recorded, before the first context is
  /// made; the first call counts.
  static void open();

protected:
  static std::atomic<Activity *> active;
};

} // namespace cufort::cuda

#endif // CUFORT_RUNTIME_CUDA_ACTIVITY_H
