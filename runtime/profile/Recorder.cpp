//===- Recorder.cpp - CUFORT_PROFILE and CUFORT_TRACE ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Device.h"
#include "runtime/core/Names.h"
#include "runtime/core/process/HostLines.h"
#include "runtime/core/process/OutputFile.h"
#include "runtime/core/process/Stop.h"
#include "runtime/profile/Peaks.h"
#include "runtime/profile/Signals.h"
#include "runtime/profile/Tables.h"
#include "runtime/profile/Trace.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

namespace cufort::profile {
namespace {

constexpr size_t MostPlaces = 4; ///< of a kernel's launches, in the table

/// As the source has it: of C++ without the parameters.
std::string sourceName(const char *symbol) {
  std::string name = readableName(symbol);
  if (std::strncmp(symbol, "_Z", 2) != 0)
    return name;
  if (name.compare(0, 5, "void ") == 0) // templates have their result's type
    name.erase(0, 5);
  // The last parenthesis at the outermost level opens the parameters.
  int depth = 0;
  for (size_t i = name.size(); i-- > 0;) {
    depth += name[i] == ')' ? 1 : name[i] == '(' ? -1 : 0;
    if (depth == 0 && name[i] == '(')
      return name.substr(0, i);
    if (depth == 0 && name[i] != ')' && !std::strchr(" const&", name[i]))
      break;
  }
  return name;
}

/// Which side of a copy an address is on, and whether its pages may move.
struct Side {
  bool onDevice = false, pageable = false;
};
Side sideOf(int device, const void *address) {
  PointerDescription what{};
  Engine *engine = deviceAt(device);
  if (!engine || engine->describe(address, &what) != cudaSuccess)
    return {false, true};
  return {what.type == PointerDescription::Device ||
              what.type == PointerDescription::Managed,
          what.type == PointerDescription::Unregistered};
}

enum Direction : uint8_t {
  HostToHost,
  HostToDevice,
  DeviceToHost,
  DeviceToDevice
};
const char *directionName(const Work &work) {
  if (work.kind == WorkKind::Fill)
    return "fill";
  static const char *const Names[] = {"host to host", "host to device",
                                      "device to host", "device to device"};
  return Names[work.direction & 3];
}

/// "heat.cuf:12" for a file anywhere.
std::string placeOf(const Source &source) {
  const char *file = source.file;
  int line = source.line;
  HostLine found;
  if (!line && source.code) {
    // Asking takes a process: once for each instruction.
    static auto *known = new std::unordered_map<const void *, HostLine>;
    const auto [place, isNew] = known->try_emplace(source.code);
    if (isNew)
      // A return address belongs to the call before it.
      place->second =
          lineOfHostCode(static_cast<const char *>(source.code) - 1);
    file = place->second.file.c_str();
    line = static_cast<int>(place->second.line);
  }
  if (!file || !line)
    return "";
  const char *name = std::strrchr(file, '/');
  return std::string(name ? name + 1 : file) + ":" + std::to_string(line);
}

bool changesMemory(std::string_view call) {
  return call.find("lloc") != call.npos || call.find("ree") != call.npos;
}

class Recording final : public Recorder {
public:
  Recording(const char *profile, const char *trace) {
    if (profile && std::strcmp(profile, "1") != 0)
      file = outputFileName(profile);
    if (trace)
      timeline.emplace(outputFileName(trace));
    tables = profile;
  }

  void submitted(Work &work) override {
    const ProfileContext &context = threadState().profile;
    work.number = context.number;
    work.source = {context.file, context.line, context.code};
    if (work.kind != WorkKind::Copy && work.kind != WorkKind::Fill)
      return;
    const Side to = sideOf(work.device, work.to),
               from = work.from ? sideOf(work.device, work.from) : to;
    work.direction = uint8_t((from.onDevice ? 2 : 0) + (to.onDevice ? 1 : 0));
    work.pageable = (to.pageable || from.pageable);
  }

  void ended(const Work &work) override {
    std::unique_lock guard(mutex);
    if (!recording)
      return;
    const std::string &name = nameOf(work);
    const std::string at = placeOf(work.source);
    if (tables)
      count(work, name, at);
    const unsigned stream = timeline ? numberOf(work) : 0;
    if (timeline)
      noteDevice(work);
    guard.unlock();
    if (timeline)
      timeline->work(work, name, stream, directionName(work), at);
  }

  void tookPart(const Work &work, unsigned worker, uint64_t begin,
                uint64_t end) override {
    if (!timeline || !recording)
      return;
    std::unique_lock guard(mutex);
    const std::string &name = nameOf(work);
    guard.unlock();
    timeline->participation(work, name, worker, begin, end);
  }

  void called(std::string_view name, const Source &source, uint64_t number,
              uint64_t begin, uint64_t end) override {
    if (!recording)
      return;
    if (tables) {
      std::lock_guard guard(mutex);
      auto row = rows.calls.find(name);
      if (row == rows.calls.end())
        row = rows.calls.emplace(std::string(name), Times()).first;
      row->second.add(end - begin);
    }
    if (!timeline)
      return;
    std::unique_lock guard(mutex);
    const std::string at = placeOf(source);
    guard.unlock();
    timeline->call(thread(), name, at, number, begin, end);
    if (!changesMemory(name))
      return;
    const int device = currentDevice();
    if (Engine *engine = deviceAt(device))
      timeline->memory(device, engine->usedBytes());
  }

