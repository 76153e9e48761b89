//===- Report.cpp - what the checkers found -------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Report.h"
#include "runtime/check/Allocations.h"
#include <cstdio>
#include <mutex>
#include <set>

namespace cufort::check {

// The least that can be said: each pair of places, once, in a few lines.

void start() {}

bool nearestAllocation(uintptr_t, Allocation &) { return false; }
void describeAddress(uintptr_t, std::vector<std::string> &) {}

void report(const Report &found) {
  static std::mutex mutex;
  static std::set<std::string> said;
  std::string key = found.rule;
  for (const Place &place : found.places)
    key += place.file + ':' + std::to_string(place.line) + ':' +
           std::to_string(static_cast<int>(place.access)) + ' ';
  std::lock_guard lock(mutex);
  if (!said.insert(key).second)
    return;
  std::fprintf(stderr, "========= %s in kernel %s: %s\n", found.rule,
               found.kernel.c_str(), found.title.c_str());
  for (const Place &place : found.places)
    std::fprintf(stderr,
                 "=========     at %s:%u:%u, %u bytes of %s (%s) by thread "
                 "(%u,%u,%u) in block (%u,%u,%u)\n",
                 place.file.c_str(), place.line, place.column, place.bytes,
                 place.variable.c_str(), place.element.c_str(), place.thread[0],
                 place.thread[1], place.thread[2], place.block[0],
                 place.block[1], place.block[2]);
  for (const std::string &detail : found.details)
    std::fprintf(stderr, "=========     %s\n", detail.c_str());
}

} // namespace cufort::check
