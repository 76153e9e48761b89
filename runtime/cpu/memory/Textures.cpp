//===- Textures.cpp - textures and surfaces on the CPU --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "image/Texture.h"
#include "runtime/check/Check.h"
#include "runtime/cpu/CpuEngine.h"
#include <algorithm>
#include <climits>
#include <iterator>
#include <memory>
#include <mutex>
#include <vector>

namespace cufort::cpu {

static TextureHandle handleOf(CufortTexture *texture) {
  return reinterpret_cast<uintptr_t>(texture);
}

static void setFormat(CufortTexture &texture, const ChannelFormat &format) {
  for (int bits : format.bits)
    texture.channels += bits != 0;
  texture.channelBytes = format.bits[0] / 8;
  texture.kind = format.kind;
}

Error CpuEngine::viewArray(ArrayHandle array, CufortTexture *texture) {
  ArrayShape shape;
  if (Error error = arrayShape(array, &shape); error != cudaSuccess)
    return error;
  if (shape.width > INT_MAX || shape.height > INT_MAX || shape.depth > INT_MAX)
    return cudaErrorInvalidValue;
  size_t pitch;
  texture->memory = arrayMemory(array, &pitch);
  texture->pitch = pitch;
  texture->width = static_cast<int>(shape.width);
  texture->height = static_cast<int>(shape.rows());
  texture->depth = static_cast<int>(shape.slices());
  texture->slice = pitch * shape.rows();
  setFormat(*texture, shape.format);
  return cudaSuccess;
}

Error CpuEngine::createTexture(TextureHandle *handle,
                               const TextureDescription &d) {
  std::vector<ArrayHandle> levels;
  for (ArrayHandle level;
       d.mipmaps &&
       mipmapLevel(d.mipmaps, unsigned(levels.size()), &level) == cudaSuccess;)
    levels.push_back(level);
  // The texture, and then its levels once more.
  auto texture = std::make_unique<CufortTexture[]>(1 + levels.size());
  if (d.array) {
    if (Error error = viewArray(d.array, texture.get()); error != cudaSuccess)
      return error;
  } else {
    if (d.width > INT_MAX || d.height > INT_MAX)
      return cudaErrorInvalidValue;
    CufortTexture &t = texture[0];
    t.memory = static_cast<char *>(d.memory);
    t.pitch = d.pitch;
    t.width = static_cast<int>(d.width);
    t.height = static_cast<int>(d.height ? d.height : 1);
    t.depth = 1;
    setFormat(t, d.format);
    if (!d.width) {
      // All that is read of nothing is zero.
      static char nothing[16];
      check::belongs(nothing, sizeof nothing, /*written=*/true);
      t.memory = nothing;
      t.pitch = 0;
      t.width = t.height = 1;
    }
  }
  for (size_t level = 0; level < levels.size(); ++level)
    if (Error error = viewArray(levels[level], &texture[1 + level]);
        error != cudaSuccess)
      return error;
  for (size_t part = 0; part <= levels.size(); ++part) {
    CufortTexture &t = texture[part];
    for (int i = 0; i < 3; ++i)
      t.addressMode[i] = d.addressMode[i];
    t.isLinear = d.filterMode == 1;
    t.isNormalized = d.normalizedCoordinates;
    t.isReal = d.normalizedFloat;
    t.isSrgb = d.srgb;
    for (int i = 0; i < 4; ++i)
      t.border[i] = d.border[i];
  }
  texture[0].levels = &texture[1];
  texture[0].levelCount = static_cast<int>(levels.size());
  texture[0].mixesLevels = d.levelFilterMode == 1;
  texture[0].levelBias = d.levelBias;
  texture[0].levelMin = d.levelMin;
  texture[0].levelMax = d.levelMax;
  check::belongs(texture.get(), (1 + levels.size()) * sizeof(CufortTexture),
                 /*written=*/true);
  *handle = handleOf(texture.release());
  return cudaSuccess;
}

Error CpuEngine::destroyTexture(TextureHandle handle) {
  {
    std::lock_guard lock(texturesMutex);
    retiredTextures.reserve(retiredTextures.size() + 1);
    retiredTextures.emplace_back(reinterpret_cast<CufortTexture *>(handle));
    // A wait for the device each time would cost those who make an object for
    // each launch; so many are a few hundred kilobytes.
    constexpr size_t most = 2048;
    if (retiredTextures.size() < most)
      return cudaSuccess;
  }
  // What the kernels that read them have to say is said to those who wait.
  synchronize();
  return cudaSuccess;
}

Error CpuEngine::createSurface(TextureHandle *handle, ArrayHandle array) {
  auto texture = std::make_unique<CufortTexture[]>(1);
  if (Error error = viewArray(array, texture.get()); error != cudaSuccess)
    return error;
  check::belongs(texture.get(), sizeof(CufortTexture), /*written=*/true);
  *handle = handleOf(texture.release());
  return cudaSuccess;
}

Error CpuEngine::destroySurface(TextureHandle handle) {
  return destroyTexture(handle);
}

} // namespace cufort::cpu
