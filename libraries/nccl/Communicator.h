//===- Communicator.h - one rank's view of a communicator -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_NCCL_COMMUNICATOR_H
#define CUFORT_LIBRARIES_NCCL_COMMUNICATOR_H

#include "libraries/nccl/Reduce.h"
#include "libraries/nccl/Segment.h"
#include <optional>
#include <string>

namespace cufort::nccl {

/// Of NCCL's own operations and those that a program has made.
struct UserOperation {
  bool destroyed = false;
  ncclDataType_t type;
  uint64_t scalar;      ///< its bits, of the type
  const void *onDevice; ///< where it is read when the operation runs; or null
};

class Communicator {
public:
  /// Takes the place \p rank of \p ranks in the segment \p name, for the
  /// device \p device.
  static ncclResult_t join(const SegmentName &name, int ranks, int rank,
                           int device, std::shared_ptr<Communicator> *result);
  ~Communicator();

  /// Whether all ranks have come; \p result then says what came of it.
  bool complete(ncclResult_t *result);

  Segment &segment() { return *shared; }
  bool isHere(int peer) const {
    return processes.empty() || processes[static_cast<size_t>(peer)];
  }
  /// Whether all ranks are of this process.
  bool isLocal() const { return processes.empty(); }
  /// The most bytes of one message.
  size_t messageBytes() const;
  /// Whether the process of another one's rank has ended.
  bool hasEnded(int peer) const;

  /// Its operations have an error, and do nothing any more.
  void fail(ncclResult_t error);
  bool hasStopped() const { return stopped.load(std::memory_order_acquire); }
  ncclResult_t error() const {
    return static_cast<ncclResult_t>(failure.load(std::memory_order_acquire));
  }

  const int ranks, rank, device;
  /// Its operations take turns, in the order in which they entered streams.
  std::atomic<uint64_t> entered{0}, turn{0};
  uint64_t splits = 0; ///< how often it has been split
  std::vector<UserOperation> operations;

private:
  Communicator(const SegmentName &name, std::unique_ptr<Segment> segment,
               int rank, int device);

  const SegmentName name;
  const std::unique_ptr<Segment> shared;
  std::optional<ncclResult_t> outcome; ///< when all ranks have come
  std::vector<bool> processes; ///< which ranks are of this one; empty: all
  std::vector<int> ends;       ///< files that can be read when theirs end
  std::atomic<bool> stopped{false};
  std::atomic<int> failure{ncclSuccess};
};

/// What ncclGetLastError gives.
std::string &lastError();

} // namespace cufort::nccl

/// What a program's handle points to.
struct ncclComm {
  std::shared_ptr<cufort::nccl::Communicator> communicator;
};

#endif // CUFORT_LIBRARIES_NCCL_COMMUNICATOR_H
