//===- Trace.h - a timeline in the Trace Event format -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A JSON array with an event in each line. A program that is killed leaves the
// events but those of the last tenth of a second, and no bracket at the end,
// which viewers do not need.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_PROFILE_TRACE_H
#define CUFORT_RUNTIME_PROFILE_TRACE_H

#include "runtime/core/engine/Engine.h"
#include "runtime/profile/Peaks.h"
#include "runtime/profile/Profile.h"
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace cufort::profile {

class Trace {
public:
  /// Writes to \p file; ends the program where that cannot be written.
  explicit Trace(const std::string &file);

  void work(const Work &work, const std::string &name, unsigned stream,
            std::string_view copyKind, const std::string &at);
  void participation(const Work &work, const std::string &name, unsigned worker,
                     uint64_t begin, uint64_t end);
  /// \p at: FILE:LINE or nothing. \p number: of the work that it has asked for;
  /// 0: none.
  void call(unsigned thread, std::string_view name, const std::string &at,
            uint64_t number, uint64_t begin, uint64_t end);
  /// A thread waits for a device.
  void wait(unsigned thread, uint64_t begin, uint64_t end);
  /// What a device is; the last time counts.
  void device(int number, const DeviceProperties &properties,
              const Peaks &peaks);
  void range(unsigned thread, const std::string &name, uint64_t begin,
             uint64_t end);
  /// From a thread to any other.
  void span(uint64_t number, const std::string &name, bool begins);
  void mark(unsigned thread, const std::string &name);
  void memory(int device, uint64_t bytes);
  /// No events come any more.
  void close();

private:
  class Line;
  void append(const Line &line);
  void flush();
  /// Names what \p process and \p track are, once.
  void declare(unsigned process, const std::string &name, unsigned track,
               const std::string &trackName);

  std::mutex mutex;
  int file = -1;
  bool first = true;
  std::string buffer;
  std::set<std::pair<unsigned, unsigned>> declared;
  const uint64_t origin = now();
};

} // namespace cufort::profile

#endif // CUFORT_RUNTIME_PROFILE_TRACE_H
