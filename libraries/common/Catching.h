//===- Catching.h - calls that may find no memory ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_COMMON_CATCHING_H
#define CUFORT_LIBRARIES_COMMON_CATCHING_H

#include "runtime/core/process/FaultInjection.h"

namespace cufort::libraries {

/// What \p call() returns; \p exhausted where there is no memory.
template <typename Status, typename Call>
Status catching(Status exhausted, Call call) {
  Status result = exhausted;
  catchExhaustion([&] {
    result = call();
    return cudaSuccess;
  });
  return result;
}

} // namespace cufort::libraries

#endif // CUFORT_LIBRARIES_COMMON_CATCHING_H
