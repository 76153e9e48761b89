//===- ArgumentsTextures.cpp - wrong arguments: textures and surfaces -----===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

using namespace cufort;

namespace {

TEST(Arguments, OfTexturesAndSurfaces) {
  // Before an array is freed, whose place one of these might take.
  cudaResourceDesc levels{}, noLevels{};
  levels.resType = noLevels.resType = cudaResourceTypeMipmappedArray;
  cudaChannelFormatDesc format{};
  format.x = 32;
  ASSERT_EQ(cudaMallocMipmappedArray(&levels.res.mipmap.mipmap, &format,
                                     {8, 8, 0}, 3, 0),
            cudaSuccess);
  Things t;
  cudaResourceDesc array{}, gone{}, linear{}, noMemory{}, read{};
  array.resType = gone.resType = cudaResourceTypeArray;
  array.res.array.array = t.array;
  gone.res.array.array = t.goneArray;
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = t.memory;
  linear.res.linear.desc.x = 32;
  linear.res.linear.sizeInBytes = 4096;
  noMemory = linear;
  noMemory.res.linear.devPtr = nullptr;
  cudaTextureDesc plain{}, filtered{}, seen{}, normalized{}, mixed{};
  normalized.normalizedCoords = mixed.normalizedCoords = 1;
  mixed.mipmapFilterMode = cudaFilterModeLinear;
  filtered.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture = 0;
  cudaSurfaceObject_t surface = 0;
  checkCalls(
      t,
      {
          VALUE(cudaCreateTextureObject(nullptr, &array, &plain, nullptr)),
          VALUE(cudaCreateTextureObject(&texture, nullptr, &plain, nullptr)),
          VALUE(cudaCreateTextureObject(&texture, &array, nullptr, nullptr)),
          HANDLE(cudaCreateTextureObject(&texture, &gone, &plain, nullptr)),
          VALUE(cudaCreateTextureObject(&texture, &noMemory, &plain, nullptr)),
          // Integers are not filtered.
          VALUE(cudaCreateTextureObject(&texture, &linear, &filtered, nullptr)),
          HANDLE(cudaCreateTextureObject(&texture, &noLevels, &normalized,
                                         nullptr)),
          // Levels have different sizes, and no integers between two of them.
          VALUE(cudaCreateTextureObject(&texture, &levels, &plain, nullptr)),
          VALUE(cudaCreateTextureObject(&texture, &levels, &mixed, nullptr)),
          VALUE(cudaDestroyTextureObject(12345)),
          VALUE(cudaGetTextureObjectResourceDesc(&read, 12345)),
          VALUE(cudaGetTextureObjectTextureDesc(&seen, 12345)),
          VALUE(cudaCreateSurfaceObject(nullptr, &array)),
          VALUE(cudaCreateSurfaceObject(&surface, nullptr)),
          VALUE(cudaCreateSurfaceObject(&surface, &linear)),
          HANDLE(cudaCreateSurfaceObject(&surface, &gone)),
          VALUE(cudaDestroySurfaceObject(12345)),
          VALUE(cudaGetSurfaceObjectResourceDesc(&read, 12345)),
      });
  EXPECT_EQ(cudaCreateTextureObject(&texture, &array, &plain, nullptr),
            cudaSuccess);
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaErrorInvalidValue);
  EXPECT_EQ(cudaCreateTextureObject(&texture, &levels, &normalized, nullptr),
            cudaSuccess);
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
  EXPECT_EQ(cudaFreeMipmappedArray(levels.res.mipmap.mipmap), cudaSuccess);
  EXPECT_EQ(cudaCreateSurfaceObject(&surface, &array), cudaSuccess);
  EXPECT_EQ(cudaDestroySurfaceObject(surface), cudaSuccess);
  EXPECT_EQ(cudaDestroySurfaceObject(surface), cudaErrorInvalidValue);
  cudaGetLastError();
}

} // namespace
