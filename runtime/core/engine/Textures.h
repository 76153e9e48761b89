//===- Textures.h - textures and surfaces -----------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_ENGINE_TEXTURES_H
#define CUFORT_RUNTIME_CORE_ENGINE_TEXTURES_H

#include "runtime/core/engine/Copies.h"

namespace cufort {

/// A cudaTextureObject_t or cudaSurfaceObject_t.
using TextureHandle = unsigned long long;

/// What a texture reads and how. The numbers are CUDA's.
struct TextureDescription {
  /// Of whose levels the array is the first; null: it has no others.
  MipmapHandle mipmaps = nullptr;
  ArrayHandle array = nullptr; ///< or, without one:
  void *memory = nullptr;
  ChannelFormat format{};
  size_t width = 0;  ///< elements
  size_t height = 0; ///< 0: not pitched
  size_t pitch = 0;  ///< bytes
  int addressMode[3] = {};
  int filterMode = 0;
  bool normalizedFloat = false;
  bool normalizedCoordinates = false;
  bool srgb = false;
  bool seamlessCubemap = false;
  unsigned maxAnisotropy = 0;
  float border[4] = {};
  int levelFilterMode = 0;
  float levelBias = 0, levelMin = 0, levelMax = 0;
};

/// cudaArrayLayered, cudaArrayCubemap.
inline constexpr unsigned ArrayIsLayered = 1, ArrayIsCubemap = 4;

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_ENGINE_TEXTURES_H
