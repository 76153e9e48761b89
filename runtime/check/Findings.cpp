//===- Findings.cpp - what the checkers find, as reports ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Findings.h"
#include "runtime/check/Allocations.h"
#include "runtime/check/Knowledge.h"
#include "runtime/check/Order.h"
#include "runtime/check/Variables.h"
#include "runtime/check/report/Report.h"
#include "runtime/check/report/Writers.h"
#include "runtime/core/Names.h"
#include <cstdio>
#include <cstring>
#include <span>

namespace cufort::check {

static void setIndex(unsigned (&to)[3], const image::Dim3 &from) {
  to[0] = from.x;
  to[1] = from.y;
  to[2] = from.z;
}

static Access accessOf(const image::CheckSite &site) {
  if (site.flags & image::SiteCopy)
    return site.flags & image::SiteAllocates ? Access::Allocate
           : site.flags & image::SiteFrees   ? Access::Free
                                             : Access::Copy;
  if (site.flags & image::SiteHost)
    return Access::Host;
  if (site.flags & (image::SiteBarrier | image::SiteWarp))
    return Access::Barrier;
  if (site.flags & image::SiteAtomic && !(site.flags & image::SiteVolatile))
    return Access::Atomic;
  return site.flags & image::SiteWrites ? Access::Write : Access::Read;
}

static Place placeOf(const image::CheckSite &site) {
  Place place;
  place.file = site.file;
  place.line = site.line;
  place.column = site.column;
  place.access = accessOf(site);
  place.bytes = site.bytes;
  place.variable = site.name;
  place.fortran = site.flags & image::SiteFortran;
  return place;
}

/// Where \p address is in the shared memory of a block: that of \p thread or
/// another's of its cluster. Beyond its ends as well: what is meant is what is
/// near, unless it is something else.
static const char *inShared(const Thread &thread, const void *address) {
  const BlockRun &run = *thread.run;
  const char *at = inOwnShared(run, address);
  // For an index that is wrong by a row or two of a tile.
  constexpr size_t Near = 16 * 1024;
  if (!run.sharedBytes || at + Near < run.shared ||
      at >= run.shared + run.sharedBytes + Near)
    return nullptr;
  Allocation nearest;
  const auto place = reinterpret_cast<uintptr_t>(address);
  const bool isElse = (at < run.shared || at >= run.shared + run.sharedBytes) &&
                      nearestAllocation(place, nearest) && nearest.holds(place);
  return isElse ? nullptr : at;
}

static Space spaceOf(const Thread &thread, const void *address) {
  return inShared(thread, address) ? Space::Shared : Space::Global;
}

/// A place that \p thread has come to; \p address is what it accesses there,
/// null at barriers.
static Place placeOf(const Thread &thread, const image::CheckSite &site,
                     const void *address) {
  Place place = placeOf(site);
  if (address) {
    const Name name = nameOf(thread, site, address);
    place.variable = name.variable;
    place.shape = name.shape;
    place.element = name.element;
    place.space = spaceOf(thread, address);
  }
  place.hasThread = !(site.flags & (image::SiteCopy | image::SiteHost));
  if (!place.hasThread)
    return place;
  setIndex(place.thread, threadIndex(thread.number, thread.run->launch->block));
  setIndex(place.block, thread.run->block);
  for (const Thread::Loop &loop : thread.loops)
    if (loop.name)
      place.iteration.emplace_back(loop.name, loop.number);
  return place;
}

static std::string kernelOf(const Thread &thread) {
  return procedureName(thread.run->launch->kernel->name);
}

/// Says what two accesses of different pieces of work lack.
static void explainWorks(Report &found, const LaunchFacts &mine,
                         const LaunchFacts &theirs) {
  const Access a = found.places[0].access, b = found.places[1].access;
  if (a == Access::Host || b == Access::Host) {
    found.rule = "race-host";
    found.hint = "the host does not wait for what it has submitted: a "
                 "synchronisation (cudaDeviceSynchronize, "
                 "cudaStreamSynchronize) is missing before it uses the memory";
  } else {
    found.rule =
        a == Access::Copy || b == Access::Copy ? "race-copy" : "race-launches";
    found.hint = "the two are in streams that nothing orders: an event "
                 "(cudaStreamWaitEvent) or a synchronisation is missing";
  }
  for (const LaunchFacts *each : {&mine, &theirs})
    if (each->place && *each->kernel)
      found.details.push_back(
          "kernel " + plainName(procedureName(each->kernel)) + " launched at " +
          shown(each->place->file) + ":" + std::to_string(each->place->line));
}

/// The place of the access \p earlier, of which \p wrote is known where it has
/// no \p site. It is to what \p now is: one tells the variable if the other
/// does not.
static Place placeBefore(Record earlier, const image::CheckSite *site,
                         bool wrote, const RunFacts &run, Place &now) {
  Place before;
  if (site)
    before = placeOf(*site);
  else
    before.access = wrote ? Access::Write : Access::Read;
  before.space = now.space;
  if (!now.variable.empty()) {
    before.variable = now.variable;
    before.shape = now.shape;
    before.element = now.element;
  } else {
    now.variable = before.variable;
  }
  before.hasThread =
      !site || !(site->flags & (image::SiteCopy | image::SiteHost));
  if (before.hasThread) {
    setIndex(before.thread, threadIndex(threadOf(earlier), run.shape));
    setIndex(before.block, run.block);
  }
  return before;
}

/// Says what two accesses of one launch lack.
static void explainThreads(Report &found, const Accessing &access,
                           Record earlier, bool sameBlock,
                           const RunFacts &other) {
  const Thread &thread = access.thread;
  if (wouldKnow(thread, earlier)) {
    found.rule = sameBlock ? "race-block" : "race-blocks";
    found.hint = "a lock orders the two, but nothing keeps what follows the "
                 "compare-and-swap that takes it behind it: a fence "
                 "(threadfence) is missing there";
  } else if (sameBlock && thread.number / 32 == threadOf(earlier) / 32) {
    found.rule = "race-warp";
    found.hint = "a barrier of the warp (syncwarp) or the block is missing "
                 "between the two";
  } else if (sameBlock) {
    found.rule =
        found.places[1].space == Space::Shared ? "race-shared" : "race-block";
    found.hint = "a barrier (syncthreads) is missing between the two";
  } else if (kindOf(access.record) == AccessKind::BlockAtomic ||
             kindOf(earlier) == AccessKind::BlockAtomic) {
    found.rule = "race-scope";
    found.hint = "the atomic operation is one for the threads of a block only";
  } else {
    found.rule = "race-blocks";
    found.hint = thread.run->cluster && other.cluster == thread.run->cluster
                     ? "a barrier of the cluster (cluster.sync) is missing "
                       "between the two"
                     : "blocks of a launch have no order: atomic operations "
                       "on both sides, or a fence with a flag, or a launch "
                       "for each";
  }
}

void reportRace(const Accessing &access, Record earlier, bool wrote) {
  const Thread &thread = access.thread;
  const auto *address = reinterpret_cast<const void *>(access.address);
  const Interval &there = interval(intervalOf(earlier));
  const RunFacts &other = runFacts(there.run);
  const image::CheckSite *site = siteWith(siteOf(earlier));
  Launch &launch = *thread.run->launch;
  // Those that follow the first near an address are only counted: what a place
  // accesses does not change often.
  std::tuple key(siteOf(access.record) << 1 | wrote, siteOf(earlier),
                 uintptr_t(0), other.launch);
  if (site) {
    // From here on a program has so many races that they take memory: one for
    // each megabyte instead of each cache line.
    constexpr size_t Many = 50000;
    std::lock_guard lock(launch.mutex);
    std::get<uintptr_t>(key) =
        access.address >> (launch.said.size() < Many ? 6 : 20);
    if (const auto said = launch.said.find(key); said != launch.said.end())
      return countAgain(said->second);
  }
  Report found;
  found.kind = Kind::Race;
  found.kernel = kernelOf(thread);
  found.places.push_back(placeOf(thread, access.site, address));
  found.places.push_back(
      placeBefore(earlier, site, wrote, other, found.places[0]));
  if (other.launch != thread.run->launch->number) {
    const LaunchFacts &theirs = launchFacts(other.launch);
    if (found.kernel.empty() && theirs.kernel)
      found.kernel = procedureName(theirs.kernel);
    explainWorks(found, launchFacts(thread.run->launch->number), theirs);
  } else {
    explainThreads(found, access, earlier, there.run == thread.run->number,
                   other);
  }
  const size_t reported = report(found);
  std::lock_guard lock(launch.mutex);
  launch.races.insert(&access.site);
  if (site) {
    launch.races.insert(site);
    launch.said.emplace(key, reported);
  }
}

static Report fault(Thread &thread, const image::CheckSite &site,
                    const void *address, const char *rule) {
  Report found;
  found.kind = Kind::Memory;
  found.rule = rule;
  found.kernel = kernelOf(thread);
  found.places.push_back(placeOf(thread, site, address));
  return found;
}

static std::string hexadecimal(const void *address) {
  char text[32];
  std::snprintf(text, sizeof text, "%p", address);
  return text;
}

void reportAddress(Thread &thread, const image::CheckSite &site,
                   const void *address, uint64_t bytes) {
  Report found = fault(thread, site, address, "out-of-bounds");
  found.places[0].bytes = static_cast<unsigned>(bytes);
  found.details.push_back("Access to " + hexadecimal(address) +
                          " is out of bounds");
  if (const char *at = inShared(thread, address)) {
    const BlockRun &run = *thread.run;
    const size_t dynamic =
        run.sharedBytes - run.launch->kernel->staticSharedBytes;
    found.details.push_back(
        at < run.shared
            ? "and is before the block's shared memory"
            : "and is " + std::to_string(at - run.shared - run.sharedBytes) +
                  " bytes after the block's shared memory, of which the launch "
                  "gave " +
                  std::to_string(dynamic) + " bytes");
  } else {
    Allocation nearest;
    const auto place = reinterpret_cast<uintptr_t>(address);
    if (nearestAllocation(place, nearest) && !nearest.live &&
        nearest.holds(place)) {
      found.rule = "use-after-free";
      if (nearest.freed.line)
        found.places.push_back(nearest.freed);
    }
    describeAddress(place, found.details);
  }
  report(found);
}

void reportBounds(Thread &thread, const image::CheckSite &site,
                  const void *address, const void *base, uint64_t size) {
  Report found = fault(thread, site, nullptr, "out-of-bounds");
  if (site.variable) {
    const auto offset =
        static_cast<const char *>(address) - static_cast<const char *>(base);
    const Name name = nameOfElement(*site.variable, offset);
    found.places[0].shape = name.shape;
    found.places[0].element = name.element;
    found.places[0].space =
        site.variable->address ? Space::Global
        : static_cast<const char *>(base) >= thread.run->shared &&
                static_cast<const char *>(base) <
                    thread.run->shared + thread.run->sharedBytes
            ? Space::Shared
            : Space::Local;
    found.details.push_back("Access to " + hexadecimal(address) +
                            " is out of bounds");
    found.details.push_back(
        (offset < 0
             ? "and is " + std::to_string(-offset) + " bytes before"
             : "and is " + std::to_string(offset - static_cast<int64_t>(size)) +
                   " bytes after") +
        (*site.name ? " the variable '" + std::string(site.name) + "'"
                    : std::string(" a variable")) +
        " of size " + std::to_string(size) + " bytes");
  }
  report(found);
}

void reportMisaligned(Thread &thread, const image::CheckSite &site,
                      const void *address) {
  Report found = fault(thread, site, address, "misaligned");
  found.details.push_back("Access to " + hexadecimal(address) +
                          " is misaligned");
  describeAddress(reinterpret_cast<uintptr_t>(address), found.details);
  report(found);
}

void reportIndex(Thread &thread, const image::CheckSite &site, uint32_t rank,
                 const Subscript *subscripts) {
  Report found = fault(thread, site, nullptr, "out-of-bounds");
  if (!(site.flags & image::SiteFortran)) {
    // Arrays within a structure, whose names are not known.
    for (const Subscript &each : std::span(subscripts, rank))
      if (each.isOutside())
        found.details.push_back(
            "Index " + std::to_string(each.index) +
            " is outside of an array of " + std::to_string(each.upper + 1) +
            " elements within the structure" +
            (*site.name ? " '" + std::string(site.name) + "'" : ""));
    report(found);
    return;
  }
  std::string element = site.name, shape = site.name;
  for (uint32_t i = 0; i < rank; ++i) {
    const Subscript &each = subscripts[i];
    const std::string lower = std::to_string(each.lower),
                      upper =
                          each.hasUpper() ? std::to_string(each.upper) : "*";
    element += (i ? "," : "(") + std::to_string(each.index);
    std::string bounds = lower;
    bounds.append(":").append(upper);
    shape += (i ? "," : "(") + (each.lower == 1 ? upper : bounds);
    if (each.isOutside())
      found.details.push_back("Subscript " + std::to_string(i + 1) + " of '" +
                              site.name + "' is " + std::to_string(each.index) +
                              ", outside of its bounds " + bounds);
  }
  found.places[0].element = element + ')';
  found.places[0].shape = shape + ')';
  report(found);
}

Place heapPlace(const Thread &thread, const image::CheckSite &site,
                Access access) {
  Place place = placeOf(thread, site, nullptr);
  place.access = access;
  return place;
}

void reportHeapFree(Thread &thread, const image::CheckSite &site,
                    const void *block) {
  Report found =
      wrongFree(block, site.flags & image::SiteFortran ? "deallocate" : "free",
                heapPlace(thread, site, Access::Free));
  found.kernel = kernelOf(thread);
  report(found);
}

Launch::Launch() = default;
Launch::~Launch() { forgetPublished(*this); }

void endLaunch(Launch &launch) {
  for (auto &[site, found] : launch.unset)
    if (!launch.races.count(site))
      report(*found);
  launch.unset.clear();
}

void reportUnset(Thread &thread, const image::CheckSite &site,
                 const void *address, const image::CheckSite *copy) {
  Launch &launch = *thread.run->launch;
  std::lock_guard lock(launch.mutex);
  std::unique_ptr<Report> &kept = launch.unset[&site];
  if (kept) {
    ++kept->count;
    return;
  }
  kept =
      std::make_unique<Report>(fault(thread, site, address, "uninitialized"));
  kept->kind = Kind::Init;
  kept->details.push_back("Address " + hexadecimal(address));
  if (!copy || (copy->line == site.line && !std::strcmp(copy->file, site.file)))
    return;
  kept->places.push_back(placeOf(thread, *copy, address));
  kept->details.push_back(
      "copied to a private variable at the second place, used at the first");
}

void reportWait(const char *rule, const std::string &title,
                const std::vector<const Thread *> &threads) {
  Report found;
  found.kind = Kind::Sync;
  found.rule = rule;
  found.title = title;
  for (const Thread *thread : threads) {
    found.kernel = kernelOf(*thread);
    static const image::CheckSite Nowhere{
        "", "", "", nullptr, 0, 0, 0, 0, image::SiteBarrier, 0, 0};
    found.places.push_back(placeOf(
        *thread, thread->waitsAt ? *thread->waitsAt : Nowhere, nullptr));
  }
  report(found);
}

} // namespace cufort::check
