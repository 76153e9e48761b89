//===- Texture.h - textures and surfaces on the CPU -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The contract between the device library (device/cpu/textures.c, in C) and the
// CPU engine: what a cudaTextureObject_t or cudaSurfaceObject_t points to on
// the CPU. C and C++ include this header. On a GPU objects are the driver's.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_IMAGE_TEXTURE_H
#define CUFORT_IMAGE_TEXTURE_H

// CUDA's numbers of how coordinates outside are taken.
enum CufortAddressMode {
  CUFORT_ADDRESS_WRAP = 0,
  CUFORT_ADDRESS_CLAMP = 1,
  CUFORT_ADDRESS_MIRROR = 2,
  CUFORT_ADDRESS_BORDER = 3
};

struct CufortTexture {
  char *memory;
  unsigned long long pitch; ///< bytes from row to row
  unsigned long long slice; ///< bytes from slice (layer, face) to slice
  int width, height, depth; ///< at least 1 each
  int channels;             ///< 1, 2 or 4
  int channelBytes;         ///< 1, 2 or 4
  int kind;                 ///< of channels: 0 signed, 1 unsigned, 2 real
  int addressMode[3];
  int isLinear;     ///< filter
  int isNormalized; ///< coordinates are from 0 to 1
  int isReal;       ///< integers are read as numbers from 0 or -1 to 1
  int isSrgb;       ///< and as brightness of a screen
  float border[4];
  // Of a texture with levels of detail, which is itself the finest; 0: none.
  const struct CufortTexture *levels;
  int levelCount;
  int mixesLevels; ///< filter between two of them
  float levelBias, levelMin, levelMax;
};

#endif // CUFORT_IMAGE_TEXTURE_H
