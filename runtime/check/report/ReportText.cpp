//===- ReportText.cpp - reports on standard error -------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/report/Writers.h"
#include <cstdio>
#include <unistd.h>

namespace cufort::check {
namespace {

constexpr char Prefix[] = "========= ";

const char *name(Space space) {
  switch (space) {
  case Space::Unknown:
    break;
  case Space::Global:
    return "__global__ ";
  case Space::Shared:
    return "__shared__ ";
  case Space::Local:
    return "__local__ ";
  case Space::Constant:
    return "__constant__ ";
  case Space::Host:
    return "host ";
  }
  return "";
}

const char *noun(Access access) {
  switch (access) {
  case Access::Read:
    return "Read";
  case Access::Write:
    return "Write";
  case Access::Atomic:
    return "Atomic";
  case Access::Barrier:
    return "Barrier";
  case Access::Copy:
    return "Copy";
  case Access::Host:
    return "Host";
  case Access::Allocate:
    return "Allocation";
  case Access::Free:
    return "Deallocation";
  case Access::Launch:
    return "Launch";
  }
  return "";
}

/// As one of the two of a race.
std::string inRace(Access access) {
  return std::string(noun(access)) +
         (access == Access::Allocate || access == Access::Free ? ""
                                                               : " access");
}

bool isStatement(Access access) {
  return access == Access::Allocate || access == Access::Free ||
         access == Access::Launch;
}

std::string ofSize(const Place &place) {
  return place.bytes ? " of size " + std::to_string(place.bytes) + " bytes"
                     : "";
}

/// "saxpy in s.cuf:12:5", or as much of it as is known.
std::string where(const Report &report, const Place &place) {
  std::string text;
  if (!report.kernel.empty() && place.access != Access::Host &&
      place.access != Access::Copy && !isStatement(place.access))
    text = report.kernel;
  if (place.file.empty())
    return text;
  text += (text.empty() ? "" : " in ") + place.file;
  if (place.line)
    text += ":" + std::to_string(place.line);
  if (place.line && place.column)
    text += ":" + std::to_string(place.column);
  return text;
}

class Text {
public:
  void headline(const std::string &text) { add(text); }
  void add(const std::string &text) { all += Prefix + text + '\n'; }
  void more(const std::string &text) {
    if (!text.empty())
      add("    " + text);
  }

  /// Who did it and to what, with the line of the source.
  void describe(const Place &place) {
    if (const std::string who = whoseAccess(place); !who.empty())
      more((place.iteration.empty() ? "by " : "in ") + who);
    if (!place.element.empty())
      more("to " + place.element +
           (place.shape.empty() ? "" : " of " + place.shape));
    else if (!place.variable.empty())
      more((place.access == Access::Free || place.access == Access::Allocate
                ? "of "
                : "to ") +
           (place.shape.empty() ? place.variable : place.shape));
    excerpt(place);
  }

  std::string all;

private:
  void excerpt(const Place &place) {
    const std::string line = sourceLine(place);
    if (line.empty())
      return;
    char number[16];
    std::snprintf(number, sizeof number, "%6u", place.line);
    more(number + (" | " + line));
    if (!place.column || place.column > line.size() + 1)
      return;
    std::string caret;
    for (unsigned i = 0; i + 1 < place.column; ++i)
      caret += line[i] == '\t' ? '\t' : ' ';
    more("       | " + caret + '^');
  }
};

} // namespace

unsigned inItsBase(const Place &place, unsigned index) {
  return index + (place.fortran ? 1 : 0);
}

std::string whoseAccess(const Place &place) {
  if (!place.iteration.empty()) {
    std::string text;
    for (const auto &[name, number] : place.iteration)
      text += (text.empty() ? "iteration " : ", ") + name + " = " +
              std::to_string(number);
    return text;
  }
  if (!place.hasThread)
    return "";
  auto triple = [&](const unsigned (&index)[3]) {
    return "(" + std::to_string(inItsBase(place, index[0])) + "," +
           std::to_string(inItsBase(place, index[1])) + "," +
           std::to_string(inItsBase(place, index[2])) + ")";
  };
  return "thread " + triple(place.thread) + " in block " + triple(place.block);
}

std::string shown(const std::string &path) {
  char folder[4096];
  if (!getcwd(folder, sizeof folder))
    return path;
  const std::string own = std::string(folder) + "/";
  return path.compare(0, own.size(), own) ? path : path.substr(own.size());
}

std::string sourceLine(const Place &place) {
  FILE *file = place.line ? std::fopen(place.file.c_str(), "re") : nullptr;
  if (!file)
    return "";
  std::string line;
  unsigned number = 1;
  for (int c; (c = std::getc(file)) != EOF && number <= place.line;)
    if (c == '\n')
      ++number;
    else if (number == place.line && c != '\r' && line.size() < 400)
      line += static_cast<char>(c);
  std::fclose(file);
  return line;
}

std::string headline(const Report &report) {
  if (!report.title.empty())
    return report.title;
  static const Place Nowhere;
  const Place &place = report.places.empty() ? Nowhere : report.places[0];
  const bool writes = place.access == Access::Write;
  const char *what = place.access == Access::Atomic ? "atomic"
                     : writes                       ? "write"
                                                    : "read";
  switch (report.kind) {
  case Kind::Race:
    return "Error: Race reported between " + inRace(place.access) + " at " +
           where(report, place);
  case Kind::Memory:
    return std::string("Invalid ") + name(place.space) + what + ofSize(place);
  case Kind::Init:
    return std::string("Uninitialized ") + name(place.space) + "memory read" +
           ofSize(place);
  case Kind::Sync:
    return "Barrier error detected.";
  case Kind::Leak:
    return "Leaked memory";
  }
  return "";
}

std::string asText(const Report &report) {
  Text text;
  text.headline(headline(report));
  const std::string times = std::to_string(report.count);
  bool isFirst = true;
  for (const Place &place : report.places) {
    const std::string at = where(report, place);
    if (report.kind == Kind::Race ? place.access == Access::Launch
                                  : isStatement(place.access)) {
      if (!at.empty())
        text.more((place.access == Access::Free       ? "freed at "
                   : place.access == Access::Allocate ? "allocated at "
                                                      : "launched at ") +
                  at);
    } else if (report.kind == Kind::Race) {
      if (!isFirst)
        text.more("and " + inRace(place.access) + " at " + at +
                  (place.access == Access::Barrier
                       ? ""
                       : " [" + times + " hazard" +
                             (report.count == 1 ? "]" : "s]")));
      else if (!report.title.empty() && !at.empty())
        text.more("at " + at);
    } else if (!at.empty()) {
      text.more((isFirst ? "at " : "and at ") + at);
    }
    text.describe(place);
    isFirst = false;
  }
  for (const std::string &detail : report.details)
    text.more(detail);
  if (!report.hint.empty())
    text.more("Hint: " + report.hint);
  if (report.count > 1 && report.kind != Kind::Race)
    text.more("[" + times + " times]");
  text.all += "=========\n";
  return text.all;
}

} // namespace cufort::check
