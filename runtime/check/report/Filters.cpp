//===- Filters.cpp - which reports nobody wants ---------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/report/Filters.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fnmatch.h>
#include <regex.h>

namespace cufort::check {

const char *name(Kind kind) {
  switch (kind) {
  case Kind::Race:
    return "race";
  case Kind::Memory:
    return "memory";
  case Kind::Init:
    return "init";
  case Kind::Sync:
    return "sync";
  case Kind::Leak:
    return "leak";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Suppressions
//===----------------------------------------------------------------------===//

static std::string trimmed(const char *text) {
  constexpr char Spaces[] = " \t\r\n";
  text += std::strspn(text, Spaces);
  std::string result = text;
  const size_t last = result.find_last_not_of(Spaces);
  result.erase(last == std::string::npos ? 0 : last + 1);
  return result;
}

std::string Suppressions::read(const std::string &path) {
  FILE *file = std::fopen(path.c_str(), "re");
  if (!file)
    return "cannot read '" + path + "': " + std::strerror(errno);
  std::string problem;
  char text[4096];
  for (int number = 1; problem.empty() && std::fgets(text, sizeof text, file);
       ++number) {
    const std::string line = trimmed(text);
    if (line.empty() || line[0] == '#')
      continue;
    const size_t colon = line.find(':');
    const std::string kind = line.substr(0, colon);
    bool known = false;
    for (Kind each :
         {Kind::Race, Kind::Memory, Kind::Init, Kind::Sync, Kind::Leak})
      known |= kind == name(each);
    if (!known || colon + 1 >= line.size())
      problem = path + ":" + std::to_string(number) + ": '" + line +
                "' is not KIND:PATTERN with the kind race, memory, init, sync "
                "or leak";
    else
      lines.emplace_back(kind, trimmed(line.c_str() + colon + 1));
  }
  std::fclose(file);
  return problem;
}

static bool fits(const std::string &pattern, const std::string &text) {
  return !text.empty() && fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

/// Whether \p pattern means \p path, or a file of that name in any folder.
static bool fitsFile(const std::string &pattern, const std::string &path) {
  return fits(pattern, path) ||
         (pattern[0] != '/' && fits("*/" + pattern, path));
}

bool Suppressions::match(const Report &report) const {
  for (const auto &[kind, pattern] : lines) {
    if (kind != name(report.kind))
      continue;
    if (fits(pattern, report.kernel))
      return true;
    for (const Place &place : report.places)
      if (fits(pattern, place.variable) || fitsFile(pattern, place.file) ||
          (place.line &&
           fitsFile(pattern, place.file + ":" + std::to_string(place.line))))
        return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

std::string KernelFilter::read(const char *text, bool exclude) {
  constexpr char Known[] =
      "use kns=SUBSTRING, kne=NAME or regex=EXPRESSION, separated by commas";
  while (*text) {
    const size_t length = std::strcspn(text, ",");
    const std::string item(text, length);
    text += length + (text[length] == ',');
    const size_t equals = item.find('=');
    const std::string key = item.substr(0, equals);
    Condition condition;
    if (key == "kns" || key == "kernel_substring")
      condition.form = Form::Substring;
    else if (key == "kne" || key == "kernel_name")
      condition.form = Form::Exact;
    else if (key == "regex")
      condition.form = Form::Expression;
    else
      return Known;
    if (equals == std::string::npos || equals + 1 == item.size())
      return Known;
    condition.text = item.substr(equals + 1);
    regex_t compiled;
    if (condition.form == Form::Expression) {
      if (regcomp(&compiled, condition.text.c_str(), REG_EXTENDED | REG_NOSUB))
        return "'" + condition.text + "' is not a regular expression";
      regfree(&compiled);
    }
    (exclude ? except : only).push_back(std::move(condition));
  }
  return only.empty() && except.empty() ? Known : "";
}

bool KernelFilter::Condition::holds(const std::string &kernel) const {
  switch (form) {
  case Form::Substring:
    return kernel.find(text) != std::string::npos;
  case Form::Exact:
    return kernel == text;
  case Form::Expression:
    break;
  }
  regex_t compiled;
  if (regcomp(&compiled, text.c_str(), REG_EXTENDED | REG_NOSUB))
    return false;
  const bool found = regexec(&compiled, kernel.c_str(), 0, nullptr, 0) == 0;
  regfree(&compiled);
  return found;
}

bool KernelFilter::wants(const std::string &kernel) const {
  for (const Condition &each : except)
    if (each.holds(kernel))
      return false;
  for (const Condition &each : only)
    if (each.holds(kernel))
      return true;
  return only.empty();
}

} // namespace cufort::check
