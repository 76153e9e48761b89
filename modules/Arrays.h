//===- Arrays.h - array intrinsics' view of arrays --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_MODULES_ARRAYS_H
#define CUFORT_MODULES_ARRAYS_H

#include "Descriptor.h"

#include <cstdio>
#include <cstdlib>

extern "C" const char *cudaGetErrorName(int error);

namespace cudafor {

/// The source line of a call, for messages.
struct Place {
  const char *file;
  int line;
};

inline void check(int error, Place place, const char *what) {
  if (error == Success)
    return;
  std::fflush(stdout);
  std::fprintf(stderr, "cufort: error: %s:%d: %s: %s\n", place.file, place.line,
               what, cudaGetErrorName(error));
  std::exit(1);
}

inline int64_t elements(const Descriptor &array) {
  int64_t count = 1;
  for (int i = 0; i < array.rank; ++i)
    count *= array.dim[i].extent;
  return count;
}

inline bool isContiguous(const Descriptor &array) {
  auto stride = static_cast<int64_t>(array.elem_len);
  for (int i = 0; i < array.rank; ++i) {
    if (array.dim[i].extent != 1 && array.dim[i].sm != stride)
      return false;
    stride *= array.dim[i].extent;
  }
  return true;
}

} // namespace cudafor

#endif // CUFORT_MODULES_ARRAYS_H
