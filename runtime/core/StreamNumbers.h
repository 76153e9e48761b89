//===- StreamNumbers.h - streams as small integers --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The guide's programs keep streams in default integers, which have no room
// for a handle. Such a stream gets a number that no handle can be.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_STREAMNUMBERS_H
#define CUFORT_RUNTIME_CORE_STREAMNUMBERS_H

#include "runtime/core/engine/Engine.h"

namespace cufort {

/// A number for \p stream; 0 if there are none left.
int numberStream(StreamHandle stream);

/// The handle that \p number stands for; \p number itself if none.
StreamHandle handleOfNumber(StreamHandle number);

/// The handle that a program means by \p stream.
inline StreamHandle handleOf(StreamHandle stream) {
  const auto value = reinterpret_cast<uintptr_t>(stream);
  return value > 2 && value < 65536 ? handleOfNumber(stream) : stream;
}

/// The stream is gone: its number is free.
void forgetStreamNumber(StreamHandle stream);

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_STREAMNUMBERS_H
