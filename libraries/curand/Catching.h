//===- Catching.h - when memory is exhausted --------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CURAND_CATCHING_H
#define CUFORT_LIBRARIES_CURAND_CATCHING_H

#include "curand.h"
#include "libraries/common/Catching.h"

namespace cufort::curand {

/// What \p call() returns; CURAND_STATUS_ALLOCATION_FAILED where there is no
/// memory.
template <typename Call> curandStatus catching(Call call) {
  return libraries::catching(CURAND_STATUS_ALLOCATION_FAILED, call);
}

} // namespace cufort::curand

#endif // CUFORT_LIBRARIES_CURAND_CATCHING_H
