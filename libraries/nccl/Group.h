//===- Group.h - calls that are one -----------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between ncclGroupStart and ncclGroupEnd calls are gathered; the latter makes
// communicators, for which one thread may need several ranks at the same time,
// and enters exchanges in their streams. Messages of a group are one exchange
// of their communicator, so that what is sent and what is received do not wait
// for each other. A call outside of groups is a group of its own.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_NCCL_GROUP_H
#define CUFORT_LIBRARIES_NCCL_GROUP_H

#include "libraries/nccl/Exchange.h"

namespace cufort::nccl {

/// A communicator that comes to be.
class Birth {
public:
  virtual ~Birth() = default;
  /// Goes as far as others allow; whether it is over, and how it ended.
  virtual bool advance(ncclResult_t *result) = 0;
};

/// One call of the program; an error that it returns is the group's as well.
class Call {
public:
  Call();
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;
  ~Call();

  ncclResult_t begin(std::unique_ptr<Birth> birth);
  ncclResult_t exchange(const std::shared_ptr<Communicator> &communicator,
                        Transfers transfers, StreamHandle stream,
                        bool messages = false);
  /// Ends the call with \p status, and the group if it is the outermost one.
  ncclResult_t end(ncclResult_t status);

private:
  bool ended = false;
};

void startGroup();
ncclResult_t endGroup();

} // namespace cufort::nccl

#endif // CUFORT_LIBRARIES_NCCL_GROUP_H
