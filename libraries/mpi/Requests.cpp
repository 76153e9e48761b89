//===- Requests.cpp - device buffers of calls that do not wait ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/mpi/Stage.h"
#include <atomic>
#include <map>
#include <mutex>

namespace cufort::mpi {
namespace {

struct Pending {
  StagedBuffers buffers;
  bool isPersistent = false, isActive = true;
};

struct Requests {
  std::mutex mutex;
  /// MPICH gives all sends that are complete at once the same request.
  std::multimap<Handle, Pending> pending;
  std::atomic<size_t> count{0};
};

Requests &requests() {
  static auto *all = new Requests;
  return *all;
}

} // namespace

void end(const Interface &mpi, const Call &call, void **arguments,
         StagedBuffers staged) {
  if (staged.empty())
    return;
  if (call.request >= 0) {
    const Handle request = mpi.handleAt(arguments[call.request], 0);
    Requests &all = requests();
    std::lock_guard lock(all.mutex);
    all.pending.emplace(request, Pending{std::move(staged), call.isPersistent,
                                         !call.isPersistent});
    all.count = all.pending.size();
    return;
  }
  for (Staged &each : staged) {
    each.copyOut();
    each.release();
  }
}

bool anyRequests() { return requests().count.load() != 0; }

void complete(Handle request, bool keeps) {
  Requests &all = requests();
  std::lock_guard lock(all.mutex);
  auto [each, last] = all.pending.equal_range(request);
  while (each != last) {
    Pending &pending = each->second;
    if (!pending.isActive) {
      ++each;
      continue;
    }
    for (const Staged &buffer : pending.buffers)
      buffer.copyOut();
    pending.isActive = keeps;
    if (keeps || pending.isPersistent) {
      ++each;
      continue;
    }
    for (Staged &buffer : pending.buffers)
      buffer.release();
    each = all.pending.erase(each);
  }
  all.count = all.pending.size();
}

void start(Handle request) {
  Requests &all = requests();
  std::lock_guard lock(all.mutex);
  auto [first, last] = all.pending.equal_range(request);
  for (auto each = first; each != last; ++each) {
    for (const Staged &buffer : each->second.buffers)
      buffer.copyIn();
    each->second.isActive = true;
  }
}

void release(Handle request) {
  Requests &all = requests();
  std::lock_guard lock(all.mutex);
  auto [first, last] = all.pending.equal_range(request);
  for (auto each = first; each != last; ++each)
    // The library may still read the copy of what is being sent: it stays.
    if (!each->second.isActive)
      for (Staged &buffer : each->second.buffers)
        buffer.release();
  all.pending.erase(first, last);
  all.count = all.pending.size();
}

} // namespace cufort::mpi
