//===- Exchange.h - messages and reductions of one rank ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operation of NCCL is an exchange: what this rank sends to each other
// one, in order, what it receives from each, and what it reduces. It is one
// operation of its stream, in steps: each does what the messages there are and
// the room for others allow, and none waits. Operations of one communicator
// take turns at each rank, so messages between two ranks come in the order in
// which both expect them.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_NCCL_EXCHANGE_H
#define CUFORT_LIBRARIES_NCCL_EXCHANGE_H

#include "libraries/nccl/Communicator.h"
#include "runtime/core/engine/Engine.h"

namespace cufort::nccl {

/// What an exchange has to do, and how far it is.
struct Transfers {
  struct Send {
    const char *from;
    size_t bytes;
    bool isResult = false; ///< of the reduction: when that is there
    size_t done = 0;
  };
  struct Receive {
    char *to;
    size_t bytes;
    size_t done = 0;
  };
  /// Of this rank's elements and one message after the other of each peer.
  struct Reduction {
    const char *own = nullptr;
    char *to = nullptr;
    size_t bytes = 0;
    ncclDataType_t type = ncclInt8;
    Operation operation = {};
    uint64_t scalar = 0;
    const void *scalarOnDevice = nullptr;
    size_t done = 0;
  };
  struct Copy {
    const char *from;
    char *to;
    size_t bytes;
  };

  explicit Transfers(int ranks)
      : sends(static_cast<size_t>(ranks)),
        receives(static_cast<size_t>(ranks)) {}

  void send(int peer, const char *from, size_t bytes, bool isResult = false) {
    if (bytes)
      sends[static_cast<size_t>(peer)].push_back({from, bytes, isResult});
    volume += bytes;
  }
  void receive(int peer, char *to, size_t bytes) {
    if (bytes)
      receives[static_cast<size_t>(peer)].push_back({to, bytes});
    volume += bytes;
  }
  void copy(const char *from, char *to, size_t bytes) {
    if (from != to && bytes)
      copies.push_back({from, to, bytes});
    volume += bytes;
  }
  /// Those of \p other, after these.
  void append(const Transfers &other);

  std::vector<std::vector<Send>> sends; ///< to each rank
  std::vector<std::vector<Receive>> receives;
  std::vector<Copy> copies;
  Reduction reduction;
  size_t volume = 0; ///< bytes in all
};

/// Enters the exchange in \p stream of the communicator's device.
ncclResult_t enter(const std::shared_ptr<Communicator> &communicator,
                   Transfers transfers, StreamHandle stream);

} // namespace cufort::nccl

#endif // CUFORT_LIBRARIES_NCCL_EXCHANGE_H
