//===- Trace.cpp - a timeline in the Trace Event format -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/profile/Trace.h"
#include "runtime/core/process/OutputFile.h"
#include "runtime/core/process/Stop.h"
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace cufort::profile {

// What a viewer calls processes: the host, then two for each device.
static unsigned streamsOf(int device) { return 1 + 2 * unsigned(device); }
static unsigned workersOf(int device) { return 2 + 2 * unsigned(device); }

/// One event, {"ph":...}; printf would take longer than the event may.
class Trace::Line {
public:
  Line(char phase, unsigned process, unsigned track) {
    text.reserve(240);
    text += "{\"ph\":\"";
    text += phase;
    text += "\",\"pid\":";
    number(process);
    text += ",\"tid\":";
    number(track);
  }
  Line &number(uint64_t value) {
    char digits[24];
    text.append(digits, std::to_chars(digits, digits + 24, value).ptr);
    return *this;
  }
  Line &add(std::string_view more) {
    text += more;
    return *this;
  }
  /// Microseconds to the nanosecond.
  Line &time(std::string_view key, uint64_t nanoseconds) {
    add(",\"").add(key).add("\":").number(nanoseconds / 1000);
    if (const unsigned rest = unsigned(nanoseconds % 1000)) {
      const char digits[] = {'.', char('0' + rest / 100),
                             char('0' + rest / 10 % 10), char('0' + rest % 10)};
      text.append(digits, 4);
    }
    return *this;
  }
  Line &string(std::string_view key, std::string_view value) {
    return add(",\"").add(key).add("\":").add(jsonString(value));
  }
  Line &dimensions(std::string_view key, const image::Dim3 &d) {
    add("\"").add(key).add("\":\"").number(d.x).add("x").number(d.y);
    return add("x").number(d.z).add("\",");
  }
  /// The last of the arguments.
  Line &place(const std::string &at) {
    if (!at.empty())
      add("\"at\":").add(jsonString(at));
    else if (text.back() == ',')
      text.pop_back();
    return add("}");
  }
  std::string text;
};

Trace::Trace(const std::string &name) {
  file = open(name.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
  if (file < 0)
    stopProgram(nullptr, 0, "writing CUFORT_TRACE", cudaErrorInvalidValue,
                (name + ": " + std::strerror(errno)).c_str());
  std::thread([this] {
    leaveStopsToHost();
    for (;;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      std::lock_guard guard(mutex);
      if (file < 0)
        return;
      flush();
    }
  }).detach();
}

void Trace::flush() {
  for (size_t done = 0; done < buffer.size();) {
    const ssize_t more =
        write(file, buffer.data() + done, buffer.size() - done);
    if (more < 0 && errno == EINTR)
      continue;
    if (more < 0)
      break; // a full disk: the events are lost, the program is not
    done += size_t(more);
  }
  buffer.clear();
}

void Trace::append(const Line &line) {
  std::lock_guard guard(mutex);
  if (file < 0)
    return;
  buffer += first ? "[\n" : ",\n";
  first = false;
  buffer += line.text;
  buffer += '}';
  if (buffer.size() > 1 << 16)
    flush();
}

void Trace::close() {
  std::lock_guard guard(mutex);
  if (file < 0)
    return;
  buffer += first ? "[]\n" : "\n]\n";
  flush();
  ::close(std::exchange(file, -1));
}

void Trace::declare(unsigned process, const std::string &name, unsigned track,
                    const std::string &trackName) {
  constexpr unsigned Itself = ~0u;
  const auto once = [&](unsigned which) {
    std::lock_guard guard(mutex);
    return declared.emplace(process, which).second;
  };
  if (once(Itself)) {
    append(Line('M', process, 0)
               .string("name", "process_name")
               .add(",\"args\":{\"name\":")
               .add(jsonString(name))
               .add("}"));
    append(Line('M', process, 0)
               .string("name", "process_sort_index")
               .add(",\"args\":{\"sort_index\":")
               .number(process)
               .add("}"));
  }
  if (once(track))
    append(Line('M', process, track)
               .string("name", "thread_name")
               .add(",\"args\":{\"name\":")
               .add(jsonString(trackName))
               .add("}"));
}

static std::string numbered(const char *what, unsigned number) {
  return std::string(what) + " " + std::to_string(number);
}

void Trace::work(const Work &work, const std::string &name, unsigned stream,
                 std::string_view copyKind, const std::string &at) {
  const unsigned process = streamsOf(work.device);
  declare(process, numbered("device", unsigned(work.device)), stream,
          stream ? numbered("stream", stream) : "default stream");
  Line line('X', process, stream);
  line.string("name", name)
      .time("ts", work.begin - origin)
      .time("dur", work.end - work.begin);
  switch (work.kind) {
  case WorkKind::Kernel:
    line.add(",\"cat\":\"kernel\",\"args\":{")
        .dimensions("grid", work.grid)
        .dimensions("block", work.block);
    if (work.sharedBytes)
      line.add("\"shared\":").number(work.sharedBytes).add(",");
    if (work.vectorBits)
      line.add("\"vector_bits\":").number(work.vectorBits).add(",");
    if (work.onFibers)
      line.add("\"fibers\":true,");
    if (work.registers)
      line.add("\"registers\":").number(unsigned(work.registers)).add(",");
    if (work.occupancy > 0) // in thousandths
      line.add("\"occupancy\":")
          .number(unsigned(work.occupancy * 1000 + .5f))
          .add("e-3,");
    if (work.counts.any())
      line.add("\"flops32\":")
          .number(work.counts.flops32)
          .add(",\"flops64\":")
          .number(work.counts.flops64)
          .add(",\"bytes\":")
          .number(work.counts.bytes)
          .add(",");
    break;
  case WorkKind::Copy:
  case WorkKind::Fill:
    line.add(",\"cat\":\"copy\",\"args\":{\"bytes\":")
        .number(work.bytes)
        .add(",\"direction\":\"")
        .add(copyKind)
        .add("\",");
    if (work.kind == WorkKind::Copy && copyKind != "device to device")
      line.add("\"pageable\":").add(work.pageable ? "true," : "false,");
    break;
  case WorkKind::Library:
  case WorkKind::HostFunction:
    line.add(",\"cat\":\"library\",\"args\":{");
    break;
  }
  append(line.place(at));
  if (work.number)
    append(Line('f', process, stream)
               .add(",\"bp\":\"e\",\"name\":\"launch\",\"cat\":\"launch\"")
               .time("ts", work.begin - origin)
               .add(",\"id\":")
               .number(work.number));
}

void Trace::participation(const Work &work, const std::string &name,
                          unsigned worker, uint64_t begin, uint64_t end) {
  const unsigned process = workersOf(work.device);
  declare(process, numbered("workers of device", unsigned(work.device)), worker,
          numbered("worker", worker));
  append(Line('X', process, worker)
             .string("name", name)
             .add(",\"cat\":\"worker\"")
             .time("ts", begin - origin)
             .time("dur", end - begin));
}

void Trace::call(unsigned thread, std::string_view name, const std::string &at,
                 uint64_t number, uint64_t begin, uint64_t end) {
  declare(0, "host", thread, numbered("thread", thread));
  append(Line('X', 0, thread)
             .string("name", name)
             .add(",\"cat\":\"call\"")
             .time("ts", begin - origin)
             .time("dur", end - begin)
             .add(",\"args\":{")
             .place(at));
  if (number)
    append(Line('s', 0, thread)
               .add(",\"name\":\"launch\",\"cat\":\"launch\"")
               .time("ts", begin - origin)
               .add(",\"id\":")
               .number(number));
}

void Trace::wait(unsigned thread, uint64_t begin, uint64_t end) {
  declare(0, "host", thread, numbered("thread", thread));
  append(Line('X', 0, thread)
             .add(",\"name\":\"waiting\",\"cat\":\"wait\"")
             .time("ts", begin - origin)
             .time("dur", end - begin));
}

void Trace::device(int number, const DeviceProperties &properties,
                   const Peaks &peaks) {
  Line line('M', streamsOf(number), 0);
  line.string("name", "cufort_device")
      .add(",\"args\":{\"device\":")
      .number(unsigned(number))
      .string("name", properties.name)
      .string("kind", properties.kind)
      .string("code", properties.codeName);
  if (peaks.bytes > 0)
    line.add(",\"peak_bytes\":")
        .number(uint64_t(peaks.bytes))
        .add(",\"peak_flops32\":")
        .number(uint64_t(peaks.flops32))
        .add(",\"peak_flops64\":")
        .number(uint64_t(peaks.flops64))
        .string("peaks_from", peaks.from);
  append(line.add("}"));
}

void Trace::range(unsigned thread, const std::string &name, uint64_t begin,
                  uint64_t end) {
  declare(0, "host", thread, numbered("thread", thread));
  append(Line('X', 0, thread)
             .string("name", name)
             .add(",\"cat\":\"nvtx\"")
             .time("ts", begin - origin)
             .time("dur", end - begin));
}

void Trace::span(uint64_t number, const std::string &name, bool begins) {
  append(Line(begins ? 'b' : 'e', 0, 0)
             .string("name", name)
             .add(",\"cat\":\"nvtx\",\"id\":")
             .number(number)
             .time("ts", now() - origin));
}

void Trace::mark(unsigned thread, const std::string &name) {
  declare(0, "host", thread, numbered("thread", thread));
  append(Line('i', 0, thread)
             .string("name", name)
             .add(",\"cat\":\"nvtx\",\"s\":\"t\"")
             .time("ts", now() - origin));
}

void Trace::memory(int device, uint64_t bytes) {
  append(Line('C', streamsOf(device), 0)
             .add(",\"name\":\"device memory\"")
             .time("ts", now() - origin)
             .add(",\"args\":{\"bytes\":")
             .number(bytes)
             .add("}"));
}

} // namespace cufort::profile
