//===- Callbacks.h - functions for each element -----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan may have device functions of the program's that read each element of
// its input or write each one of its output. FFTW has none: the elements go
// through an array between.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUFFT_CALLBACKS_H
#define CUFORT_LIBRARIES_CUFFT_CALLBACKS_H

#include "cufft_functions.h"
#include "libraries/cufft/Fftw.h"
#include "runtime/core/engine/Team.h"

namespace cufort::cufft {

/// One of a plan's; none where it has no function.
struct Callback {
  void *function = nullptr;
  void *info = nullptr;
  size_t sharedBytes = 0;
};

struct Callbacks {
  Callback load, store;
  bool any() const { return load.function || store.function; }
};

/// The element that callbacks of \p type read or write, and which of the plan's
/// they are; CUFFT_INVALID_TYPE: they are none of a transform of \p transform.
cufftResult callbackOf(Callbacks &callbacks, cufftXtCallbackType type,
                       cufftType transform, Callback **result);

/// Fills \p to from \p from, both of which have the layout of a side of
/// \p shape, by the callback that loads; without one by copying.
void loadAll(Team &team, const Callback &callback, cufftType type,
             const TransformShape &shape, void *from, void *to);
/// The same with the one that stores, of the side that is written.
void storeAll(Team &team, const Callback &callback, cufftType type,
              const TransformShape &shape, void *from, void *to);

} // namespace cufort::cufft

#endif // CUFORT_LIBRARIES_CUFFT_CALLBACKS_H
