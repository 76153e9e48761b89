//===- Report.cpp - what the checkers found -------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/report/Report.h"
#include "runtime/check/Allocations.h"
#include "runtime/check/Check.h"
#include "runtime/check/report/Settings.h"
#include "runtime/check/report/Writers.h"
#include "runtime/core/Names.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <tuple>
#include <unistd.h>

namespace cufort::check {
namespace {

/// What a file has at most: more tells nobody anything.
constexpr size_t MostReports = 10000;

struct Collection {
  std::recursive_mutex mutex;
  std::map<std::string, size_t> byPlaces; ///< places in reports
  std::vector<Report> reports;
  uint64_t beyondFile = 0; ///< counted alone
  bool isUnchecked = false;
  pid_t process = 0;
  bool isChild = false; ///< a process that began as another's copy
  bool finished = false;
};

Collection &collection() {
  static auto *instance = new Collection;
  return *instance;
}

/// What is the same for all reports that are said once.
std::string keyOf(const Report &report) {
  std::vector<std::string> places;
  places.reserve(report.places.size());
  for (const Place &place : report.places)
    places.push_back(place.file + ":" + std::to_string(place.line) + ":" +
                     std::to_string(place.column) + ":" +
                     std::to_string(static_cast<int>(place.access)) + ":" +
                     place.variable);
  std::sort(places.begin(), places.end());
  // A race within a block and one between blocks are one where the statements
  // are the same.
  std::string key = name(report.kind);
  if (report.kind != Kind::Race)
    key += std::string(":") + report.rule;
  // Without places, what else is said tells them apart.
  const bool known = std::any_of(report.places.begin(), report.places.end(),
                                 [](const Place &place) { return place.line; });
  if (!known)
    key += ":" + report.kernel + ":" + report.title;
  for (const std::string &place : places)
    key += "|" + place;
  return key;
}

void write(const Collection &all) {
  if (settings().file.empty())
    return;
  const std::string file =
      settings().file + (all.isChild ? "." + std::to_string(all.process) : "");
  FILE *stream = std::fopen(file.c_str(), "we");
  if (!stream) {
    std::fprintf(stderr, "========= Cannot write CUFORT_CHECK_REPORT=%s: %s\n",
                 file.c_str(), std::strerror(errno));
    return;
  }
  const std::string text =
      settings().sarif ? asSarif(all.reports) : asJson(all.reports);
  bool written =
      std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  written &= std::fclose(stream) == 0;
  if (!written)
    std::fprintf(stderr, "========= Cannot write CUFORT_CHECK_REPORT=%s: %s\n",
                 file.c_str(), std::strerror(errno));
}

void print(const std::string &text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// In the order of the source: which thread comes first is chance.
void sort(std::vector<Report> &reports) {
  std::sort(reports.begin(), reports.end(),
            [](const Report &a, const Report &b) {
              static const Place Nowhere;
              const Place &x = a.places.empty() ? Nowhere : a.places[0];
              const Place &y = b.places.empty() ? Nowhere : b.places[0];
              return std::tie(x.file, x.line, x.column, x.access, x.element) <
                     std::tie(y.file, y.line, y.column, y.access, y.element);
            });
}

void printAll(const Collection &all) {
  std::fflush(stdout);
  print("========= CUFORT CHECK\n");
  const size_t limit = settings().limit
                           ? std::min(settings().limit, all.reports.size())
                           : all.reports.size();
  for (size_t i = 0; i < limit; ++i)
    print(asText(all.reports[i]));
  if (const uint64_t withheld = all.reports.size() - limit + all.beyondFile)
    print("========= " + std::to_string(withheld) +
          (withheld == 1 ? " error was" : " errors were") +
          " not printed. Use CUFORT_CHECK_LIMIT to adjust the number of "
          "printed errors\n");
  const uint64_t count = all.reports.size() + all.beyondFile;
  print("========= ERROR SUMMARY: " + std::to_string(count) +
        (count == 1 ? " error\n" : " errors\n"));
  std::fflush(stderr);
}

/// A process that fork made has nothing of its parent's to say.
bool isOwn(Collection &all) { return all.process == getpid(); }

void becomeOwn(Collection &all) {
  all.process = getpid();
  all.isChild = true;
  all.reports.clear();
  all.byPlaces.clear();
  all.beyondFile = 0;
  all.finished = false;
}

void atExit(int, void *) {
  // glibc goes on with the handlers that are left, and with the new status.
  if (finish() && settings().exitStatus)
    std::exit(settings().exitStatus);
}

void atQuickExit() {
  if (finish() && settings().exitStatus) {
    std::fflush(nullptr);
    _exit(settings().exitStatus);
  }
}

/// Somebody ends the program: what was found should not be lost with it.
void atSignal(int number) {
  std::signal(number, SIG_DFL);
  finishInSignal();
  std::raise(number);
}

} // namespace

void start() {
  static std::once_flag once;
  std::call_once(once, [] {
    Collection &all = collection();
    all.process = getpid();
    settings();
    // A program that is killed has a file as well.
    write(all);
    on_exit(atExit, nullptr);
    std::at_quick_exit(atQuickExit);
    for (int number : {SIGABRT, SIGINT, SIGTERM, SIGHUP}) {
      struct sigaction before{};
      if (sigaction(number, nullptr, &before) == 0 &&
          !(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_DFL)
        std::signal(number, atSignal);
    }
  });
}

void runUnchecked() {
  Collection &all = collection();
  std::lock_guard lock(all.mutex);
  if (!all.isUnchecked)
    print("========= cufort: --check has no effect on a GPU; with "
          "CUFORT_DEVICE=cpu the program is checked\n");
  all.isUnchecked = true;
}

bool kernelIsWanted(const char *kernel) {
  return settings().kernels.wants(kernel);
}

std::string plainName(const std::string &kernel) {
  if (kernel.compare(0, 2, "_Z") != 0)
    return kernel.substr(0, kernel.find(" of module "));
  const std::string name = readableName(kernel.c_str());
  size_t begin = 0, end = name.size(), depth = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    depth += name[i] == '<' ? 1 : 0;
    depth -= name[i] == '>' && depth ? 1 : 0;
    if (depth == 0 && name[i] == ' ')
      begin = i + 1;
    if (depth == 0 && name[i] == '(' && i > begin) {
      end = i;
      break;
    }
  }
  return name.substr(begin, end - begin);
}

static Report withPlainKernel(const Report &report) {
  Report result = report;
  result.kernel = plainName(report.kernel);
  return result;
}

size_t report(const Report &given) {
  constexpr size_t Suppressed = SIZE_MAX;
  const Report report = withPlainKernel(given);
  if (!report.kernel.empty() && !kernelIsWanted(report.kernel.c_str()))
    return Suppressed;
  start();
  Collection &all = collection();
  std::lock_guard lock(all.mutex);
  if (!isOwn(all))
    becomeOwn(all);
  if (all.finished)
    return Suppressed;
  const std::string key = keyOf(report);
  const auto found = all.byPlaces.find(key);
  if (found != all.byPlaces.end()) {
    if (found->second < all.reports.size())
      all.reports[found->second].count += report.count;
    return found->second;
  }
  if (settings().suppressions.match(report)) {
    all.byPlaces.emplace(key, Suppressed);
    return Suppressed;
  }
  if (all.reports.size() >= MostReports) {
    ++all.beyondFile;
    all.byPlaces.emplace(key, Suppressed);
    return Suppressed;
  }
  all.byPlaces.emplace(key, all.reports.size());
  all.reports.push_back(report);
  for (Place &place : all.reports.back().places)
    place.file = shown(place.file);
  return all.reports.size() - 1;
}

void countAgain(size_t reported) {
  Collection &all = collection();
  std::lock_guard lock(all.mutex);
  if (isOwn(all) && !all.finished && reported < all.reports.size())
    ++all.reports[reported].count;
}

static bool finishLocked(Collection &all) {
  const bool any = !all.reports.empty() || all.beyondFile;
  if (all.finished)
    return any;
  all.finished = true;
  sort(all.reports);
  if (any || !all.isUnchecked)
    printAll(all);
  write(all);
  return any;
}

bool finish() {
  Collection &all = collection();
  if (!isOwn(all))
    return false;
  reportLeaks();
  std::lock_guard lock(all.mutex);
  return finishLocked(all);
}

int finishWith(int status) {
  return checking() && finish() && settings().exitStatus ? settings().exitStatus
                                                         : status;
}

bool finishInSignal() {
  Collection &all = collection();
  // The thread that was interrupted may hold the lock.
  if (!isOwn(all) || !all.mutex.try_lock())
    return false;
  const bool any = finishLocked(all);
  all.mutex.unlock();
  return any;
}

uint64_t reports() {
  Collection &all = collection();
  std::lock_guard lock(all.mutex);
  return all.reports.size();
}

} // namespace cufort::check
