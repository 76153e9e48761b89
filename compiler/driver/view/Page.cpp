//===- Page.cpp - a trace as one HTML page --------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/view/Page.h"
#include "compiler/driver/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Base64.h"
#include <numeric>

using namespace llvm;

namespace cufort::driver {
namespace {

/// Where the page wants its data.
constexpr StringRef Mark = "<!--trace-->";

/// A column as the page reads it: the bytes of a typed array.
template <typename T> std::string column(const std::vector<T> &values) {
  return encodeBase64(StringRef(reinterpret_cast<const char *>(values.data()),
                                values.size() * sizeof(T)));
}

template <typename T>
std::vector<T> ordered(const std::vector<T> &values,
                       const std::vector<uint32_t> &order) {
  std::vector<T> result;
  result.reserve(values.size());
  for (uint32_t each : order)
    result.push_back(values[each]);
  return result;
}

/// What kernels of one name compute and move, all launches together.
struct Counted {
  uint64_t launches = 0;
  double flops32 = 0, flops64 = 0, bytes = 0;
};

json::Array countedKernels(const TraceData &trace) {
  std::vector<std::optional<json::Object>> details;
  for (const std::string &text : trace.details.all()) {
    Expected<json::Value> value = json::parse(text);
    if (!value)
      consumeError(value.takeError());
    const json::Object *object = value ? value->getAsObject() : nullptr;
    details.push_back(object && object->get("flops64") ? std::optional(*object)
                                                       : std::nullopt);
  }
  std::map<uint32_t, Counted> kernels;
  for (size_t i = 0; i != trace.kind.size(); ++i) {
    const auto &detail = details[trace.detail[i]];
    if (trace.kind[i] != uint8_t(EventKind::Kernel) || !detail)
      continue;
    Counted &kernel = kernels[trace.name[i]];
    ++kernel.launches;
    kernel.flops32 += detail->getNumber("flops32").value_or(0);
    kernel.flops64 += detail->getNumber("flops64").value_or(0);
    kernel.bytes += detail->getNumber("bytes").value_or(0);
  }
  json::Array result;
  for (const auto &[name, kernel] : kernels)
    result.push_back(json::Object{{"name", trace.names.all()[name]},
                                  {"launches", kernel.launches},
                                  {"flops32", kernel.flops32},
                                  {"flops64", kernel.flops64},
                                  {"bytes", kernel.bytes}});
  return result;
}

json::Array devicesOf(const TraceData &trace) {
  json::Array result;
  for (const auto &[number, device] : trace.devices)
    result.push_back(json::Object(device));
  return result;
}

/// Data within a script's element must not end it.
std::string inScript(const json::Value &value) {
  std::string text, safe;
  raw_string_ostream(text) << value;
  for (char c : text)
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  return safe;
}

} // namespace

Error writePage(raw_ostream &out, StringRef page, StringRef title,
                const TraceData &trace, const TraceData *counts) {
  const auto [head, tail] = page.split(Mark);
  if (head.size() == page.size())
    return failure("the page's template has no place for a trace");

  // By row and time, outer events before those within them.
  std::vector<uint32_t> order(trace.kind.size()), placeOf(order.size());
  std::iota(order.begin(), order.end(), 0);
  sort(order, [&](uint32_t a, uint32_t b) {
    return std::tuple(trace.track[a], trace.begin[a], -trace.duration[a], a) <
           std::tuple(trace.track[b], trace.begin[b], -trace.duration[b], b);
  });
  for (size_t i = 0; i != order.size(); ++i)
    placeOf[order[i]] = static_cast<uint32_t>(i);

  json::Array tracks, details, counters;
  for (const TraceTrack &track : trace.tracks) {
    const auto process = trace.processNames.find(track.process);
    const auto name = trace.trackNames.find({track.process, track.number});
    tracks.push_back(json::Object{
        {"pid", track.process},
        {"tid", track.number},
        {"kind", static_cast<int>(track.kind)},
        {"process", process == trace.processNames.end() ? "" : process->second},
        {"name", name == trace.trackNames.end() ? "" : name->second}});
  }
  for (const std::string &text : trace.details.all()) {
    Expected<json::Value> value = json::parse(text);
    if (!value)
      return value.takeError();
    details.push_back(std::move(*value));
  }
  for (const auto &[key, counter] : trace.counters)
    counters.push_back(json::Object{{"pid", key.first},
                                    {"name", key.second},
                                    {"time", column(counter.time)},
                                    {"value", column(counter.value)}});
  json::Object data{
      {"version", 1},
      {"title", title},
      {"truncated", trace.truncated},
      {"devices", devicesOf(trace)},
      {"names", json::Array(trace.names.all())},
      {"details", std::move(details)},
      {"tracks", std::move(tracks)},
      {"counters", std::move(counters)},
      {"events",
       json::Object{{"kind", column(ordered(trace.kind, order))},
                    {"track", column(ordered(trace.track, order))},
                    {"name", column(ordered(trace.name, order))},
                    {"detail", column(ordered(trace.detail, order))},
                    {"begin", column(ordered(trace.begin, order))},
                    {"duration", column(ordered(trace.duration, order))}}},
      {"flows", json::Object{{"from", column(ordered(placeOf, trace.flowFrom))},
                             {"to", column(ordered(placeOf, trace.flowTo))}}},
      {"counts",
       json::Object{{"separate", counts != nullptr},
                    {"kernels", countedKernels(counts ? *counts : trace)},
                    {"devices", devicesOf(counts ? *counts : trace)}}}};

  out << head << R"(<script type="application/json" id="trace">)"
      << inScript(std::move(data)) << "</script>" << tail;
  return Error::success();
}

} // namespace cufort::driver
