//===- fill.cu - fills of memory -------------------------------*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"
#include "Shapes.h"

/// Of one, two and three dimensions.
static void fill() {
  allocate();
  CALL(cudaMemset(device, 0, 0));
  CALL(cudaMemset(nullptr, 0, 0));
  CALL(cudaMemset(nullptr, 0, 16));
  CALL(cudaMemset(device + 4000, 0, 97));

  CALL(cudaMemset(pinned, 0, 16));
  CALL(cudaMemset(managed, 0, 16));
  CALL(cudaMemset(pinned, 0, 4097));

  CALL(cudaMemset(device, 0, 5000));
  CALL(cudaMemset(device, 0, Huge));
  CALL(cudaMemsetAsync(device, 0, 4097, stream));
  CALL(cudaMemset(managed, 0, 4097));

  CALL(cudaMemset2D(device, 8, 0, 9, 2));
  CALL(cudaMemset2DAsync(device, 8, 0, 9, 2, stream));
  CALL(cudaMemset2D(device, 8, 0, 9, 1));
  CALL(cudaMemset2D(device, 8, 0, 9, 0));

  CALL(cudaMemset2D(device, 0, 0, 8, 1));
  CALL(cudaMemset2D(device, 0, 0, 8, 2));
  CALL(cudaMemset2D(device, 8, 0, 0, 2));
  CALL(cudaMemset2D(device, 8, 0, 8, 0));
  CALL(cudaMemset2D(nullptr, 8, 0, 0, 0));

  CALL(cudaMemset2D(nullptr, 8, 0, 8, 2));
  CALL(cudaMemset2D(device, 1024, 0, 8, 5));
  CALL(cudaMemset2D(device, 1024, 0, 1024, 4));
  CALL(cudaMemset2D(device, 1024, 0, 8, 4));
  CALL(cudaMemset2D(device, 1023, 0, 1023, 4));

  CALL(cudaMemset2D(device, Huge, 0, 8, 2));
  CALL(cudaMemset2D(device, Huge, 0, 8, 1));
  CALL(cudaMemset2D(device, size_t(1) << 31, 0, 8, 1));
  CALL(cudaMemset2D(device, (size_t(1) << 31) - 1, 0, 8, 1));

  CALL(cudaMemset3D(pitched(device, 8, 8, 2), 0, extent(9, 2, 2)));
  CALL(cudaMemset3DAsync(pitched(device, 8, 8, 2), 0, extent(9, 2, 2), stream));
  CALL(cudaMemset3D(pitched(device, 64, 8, 2), 0, extent(9, 2, 2)));

  CALL(cudaMemset3D(pitched(device, 64, 64, 2), 0, extent(8, 3, 2)));
  CALL(cudaMemset3D(pitched(device, 64, 64, 2), 0, extent(8, 3, 1)));
  CALL(cudaMemset3D(pitched(device, 64, 64, 2), 0, extent(0, 2, 2)));
  CALL(cudaMemset3D(pitched(device, 64, 64, 2), 0, extent(8, 0, 2)));
  CALL(cudaMemset3D(pitched(device, 64, 64, 2), 0, extent(8, 2, 0)));

  CALL(cudaMemset3D(pitched(nullptr, 64, 64, 2), 0, extent(8, 2, 2)));
  CALL(cudaMemset3D(pitched(nullptr, 64, 64, 2), 0, extent(0, 0, 0)));
  CALL(cudaMemset3D(pitched(device, 64, 64, 8), 0, extent(64, 8, 9)));
  CALL(cudaMemset3D(pitched(device, 64, 64, 0), 0, extent(8, 2, 2)));
  CALL(cudaMemset3D(pitched(device, 64, 64, 0), 0, extent(8, 2, 1)));
  CALL(cudaMemset3D(pitched(device, 64, 0, 8), 0, extent(8, 2, 1)));
  CALL(cudaMemset3D(pitched(device, 0, 64, 8), 0, extent(8, 1, 1)));
}

/// Of memory that CUDA does not know.
static void fillHostMemory() {
  allocate();
  CALL(cudaMemset(pageable, 0, 16));
  CALL(cudaMemset2D(pageable, 64, 0, 16, 2));
  CALL(cudaMemset(device, 0, 16));
}

/// Of memory that has been freed.
static void fillFreedMemory() {
  allocate();
  char *freed;
  SETUP(cudaMalloc(&freed, 64 << 20));
  SETUP(cudaFree(freed));
  CALL(cudaMemset(freed, 0, 16));
  CALL(cudaMemset(device, 0, 16));
  CALL(cudaMemcpy(pageable, freed, 16, cudaMemcpyDeviceToHost));
  CALL(cudaMemset(device, 0, 16));
}

int main(int count, char **arguments) {
  return record(count, arguments,
                {{"fill", fill},
                 {"fillHostMemory", fillHostMemory},
                 {"fillFreedMemory", fillFreedMemory}});
}
