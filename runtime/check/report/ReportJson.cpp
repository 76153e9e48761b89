//===- ReportJson.cpp - reports for programs ------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/report/Filters.h"
#include "runtime/check/report/Writers.h"
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

/// How many bytes at \p at are one character of UTF-8; 0: they are none.
static size_t characterAt(const std::string &text, size_t at) {
  const auto byte = [&](size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  const unsigned first = byte(0);
  const size_t length = first < 0x80                     ? 1
                        : first >= 0xc2 && first < 0xe0  ? 2
                        : first >= 0xe0 && first < 0xf0  ? 3
                        : first >= 0xf0 && first <= 0xf4 ? 4
                                                         : 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
  // Surrogates and overlong forms.
  if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) >= 0xa0) ||
      (first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) >= 0x90))
    return 0;
  return length;
}

std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (size_t i = 0; i < text.size();) {
    const size_t length = characterAt(text, i);
    const auto byte = static_cast<unsigned char>(text[i]);
    if (!length) { // Latin-1, as old sources have it
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", byte);
      result += escape;
      ++i;
      continue;
    }
    if (byte == '"' || byte == '\\') {
      result += '\\';
      result += text[i];
    } else if (byte < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", byte);
      result += escape;
    } else {
      result.append(text, i, length);
    }
    i += length;
  }
  return result + '"';
}

static std::string triple(const Place &place, const unsigned (&index)[3]) {
  std::string text = "[";
  for (unsigned i = 0; i < 3; ++i)
    text += (i ? "," : "") + std::to_string(inItsBase(place, index[i]));
  return text + "]";
}

static std::string asJson(const Place &place) {
  std::string text = "{\"file\":" + quoted(place.file) +
                     ",\"line\":" + std::to_string(place.line) +
                     ",\"column\":" + std::to_string(place.column) +
                     ",\"access\":\"" + name(place.access) +
                     "\",\"variable\":" + quoted(place.variable) +
                     ",\"element\":" + quoted(place.element);
  if (place.hasThread)
    text += ",\"thread\":" + triple(place, place.thread) +
            ",\"block\":" + triple(place, place.block);
  if (!place.iteration.empty())
    text += ",\"iteration\":" + quoted(place.iteration);
  return text + "}";
}

std::string asJson(const std::vector<Report> &reports) {
  std::string text = "{\"reports\":[";
  bool isFirst = true;
  for (const Report &report : reports) {
    text += std::string(isFirst ? "\n" : ",\n") + "{\"kind\":\"" +
            name(report.kind) + "\",\"rule\":" + quoted(report.rule) +
            ",\"kernel\":" + quoted(report.kernel) +
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
