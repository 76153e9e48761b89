//===- TraceFile.cpp - what CUFORT_TRACE has written ----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/view/TraceFile.h"
#include "compiler/driver/Diagnostics.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>

using namespace llvm;
using cufort::driver::EventKind;

namespace cufort::driver {

uint32_t TextTable::numberOf(StringRef text) {
  const auto [place, isNew] =
      numbers.try_emplace(text, static_cast<uint32_t>(texts.size()));
  if (isNew)
    texts.push_back(text.str());
  return place->second;
}

namespace {

EventKind kindOf(StringRef category) {
  return StringSwitch<EventKind>(category)
      .Case("kernel", EventKind::Kernel)
      .Case("copy", EventKind::Copy)
      .Case("library", EventKind::Library)
      .Case("worker", EventKind::Worker)
      .Case("call", EventKind::Call)
      .Case("nvtx", EventKind::Range)
      .Case("wait", EventKind::Wait)
      .Default(EventKind::Other);
}

/// Which events share a row: those of a stream, and of a thread the calls with
/// the waiting within them, but not the ranges of NVTX.
EventKind rowOf(EventKind kind) {
  switch (kind) {
  case EventKind::Copy:
  case EventKind::Library:
    return EventKind::Kernel;
  case EventKind::Wait:
    return EventKind::Call;
  case EventKind::Mark:
    return EventKind::Range;
  default:
    return kind;
  }
}

class Reader {
public:
  explicit Reader(TraceData &data) : data(data) {}

  /// False: \p event is none.
  bool read(const json::Object &event) {
    std::optional<StringRef> phase = event.getString("ph");
    if (!phase || phase->size() != 1)
      return false;
    const uint32_t process = number(event, "pid"), track = number(event, "tid");
    const StringRef name = event.getString("name").value_or("");
    switch ((*phase)[0]) {
    case 'M':
      declare(event, process, track, name);
      break;
    case 'X':
    case 'i':
      add(event, process, track, name, (*phase)[0] == 'i');
      break;
    case 's':
      // A thread writes its call, then what the call has asked for.
      if (auto id = identity(event))
        if (auto last = lastOf.find({process, track}); last != lastOf.end())
          asked[*id] = last->second;
      break;
    case 'f':
      if (auto id = identity(event))
        if (auto last = lastOf.find({process, track}); last != lastOf.end())
          done.emplace_back(*id, last->second);
      break;
    case 'b':
      if (auto id = identity(event))
        open[*id] = time(event, "ts");
      break;
    case 'e':
      endSpan(event, process, name);
      break;
    case 'C':
      count(event, process, name);
      break;
    default:
      break; // what other programs write and the page has no row for
    }
    return true;
  }

  void finish() {
    for (const auto &[id, event] : done)
      if (auto from = asked.find(id); from != asked.end()) {
        data.flowFrom.push_back(from->second);
        data.flowTo.push_back(event);
      }
  }

private:
  static uint32_t number(const json::Object &event, StringRef key) {
    return static_cast<uint32_t>(event.getInteger(key).value_or(0));
  }
  /// Nanoseconds of what stands there in microseconds.
  static double time(const json::Object &event, StringRef key) {
    return std::round(event.getNumber(key).value_or(0) * 1000);
  }
  static std::optional<int64_t> identity(const json::Object &event) {
    return event.getInteger("id");
  }

  void declare(const json::Object &event, uint32_t process, uint32_t track,
               StringRef name) {
    const json::Object *arguments = event.getObject("args");
    if (!arguments)
      return;
    const std::string text = arguments->getString("name").value_or("").str();
    if (name == "process_name")
      data.processNames[process] = text;
    else if (name == "thread_name")
      data.trackNames[{process, track}] = text;
    else if (name == "cufort_device")
      data.devices[arguments->getInteger("device").value_or(0)] = *arguments;
  }

