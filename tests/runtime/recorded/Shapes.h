//===- Shapes.h - pitched memory, extents, formats --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_TESTS_RUNTIME_RECORDED_SHAPES_H
#define CUFORT_TESTS_RUNTIME_RECORDED_SHAPES_H

#include <cuda_runtime.h>

inline cudaPitchedPtr pitched(void *start, size_t pitch, size_t width,
                              size_t rows) {
  return make_cudaPitchedPtr(start, pitch, width, rows);
}
inline cudaExtent extent(size_t width, size_t height, size_t depth) {
  return make_cudaExtent(width, height, depth);
}
inline cudaChannelFormatDesc channels(int x, int y, int z, int w,
                                      cudaChannelFormatKind kind) {
  return cudaCreateChannelDesc(x, y, z, w, kind);
}

#endif // CUFORT_TESTS_RUNTIME_RECORDED_SHAPES_H
