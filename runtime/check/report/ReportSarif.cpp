//===- ReportSarif.cpp - reports for code scanning ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/report/Filters.h"
#include "runtime/check/report/Writers.h"
#include "runtime/core/process/OutputFile.h"
#include <cstdio>
#include <cstring>
#include <map>
#include <unistd.h>

namespace cufort::check {
namespace {

/// GitHub shows 5000 results of a run and 100 related places of a result.
constexpr size_t MostResults = 5000, MostRelated = 100;

struct Description {
  const char *brief, *full, *help;
};

const Description &describe(Kind kind) {
  static constexpr Description Race = {
      "Accesses that nothing orders",
      "Two threads access the same memory, at least one of them writes, and no "
      "barrier, atomic operation, fence or launch orders the two.",
      "Put a barrier between the accesses, make both of them atomic, or split "
      "the kernel."};
  static constexpr Description Memory = {
      "Access outside of a variable",
      "Code accesses memory that is not part of the variable, that was freed, "
      "or that it cannot reach.",
      "Compare the index with the bounds, and the order of deallocation with "
      "that of the launches."};
  static constexpr Description Init = {
      "Read of memory that nothing wrote",
      "A kernel reads device or shared memory before anything has written it.",
      "Assign, copy or fill the memory before it is read."};
  static constexpr Description Sync = {
      "Barrier or warp operation that not all threads reach",
      "Threads wait at different barriers, or not at all, or lanes of a warp "
      "are missing from a mask.",
      "Move the barrier out of the branch, or name the lanes that take part."};
  static constexpr Description Leak = {
      "Device memory that is never freed",
      "The program ends with device memory that it has allocated.",
      "Free the memory."};
  switch (kind) {
  case Kind::Race:
    return Race;
  case Kind::Memory:
    return Memory;
  case Kind::Init:
    return Init;
  case Kind::Sync:
    return Sync;
  case Kind::Leak:
    break;
  }
  return Leak;
}

const char *level(Kind kind) {
  return kind == Kind::Leak ? "warning" : "error";
}

std::string message(const std::string &text) {
  return "{\"text\":" + jsonString(text) + "}";
}

/// \p path as a URI: relative to the folder that the program runs in where it
/// is below.
std::string artifact(std::string path) {
  char folder[4096];
  if (getcwd(folder, sizeof folder)) {
    const std::string own = std::string(folder) + "/";
    if (path.compare(0, own.size(), own) == 0)
      path.erase(0, own.size());
  }
  while (path.compare(0, 2, "./") == 0)
    path.erase(0, 2);
  const bool absolute = !path.empty() && path[0] == '/';
  std::string uri = absolute ? "file://" : "";
  for (char c : path)
    if (std::strchr("-._~/+,", c) || (c >= '0' && c <= '9') ||
        (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) {
      uri += c;
    } else {
      char escape[4];
      std::snprintf(escape, sizeof escape, "%%%02X",
                    static_cast<unsigned char>(c));
      uri += escape;
    }
  return "\"artifactLocation\":{\"uri\":" + jsonString(uri) +
         (absolute ? "}" : ",\"uriBaseId\":\"%SRCROOT%\"}");
}

/// The members of a location, without its brackets.
std::string location(const Place &place) {
  std::string text = "\"physicalLocation\":{" + artifact(place.file);
  if (place.line) {
    text += ",\"region\":{\"startLine\":" + std::to_string(place.line);
    if (place.column)
      text += ",\"startColumn\":" + std::to_string(place.column);
    text += "}";
  }
  return text + "}";
}

std::string sentence(const Place &place) {
  std::string text = std::string(name(place.access)) + " access";
  if (!place.element.empty())
    text += " to " + place.element;
  else if (!place.variable.empty())
    text += " to " + place.variable;
  if (const std::string who = whoseAccess(place); !who.empty())
    text += (place.iteration.empty() ? " by " : " in ") + who;
  text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

/// A program that moves keeps its findings where the line is the same.
std::string fingerprint(const Report &report) {
  uint64_t hash = 0xcbf29ce484222325;
  auto add = [&](const std::string &text) {
    for (char c : text)
      if (c != ' ' && c != '\t')
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  };
  add(report.rule);
  for (const Place &place : report.places)
    add(sourceLine(place) + '\n');
  char text[32];
  std::snprintf(text, sizeof text, "%016llx:1",
                static_cast<unsigned long long>(hash));
  return text;
}

std::string asResult(const Report &report, size_t rule) {
  std::string said = headline(report);
  for (const std::string &detail : report.details)
    said += "\n" + detail;
  if (!report.hint.empty())
    said += "\nHint: " + report.hint;
  std::string text = "{\"ruleId\":" + jsonString(report.rule) +
                     ",\"ruleIndex\":" + std::to_string(rule) +
                     ",\"level\":\"" + level(report.kind) +
                     "\",\"message\":" + message(said);
  const Place *first = nullptr;
  std::string related, flows;
  size_t count = 0;
  for (const Place &place : report.places) {
    if (place.file.empty())
      continue;
    if (!first)
      first = &place;
    else if (++count <= MostRelated)
      related += std::string(count > 1 ? "," : "") +
                 "{\"id\":" + std::to_string(count) + "," + location(place) +
                 ",\"message\":" + message(sentence(place)) + "}";
    flows += std::string(flows.empty() ? "" : ",") +
             "{\"locations\":[{\"location\":{" + location(place) +
             ",\"message\":" + message(sentence(place)) + "}}]}";
  }
  // A result without a place is not shown anywhere.
  Place program;
  program.file = "cufort-check";
  text += ",\"locations\":[{" + location(first ? *first : program) + "}]";
  if (!related.empty())
    text += ",\"relatedLocations\":[" + related + "]";
  if (report.kind == Kind::Race && !related.empty())
    text += ",\"codeFlows\":[{\"threadFlows\":[" + flows + "]}]";
  return text + ",\"partialFingerprints\":{\"primaryLocationLineHash\":\"" +
         fingerprint(report) +
         "\"},\"occurrenceCount\":" + std::to_string(report.count) + "}";
}

} // namespace

std::string asSarif(const std::vector<Report> &reports) {
  std::map<std::string, size_t> rules;
  std::string ruleText, results;
  size_t count = 0;
  for (const Report &report : reports) {
    if (++count > MostResults)
      break;
    auto [rule, isNew] = rules.emplace(report.rule, rules.size());
    if (isNew) {
      const Description &about = describe(report.kind);
      ruleText += std::string(ruleText.empty() ? "\n" : ",\n") +
                  "{\"id\":" + jsonString(report.rule) +
                  ",\"name\":" + jsonString(report.rule) +
                  ",\"shortDescription\":" + message(about.brief) +
                  ",\"fullDescription\":" + message(about.full) +
                  ",\"help\":" + message(about.help) +
                  ",\"defaultConfiguration\":{\"level\":\"" +
                  level(report.kind) + "\"},\"properties\":{\"tags\":[\"" +
                  name(report.kind) + "\"],\"problem.severity\":\"" +
                  level(report.kind) + "\"}}";
    }
    results +=
        (results.empty() ? "\n" : ",\n") + asResult(report, rule->second);
  }
  return "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\","
         "\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":"
         "\"cufort --check\",\"rules\":[" +
         ruleText + "]}},\"columnKind\":\"utf16CodeUnits\",\"results\":[" +
         results + "]}]}\n";
}

} // namespace cufort::check
