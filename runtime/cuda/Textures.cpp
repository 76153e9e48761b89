//===- Textures.cpp - textures and surfaces of the driver -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/CudaEngine.h"

namespace cufort::cuda {

static ResourceDescription ofArray(ArrayHandle array) {
  ResourceDescription resource{};
  resource.type = ResourceDescription::Array;
  resource.array = static_cast<CUarray>(array);
  return resource;
}

Error CudaEngine::createTexture(TextureHandle *handle,
                                const TextureDescription &d) {
  if (Error error = bind(); error != cudaSuccess)
    return error;
  ResourceDescription resource{};
  if (d.array) {
    resource = ofArray(d.array);
    if (d.mipmaps) {
      resource.type = ResourceDescription::Mipmapped;
      resource.array = static_cast<CUarray>(d.mipmaps);
    }
  } else {
    int channels = 0;
    for (int bits : d.format.bits)
      channels += bits != 0;
    const int format = driverFormat(d.format);
    const auto memory = reinterpret_cast<CUdeviceptr>(d.memory);
    if (d.height) {
      resource.type = ResourceDescription::Pitched;
      resource.pitched = {memory,  format,   static_cast<unsigned>(channels),
                          d.width, d.height, d.pitch};
    } else {
      resource.type = ResourceDescription::Linear;
      resource.linear = {memory, format, static_cast<unsigned>(channels),
                         d.width *
                             ArrayShape{d.format, 1, 0, 0, 0}.elementBytes()};
    }
  }
  // A dimension that an array does not have is read at its border as well where
  // its mode is that: it gets one that stays within.
  int dimensions = 3;
  if (ArrayShape shape; d.array && arrayShape(d.array, &shape) == cudaSuccess)
    dimensions = shape.height == 0 ? 1 : shape.depth == 0 ? 2 : 3;
  constexpr int clamp = 1;
  SamplingDescription sampling{};
  for (int i = 0; i < 3; ++i)
    sampling.addressMode[i] = i < dimensions ? d.addressMode[i] : clamp;
  sampling.filterMode = d.filterMode;
  const auto flag = [](bool set, SamplingDescription::Flag which) {
    return set ? unsigned(which) : 0;
  };
  sampling.flags =
      flag(!d.normalizedFloat && d.format.kind != 2,
           SamplingDescription::Integers) |
      flag(d.normalizedCoordinates, SamplingDescription::Normalized) |
      flag(d.srgb, SamplingDescription::Srgb) |
      flag(d.seamlessCubemap, SamplingDescription::Seamless);
  sampling.maxAnisotropy = d.maxAnisotropy;
  sampling.levelFilterMode = d.levelFilterMode;
  sampling.levelBias = d.levelBias;
  sampling.minLevel = d.levelMin;
  sampling.maxLevel = d.levelMax;
  for (int i = 0; i < 4; ++i)
    sampling.border[i] = d.border[i];
  return errorOf(driver.textureCreate(handle, &resource, &sampling, nullptr));
}

Error CudaEngine::destroyTexture(TextureHandle handle) {
  if (Error error = bind(); error != cudaSuccess)
    return error;
  return errorOf(driver.textureDestroy(handle));
}

Error CudaEngine::createSurface(TextureHandle *handle, ArrayHandle array) {
  if (Error error = bind(); error != cudaSuccess)
    return error;
  const ResourceDescription resource = ofArray(array);
  return errorOf(driver.surfaceCreate(handle, &resource));
}

Error CudaEngine::destroySurface(TextureHandle handle) {
  if (Error error = bind(); error != cudaSuccess)
    return error;
  return errorOf(driver.surfaceDestroy(handle));
}

} // namespace cufort::cuda
