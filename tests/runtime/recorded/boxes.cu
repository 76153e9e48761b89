//===- boxes.cu - copies of three dimensions and of arrays -----*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"
#include "Shapes.h"

static cudaPos position(size_t x = 0, size_t y = 0, size_t z = 0) {
  return make_cudaPos(x, y, z);
}

/// Copies a box between two pieces of memory.
static cudaError_t box(void *to, size_t toPitch, size_t toRows,
                       cudaPos toPosition, const void *from, size_t fromPitch,
                       size_t fromRows, cudaPos fromPosition, cudaExtent size,
                       cudaMemcpyKind kind, bool async = false) {
  cudaMemcpy3DParms copy{};
  copy.dstPtr = pitched(to, toPitch, toPitch, toRows);
  copy.dstPos = toPosition;
  copy.srcPtr = pitched((void *)from, fromPitch, fromPitch, fromRows);
  copy.srcPos = fromPosition;
  copy.extent = size;
  copy.kind = kind;
  return async ? cudaMemcpy3DAsync(&copy, stream) : cudaMemcpy3D(&copy);
}

/// Copies a box to or from an array; what is null is left out.
static cudaError_t boxOfArray(cudaArray_t to, cudaPos toPosition,
                              cudaArray_t from, cudaPos fromPosition,
                              void *toMemory, const void *fromMemory,
                              size_t pitch, size_t rows, cudaExtent size,
                              cudaMemcpyKind kind) {
  cudaMemcpy3DParms copy{};
  copy.dstArray = to;
  copy.dstPos = toPosition;
  copy.srcArray = from;
  copy.srcPos = fromPosition;
  if (toMemory)
    copy.dstPtr = pitched(toMemory, pitch, pitch, rows);
  if (fromMemory)
    copy.srcPtr = pitched((void *)fromMemory, pitch, pitch, rows);
  copy.extent = size;
  copy.kind = kind;
  return cudaMemcpy3D(&copy);
}

