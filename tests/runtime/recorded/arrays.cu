//===- arrays.cu - arrays and arrays with levels ---------------*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"
#include "Shapes.h"

static cudaError_t allocateArray(cudaChannelFormatDesc format, size_t width,
                                 size_t height, unsigned flags = 0) {
  cudaArray_t array = nullptr;
  cudaError_t error = cudaMallocArray(&array, &format, width, height, flags);
  if (error == cudaSuccess)
    cudaFreeArray(array);
  return error;
}
static cudaError_t allocateArray3D(cudaChannelFormatDesc format, size_t width,
                                   size_t height, size_t depth,
                                   unsigned flags = 0) {
  cudaArray_t array = nullptr;
  cudaError_t error =
      cudaMalloc3DArray(&array, &format, extent(width, height, depth), flags);
  if (error == cudaSuccess)
    cudaFreeArray(array);
  return error;
}

/// Sizes, formats and flags.
static void arrays() {
  allocate();
  auto Real = cudaChannelFormatKindFloat, Signed = cudaChannelFormatKindSigned,
       Unsigned = cudaChannelFormatKindUnsigned,
       None = cudaChannelFormatKindNone;
  auto real = channels(32, 0, 0, 0, Real);
  cudaArray_t array;

  CALL(cudaMallocArray(nullptr, &real, 4, 4));
  CALL(cudaMallocArray(&array, nullptr, 4, 4));
  CALL(allocateArray(real, 0, 0));
  CALL(allocateArray(real, 0, 4));
  CALL(allocateArray(real, 4, 0));
  CALL(allocateArray(real, 131072, 0));
  CALL(allocateArray(real, 131073, 0));
  CALL(allocateArray(real, 131072, 65536));
  CALL(allocateArray(real, 131073, 4));
  CALL(allocateArray(real, 4, 65536));
  CALL(allocateArray(real, 4, 65537));
  CALL(allocateArray(real, size_t(-1), 0));
  CALL(allocateArray(real, Huge, Huge));

  for (unsigned flags :
       {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u, 256u, 6u, 9u, 1u << 20}) {
    called([&] { return allocateArray(real, 64, 64, flags); },
           "allocateArray(real, 64, 64, %u)", flags);
  }

  for (unsigned flags :
       {1u, 2u, 4u, 5u, 8u, 9u, 16u, 32u, 64u, 128u, 256u, 6u, 3u, 1u << 20}) {
    called([&] { return allocateArray3D(real, 64, 64, 6, flags); },
           "allocateArray3D(real, 64, 64, 6, %u)", flags);
  }

  CALL(allocateArray(channels(0, 0, 0, 0, Real), 4, 4));
  CALL(allocateArray(channels(0, 0, 0, 0, None), 4, 4));
  CALL(allocateArray(channels(32, 0, 0, 0, None), 4, 4));
  CALL(allocateArray(channels(8, 0, 0, 0, Real), 4, 4));
  CALL(allocateArray(channels(16, 0, 0, 0, Real), 4, 4));
  CALL(allocateArray(channels(64, 0, 0, 0, Real), 4, 4));
  CALL(allocateArray(channels(64, 0, 0, 0, Signed), 4, 4));
  CALL(allocateArray(channels(24, 0, 0, 0, Unsigned), 4, 4));
  CALL(allocateArray(channels(32, 32, 32, 0, Real), 4, 4));
  CALL(allocateArray(channels(8, 8, 8, 0, Unsigned), 4, 4));
  CALL(allocateArray(channels(8, 8, 8, 8, Unsigned), 4, 4));
  CALL(allocateArray(channels(8, 16, 0, 0, Unsigned), 4, 4));
  CALL(allocateArray(channels(0, 32, 0, 0, Unsigned), 4, 4));
  CALL(allocateArray(channels(32, 0, 32, 0, Unsigned), 4, 4));
  CALL(allocateArray(channels(-8, 0, 0, 0, Unsigned), 4, 4));
  CALL(allocateArray(channels(32, 0, 0, 0, (cudaChannelFormatKind)99), 4, 4));
  CALL(allocateArray(channels(1, 0, 0, 0, Unsigned), 4, 4));
  CALL(allocateArray(channels(16, 16, 16, 16, Signed), 4, 4));
  CALL(allocateArray(channels(32, 32, 32, 32, Signed), 4, 4));

  CALL(cudaMalloc3DArray(nullptr, &real, extent(4, 4, 4)));
  CALL(cudaMalloc3DArray(&array, nullptr, extent(4, 4, 4)));
  CALL(allocateArray3D(real, 0, 0, 0));
  CALL(allocateArray3D(real, 4, 0, 4));
  CALL(allocateArray3D(real, 0, 4, 4));
  CALL(allocateArray3D(real, 0, 4, 0));
  CALL(allocateArray3D(real, 0, 0, 4));
  CALL(allocateArray3D(real, 4, 0, 0));
  CALL(allocateArray3D(real, 4, 4, 0));
  CALL(allocateArray3D(real, 16384, 4, 4));
  CALL(allocateArray3D(real, 16385, 4, 4));
  CALL(allocateArray3D(real, 4, 16385, 4));
  CALL(allocateArray3D(real, 4, 4, 16384));
  CALL(allocateArray3D(real, 4, 4, 16385));
  CALL(
      allocateArray3D(real, size_t(1) << 32, size_t(1) << 32, size_t(1) << 32));

  CALL(allocateArray3D(real, 64, 0, 4, cudaArrayLayered));
  CALL(allocateArray3D(real, 64, 64, 0, cudaArrayLayered));
  CALL(allocateArray3D(real, 64, 0, 0, cudaArrayLayered));
  CALL(allocateArray3D(real, 0, 0, 4, cudaArrayLayered));
  CALL(allocateArray3D(real, 64, 64, 2048, cudaArrayLayered));
  CALL(allocateArray3D(real, 64, 64, 2049, cudaArrayLayered));
  CALL(allocateArray3D(real, 32768, 0, 4, cudaArrayLayered));
  CALL(allocateArray3D(real, 32769, 0, 4, cudaArrayLayered));
  CALL(allocateArray3D(real, 32769, 4, 4, cudaArrayLayered));

  CALL(allocateArray3D(real, 64, 64, 6, cudaArrayCubemap));
  CALL(allocateArray3D(real, 64, 64, 5, cudaArrayCubemap));
  CALL(allocateArray3D(real, 64, 64, 12, cudaArrayCubemap));
  CALL(allocateArray3D(real, 64, 32, 6, cudaArrayCubemap));
  CALL(allocateArray3D(real, 64, 0, 6, cudaArrayCubemap));
  CALL(allocateArray3D(real, 64, 64, 0, cudaArrayCubemap));
  CALL(allocateArray3D(real, 64, 64, 12, cudaArrayCubemap | cudaArrayLayered));
  CALL(allocateArray3D(real, 64, 64, 13, cudaArrayCubemap | cudaArrayLayered));
  CALL(
      allocateArray3D(real, 64, 64, 2046, cudaArrayCubemap | cudaArrayLayered));
  CALL(
      allocateArray3D(real, 64, 64, 2052, cudaArrayCubemap | cudaArrayLayered));
  CALL(allocateArray3D(real, 32769, 32769, 6, cudaArrayCubemap));

  CALL(allocateArray3D(real, 64, 64, 0, cudaArrayTextureGather));
  CALL(allocateArray3D(real, 64, 0, 0, cudaArrayTextureGather));
  CALL(allocateArray3D(real, 64, 64, 4, cudaArrayTextureGather));
  CALL(allocateArray3D(real, 64, 64, 4,
                       cudaArrayTextureGather | cudaArrayLayered));
  CALL(allocateArray(real, 32768, 32768, cudaArrayTextureGather));
  CALL(allocateArray(real, 32769, 4, cudaArrayTextureGather));
  CALL(allocateArray(channels(32, 32, 32, 0, Real), 4, 4,
                     cudaArraySurfaceLoadStore));
  CALL(allocateArray(real, 40000, 0, cudaArraySurfaceLoadStore));
  CALL(allocateArray(real, 131072, 4, cudaArraySurfaceLoadStore));
  CALL(allocateArray3D(real, 16384, 4, 4, cudaArraySurfaceLoadStore));

  CALL(cudaFreeArray(nullptr));
  cudaChannelFormatDesc got{};
  cudaExtent size;
  unsigned flags;
  CALL(cudaGetChannelDesc(&got, nullptr));
  CALL(cudaArrayGetInfo(&got, &size, &flags, nullptr));
  SETUP(cudaMallocArray(&array, &real, 4));
  CALL(cudaArrayGetInfo(nullptr, nullptr, nullptr, array));
  CALL(cudaArrayGetInfo(&got, &size, &flags, array));
  VALUE(size.width);
  VALUE(size.height);
  VALUE(size.depth);
  VALUE(flags);
  CALL(cudaGetChannelDesc(nullptr, array));

  cudaMipmappedArray_t levels = nullptr;
  cudaArray_t level;
  CALL(cudaMallocMipmappedArray(nullptr, &real, extent(8, 8, 0), 2));
  CALL(cudaMallocMipmappedArray(&levels, nullptr, extent(8, 8, 0), 2));
  CALL(cudaMallocMipmappedArray(&levels, &real, extent(8, 8, 0), 0));
  CALL(cudaMallocMipmappedArray(&levels, &real, extent(0, 0, 0), 2));
  CALL(cudaMallocMipmappedArray(&levels, &real, extent(0, 8, 0), 2));
  CALL(cudaMallocMipmappedArray(&levels, &real, extent(8, 8, 0), 2, 1 << 20));
  CALL(cudaMallocMipmappedArray(&levels, &real, extent(8, 8, 0), 99));
  CALL(cudaGetMipmappedArrayLevel(&level, levels, 3));
  CALL(cudaGetMipmappedArrayLevel(&level, levels, 4));
  CALL(cudaGetMipmappedArrayLevel(nullptr, levels, 0));
  CALL(cudaGetMipmappedArrayLevel(&level, nullptr, 0));
  CALL(cudaFreeMipmappedArray(nullptr));
  CALL(cudaFreeMipmappedArray(levels));
}

int main(int count, char **arguments) {
  return record(count, arguments, {{"arrays", arrays}});
}
