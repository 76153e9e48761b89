//===- Segment.h - what the ranks of a communicator share -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory that all ranks map, whether they are of one process or of several: a
// file without a name, which another process opens by way of /proc. It holds
// who takes part, and a channel from each rank to each. A message of one
// process stays where it is, and the channel names its address; of several
// processes it goes through the segment.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_NCCL_SEGMENT_H
#define CUFORT_LIBRARIES_NCCL_SEGMENT_H

#include "nccl.h"
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace cufort::nccl {

/// How a process finds the segment of another one, or its own.
struct SegmentName {
  int32_t process = 0, file = -1;
  uint64_t identity = 0; ///< which file it has to be
};

/// What is known of a rank.
struct Member {
  std::atomic<uint32_t> taken; ///< by whom has come first
  int32_t process, device;
  // When the communicator is split: the how manieth time it is, by when others
  // may read what follows, and by when this rank has read that of all others.
  std::atomic<uint64_t> split, read;
  int32_t color, key;
  std::atomic<uint64_t> named; ///< the same for the new segment's name
  SegmentName name;
};

/// Messages from one rank to another, in order. One writes, one reads.
struct alignas(64) Channel {
  static constexpr unsigned Slots = 4;
  struct Slot {
    uint64_t bytes;
    uint64_t scalar;    ///< what each element is multiplied with first
    const void *direct; ///< of one process; null: the segment has the message
  };

  std::atomic<uint64_t> posted;
  alignas(64) std::atomic<uint64_t> taken;
  alignas(64) Slot slots[Slots];

  bool full() const {
    return posted.load(std::memory_order_relaxed) -
               taken.load(std::memory_order_acquire) ==
           Slots;
  }
  bool empty() const {
    return posted.load(std::memory_order_acquire) ==
           taken.load(std::memory_order_relaxed);
  }
  /// Whether all that was written has been read.
  bool drained() const {
    return posted.load(std::memory_order_relaxed) ==
           taken.load(std::memory_order_acquire);
  }
};

class Segment {
public:
  /// A new file, which this process holds open.
  static ncclResult_t create(SegmentName *name);
  /// Maps one for \p ranks ranks. ncclInvalidUsage: it has another number.
  static ncclResult_t open(const SegmentName &name, int ranks,
                           std::unique_ptr<Segment> *result);
  /// Nobody will open \p name any more; of another process: nothing.
  static void close(const SegmentName &name);
  ~Segment();
  Segment(const Segment &) = delete;
  Segment &operator=(const Segment &) = delete;

  const int ranks;

  std::atomic<uint32_t> &joined();
  Member &member(int rank);
  Channel &channel(int from, int to);
  /// Where the message of a slot is, if it is in the segment.
  char *message(int from, int to, uint64_t slot);
  /// The most bytes of such a message.
  static size_t messageBytes(int ranks);

private:
  struct Header;
  Segment(int ranks, char *memory, size_t bytes)
      : ranks(ranks), memory(memory), bytes(bytes) {}
  Header &header();

  char *const memory;
  const size_t bytes;
};

} // namespace cufort::nccl

#endif // CUFORT_LIBRARIES_NCCL_SEGMENT_H
