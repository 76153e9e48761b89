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
  cudaTextureDesc real{}, noFilter{};
  real.readMode = cudaReadModeNormalizedFloat;
  noFilter.filterMode = static_cast<cudaTextureFilterMode>(9);
  cudaResourceDesc none{}, reals = linear, crooked = linear, onHost = linear,
                           nothing = linear, noFormat = linear, rows{};
  reals.res.linear.desc.f = 2; // reals
  crooked.res.linear.devPtr = t.memory + 4;
  alignas(512) static char host[4096];
  onHost.res.linear.devPtr = host;
  nothing.res.linear.sizeInBytes = 0;
  noFormat.res.linear.desc = {};
  rows.resType = cudaResourceTypePitch2D;
  rows.res.pitch2D.devPtr = t.memory;
  rows.res.pitch2D.desc.x = 32;
  rows.res.pitch2D.width = 16;
  rows.res.pitch2D.height = 4;
  rows.res.pitch2D.pitchInBytes = 512;
  cudaResourceDesc oddRows = rows, narrow = rows, noColumns = rows,
                   noRows = rows, tooHigh = rows, beyond = rows;
  oddRows.res.pitch2D.pitchInBytes = 500;
  narrow.res.pitch2D.pitchInBytes = 32;
  noColumns.res.pitch2D.width = 0;
  noRows.res.pitch2D.height = 0;
  tooHigh.res.pitch2D.height = 100000;
  beyond.res.pitch2D.devPtr = t.memory + 32;
  const auto made = [](const cudaResourceDesc &resource,
                       const cudaTextureDesc &how) {
    cudaTextureObject_t object = 0;
    const cudaError_t error =
        cudaCreateTextureObject(&object, &resource, &how, nullptr);
    return error == cudaSuccess ? cudaDestroyTextureObject(object) : error;
  };
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
          // Integers are not filtered, and those of 32 bits never real numbers.
          LINE(cudaErrorInvalidFilterSetting,
               cudaCreateTextureObject(&texture, &linear, &filtered, nullptr)),
          LINE(cudaErrorInvalidNormSetting,
               cudaCreateTextureObject(&texture, &linear, &real, nullptr)),
          LINE(cudaErrorInvalidNormSetting,
               cudaCreateTextureObject(&texture, &reals, &real, nullptr)),
          VALUE(cudaCreateTextureObject(&texture, &reals, &noFilter, nullptr)),
          // The resource is looked at first.
          HANDLE(cudaCreateTextureObject(nullptr, &none, &plain, nullptr)),
          HANDLE(cudaCreateTextureObject(&texture, &none, nullptr, nullptr)),
          VALUE(cudaCreateTextureObject(&texture, &crooked, &plain, nullptr)),
          VALUE(cudaCreateTextureObject(&texture, &onHost, &plain, nullptr)),
          VALUE(cudaCreateTextureObject(&texture, &oddRows, &plain, nullptr)),
          VALUE(cudaCreateTextureObject(&texture, &tooHigh, &plain, nullptr)),
          VALUE(cudaCreateTextureObject(&texture, &beyond, &plain, nullptr)),
          // As CUDA 13 has it: nothing, and rows that lie in each other.
          LINE(cudaSuccess, made(nothing, plain)),
          LINE(cudaSuccess, made(rows, plain)),
          LINE(cudaSuccess, made(noColumns, plain)),
          LINE(cudaSuccess, made(noRows, plain)),
          LINE(cudaSuccess, made(narrow, plain)),
          LINE(cudaSuccess, made(reals, filtered)),
          LINE(cudaSuccess, made(reals, normalized)),
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
          LINE(cudaErrorInvalidChannelDescriptor,
               cudaCreateSurfaceObject(&surface, &noFormat)),
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
