//===- Warps.cpp - what the fibers of a warp do together ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/launches/Warps.h"
#include <algorithm>
#include <cstdio>
#include <tuple>

namespace cufort::cpu {

using Operation = image::CpuWarpOperation;

/// How often in a row the lanes at one place go first.
static constexpr uint32_t MaxTimesInRow = 1024;

static bool hasMask(Operation operation) {
  return operation != Operation::ActiveMask &&
         operation != Operation::VolatileAccess;
}

void Warps::start(size_t threads, check::BlockRun *run) {
  checked = run;
  warps.resize((threads + Size - 1) / Size);
  for (Warp &warp : warps) {
    warp.asking = warp.lastPlace = warp.timesInRow = 0;
    for (Lane &lane : warp.lanes)
      lane.state = Lane::Away;
  }
  for (size_t thread = threads; thread < warps.size() * Size; ++thread)
    warps[thread / Size].lanes[thread % Size].state = Lane::Ended;
}

void Warps::arrive(size_t thread, const Request &request) {
  Warp &warp = warps[thread / Size];
  Lane &lane = warp.lanes[thread % Size];
  lane.request = request;
  lane.state = Lane::Waiting;
  if (!hasMask(request.operation))
    return;
  warp.asking |= 1u << thread % Size;
  complete(warp);
}

void Warps::end(size_t thread) {
  Warp &warp = warps[thread / Size];
  warp.lanes[thread % Size].state = Lane::Ended;
  complete(warp);
}

/// Completes every operation to which all its lanes have come.
void Warps::complete(Warp &warp) {
  for (uint32_t asking = warp.asking; asking; asking &= asking - 1) {
    const Lane &candidate =
        warp.lanes[static_cast<size_t>(__builtin_ctz(asking))];
    if (candidate.state != Lane::Waiting)
      continue; // it was a member of the last one
    const Request common = candidate.request;
    uint32_t members = 0;
    bool allHere = true;
    for (size_t i = 0; i < Size; ++i) {
      const Lane &lane = warp.lanes[i];
      if (!(common.mask >> i & 1) || lane.state == Lane::Ended)
        continue;
      members |= 1u << i;
      allHere &= lane.state == Lane::Waiting &&
                 lane.request.operation == common.operation &&
                 lane.request.mask == common.mask;
    }
    if (!allHere)
      continue;
    if (checked)
      check::passWarpOperation(
          *checked, static_cast<uint32_t>(&warp - warps.data()),
          {common.operation == Operation::Synchronise, common.mask, members});
    exchange(warp, members, common);
    for (size_t i = 0; i < Size; ++i)
      if (members >> i & 1)
        warp.lanes[i].state = Lane::Away;
    warp.asking &= ~members;
  }
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// PTX's shfl.sync: the lane from which \p lane reads; where that is not in
/// range, the lane itself.
static int shuffleSource(const Warps::Request &request, int lane) {
  const int b = request.b & 31, c = request.c & 31;
  const int segment = request.c >> 8 & 31;
  const int maxLane = (lane & segment) | (c & ~segment);
  int source;
  bool inRange;
  switch (request.operation) {
  case Operation::ShuffleUp:
    source = lane - b;
    inRange = source >= maxLane;
    break;
  case Operation::ShuffleDown:
    source = lane + b;
    inRange = source <= maxLane;
    break;
  case Operation::ShuffleXor:
    source = lane ^ b;
    inRange = source <= maxLane;
    break;
  default:
    source = (lane & segment) | (b & ~segment);
    inRange = source <= maxLane;
    break;
  }
  return inRange ? source : lane;
}

static uint32_t reduce(Operation operation, uint32_t a, uint32_t b) {
  const auto x = static_cast<int32_t>(a), y = static_cast<int32_t>(b);
  switch (operation) {
  case Operation::ReduceAdd:
    return a + b;
  case Operation::ReduceAnd:
    return a & b;
  case Operation::ReduceOr:
    return a | b;
  case Operation::ReduceXor:
    return a ^ b;
  case Operation::ReduceSMin:
    return x < y ? a : b;
  case Operation::ReduceSMax:
    return x > y ? a : b;
  case Operation::ReduceUMin:
    return std::min(a, b);
  default:
    return std::max(a, b);
  }
}

/// The results of \p members, who have all come to \p common.
void Warps::exchange(Warp &warp, uint32_t members, const Request &common) {
  auto isMember = [&](size_t i) { return members >> i & 1; };
  uint32_t votes = 0, reduced = 0;
  bool isFirst = true;
  for (size_t i = 0; i < Size; ++i) {
    if (!isMember(i))
      continue;
    const uint64_t value = warp.lanes[i].request.value;
    votes |= uint32_t(value & 1) << i;
    reduced = isFirst ? static_cast<uint32_t>(value)
                      : reduce(common.operation, reduced,
                               static_cast<uint32_t>(value));
    isFirst = false;
  }
  for (size_t i = 0; i < Size; ++i) {
    if (!isMember(i))
      continue;
    Lane &lane = warp.lanes[i];
    uint32_t same = 0;
    for (size_t j = 0; j < Size; ++j)
      if (isMember(j) && warp.lanes[j].request.value == lane.request.value)
        same |= 1u << j;
    switch (common.operation) {
    case Operation::ShuffleIndex:
    case Operation::ShuffleUp:
    case Operation::ShuffleDown:
    case Operation::ShuffleXor: {
      const int source = shuffleSource(lane.request, static_cast<int>(i));
      lane.result = warp.lanes[isMember(source) ? source : i].request.value;
      break;
    }
    case Operation::Ballot:
      lane.result = votes;
      break;
    case Operation::MatchAny:
      lane.result = same;
      break;
    case Operation::MatchAll:
      lane.result = same == members ? members : 0;
      break;
    case Operation::Synchronise:
    case Operation::ActiveMask:
    case Operation::VolatileAccess:
      break;
    default:
      lane.result = reduced;
      break;
    }
  }
}

//===----------------------------------------------------------------------===//
// Places without a mask
//===----------------------------------------------------------------------===//

bool Warps::release(Warp &warp) {
  auto waitsAtPlace = [](const Lane &lane) {
    return lane.state == Lane::Waiting && !hasMask(lane.request.operation);
  };
  auto position = [](const Request &request) {
    return std::tuple(request.value, request.b, request.place);
  };
  const Request *first = nullptr, *other = nullptr;
  for (const Lane &lane : warp.lanes) {
    if (!waitsAtPlace(lane))
      continue;
    const Request &request = lane.request;
    if (!first || position(request) < position(*first))
      first = &request;
    if (request.place != warp.lastPlace &&
        (!other || position(request) < position(*other)))
      other = &request;
  }
  if (!first)
    return false;
  if (first->place == warp.lastPlace && warp.timesInRow >= MaxTimesInRow &&
      other)
    first = other;
  warp.timesInRow = first->place == warp.lastPlace ? warp.timesInRow + 1 : 0;
  warp.lastPlace = first->place;
  const auto chosen = position(*first);
  uint32_t together = 0;
  for (size_t i = 0; i < Size; ++i)
    if (waitsAtPlace(warp.lanes[i]) &&
        position(warp.lanes[i].request) == chosen)
      together |= 1u << i;
  for (size_t i = 0; i < Size; ++i)
    if (together >> i & 1) {
      warp.lanes[i].state = Lane::Away;
      warp.lanes[i].result = together;
    }
  return true;
}

bool Warps::releaseStalled() {
  bool any = false;
  for (Warp &warp : warps)
    any |= release(warp);
  return any;
}

std::string Warps::describe(size_t thread) const {
  const Request &request = lane(thread).request;
  const char *name = "a warp reduction";
  switch (request.operation) {
  case Operation::ShuffleIndex:
  case Operation::ShuffleUp:
  case Operation::ShuffleDown:
  case Operation::ShuffleXor:
    name = "a warp shuffle";
    break;
  case Operation::Ballot:
    name = "a warp vote";
    break;
  case Operation::MatchAny:
  case Operation::MatchAll:
    name = "a warp match";
    break;
  case Operation::Synchronise:
    name = "syncwarp";
    break;
  case Operation::ActiveMask:
    return "activemask";
  case Operation::VolatileAccess:
    return "a volatile access";
  default:
    break;
  }
  char mask[32];
  std::snprintf(mask, sizeof(mask), " with mask %08x", request.mask);
  return std::string(name) + mask;
}

} // namespace cufort::cpu
