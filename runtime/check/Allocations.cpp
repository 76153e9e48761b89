//===- Allocations.cpp - what device memory there is and was --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Allocations.h"
#include "runtime/check/Order.h"
#include "runtime/check/Shadow.h"
#include "runtime/check/report/Settings.h"
#include "runtime/check/report/Writers.h"
#include <cstdio>
#include <map>
#include <mutex>

extern "C" thread_local const cufort::check::HostPlace *__cufort_check_place =
    nullptr;

namespace cufort::check {
namespace {

/// Freed ones are forgotten when there are so many more of them; their memory
/// is somebody else's by then.
constexpr size_t MostFreed = 65536;
/// What is farther away has nothing to do with an address.
constexpr uintptr_t Near = uintptr_t(1) << 30;

struct Table {
  std::mutex mutex;
  std::map<uintptr_t, Allocation> live, freed; ///< by base
};

Table &table() {
  static auto *instance = new Table;
  return *instance;
}

/// How far \p address is from \p allocation; 0: within.
uintptr_t distance(const Allocation &allocation, uintptr_t address) {
  return allocation.holds(address) ? 0
         : address < allocation.base
             ? allocation.base - address
             : address - allocation.base - allocation.bytes + 1;
}

const Allocation *nearest(const std::map<uintptr_t, Allocation> &all,
                          uintptr_t address) {
  const auto after = all.upper_bound(address);
  const Allocation *best = after == all.end() ? nullptr : &after->second;
  if (after != all.begin())
    if (const Allocation &before = std::prev(after)->second;
        !best || distance(before, address) <= distance(*best, address))
      best = &before;
  return best && distance(*best, address) < Near ? best : nullptr;
}

std::string hexadecimal(uintptr_t address) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%zx", address);
  return text;
}

std::string at(const Place &place) {
  std::string text = shown(place.file);
  if (place.line)
    text += ":" + std::to_string(place.line);
  return text;
}

} // namespace

Place hostPlace(Access access) {
  Place place;
  place.access = access;
  place.space = Space::Host;
  const HostPlace *known = __cufort_check_place;
  // What a stream does now was submitted by another statement.
  if (const WorkPointer &work = Doing::work(); work && work->place)
    known = work->place;
  if (known) {
    place.file = known->file;
    place.line = known->line;
    place.column = known->column;
  }
  return place;
}

void noteAllocation(const void *begin, size_t bytes, MemoryUse use,
                    Place place) {
  Allocation fresh;
  fresh.base = reinterpret_cast<uintptr_t>(begin);
  fresh.bytes = bytes;
  fresh.live = true;
  fresh.use = use;
  fresh.allocated = std::move(place);
  Table &t = table();
  std::lock_guard lock(t.mutex);
  // What was here before is not any more.
  auto old = t.freed.lower_bound(fresh.base);
  if (old != t.freed.begin() && std::prev(old)->second.holds(fresh.base))
    --old;
  while (old != t.freed.end() && old->first < fresh.base + bytes)
    old = t.freed.erase(old);
  t.live[fresh.base] = std::move(fresh);
}

bool noteRelease(const void *begin, MemoryUse use, const Place &place,
                 Allocation &gone) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  const auto found = t.live.find(reinterpret_cast<uintptr_t>(begin));
  if (found == t.live.end() ||
      (found->second.use == MemoryUse::Heap) != (use == MemoryUse::Heap))
    return false;
  gone = std::move(found->second);
  t.live.erase(found);
  gone.live = false;
  gone.freed = place;
  if (t.freed.size() >= MostFreed)
    t.freed.clear();
  t.freed[gone.base] = gone;
  return true;
}

void libraryRan() {
  if (!checking(image::CheckInit))
    return;
  Table &t = table();
  std::lock_guard lock(t.mutex);
  for (const auto &[base, allocation] : t.live)
    if (allocation.use == MemoryUse::Device)
      setRange(Plane::Written, base, allocation.bytes, true);
}

