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
  cudaTextureObject_t t = 0;
  cudaResourceDesc rd{};
  cudaTextureDesc td{};
  auto d = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat),
       d3 = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat),
       di = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
  cudaArray_t a, ai;
  SETUP(cudaMallocArray(&a, &d, 16, 16));
  SETUP(cudaMallocArray(&ai, &di, 16, 16));

  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  CALL(cudaCreateTextureObject(nullptr, &rd, &td, nullptr));
  CALL(cudaCreateTextureObject(&t, nullptr, &td, nullptr));
  CALL(cudaCreateTextureObject(&t, &rd, nullptr, nullptr));
  rd.resType = cudaResourceTypeArray;
  rd.res.array.array = a;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  td.filterMode = (cudaTextureFilterMode)9;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  td.filterMode = cudaFilterModePoint;
  td.addressMode[0] = (cudaTextureAddressMode)9;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  td.addressMode[0] = cudaAddressModeWrap;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  td.readMode = cudaReadModeNormalizedFloat;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  rd.res.array.array = ai;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  td.readMode = cudaReadModeElementType;
  td.filterMode = cudaFilterModeLinear;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  td.readMode = (cudaTextureReadMode)9;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  td = {};
  td.maxAnisotropy = 99;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  td = {};

  rd = {};
  rd.resType = cudaResourceTypeLinear;
  rd.res.linear.devPtr = device;
  rd.res.linear.desc = d;
  rd.res.linear.sizeInBytes = 4096;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  rd.res.linear.devPtr = nullptr;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  rd.res.linear.devPtr = device + 4;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  rd.res.linear.devPtr = device;
  rd.res.linear.sizeInBytes = 0;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  rd.res.linear.sizeInBytes = 5000;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  rd.res.linear.sizeInBytes = 4096;
  rd.res.linear.desc = d3;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  rd.res.linear.desc = d;
  rd.res.linear.sizeInBytes = size_t(1) << 31;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  rd.res.linear.sizeInBytes = 4096;
  rd.res.linear.devPtr = pageable;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  rd.res.linear.devPtr = device;
  td.filterMode = cudaFilterModeLinear;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  td = {};
  td.normalizedCoords = 1;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  td = {};

  rd = {};
  rd.resType = cudaResourceTypePitch2D;
  rd.res.pitch2D.devPtr = device;
  rd.res.pitch2D.desc = d;
  rd.res.pitch2D.width = 16;
  rd.res.pitch2D.height = 4;
  rd.res.pitch2D.pitchInBytes = 512;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  rd.res.pitch2D.pitchInBytes = 500;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  rd.res.pitch2D.pitchInBytes = 32;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  rd.res.pitch2D.pitchInBytes = 64;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  rd.res.pitch2D.width = 0;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  rd.res.pitch2D.width = 16;
  rd.res.pitch2D.height = 0;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  rd.res.pitch2D.height = 100000;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  rd.res.pitch2D.height = 4;
  rd.res.pitch2D.devPtr = device + 32;
  CALL(cudaCreateTextureObject(&t, &rd, &td, nullptr));

  CALL(cudaDestroyTextureObject(0));
  cudaSurfaceObject_t so;
  rd = {};
  rd.resType = cudaResourceTypeArray;
  rd.res.array.array = a;
  CALL(cudaCreateSurfaceObject(&so, &rd));
  rd.resType = cudaResourceTypeLinear;
  CALL(cudaCreateSurfaceObject(&so, &rd));
  CALL(cudaCreateSurfaceObject(nullptr, &rd));
  CALL(cudaDestroySurfaceObject(0));
  CALL(cudaGetTextureObjectTextureDesc(nullptr, t));
  CALL(cudaGetTextureObjectTextureDesc(&td, 0));
}

int main(int count, char **arguments) {
  return record(count, arguments, {{"textures", textures}});
}