/// Between memory, between arrays and from one to the other.
static void boxes() {
  allocate();
  CALL(cudaMemcpy3D(nullptr));
  cudaMemcpy3DParms zero{};
  CALL(cudaMemcpy3D(&zero));
  CALL(cudaMemcpy3DAsync(&zero, stream));

  CALL(box(device, 64, 8, position(), pageable, 64, 8, position(),
           extent(16, 2, 2), cudaMemcpyHostToDevice));
  CALL(box(device, 64, 8, position(), pageable, 64, 8, position(),
           extent(65, 2, 2), cudaMemcpyHostToDevice));
  CALL(box(device, 64, 8, position(), pageable, 128, 8, position(),
           extent(65, 2, 2), cudaMemcpyHostToDevice));
  CALL(box(device, 128, 8, position(), pageable, 64, 8, position(),
           extent(65, 2, 2), cudaMemcpyHostToDevice));
  CALL(box(device, 64, 8, position(), pageable, 64, 8, position(),
           extent(65, 1, 1), cudaMemcpyHostToDevice));

  CALL(box(device, 64, 8, position(60), pageable, 64, 8, position(),
           extent(8, 2, 2), cudaMemcpyHostToDevice));
  CALL(box(device, 64, 8, position(), pageable, 64, 8, position(60),
           extent(8, 2, 2), cudaMemcpyHostToDevice));
  CALL(box(device, 64, 8, position(60), pageable, 64, 8, position(),
           extent(8, 1, 1), cudaMemcpyHostToDevice));
  CALL(box(device, 64, 8, position(64), pageable, 64, 8, position(),
           extent(8, 1, 1), cudaMemcpyHostToDevice));

  CALL(box(device, 64, 8, position(), pageable, 64, 8, position(),
           extent(16, 9, 2), cudaMemcpyHostToDevice));
  CALL(box(device, 64, 8, position(), pageable, 64, 8, position(),
           extent(16, 9, 1), cudaMemcpyHostToDevice));
  CALL(box(device, 64, 8, position(0, 7), pageable, 64, 8, position(),
           extent(16, 2, 2), cudaMemcpyHostToDevice));
  CALL(box(device, 64, 8, position(0, 7), pageable, 64, 8, position(),
           extent(16, 2, 1), cudaMemcpyHostToDevice));
  CALL(box(device, 64, 0, position(), pageable, 64, 8, position(),
           extent(16, 2, 2), cudaMemcpyHostToDevice));
  CALL(box(device, 64, 0, position(), pageable, 64, 0, position(),
           extent(16, 2, 1), cudaMemcpyHostToDevice));

  CALL(box(device, 64, 8, position(), pageable, 64, 8, position(),
           extent(64, 8, 9), cudaMemcpyHostToDevice));
  CALL(box(device, 64, 8, position(0, 0, 8), pageable, 64, 8, position(),
           extent(16, 2, 1), cudaMemcpyHostToDevice));
  CALL(box(pageable, 64, 8, position(), device, 64, 8, position(0, 0, 8),
           extent(16, 2, 1), cudaMemcpyDeviceToHost));
  CALL(box(device, 64, 8, position(), device, 64, 8, position(0, 0, 8),
           extent(16, 2, 1), cudaMemcpyDeviceToDevice));

  CALL(box(device, 64, 8, position(), pageable, 64, 8, position(),
           extent(0, 2, 2), cudaMemcpyHostToDevice));
  CALL(box(device, 64, 8, position(), pageable, 64, 8, position(),
           extent(16, 0, 2), cudaMemcpyHostToDevice));
  CALL(box(device, 64, 8, position(), pageable, 64, 8, position(),
           extent(16, 2, 0), cudaMemcpyHostToDevice));
  CALL(box(device, 64, 8, position(), pageable, 64, 8, position(),
           extent(0, 0, 0), cudaMemcpyKind(9)));
  CALL(box(nullptr, 64, 8, position(), nullptr, 64, 8, position(),
           extent(0, 0, 0), cudaMemcpyHostToDevice));
  CALL(box(device, 64, 8, position(), pageable, 64, 8, position(),
           extent(0, 2, 2), cudaMemcpyHostToDevice, true));

  CALL(box(nullptr, 64, 8, position(), pageable, 64, 8, position(),
           extent(16, 2, 2), cudaMemcpyHostToDevice));
  CALL(box(device, 64, 8, position(), nullptr, 64, 8, position(),
           extent(16, 2, 2), cudaMemcpyHostToDevice));

  CALL(box(device, 64, 8, position(), pageable, 64, 8, position(),
           extent(16, 2, 2), cudaMemcpyKind(9)));
  CALL(box(device, 64, 8, position(), pageable, 64, 8, position(),
           extent(16, 2, 2), cudaMemcpyKind(-1)));
  CALL(box(device, 64, 8, position(), pageable, 64, 8, position(),
           extent(16, 2, 2), cudaMemcpyDeviceToHost));
  CALL(box(device, 64, 8, position(), pageable, 64, 8, position(),
           extent(16, 2, 2), cudaMemcpyDeviceToDevice));
  CALL(box(device, 64, 8, position(), pageable, 64, 8, position(),
           extent(16, 2, 2), cudaMemcpyHostToHost));
  CALL(box(pageable, 64, 8, position(), device, 64, 8, position(),
           extent(16, 2, 2), cudaMemcpyHostToDevice));

  CALL(box(device, 0, 8, position(), pageable, 64, 8, position(),
           extent(16, 1, 1), cudaMemcpyHostToDevice));
  CALL(box(device, Huge, 8, position(), pageable, 64, 8, position(),
           extent(16, 1, 1), cudaMemcpyHostToDevice));

  cudaArray_t deep, flat, vectors;
  auto real = channels(32, 0, 0, 0, cudaChannelFormatKindFloat),
       fourReals = channels(32, 32, 32, 32, cudaChannelFormatKindFloat);

  SETUP(cudaMalloc3DArray(&deep, &real, extent(16, 8, 4)));
  SETUP(cudaMallocArray(&flat, &real, 16, 8));
  SETUP(cudaMallocArray(&vectors, &fourReals, 16, 8));

  CALL(boxOfArray(deep, position(), nullptr, position(), nullptr, pageable, 64,
                  8, extent(16, 8, 4), cudaMemcpyHostToDevice));
  CALL(boxOfArray(deep, position(), nullptr, position(), device, pageable, 64,
                  8, extent(16, 8, 4), cudaMemcpyHostToDevice));
  CALL(boxOfArray(deep, position(), deep, position(), nullptr, pageable, 64, 8,
                  extent(16, 8, 4), cudaMemcpyHostToDevice));
  CALL(boxOfArray(deep, position(), flat, position(), nullptr, nullptr, 0, 0,
                  extent(16, 8, 1), cudaMemcpyDeviceToDevice));
  CALL(boxOfArray(deep, position(), flat, position(), nullptr, nullptr, 0, 0,
                  extent(16, 8, 2), cudaMemcpyDeviceToDevice));
  CALL(boxOfArray(vectors, position(), flat, position(), nullptr, nullptr, 0, 0,
                  extent(4, 8, 1), cudaMemcpyDeviceToDevice));
  CALL(boxOfArray(vectors, position(), flat, position(), nullptr, nullptr, 0, 0,
                  extent(16, 8, 1), cudaMemcpyDeviceToDevice));

  CALL(boxOfArray(deep, position(), nullptr, position(), nullptr, pageable, 64,
                  8, extent(17, 8, 4), cudaMemcpyHostToDevice));
  CALL(boxOfArray(deep, position(10), nullptr, position(), nullptr, pageable,
                  64, 8, extent(7, 1, 1), cudaMemcpyHostToDevice));
  CALL(boxOfArray(deep, position(), nullptr, position(), nullptr, pageable, 64,
                  8, extent(16, 9, 1), cudaMemcpyHostToDevice));
  CALL(boxOfArray(deep, position(), nullptr, position(), nullptr, pageable, 64,
                  8, extent(16, 8, 5), cudaMemcpyHostToDevice));
  CALL(boxOfArray(deep, position(0, 0, 4), nullptr, position(), nullptr,
                  pageable, 64, 8, extent(16, 8, 1), cudaMemcpyHostToDevice));
  CALL(boxOfArray(deep, position(), nullptr, position(), nullptr, pageable, 60,
                  8, extent(16, 8, 1), cudaMemcpyHostToDevice));
  CALL(boxOfArray(deep, position(), nullptr, position(), nullptr, pageable, 64,
                  4, extent(16, 8, 2), cudaMemcpyHostToDevice));
  CALL(boxOfArray(deep, position(), nullptr, position(), nullptr, pageable, 64,
                  4, extent(16, 8, 1), cudaMemcpyHostToDevice));

  CALL(boxOfArray(deep, position(), nullptr, position(), nullptr, pageable, 64,
                  8, extent(16, 8, 0), cudaMemcpyHostToDevice));
  CALL(boxOfArray(deep, position(), nullptr, position(), nullptr, pageable, 64,
                  8, extent(0, 0, 0), cudaMemcpyHostToDevice));
  CALL(boxOfArray(deep, position(), nullptr, position(), nullptr, pageable, 64,
                  8, extent(16, 0, 0), cudaMemcpyHostToDevice));
  CALL(boxOfArray(deep, position(), nullptr, position(), nullptr, pageable, 64,
                  8, extent(16, 8, 4), cudaMemcpyDeviceToHost));
  CALL(boxOfArray(deep, position(), nullptr, position(), nullptr, pageable, 64,
                  8, extent(16, 8, 4), cudaMemcpyDeviceToDevice));
  CALL(boxOfArray(deep, position(), nullptr, position(), nullptr, device, 64, 8,
                  extent(16, 8, 1), cudaMemcpyHostToDevice));
  CALL(boxOfArray(deep, position(), nullptr, position(), nullptr, device, 64, 8,
                  extent(16, 8, 1), cudaMemcpyDeviceToDevice));
  CALL(boxOfArray(nullptr, position(), deep, position(), pageable, nullptr, 64,
                  8, extent(16, 8, 1), cudaMemcpyHostToDevice));
  CALL(boxOfArray(nullptr, position(), deep, position(), pageable, nullptr, 64,
                  8, extent(16, 8, 1), cudaMemcpyDeviceToHost));
  CALL(boxOfArray(nullptr, position(), nullptr, position(), pageable, nullptr,
                  64, 8, extent(16, 8, 1), cudaMemcpyDeviceToHost));
  CALL(boxOfArray(flat, position(0, 0, 1), nullptr, position(), nullptr,
                  pageable, 64, 8, extent(16, 8, 1), cudaMemcpyHostToDevice));
  CALL(boxOfArray(flat, position(), nullptr, position(), nullptr, pageable, 64,
                  8, extent(16, 8, 2), cudaMemcpyHostToDevice));

  CALL(cudaMemcpy2DToArray(flat, 0, 0, pageable, 64, 64, 8,
                           cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(flat, 0, 0, pageable, 64, 65, 8,
                           cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(flat, 4, 0, pageable, 64, 64, 8,
                           cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(flat, 0, 1, pageable, 64, 64, 8,
                           cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(flat, 0, 0, pageable, 32, 64, 8,
                           cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(flat, 0, 0, pageable, 32, 64, 1,
                           cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(flat, 2, 0, pageable, 64, 4, 1,
                           cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(flat, 0, 0, pageable, 64, 3, 1,
                           cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(flat, 0, 0, pageable, 64, 0, 1,
                           cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(flat, 0, 0, pageable, 64, 64, 0,
                           cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(nullptr, 0, 0, pageable, 64, 64, 1,
                           cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(nullptr, 0, 0, pageable, 64, 0, 0,
                           cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(flat, 0, 0, nullptr, 64, 64, 1,
                           cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(flat, 0, 0, pageable, 64, 64, 1,
                           cudaMemcpyDeviceToHost));
  CALL(cudaMemcpy2DToArray(flat, 0, 0, pageable, 64, 64, 1,
                           cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy2DToArray(flat, 0, 0, pageable, 64, 64, 1,
                           cudaMemcpyHostToHost));
  CALL(cudaMemcpy2DToArray(flat, 0, 0, pageable, 64, 64, 1, cudaMemcpyKind(9)));
  CALL(cudaMemcpy2DToArray(deep, 0, 0, pageable, 64, 64, 8,
                           cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(flat, 100, 0, pageable, 64, 4, 1,
                           cudaMemcpyHostToDevice));

  CALL(cudaMemcpy2DFromArray(pageable, 64, flat, 0, 0, 64, 8,
                             cudaMemcpyDeviceToHost));
  CALL(cudaMemcpy2DFromArray(pageable, 32, flat, 0, 0, 64, 8,
                             cudaMemcpyDeviceToHost));
  CALL(cudaMemcpy2DFromArray(pageable, 64, flat, 0, 0, 65, 8,
                             cudaMemcpyDeviceToHost));
  CALL(cudaMemcpy2DFromArray(pageable, 64, flat, 0, 8, 64, 1,
                             cudaMemcpyDeviceToHost));
  CALL(cudaMemcpy2DFromArray(pageable, 64, flat, 0, 0, 64, 8,
                             cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DFromArray(nullptr, 64, flat, 0, 0, 64, 8,
                             cudaMemcpyDeviceToHost));
  CALL(cudaMemcpy2DFromArray(pageable, 64, nullptr, 0, 0, 64, 8,
                             cudaMemcpyDeviceToHost));

  CALL(cudaMemcpyToArray(flat, 0, 0, pageable, 64 * 8, cudaMemcpyHostToDevice));
  CALL(cudaMemcpyToArray(flat, 0, 0, pageable, 64 * 8 + 4,
                         cudaMemcpyHostToDevice));
  CALL(cudaMemcpyToArray(flat, 4, 0, pageable, 64 * 8, cudaMemcpyHostToDevice));
  CALL(cudaMemcpyToArray(flat, 0, 8, pageable, 4, cudaMemcpyHostToDevice));
  CALL(cudaMemcpyToArray(flat, 0, 0, pageable, 0, cudaMemcpyHostToDevice));
  CALL(cudaMemcpyToArray(flat, 2, 0, pageable, 4, cudaMemcpyHostToDevice));
  CALL(cudaMemcpyToArray(flat, 0, 0, pageable, 3, cudaMemcpyHostToDevice));
  CALL(cudaMemcpyToArray(nullptr, 0, 0, pageable, 4, cudaMemcpyHostToDevice));
  CALL(cudaMemcpyFromArray(pageable, flat, 0, 0, 64 * 8 + 4,
                           cudaMemcpyDeviceToHost));
  CALL(cudaMemcpyFromArray(pageable, flat, 0, 0, 64, cudaMemcpyHostToDevice));
  CALL(cudaMemcpyToArray(flat, 0, 0, pageable, 64, cudaMemcpyDeviceToHost));
  CALL(cudaMemcpyToArray(flat, 0, 0, pageable, 64, cudaMemcpyKind(9)));

  CALL(cudaMemcpy2DArrayToArray(flat, 0, 0, vectors, 0, 0, 64, 8,
                                cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy2DArrayToArray(flat, 0, 0, flat, 0, 0, 65, 8,
                                cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy2DArrayToArray(flat, 0, 0, nullptr, 0, 0, 64, 8,
                                cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy2DArrayToArray(nullptr, 0, 0, flat, 0, 0, 64, 8,
                                cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy2DArrayToArray(vectors, 0, 0, flat, 0, 0, 64, 8,
                                cudaMemcpyHostToDevice));
  CALL(cudaMemcpyArrayToArray(flat, 0, 0, flat, 0, 4, 64 * 4,
                              cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpyArrayToArray(flat, 0, 0, flat, 0, 4, 64 * 5,
                              cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpyArrayToArray(flat, 0, 0, vectors, 0, 0, 64,
                              cudaMemcpyDeviceToDevice));
}

int main(int count, char **arguments) {
  return record(count, arguments, {{"boxes", boxes}});
}