  uint32_t append(EventKind kind, uint32_t process, uint32_t track,
                  StringRef name, double begin, double duration,
                  const json::Object *arguments) {
    const auto row = std::tuple(process, track, rowOf(kind));
    const auto [place, isNew] =
        rows.try_emplace(row, static_cast<uint16_t>(data.tracks.size()));
    if (isNew)
      data.tracks.push_back({process, track, rowOf(kind)});
    data.kind.push_back(static_cast<uint8_t>(kind));
    data.track.push_back(place->second);
    data.name.push_back(data.names.numberOf(name));
    data.begin.push_back(begin);
    data.duration.push_back(duration);
    text.clear();
    if (arguments) {
      raw_string_ostream stream(text);
      stream << json::Value(json::Object(*arguments));
    }
    data.detail.push_back(data.details.numberOf(text.empty() ? "{}" : text));
    return static_cast<uint32_t>(data.kind.size() - 1);
  }

  void add(const json::Object &event, uint32_t process, uint32_t track,
           StringRef name, bool isMark) {
    const uint32_t made = append(
        isMark ? EventKind::Mark : kindOf(event.getString("cat").value_or("")),
        process, track, name, time(event, "ts"),
        isMark ? 0 : time(event, "dur"), event.getObject("args"));
    lastOf[{process, track}] = made;
  }

  void endSpan(const json::Object &event, uint32_t process, StringRef name) {
    auto id = identity(event);
    auto begin = id ? open.find(*id) : open.end();
    if (begin == open.end())
      return;
    // Track 0: threads are numbered from 1.
    append(EventKind::Range, process, 0, name, begin->second,
           time(event, "ts") - begin->second, nullptr);
    open.erase(begin);
  }

  void count(const json::Object &event, uint32_t process, StringRef name) {
    const json::Object *arguments = event.getObject("args");
    if (!arguments)
      return;
    for (const auto &[key, value] : *arguments)
      if (std::optional<double> each = value.getAsNumber()) {
        TraceData::Counter &counter = data.counters[{process, name.str()}];
        counter.time.push_back(time(event, "ts"));
        counter.value.push_back(*each);
        break; // one line for each counter
      }
  }

  TraceData &data;
  std::map<std::tuple<uint32_t, uint32_t, EventKind>, uint16_t> rows;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> lastOf;
  std::unordered_map<int64_t, uint32_t> asked;
  std::unordered_map<int64_t, double> open;
  std::vector<std::pair<int64_t, uint32_t>> done;
  std::string text;
};

/// An event in each line, as our runtime writes them: nothing larger is ever
/// held, and a file without an end is read as far as it goes. False: this is
/// not its form.
bool readLines(StringRef text, Reader &reader, TraceData &data) {
  if (!text.ltrim().starts_with("["))
    return false;
  text = text.ltrim().drop_front();
  bool any = false, closed = false;
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    const bool isLast = text.empty();
    line = line.trim();
    if (line.consume_back("]"))
      closed = true;
    line = line.rtrim(", \t");
    if (line.empty())
      continue;
    Expected<json::Value> event = json::parse(line);
    const json::Object *object = event ? event->getAsObject() : nullptr;
    if (!event)
      consumeError(event.takeError());
    if (!object || !reader.read(*object)) {
      // A line that a dying program has not finished is its last one.
      if (!isLast || !any)
        return false;
      continue;
    }
    any = true;
  }
  data.truncated = !closed;
  return any || closed;
}

/// The same as any other program may have laid it out.
bool readWhole(StringRef text, Reader &reader) {
  Expected<json::Value> whole = json::parse(text);
  if (!whole) {
    consumeError(whole.takeError());
    return false;
  }
  const json::Array *events = whole->getAsArray();
  if (const json::Object *object = whole->getAsObject())
    events = object->getArray("traceEvents");
  if (!events)
    return false;
  for (const json::Value &each : *events) {
    const json::Object *event = each.getAsObject();
    if (!event || !reader.read(*event))
      return false;
  }
  return true;
}

} // namespace

Expected<TraceData> readTrace(StringRef file) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
      MemoryBuffer::getFile(file, /*IsText=*/false,
                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return failure(file + ": " + buffer.getError().message());
  const StringRef text = (*buffer)->getBuffer();
  TraceData data;
  Reader lines(data);
  if (readLines(text, lines, data)) {
    lines.finish();
    return data;
  }
  data = TraceData();
  Reader whole(data);
  if (!readWhole(text, whole))
    return failure(file + " is no trace: CUFORT_TRACE=" + file +
                   " in a program's environment writes one");
  whole.finish();
  return data;
}

} // namespace cufort::driver
