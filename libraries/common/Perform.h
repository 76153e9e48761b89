//===- Perform.h - a routine as an operation of its stream ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_COMMON_PERFORM_H
#define CUFORT_LIBRARIES_COMMON_PERFORM_H

#include "runtime/core/Device.h"
#include <memory>
#include <utility>

namespace cufort::libraries {

/// How a routine is performed.
struct Manner {
  bool small = false; ///< not worth more than one thread
  bool wait = false;  ///< the caller needs the result: it is the host's
  /// What it calls has threads of its own, and it has no loops for the team.
  bool bringsThreads = false;
};

/// Calls \p routine(Team &) in the order of \p stream, on the calling thread's
/// device. The routine owns what it captures, and leaves it as it is: a stream
/// that is captured calls it at each launch of its graph. Returns the error of
/// the stream or of the device.
template <typename Routine>
Error perform(StreamHandle stream, Manner manner, Routine routine) {
  struct Work final : TeamWork {
    Work(Routine routine, bool threads)
        : routine(std::move(routine)), threads(threads) {}
    void run(Team &team) const override { routine(team); }
    bool bringsThreads() const override { return threads; }
    const Routine routine;
    const bool threads;
  };
  return catchExhaustion([&] {
    const DeviceUse use = useDevice();
    if (use.error != cudaSuccess)
      return use.error;
    if (Error error = use.engine->perform(
            stream,
            std::make_shared<Work>(std::move(routine),
                                   manner.bringsThreads && !manner.small),
            manner.small, manner.wait);
        error != cudaSuccess)
      return error;
    return use.engine->failure();
  });
}

/// Reads a byte of [\p memory, \p memory + \p bytes) at either end, so that
/// memory which is not there fails the device, as on a GPU, before a library
/// touches it whose threads nobody guards.
inline void touch(const void *memory, size_t bytes) {
  if (!bytes)
    return;
  const auto *first = static_cast<const volatile char *>(memory);
  (void)first[0];
  (void)first[bytes - 1];
}

} // namespace cufort::libraries

#endif // CUFORT_LIBRARIES_COMMON_PERFORM_H
