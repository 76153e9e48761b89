//===- TraceFile.h - what CUFORT_TRACE has written --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_VIEW_TRACEFILE_H
#define CUFORT_COMPILER_DRIVER_VIEW_TRACEFILE_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace cufort::driver {

/// What an event is; the page knows the same numbers (tools/view/data.js).
enum class EventKind : uint8_t {
  Kernel,
  Copy,
  Library,
  Worker,
  Call,
  Range,
  Mark,
  Wait,
  Other
};

/// A row of the timeline.
struct TraceTrack {
  uint32_t process = 0, number = 0;
  EventKind kind = EventKind::Other; ///< of its events
};

/// Texts that occur often, each once.
class TextTable {
public:
  uint32_t numberOf(llvm::StringRef text);
  const std::vector<std::string> &all() const { return texts; }

private:
  llvm::StringMap<uint32_t> numbers;
  std::vector<std::string> texts;
};

/// A timeline in the Trace Event format, by columns. Times are in nanoseconds
/// from the start of the trace.
struct TraceData {
  std::vector<TraceTrack> tracks;
  std::map<uint32_t, std::string> processNames;
  std::map<std::pair<uint32_t, uint32_t>, std::string> trackNames;

  TextTable names;
  TextTable details; ///< an event's arguments, as JSON

  // Of each event.
  std::vector<uint8_t> kind;
  std::vector<uint16_t> track;
  std::vector<uint32_t> name, detail;
  std::vector<double> begin, duration;

  /// Events that a call has asked for: its own number, theirs.
  std::vector<uint32_t> flowFrom, flowTo;

  struct Counter {
    std::vector<double> time, value;
  };
  std::map<std::pair<uint32_t, std::string>, Counter> counters;

  /// What a device says of itself, by its number.
  std::map<int64_t, llvm::json::Object> devices;

  /// The program was killed: the array has no end.
  bool truncated = false;
};

/// Reads \p file, which may end in the middle of an event.
llvm::Expected<TraceData> readTrace(llvm::StringRef file);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_VIEW_TRACEFILE_H
