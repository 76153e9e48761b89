//===- arrayflags.cu - flags of arrays -------------------------*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"
#include "Shapes.h"

/// Each flag, and what such an array can do.
static void arrayFlags() {
  allocate(1 << 20);
  auto real = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  for (int flags : {0, 16, 32, 64, 128, 192, 256, 512, 66, 130, 65, 129}) {
    cudaArray_t array = nullptr;
    called([&] { return cudaMallocArray(&array, &real, 64, 64, flags); },
           "cudaMallocArray flags %d", flags);
    unsigned got = 0;
    cudaExtent size{};
    cudaChannelFormatDesc channels;
    if (array) {
      cudaArrayGetInfo(&channels, &size, &got, array);
      report("flags %d got -> %u", flags, got);
      cudaArrayMemoryRequirements memory;
      cudaArraySparseProperties sparse;
      cudaArray_t plane;
      called([&] { return cudaArrayGetMemoryRequirements(&memory, array, 0); },
             "cudaArrayGetMemoryRequirements flags %d", flags);
      called([&] { return cudaArrayGetSparseProperties(&sparse, array); },
             "cudaArrayGetSparseProperties flags %d", flags);
      called([&] { return cudaArrayGetPlane(&plane, array, 0); },
             "cudaArrayGetPlane flags %d", flags);
      called(
          [&] {
            return cudaMemcpy2DToArray(array, 0, 0, pageable, 64, 64, 8,
                                       cudaMemcpyHostToDevice);
          },
          "cudaMemcpy2DToArray flags %d", flags);
      called([&] { return cudaFreeArray(array); }, "cudaFreeArray flags %d",
             flags);
    }
    cudaMipmappedArray_t levels = nullptr;
    called(
        [&] {
          return cudaMallocMipmappedArray(&levels, &real, extent(64, 64, 0), 2,
                                          flags);
        },
        "cudaMallocMipmappedArray flags %d", flags);
    if (levels)
      cudaFreeMipmappedArray(levels);
  }

  cudaMipmappedArray_t levels;
  SETUP(cudaMallocMipmappedArray(&levels, &real, extent(64, 64, 0), 2));
  cudaArrayMemoryRequirements memory;
  cudaArraySparseProperties sparse;
  CALL(cudaMipmappedArrayGetMemoryRequirements(&memory, levels, 0));
  CALL(cudaMipmappedArrayGetSparseProperties(&sparse, levels));
  CALL(cudaArrayGetMemoryRequirements(&memory, nullptr, 0));
  CALL(cudaArrayGetSparseProperties(&sparse, nullptr));
}

int main(int count, char **arguments) {
  return record(count, arguments, {{"arrayFlags", arrayFlags}});
}
