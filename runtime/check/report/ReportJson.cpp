//===- ReportJson.cpp - reports for programs ------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/report/Filters.h"
#include "runtime/check/report/Writers.h"
#include "runtime/core/process/OutputFile.h"
#include <cstdio>

namespace cufort::check {

const char *name(Access access) {
  switch (access) {
  case Access::Read:
    return "read";
  case Access::Write:
    return "write";
  case Access::Atomic:
    return "atomic";
  case Access::Barrier:
    return "barrier";
  case Access::Copy:
    return "copy";
  case Access::Host:
  case Access::Allocate:
  case Access::Free:
  case Access::Launch:
    break;
  }
  return "host";
}

static std::string triple(const Place &place, const unsigned (&index)[3]) {
  std::string text = "[";
  for (unsigned i = 0; i < 3; ++i)
    text += (i ? "," : "") + std::to_string(inItsBase(place, index[i]));
  return text + "]";
}

static std::string asJson(const Place &place) {
  std::string text = "{\"file\":" + jsonString(place.file) +
                     ",\"line\":" + std::to_string(place.line) +
                     ",\"column\":" + std::to_string(place.column) +
                     ",\"access\":\"" + name(place.access) +
                     "\",\"variable\":" + jsonString(place.variable) +
                     ",\"element\":" + jsonString(place.element);
  if (place.hasThread)
    text += ",\"thread\":" + triple(place, place.thread) +
            ",\"block\":" + triple(place, place.block);
  for (size_t i = 0; i < place.iteration.size(); ++i)
    text += (i ? "," : ",\"iteration\":{") +
            jsonString(place.iteration[i].first) + ":" +
            std::to_string(place.iteration[i].second);
  if (!place.iteration.empty())
    text += "}";
  return text + "}";
}

std::string asJson(const std::vector<Report> &reports) {
  std::string text = "{\"reports\":[";
  bool isFirst = true;
  for (const Report &report : reports) {
    text += std::string(isFirst ? "\n" : ",\n") + "{\"kind\":\"" +
            name(report.kind) + "\",\"rule\":" + jsonString(report.rule) +
            ",\"kernel\":" + jsonString(report.kernel) +
            ",\"count\":" + std::to_string(report.count) + ",\"places\":[";
    bool isFirstPlace = true;
    for (const Place &place : report.places) {
      text += (isFirstPlace ? "" : ",\n ") + asJson(place);
      isFirstPlace = false;
    }
    text += "]}";
    isFirst = false;
  }
  return text + "]}\n";
}

} // namespace cufort::check