  void waited(uint64_t begin, uint64_t end) override {
    if (!recording)
      return;
    waiting.fetch_add(end - begin, std::memory_order_relaxed);
    if (timeline)
      timeline->wait(thread(), begin, end);
  }

  int push(const char *name) override {
    std::lock_guard guard(mutex);
    auto &open = ranges[thread()];
    open.emplace_back(name ? name : "", now());
    return static_cast<int>(open.size()) - 1;
  }
  int pop() override {
    std::unique_lock guard(mutex);
    auto &open = ranges[thread()];
    if (open.empty())
      return -1;
    const auto [name, begin] = open.back();
    open.pop_back();
    const int depth = static_cast<int>(open.size());
    guard.unlock();
    if (timeline && recording)
      timeline->range(thread(), name, begin, now());
    return depth;
  }
  uint64_t rangeBegins(const char *name) override {
    std::lock_guard guard(mutex);
    spans[++lastSpan] = name ? name : "";
    if (timeline && recording)
      timeline->span(lastSpan, spans[lastSpan], true);
    return lastSpan;
  }
  void rangeEnds(uint64_t range) override {
    std::lock_guard guard(mutex);
    const auto found = spans.find(range);
    if (found == spans.end())
      return;
    if (timeline && recording)
      timeline->span(range, found->second, false);
    spans.erase(found);
  }
  void mark(const char *name) override {
    if (timeline && recording)
      timeline->mark(thread(), name ? name : "");
  }

  void askBefore(void (*ask)()) override { deliver = ask; }

  void resume() override {
    std::lock_guard guard(mutex);
    if (!recording.exchange(true))
      since = now();
  }
  void pause() override {
    print();
    std::lock_guard guard(mutex);
    recording = false;
  }
  void finish() override {
    print();
    std::lock_guard guard(mutex);
    recording = false;
    if (!timeline)
      return;
    // Devices of the CPU with as many workers are alike.
    std::map<int, Peaks> measured;
    for (const auto &[device, counts] : devices) {
      Engine *engine = counts ? deviceAt(device) : nullptr;
      if (!engine)
        continue;
      const DeviceProperties &properties = engine->properties();
      const auto [place, isNew] =
          measured.try_emplace(properties.multiprocessors);
      if (isNew)
        place->second = measurePeaks(properties);
      timeline->device(device, properties, place->second);
    }
    timeline->close();
  }
  void interrupted() override {
    pause();
    if (timeline)
      timeline->close();
  }

private:
  // What follows, under the mutex.

  const std::string &nameOf(const Work &work) {
    static const std::string Library = "library", Function = "host function",
                             Names[] = {"copy", "fill"};
    switch (work.kind) {
    case WorkKind::Copy:
      return Names[0];
    case WorkKind::Fill:
      return Names[1];
    case WorkKind::Library:
      return Library;
    case WorkKind::HostFunction:
      return Function;
    case WorkKind::Kernel:
      break;
    }
    const auto [place, isNew] = names.try_emplace(work.name);
    if (isNew)
      place->second = sourceName(work.name);
    return place->second;
  }

  /// A device is told of with its first work; whether it counts is kept.
  void noteDevice(const Work &work) {
    const auto [place, isNew] = devices.try_emplace(work.device, false);
    place->second |= work.counts.any();
    if (!isNew)
      return;
    if (Engine *engine = deviceAt(work.device))
      timeline->device(work.device, engine->properties(),
                       computePeaks(engine->properties()));
  }

  /// Streams are numbered as they come.
  unsigned numberOf(const Work &work) {
    if (!work.stream)
      return 0;
    auto &known = streams[work.device];
    return known.try_emplace(work.stream, unsigned(known.size()) + 1)
        .first->second;
  }

  void count(const Work &work, const std::string &name, const std::string &at) {
    const uint64_t time = work.end - work.begin;
    switch (work.kind) {
    case WorkKind::Copy:
    case WorkKind::Fill: {
      CopyRow &row =
          rows.copies[{work.device, directionName(work),
                       work.kind == WorkKind::Copy && work.pageable}];
      row.times.add(time);
      row.bytes += work.bytes;
      return;
    }
    case WorkKind::Library:
      rows.libraries[work.device].add(time);
      return;
    case WorkKind::HostFunction:
      rows.hostFunctions[work.device].add(time);
      return;
    case WorkKind::Kernel:
      break;
    }
    KernelRow &row = rows.kernels[{work.device, work.name}];
    if (row.name.empty())
      row.name = name;
    row.times.add(time);
    row.onFibers += work.onFibers ? time : 0;
    row.vectorBits = std::max(row.vectorBits, work.vectorBits);
    row.registers = std::max(row.registers, work.registers);
    row.occupancy = std::max(row.occupancy, work.occupancy);
    if (row.launchedAt.size() < MostPlaces && !at.empty() &&
        std::find(row.launchedAt.begin(), row.launchedAt.end(), at) ==
            row.launchedAt.end())
      row.launchedAt.push_back(at);
  }

