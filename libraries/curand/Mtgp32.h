//===- Mtgp32.h - parameters of Mersenne twisters ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CURAND_MTGP32_H
#define CUFORT_LIBRARIES_CURAND_MTGP32_H

#include "libraries/curand/Kernels.h"

namespace cufort::curand {

/// Set \p i of 200.
const MtgpSet &mtgpSet(size_t i);

/// The state before the first numbers.
void beginMtgp(const MtgpSet &set, uint32_t seed, uint32_t *state);

} // namespace cufort::curand

#endif // CUFORT_LIBRARIES_CURAND_MTGP32_H
