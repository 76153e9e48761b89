//===- Segment.cpp - what the ranks of a communicator share ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/nccl/Segment.h"
#include "runtime/core/process/FaultInjection.h"
#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <random>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cufort::nccl {

/// All zeros but for its identity before the first rank comes.
struct Segment::Header {
  uint64_t identity;
  std::atomic<uint32_t> ranks, joined;
};
static_assert(std::atomic<uint64_t>::is_always_lock_free &&
              std::atomic<uint32_t>::is_always_lock_free);

namespace {

constexpr size_t Page = 4096;

size_t roundUp(size_t bytes) { return (bytes + Page - 1) / Page * Page; }

size_t channelsAt(int ranks) {
  return roundUp(sizeof(uint64_t) * 8 +
                 sizeof(Member) * static_cast<size_t>(ranks));
}

size_t messagesAt(int ranks) {
  const auto n = static_cast<size_t>(ranks);
  return channelsAt(ranks) + roundUp(sizeof(Channel) * n * n);
}

} // namespace

// Pages that no message has been in take no memory.
size_t Segment::messageBytes(int ranks) {
  constexpr size_t All = size_t(1) << 30, Most = size_t(256) << 10;
  const auto n = static_cast<size_t>(ranks);
  size_t bytes = Most;
  while (bytes > Page && bytes * n * n * Channel::Slots > All)
    bytes /= 2;
  return bytes;
}

ncclResult_t Segment::create(SegmentName *name) {
  const int file =
      faultDue("map") ? -1 : memfd_create("cufort-nccl", MFD_CLOEXEC);
  if (file < 0)
    return ncclSystemError;
  std::random_device random;
  const uint64_t identity = uint64_t(random()) << 32 | random() | 1;
  if (ftruncate(file, Page) ||
      pwrite(file, &identity, sizeof(identity), 0) != sizeof(identity)) {
    ::close(file);
    return ncclSystemError;
  }
  *name = {getpid(), file, identity};
  return ncclSuccess;
}

void Segment::close(const SegmentName &name) {
  uint64_t found = 0;
  if (name.process == getpid() &&
      pread(name.file, &found, sizeof(found), 0) == sizeof(found) &&
      found == name.identity)
    ::close(name.file);
}

ncclResult_t Segment::open(const SegmentName &name, int ranks,
                           std::unique_ptr<Segment> *result) {
  char path[64];
  std::snprintf(path, sizeof(path), "/proc/%d/fd/%d", name.process, name.file);
  const int file = faultDue("map") ? -1 : ::open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) // Of a process that has ended, or on another machine.
    return ncclSystemError;
  const auto failed = [&](ncclResult_t status) {
    ::close(file);
    return status;
  };
  uint64_t identity = 0;
  if (pread(file, &identity, sizeof(identity), 0) != sizeof(identity) ||
      identity != name.identity)
    return failed(ncclInvalidArgument);
  // The first one to come says how many there are.
  void *const first =
      mmap(nullptr, Page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (first == MAP_FAILED)
    return failed(ncclSystemError);
  uint32_t expected = 0;
  const bool agreed =
      static_cast<Header *>(first)->ranks.compare_exchange_strong(
          expected, static_cast<uint32_t>(ranks)) ||
      expected == static_cast<uint32_t>(ranks);
  munmap(first, Page);
  if (!agreed)
    return failed(ncclInvalidUsage);
  const auto n = static_cast<size_t>(ranks);
  const size_t bytes =
      messagesAt(ranks) + messageBytes(ranks) * Channel::Slots * n * n;
  if (ftruncate(file, static_cast<off_t>(bytes)))
    return failed(ncclSystemError);
  void *const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_NORESERVE, file, 0);
  ::close(file);
  if (memory == MAP_FAILED)
    return ncclSystemError;
  result->reset(new Segment(ranks, static_cast<char *>(memory), bytes));
  return ncclSuccess;
}

Segment::~Segment() { munmap(memory, bytes); }

Segment::Header &Segment::header() {
  static_assert(sizeof(Header) <= sizeof(uint64_t) * 8);
  return *reinterpret_cast<Header *>(memory);
}

std::atomic<uint32_t> &Segment::joined() { return header().joined; }

Member &Segment::member(int rank) {
  return reinterpret_cast<Member *>(memory + sizeof(uint64_t) * 8)[rank];
}

Channel &Segment::channel(int from, int to) {
  return reinterpret_cast<Channel *>(memory +
                                     channelsAt(ranks))[from * ranks + to];
}

char *Segment::message(int from, int to, uint64_t slot) {
  const uint64_t place =
      static_cast<uint64_t>(from * ranks + to) * Channel::Slots +
      slot % Channel::Slots;
  return memory + messagesAt(ranks) + place * messageBytes(ranks);
}

} // namespace cufort::nccl