  static unsigned thread() {
    static std::atomic<unsigned> Threads{0};
    static thread_local const unsigned Number = ++Threads;
    return Number;
  }

  /// What has been recorded since the last time, if anything was.
  void print() {
    if (const auto ask = deliver.load())
      ask();
    Tables done;
    {
      std::lock_guard guard(mutex);
      if (!tables || !recording)
        return;
      std::swap(done, rows);
      done.recorded = now() - std::exchange(since, now());
      done.waited = waiting.exchange(0);
    }
    if (done.isEmpty() && printed)
      return;
    printed = true;
    const auto endsWith = [&](const char *end) {
      return file.size() >= std::strlen(end) &&
             !file.compare(file.size() - std::strlen(end), file.npos, end);
    };
    const std::string text = endsWith(".json")  ? asJson(done)
                             : endsWith(".csv") ? asCsv(done)
                                                : asText(done);
    if (file.empty()) {
      std::fflush(stdout);
      std::fputs(text.c_str(), stderr);
      return;
    }
    FILE *output = std::fopen(file.c_str(), "we");
    if (!output || std::fputs(text.c_str(), output) < 0)
      std::fprintf(stderr, "error: writing CUFORT_PROFILE: %s: %s\n",
                   file.c_str(), std::strerror(errno));
    if (output)
      std::fclose(output);
  }

  std::atomic<void (*)()> deliver{nullptr};
  std::mutex mutex;
  std::atomic<bool> recording{true};
  bool tables, printed = false;
  std::string file; ///< empty: standard error
  std::optional<Trace> timeline;
  Tables rows;
  uint64_t since = now();
  std::atomic<uint64_t> waiting{0};
  std::unordered_map<std::string_view, std::string> names;
  std::map<int, std::unordered_map<const void *, unsigned>> streams;
  std::map<int, bool> devices;
  std::map<unsigned, std::vector<std::pair<std::string, uint64_t>>> ranges;
  std::map<uint64_t, std::string> spans;
  uint64_t lastSpan = 0;
};

/// Null where the variable is unset, empty or 0.
const char *valueOf(const char *name) {
  const char *text = std::getenv(name);
  return text && *text && std::strcmp(text, "0") != 0 ? text : nullptr;
}

} // namespace

void start() {
  if (process().profileAsked.exchange(true))
    return;
  const char *profile = valueOf("CUFORT_PROFILE"),
             *trace = valueOf("CUFORT_TRACE");
  if (!profile && !trace)
    return;
  auto *recording = new Recording(profile, trace);
  writeAtSignals(*recording);
  process().recorder.store(recording, std::memory_order_release);
}

thread_local Counts Counted;

void addCounts(Work &work) {
  const Counts counts = std::exchange(Counted, {});
  const auto add = [](uint64_t &to, uint64_t more) {
    std::atomic_ref(to).fetch_add(more, std::memory_order_relaxed);
  };
  if (!counts.any())
    return;
  add(work.counts.flops32, counts.flops32);
  add(work.counts.flops64, counts.flops64);
  add(work.counts.bytes, counts.bytes);
}

//===----------------------------------------------------------------------===//
// What a thread is doing
//===----------------------------------------------------------------------===//

static uint64_t nextNumber() {
  static std::atomic<uint64_t> Numbers{0};
  return Numbers.fetch_add(1, std::memory_order_relaxed) + 1;
}

/// "cudaMalloc" of "cudaError_t cudaMalloc(void **, size_t)".
static std::string_view plainName(const char *function) {
  std::string_view name = function;
  name = name.substr(0, name.find('('));
  const size_t space = name.find_last_of(" *&:");
  return space == name.npos ? name : name.substr(space + 1);
}

void Call::enter(const std::source_location &where) {
  ProfileContext &context = threadState().profile;
  if (context.inCall)
    return;
  outer = context.inCall = true;
  context.number = number = nextNumber();
  function = where.function_name();
  begin = now();
}

void Call::leave() {
  if (!outer)
    return;
  ProfileContext &context = threadState().profile;
  const uint64_t end = now();
  context.inCall = false;
  context.number = 0;
  const std::string_view name =
      context.what ? std::string_view(context.what) : plainName(function);
  if (context.what || name.substr(0, 2) == "cu")
    to->called(name, {context.file, context.line, context.code}, number, begin,
               end);
}

void At::enter(const char *what, Source source) {
  ProfileContext &context = threadState().profile;
  beforeWhat = std::exchange(context.what, what);
  before = {std::exchange(context.file, source.file),
            std::exchange(context.line, source.line),
            std::exchange(context.code, source.code)};
}

void At::leave() {
  ProfileContext &context = threadState().profile;
  context.what = beforeWhat;
  context.file = before.file;
  context.line = before.line;
  context.code = before.code;
}

} // namespace cufort::profile
