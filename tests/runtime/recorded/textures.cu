//===- textures.cu - textures and surfaces ---------------------*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"

/// Of arrays, of memory and of rows.
static void textures() {
  allocate();
  cudaTextureObject_t texture = 0;
  cudaResourceDesc resource{};
  cudaTextureDesc sampling{};
  auto real = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat),
       threeReals =
           cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat),
       integer =
           cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
  cudaArray_t array, integers;
  SETUP(cudaMallocArray(&array, &real, 16, 16));
  SETUP(cudaMallocArray(&integers, &integer, 16, 16));

  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  CALL(cudaCreateTextureObject(nullptr, &resource, &sampling, nullptr));
  CALL(cudaCreateTextureObject(&texture, nullptr, &sampling, nullptr));
  CALL(cudaCreateTextureObject(&texture, &resource, nullptr, nullptr));
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  sampling.filterMode = (cudaTextureFilterMode)9;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  sampling.filterMode = cudaFilterModePoint;
  sampling.addressMode[0] = (cudaTextureAddressMode)9;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  sampling.addressMode[0] = cudaAddressModeWrap;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  sampling.readMode = cudaReadModeNormalizedFloat;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  resource.res.array.array = integers;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  sampling.readMode = cudaReadModeElementType;
  sampling.filterMode = cudaFilterModeLinear;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  sampling.readMode = (cudaTextureReadMode)9;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  sampling = {};
  sampling.maxAnisotropy = 99;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  sampling = {};

  resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = device;
  resource.res.linear.desc = real;
  resource.res.linear.sizeInBytes = 4096;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  resource.res.linear.devPtr = nullptr;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  resource.res.linear.devPtr = device + 4;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  resource.res.linear.devPtr = device;
  resource.res.linear.sizeInBytes = 0;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  resource.res.linear.sizeInBytes = 5000;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  resource.res.linear.sizeInBytes = 4096;
  resource.res.linear.desc = threeReals;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  resource.res.linear.desc = real;
  resource.res.linear.sizeInBytes = size_t(1) << 31;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  resource.res.linear.sizeInBytes = 4096;
  resource.res.linear.devPtr = pageable;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  resource.res.linear.devPtr = device;
  sampling.filterMode = cudaFilterModeLinear;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  sampling = {};
  sampling.normalizedCoords = 1;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  sampling = {};

  resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = device;
  resource.res.pitch2D.desc = real;
  resource.res.pitch2D.width = 16;
  resource.res.pitch2D.height = 4;
  resource.res.pitch2D.pitchInBytes = 512;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  resource.res.pitch2D.pitchInBytes = 500;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  resource.res.pitch2D.pitchInBytes = 32;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  resource.res.pitch2D.pitchInBytes = 64;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  resource.res.pitch2D.width = 0;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  resource.res.pitch2D.width = 16;
  resource.res.pitch2D.height = 0;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  resource.res.pitch2D.height = 100000;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  resource.res.pitch2D.height = 4;
  resource.res.pitch2D.devPtr = device + 32;
  CALL(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));

  CALL(cudaDestroyTextureObject(0));
  cudaSurfaceObject_t surface;
  resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  CALL(cudaCreateSurfaceObject(&surface, &resource));
  resource.resType = cudaResourceTypeLinear;
  CALL(cudaCreateSurfaceObject(&surface, &resource));
  CALL(cudaCreateSurfaceObject(nullptr, &resource));
  CALL(cudaDestroySurfaceObject(0));
  CALL(cudaGetTextureObjectTextureDesc(nullptr, texture));
  CALL(cudaGetTextureObjectTextureDesc(&sampling, 0));
}

int main(int count, char **arguments) {
  return record(count, arguments, {{"textures", textures}});
}
