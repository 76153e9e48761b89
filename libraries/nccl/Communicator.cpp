//===- Communicator.cpp - one rank's view of a communicator ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/nccl/Communicator.h"
#include "runtime/core/Device.h"
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace cufort::nccl {

std::string &lastError() {
  static thread_local std::string text;
  return text;
}

Communicator::Communicator(const SegmentName &name,
                           std::unique_ptr<Segment> segment, int rank,
                           int device)
    : ranks(segment->ranks), rank(rank), device(device), name(name),
      shared(std::move(segment)) {}

Communicator::~Communicator() {
  for (int end : ends)
    if (end >= 0)
      close(end);
  if (!outcome)
    Segment::close(name);
}

ncclResult_t Communicator::join(const SegmentName &name, int ranks, int rank,
                                int device,
                                std::shared_ptr<Communicator> *result) {
  std::unique_ptr<Segment> segment;
  if (ncclResult_t wrong = Segment::open(name, ranks, &segment);
      wrong != ncclSuccess) {
    lastError() =
        wrong == ncclSystemError
            ? "the process that made the id cannot be reached; on the "
              "CPU all ranks are processes of one machine and user"
        : wrong == ncclInvalidUsage ? "the ranks do not agree on their number"
                                    : "this is not an id of ncclGetUniqueId";
    return wrong;
  }
  Member &self = segment->member(rank);
  if (self.taken.exchange(1)) {
    lastError() = "two ranks have the number " + std::to_string(rank);
    return ncclInvalidUsage;
  }
  self.process = getpid();
  self.device = device;
  segment->joined().fetch_add(1);
  result->reset(new Communicator(name, std::move(segment), rank, device));
  return ncclSuccess;
}

bool Communicator::complete(ncclResult_t *result) {
  if (!outcome) {
    if (shared->joined().load() != static_cast<uint32_t>(ranks))
      return false;
    // All have opened the segment.
    Segment::close(name);
    outcome = ncclSuccess;
    bool local = true;
    std::vector<bool> here(static_cast<size_t>(ranks));
    for (int peer = 0; peer != ranks; ++peer) {
      const Member &member = shared->member(peer);
      here[static_cast<size_t>(peer)] = member.process == getpid();
      local &= here[static_cast<size_t>(peer)];
      for (int other = 0; other != peer; ++other)
        if (shared->member(other).process == member.process &&
            shared->member(other).device == member.device) {
          lastError() = "ranks " + std::to_string(other) + " and " +
                        std::to_string(peer) + " have the same device";
          outcome = ncclInvalidUsage;
        }
    }
    if (!local) {
      for (int peer = 0; peer != ranks; ++peer)
        ends.push_back(
            here[static_cast<size_t>(peer)]
                ? -1
                : static_cast<int>(syscall(SYS_pidfd_open,
                                           shared->member(peer).process, 0)));
      processes = std::move(here);
    }
  }
  *result = *outcome;
  return true;
}

size_t Communicator::messageBytes() const {
  // What is not copied twice may be longer.
  return isLocal() ? size_t(1) << 20 : Segment::messageBytes(ranks);
}

bool Communicator::hasEnded(int peer) const {
  if (isHere(peer) || ends[static_cast<size_t>(peer)] < 0)
    return false;
  pollfd end{ends[static_cast<size_t>(peer)], POLLIN, 0};
  return poll(&end, 1, 0) == 1;
}

void Communicator::fail(ncclResult_t error) {
  int none = ncclSuccess;
  failure.compare_exchange_strong(none, error);
  stopped.store(true, std::memory_order_release);
}

} // namespace cufort::nccl