void noteVariable(const void *begin) {
  if (!checking())
    return;
  Table &t = table();
  std::lock_guard lock(t.mutex);
  const auto found = t.live.find(reinterpret_cast<uintptr_t>(begin));
  if (found != t.live.end())
    found->second.isVariable = true;
}

void forgetRelease(const void *begin) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  t.freed.erase(reinterpret_cast<uintptr_t>(begin));
}

bool nearestAllocation(uintptr_t address, Allocation &allocation) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  const Allocation *live = nearest(t.live, address);
  const Allocation *freed = nearest(t.freed, address);
  const Allocation *best =
      !live || (freed && freed->holds(address) && !live->holds(address)) ? freed
                                                                         : live;
  if (best)
    allocation = *best;
  return best;
}

void describeAddress(uintptr_t address, std::vector<std::string> &details) {
  Allocation near;
  if (!nearestAllocation(address, near)) {
    details.push_back("and there is no allocation near");
    return;
  }
  const std::string what =
      std::string(near.live ? "the nearest allocation" : "a freed allocation") +
      " at " + hexadecimal(near.base) + " of size " +
      std::to_string(near.bytes) + " bytes";
  details.push_back(near.holds(address) ? "and is inside " + what
                    : address < near.base
                        ? "and is " + std::to_string(near.base - address) +
                              " bytes before " + what
                        : "and is " + std::to_string(distance(near, address)) +
                              " bytes after " + what);
  if (near.allocated.line)
    details.push_back("allocated at " + at(near.allocated));
  if (!near.live && near.freed.line)
    details.push_back("freed at " + at(near.freed));
}

Report wrongFree(const void *memory, const char *call, Place place) {
  const auto address = reinterpret_cast<uintptr_t>(memory);
  Report found;
  found.kind = Kind::Memory;
  place.access = Access::Host;
  found.places.push_back(std::move(place));
  Allocation near;
  const bool known = nearestAllocation(address, near);
  if (known && !near.live && near.base == address) {
    found.rule = "double-free";
    found.title =
        std::string("Invalid ") + call + ": the memory has already been freed";
    found.places.push_back(near.freed);
    found.places.push_back(near.allocated);
  } else {
    found.rule = "foreign-free";
    found.title = std::string("Invalid ") + call +
                  ": the address is not one that an allocation gave";
    found.details.push_back("Address " + hexadecimal(address));
    if (known)
      describeAddress(address, found.details);
  }
  return found;
}

void reportWrongFree(const void *memory, const char *call) {
  report(wrongFree(memory, call, hostPlace(Access::Free)));
}

void reportFreedCopy(uintptr_t address, const char *what) {
  Allocation near;
  // What was page-locked may be ordinary memory now.
  if (!nearestAllocation(address, near) || near.live || !near.holds(address) ||
      near.use == MemoryUse::Host)
    return;
  Report found;
  found.kind = Kind::Memory;
  found.rule = "use-after-free";
  found.title = std::string("Invalid ") + what + " of freed memory by a copy";
  found.places.push_back(hostPlace(Access::Copy));
  if (near.freed.line)
    found.places.push_back(near.freed);
  describeAddress(address, found.details);
  report(found);
}

void reportLeaks() {
  if (!settings().leaks)
    return;
  Table &t = table();
  std::vector<Allocation> left;
  {
    std::lock_guard lock(t.mutex);
    for (const auto &[base, allocation] : t.live)
      if (allocation.use != MemoryUse::Host && !allocation.isVariable &&
          allocation.allocated.line)
        left.push_back(allocation);
  }
  for (Allocation &allocation : left) {
    Report found;
    found.kind = Kind::Leak;
    found.rule = "leak";
    found.title = "Leaked " + std::to_string(allocation.bytes) + " bytes at " +
                  hexadecimal(allocation.base);
    found.places.push_back(std::move(allocation.allocated));
    report(found);
  }
}

} // namespace cufort::check
