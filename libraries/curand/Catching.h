//===- Catching.h - where there is no memory --------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CURAND_CATCHING_H
#define CUFORT_LIBRARIES_CURAND_CATCHING_H

#include "curand.h"
#include "runtime/core/Device.h"

namespace cufort::curand {

/// What \p call() returns; CURAND_STATUS_ALLOCATION_FAILED where there is no
/// memory.
template <typename Call> curandStatus catching(Call call) {
  curandStatus result = CURAND_STATUS_ALLOCATION_FAILED;
  catchExhaustion([&] {
    result = call();
    return cudaSuccess;
  });
  return result;
}

} // namespace cufort::curand

#endif // CUFORT_LIBRARIES_CURAND_CATCHING_H
