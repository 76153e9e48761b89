//===- Peaks.h - what a device can do at most -------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_PROFILE_PEAKS_H
#define CUFORT_RUNTIME_PROFILE_PEAKS_H

#include "runtime/core/engine/Engine.h"

namespace cufort::profile {

/// The roofs of a roofline, in a second; 0: not known.
struct Peaks {
  double bytes = 0, flops32 = 0, flops64 = 0;
  const char *from = ""; ///< "computed" or "measured"
};

/// Of a GPU, from its clocks, its memory's bus and what multiprocessors of its
/// compute capability do in a cycle. Nothing where any of it is not known, and
/// of a CPU.
Peaks computePeaks(const DeviceProperties &device);

/// Of a CPU, by as many threads as it has workers: a triad of arrays that no
/// cache holds, as STREAM counts its bytes, and multiply-adds in registers.
/// Takes about a second. Of a GPU what is computed.
Peaks measurePeaks(const DeviceProperties &device);

} // namespace cufort::profile

#endif // CUFORT_RUNTIME_PROFILE_PEAKS_H
