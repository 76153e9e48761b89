//===- Waits.cpp - threads that wait wrongly ------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Check.h"
#include "runtime/check/Findings.h"
#include "runtime/check/Threads.h"
#include <cstdio>
#include <cstring>

namespace cufort::check {

/// Whether both are one statement of the source.
static bool isSamePlace(const image::CheckSite *a, const image::CheckSite *b) {
  return a == b || (a && b && a->line == b->line && a->column == b->column &&
                    std::strcmp(a->file, b->file) == 0);
}

void endThread(BlockRun &run, size_t thread) {
  if (run.inLoops)
    return reportPendingReads(run);
  reportPendingRead(run.threads[thread]);
  run.threads[thread].ended = true;
  std::atomic<uint32_t> &first = run.launch->firstEnd;
  uint32_t before = first.load(std::memory_order_relaxed);
  while (run.gridEpoch < before &&
         !first.compare_exchange_weak(before, run.gridEpoch,
                                      std::memory_order_relaxed))
    ;
}

/// See compareBarriers; returns whether there was something to report.
static bool reportApart(const BlockRun &run) {
  const Thread *first = nullptr, *other = nullptr, *gone = nullptr;
  for (const Thread &thread : run.threads) {
    if (thread.ended) {
      if (!gone)
        gone = &thread;
      continue;
    }
    if (thread.waitsAt && thread.waitsAt->flags & image::SiteAnyStatement)
      continue;
    if (!first)
      first = &thread;
    else if (!other && !isSamePlace(first->waitsAt, thread.waitsAt))
      other = &thread;
  }
  if (other)
    reportWait(
        "divergent-barrier",
        "Barrier error detected. Divergent thread(s) in block: they wait "
        "at different barriers",
        {first, other});
  else if (gone && first)
    reportWait("divergent-barrier",
               gone->number / 32 == first->number / 32
                   ? "Barrier error detected. Divergent thread(s) in warp: "
                     "some have ended"
                   : "Barrier error detected. Divergent thread(s) in block: "
                     "some have ended",
               {first});
  return other || (gone && first);
}

void compareBarriers(BlockRun &run) {
  if (checking(image::CheckSync))
    reportApart(run);
}

void compareGridBarriers(BlockRun &run) {
  // Threads that have ended behind this barrier, while the block waited for its
  // turn, have passed more.
  if (!checking(image::CheckSync) || reportApart(run) ||
      run.launch->firstEnd.load(std::memory_order_relaxed) > run.gridEpoch)
    return;
  reportWait("divergent-barrier",
             "Barrier error detected. Divergent thread(s) in grid: some of "
             "other blocks have ended",
             {&run.threads.front()});
}

void reportWarpCaller(const Thread &thread, uint32_t mask) {
  if (!checking(image::CheckSync))
    return;
  char text[96];
  std::snprintf(text, sizeof text,
                "Barrier error detected. Invalid arguments: the mask %08x "
                "does not name the thread",
                mask);
  reportWait("warp-mask", text, {&thread});
}

void reportDeadlock(const BlockRun &run) {
  if (!checking(image::CheckSync))
    return;
  const Thread *first = nullptr, *other = nullptr;
  for (const Thread &thread : run.threads) {
    if (thread.ended || !thread.waitsAt)
      continue;
    if (!first)
      first = &thread;
    else if (!other && !isSamePlace(first->waitsAt, thread.waitsAt))
      other = &thread;
  }
  std::vector<const Thread *> threads;
  for (const Thread *each : {first, other})
    if (each)
      threads.push_back(each);
  if (first)
    reportWait("deadlock",
               "Barrier error detected. Deadlock: threads wait for others that "
               "never come",
               threads);
}

void passWarpOperation(BlockRun &run, uint32_t warp, const WarpFacts &facts) {
  const uint32_t begin = warp * 32;
  // Of a warp that the block does not fill, only lanes that there are.
  uint32_t there = facts.mask;
  if (run.threads.size() - begin < 32)
    there &= (1u << (run.threads.size() - begin)) - 1;
  if (checking(image::CheckSync) && facts.members != there) {
    const Thread *first = nullptr;
    for (uint32_t i = 0; i < 32 && !first; ++i)
      if (facts.members >> i & 1)
        first = &run.threads[begin + i];
    char text[128];
    std::snprintf(text, sizeof text,
                  "Barrier error detected. Invalid arguments: the mask %08x "
                  "names lanes that have ended (%08x)",
                  facts.mask, there & ~facts.members);
    reportWait("warp-mask", text, {first});
  }
  if (facts.synchronises)
    passWarp(run, warp, facts.members);
}

} // namespace cufort::check
