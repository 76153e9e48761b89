//===- Report.cpp - the tables of CUFORT_PROFILE --------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Device.h"
#include "runtime/core/process/OutputFile.h"
#include "runtime/profile/Tables.h"
#include <cstdarg>
#include <cstdio>
#include <set>

namespace cufort::profile {
namespace {

[[gnu::format(printf, 1, 2)]] std::string format(const char *pattern, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

/// Four digits and a unit.
std::string duration(double nanoseconds) {
  const struct {
    double size;
    const char *name;
  } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
  for (const auto &unit : units)
    if (nanoseconds >= unit.size) {
      const double value = nanoseconds / unit.size;
      return format(value < 10    ? "%.3f %s"
                    : value < 100 ? "%.2f %s"
                                  : "%.1f %s",
                    value, unit.name);
    }
  return "0 ns";
}

std::string size(double bytes) {
  for (const char *unit : {"B", "KB", "MB", "GB"}) {
    if (bytes < 1e3)
      return format(*unit == 'B' ? "%.0f %s" : "%.2f %s", bytes, unit);
    bytes /= 1e3;
  }
  return format("%.2f TB", bytes);
}

double part(uint64_t some, uint64_t all) {
  return all ? 100.0 * double(some) / double(all) : 0;
}

/// Of a row, or of the times that are all of it.
template <typename Row> uint64_t totalTime(const Row &row) {
  if constexpr (requires { row.times; })
    return row.times.total;
  else
    return row.total;
}

/// The rows of a map, those with the greatest total first.
template <typename Map> auto sorted(const Map &map) {
  std::vector<const typename Map::value_type *> rows;
  rows.reserve(map.size());
  for (const auto &row : map)
    rows.push_back(&row);
  std::sort(rows.begin(), rows.end(), [](auto *a, auto *b) {
    const uint64_t ofA = totalTime(a->second), ofB = totalTime(b->second);
    return ofA != ofB ? ofA > ofB : a->first < b->first;
  });
  return rows;
}

template <typename Map> uint64_t totalOf(const Map &map) {
  uint64_t total = 0;
  for (const auto &row : map)
    total += totalTime(row.second);
  return total;
}

std::string columns(const Times &times) {
  return format(
      "%9llu %11s %11s %11s %11s", static_cast<unsigned long long>(times.count),
      duration(double(times.total)).c_str(), duration(times.mean()).c_str(),
      duration(double(times.least)).c_str(),
      duration(double(times.most)).c_str());
}

bool isGpu(int device) {
  Engine *engine = deviceAt(device);
  return engine && engine->properties().kind == "GPU";
}

std::string places(const KernelRow &row) {
  std::string text;
  for (const std::string &place : row.launchedAt)
    text += (text.empty() ? "" : ", ") + place;
  return text;
}

/// How the names of rows are written.
struct Names {
  /// The first column of all tables is as wide as the longest name, so that the
  /// others stand below each other.
  int width = 0;
  /// The work was that of several devices, so that each row says of which.
  bool withDevice = false;

  explicit Names(const Tables &tables) {
    std::set<int> devices;
    for (const auto &row : tables.kernels)
      devices.insert(row.first.first);
    for (const auto &row : tables.copies)
      devices.insert(std::get<0>(row.first));
    withDevice = devices.size() > 1;
    // Characters of a name; longer ones stand out of their column.
    constexpr size_t Least = 29, Most = 60;
    size_t longest = Least;
    for (const auto &row : tables.kernels)
      longest = std::max(longest, of(row).size());
    for (const auto &row : tables.copies)
      longest = std::max(longest, of(row).size());
    for (const auto &row : tables.calls)
      longest = std::max(longest, row.first.size());
    width = static_cast<int>(std::min(longest, Most));
  }

  std::string ofDevice(int device) const {
    return withDevice ? ", device " + std::to_string(device) : "";
  }
  std::string of(const decltype(Tables::copies)::value_type &row) const {
    const auto &[device, direction, pageable] = row.first;
    return direction + (pageable ? ", pageable" : "") + ofDevice(device);
  }
  std::string of(const decltype(Tables::kernels)::value_type &row) const {
    return row.second.name + ofDevice(row.first.first);
  }
};

/// The heads of a table's columns.
std::string heads(int width, const char *title, const char *share,
                  const char *count, const char *last = "") {
  return format("%-*s %6s %9s %11s %11s %11s %11s%s%s\n", width + 2, title,
                share, count, "total", "mean", "min", "max", *last ? "  " : "",
                last);
}

std::string kernelTable(const Tables &tables, const Names &names) {
  if (tables.kernels.empty())
    return "";
  const int width = names.width;
  const uint64_t total = totalOf(tables.kernels);
  std::string text =
      heads(width, "kernels", "share", "calls", "how, launched at");
  for (const auto *row : sorted(tables.kernels)) {
    const KernelRow &kernel = row->second;
    text += format("  %-*.*s %5.1f%% ", width, width, names.of(*row).c_str(),
                   part(kernel.times.total, total)) +
            columns(kernel.times) + "  ";
    if (isGpu(row->first.first)) {
      text += format("%d registers", kernel.registers);
      // Of kernels of graphs and libraries it is not known.
      if (kernel.occupancy > 0)
        text += format(", occupancy %.0f%%", 100.0 * double(kernel.occupancy));
    } else if (kernel.onFibers == kernel.times.total && kernel.onFibers)
      text += "on fibers";
    else if (kernel.onFibers)
      text += format("%u-bit vectors, %.0f%% on fibers", kernel.vectorBits,
                     part(kernel.onFibers, kernel.times.total));
    else
      text += format("%u-bit vectors", kernel.vectorBits);
    if (const std::string at = places(kernel); !at.empty())
      text += ", " + at;
    text += "\n";
  }
  return text + "\n";
}

std::string copyTable(const Tables &tables, const Names &names) {
  if (tables.copies.empty())
    return "";
  const int width = names.width;
  std::string text =
      heads(width, "copies and fills", "", "count", "bytes, rate");
  for (const auto *row : sorted(tables.copies)) {
    const CopyRow &copy = row->second;
    text += format("  %-*.*s ", width + 7, width, names.of(*row).c_str()) +
            columns(copy.times) + "  " + size(double(copy.bytes));
    if (copy.times.total)
      text += ", " +
              size(double(copy.bytes) / (double(copy.times.total) / 1e9)) +
              "/s";
    text += "\n";
  }
  return text + "\n";
}

template <typename Map>
std::string simpleTable(const char *title, const Map &map, int width) {
  if (map.empty())
    return "";
  const uint64_t total = totalOf(map);
  std::string text = heads(width, title, "share", "calls");
  for (const auto *row : sorted(map)) {
    std::string name;
    if constexpr (std::is_same_v<decltype(row->first), const int>)
      name = format("device %d", row->first);
    else
      name = row->first;
    text += format("  %-*.*s %5.1f%% ", width, width, name.c_str(),
                   part(row->second.total, total)) +
            columns(row->second) + "\n";
  }
  return text + "\n";
}

std::string jsonOf(const Times &times) {
  return format("\"calls\":%llu,\"total_ns\":%llu,\"mean_ns\":%.1f,"
                "\"min_ns\":%llu,\"max_ns\":%llu",
                static_cast<unsigned long long>(times.count),
                static_cast<unsigned long long>(times.total), times.mean(),
                static_cast<unsigned long long>(times.count ? times.least : 0),
                static_cast<unsigned long long>(times.most));
}

/// A list of objects, one in each line.
template <typename Map, typename Row>
std::string jsonList(const char *name, const Map &map, Row row) {
  std::string text = std::string("\"") + name + "\":[";
  const char *between = "\n";
  for (const auto *each : sorted(map)) {
    text += std::string(between) + "{" + row(*each) + "}";
    between = ",\n";
  }
  return text + "]";
}

} // namespace

std::string asText(const Tables &tables) {
  std::string text =
      "== cufort profile of " + duration(double(tables.recorded)) + ":";
  for (int i = 0; i < deviceCount(); ++i) {
    const DeviceProperties &p = deviceAt(i)->properties();
    text += std::string(i ? ";" : "") + " device " + std::to_string(i) + ", " +
            p.name + " (" + p.codeName + ")";
  }
  const Names names(tables);
  const int width = names.width;
  text +=
      "\n\n" + kernelTable(tables, names) + copyTable(tables, names) +
      simpleTable("work of libraries", tables.libraries, width) +
      simpleTable("host functions of streams", tables.hostFunctions, width) +
      simpleTable("calls and statements", tables.calls, width);
  return text + "host threads waited " + duration(double(tables.waited)) + "\n";
}

std::string asJson(const Tables &tables) {
  std::string devices;
  for (int i = 0; i < deviceCount(); ++i) {
    const DeviceProperties &p = deviceAt(i)->properties();
    devices += (i ? "," : "") + std::string("{\"name\":") + jsonString(p.name) +
               ",\"kind\":" + jsonString(p.kind) +
               ",\"code\":" + jsonString(p.codeName) + "}";
  }
  const auto device = [](const auto &row) {
    return "\"device\":" + std::to_string(row.first) + "," + jsonOf(row.second);
  };
  return "{\"version\":1,\"recorded_ns\":" + std::to_string(tables.recorded) +
         ",\"waited_ns\":" + std::to_string(tables.waited) + ",\"devices\":[" +
         devices + "],\n" +
         jsonList("kernels", tables.kernels,
                  [](const auto &row) {
                    const KernelRow &k = row.second;
                    std::string text =
                        "\"name\":" + jsonString(k.name) +
                        ",\"device\":" + std::to_string(row.first.first) + "," +
                        jsonOf(k.times);
                    text += isGpu(row.first.first)
                                ? format(",\"registers\":%d,"
                                         "\"occupancy\":",
                                         k.registers) +
                                      (k.occupancy > 0
                                           ? format("%.3f", double(k.occupancy))
                                           : "null")
                                : format(",\"vector_bits\":%u,"
                                         "\"on_fibers_ns\":%llu",
                                         k.vectorBits,
                                         static_cast<unsigned long long>(
                                             k.onFibers));
                    text += ",\"launched_at\":[";
                    for (size_t i = 0; i < k.launchedAt.size(); ++i)
                      text += (i ? "," : "") + jsonString(k.launchedAt[i]);
                    return text + "]";
                  }) +
         ",\n" +
         jsonList("copies", tables.copies,
                  [](const auto &row) {
                    const auto &[number, direction, pageable] = row.first;
                    return "\"direction\":" + jsonString(direction) +
                           ",\"pageable\":" + (pageable ? "true" : "false") +
                           ",\"device\":" + std::to_string(number) +
                           ",\"bytes\":" + std::to_string(row.second.bytes) +
                           "," + jsonOf(row.second.times);
                  }) +
         ",\n" + jsonList("libraries", tables.libraries, device) + ",\n" +
         jsonList("host_functions", tables.hostFunctions, device) + ",\n" +
         jsonList("calls", tables.calls,
                  [](const auto &row) {
                    return "\"name\":" + jsonString(row.first) + "," +
                           jsonOf(row.second);
                  }) +
         "}\n";
}

std::string asCsv(const Tables &tables) {
  std::string text = "table,name,device,calls,total_ns,mean_ns,min_ns,max_ns,"
                     "bytes,launched_at\n";
  const auto add = [&](const char *table, std::string_view name,
                       const std::string &device, const Times &times,
                       const std::string &bytes, const std::string &at) {
    std::string cell = "\"";
    for (char c : name)
      cell += c == '"' ? std::string("\"\"") : std::string(1, c);
    text += std::string(table) + "," + cell + "\"," + device +
            format(",%llu,%llu,%.1f,%llu,%llu,",
                   static_cast<unsigned long long>(times.count),
                   static_cast<unsigned long long>(times.total), times.mean(),
                   static_cast<unsigned long long>(times.least),
                   static_cast<unsigned long long>(times.most)) +
            bytes + ",\"" + at + "\"\n";
  };
  for (const auto *row : sorted(tables.kernels))
    add("kernel", row->second.name, std::to_string(row->first.first),
        row->second.times, "", places(row->second));
  for (const auto *row : sorted(tables.copies))
    add("copy",
        std::get<1>(row->first) + (std::get<2>(row->first) ? ", pageable" : ""),
        std::to_string(std::get<0>(row->first)), row->second.times,
        std::to_string(row->second.bytes), "");
  for (const auto *row : sorted(tables.libraries))
    add("library", "", std::to_string(row->first), row->second, "", "");
  for (const auto *row : sorted(tables.hostFunctions))
    add("host function", "", std::to_string(row->first), row->second, "", "");
  for (const auto *row : sorted(tables.calls))
    add("call", row->first, "", row->second, "", "");
  return text;
}

} // namespace cufort::profile
