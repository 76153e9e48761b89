//===- texels.h - elements of textures on the CPU -----------------*- C -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_DEVICE_CPU_TEXELS_H
#define CUFORT_DEVICE_CPU_TEXELS_H

#include "device/textures.h"
#include "image/Texture.h"

#define INLINE static inline __attribute__((always_inline))

typedef const __attribute__((address_space(4))) struct CufortTexture Texture;

struct Bits {
  u32 x, y, z, w;
};
struct Reals {
  float x, y, z, w;
};

/// A channel of one or two bytes.
INLINE u32 narrowAt(Texture *t, const char *row, int index) {
  const int isSigned = t->kind == 0;
  if (t->channelBytes == 1) {
    const u32 bits = ((const unsigned char *)row)[index];
    return isSigned ? (u32)(signed char)bits : bits;
  }
  const u32 bits = ((const unsigned short *)row)[index];
  return isSigned ? (u32)(short)bits : bits;
}

/// The channels of an element of the texture, 0 for those that there are not.
INLINE struct Bits channelsAt(Texture *t, int x, int y, int z) {
  const char *row = t->memory + (u64)z * t->slice + (u64)y * (u32)t->pitch;
  const int channels = t->channels;
  struct Bits e = {0, 0, 0, 0};
  if (t->channelBytes == 4) {
    const u32 *at = (const u32 *)row;
    if (channels == 1) {
      e.x = at[x];
    } else if (channels == 2) {
      e.x = at[2 * x], e.y = at[2 * x + 1];
    } else {
      e.x = at[4 * x], e.y = at[4 * x + 1];
      e.z = at[4 * x + 2], e.w = at[4 * x + 3];
    }
  } else {
    e.x = narrowAt(t, row, x * channels);
    if (channels > 1)
      e.y = narrowAt(t, row, x * channels + 1);
    if (channels > 2) {
      e.z = narrowAt(t, row, x * channels + 2);
      e.w = narrowAt(t, row, x * channels + 3);
    }
  }
  return e;
}

INLINE float fromSrgb(float x) {
  return x <= 0.04045f ? x / 12.92f
                       : __builtin_powf((x + 0.055f) / 1.055f, 2.4f);
}

/// The number that a channel of one or two bytes stands for.
INLINE float shortReal(u32 bits, Texture *t, int channel) {
  if (t->kind == 2)
    return (float)__builtin_bit_cast(_Float16, (unsigned short)bits);
  const float most = t->channelBytes == 1 ? (t->kind ? 255.f : 127.f)
                                          : (t->kind ? 65535.f : 32767.f);
  if (t->kind == 0) {
    float x = (float)(int)bits / most;
    return x < -1 ? -1 : x;
  }
  float x = (float)bits / most;
  return t->isSrgb && channel < 3 ? fromSrgb(x) : x;
}

/// The element at a place, which is one of the texture, as real numbers.
INLINE struct Reals realsAt(Texture *t, int x, int y, int z) {
  const struct Bits e = channelsAt(t, x, y, z);
  if (t->channelBytes == 4)
    return (struct Reals){
        __builtin_bit_cast(float, e.x), __builtin_bit_cast(float, e.y),
        __builtin_bit_cast(float, e.z), __builtin_bit_cast(float, e.w)};
  const int channels = t->channels;
  struct Reals r = {shortReal(e.x, t, 0), 0, 0, 0};
  if (channels > 1)
    r.y = shortReal(e.y, t, 1);
  if (channels > 2)
    r.z = shortReal(e.z, t, 2), r.w = shortReal(e.w, t, 3);
  return r;
}

INLINE int atLeast0(int i) { return i < 0 ? 0 : i; }

/// The element at a place, which is one of the texture or has a -1: the border.
INLINE struct Reals elementReal(Texture *t, int x, int y, int z) {
  const int isBorder = x < 0 || y < 0 || z < 0;
  struct Reals r = realsAt(t, atLeast0(x), atLeast0(y), atLeast0(z));
  r.x = isBorder ? t->border[0] : r.x;
  r.y = isBorder ? t->border[1] : r.y;
  r.z = isBorder ? t->border[2] : r.z;
  r.w = isBorder ? t->border[3] : r.w;
  return r;
}

INLINE struct Bits elementBits(Texture *t, int x, int y, int z) {
  const int isBorder = x < 0 || y < 0 || z < 0;
  struct Bits e = channelsAt(t, atLeast0(x), atLeast0(y), atLeast0(z));
  e.x = isBorder ? (u32)(int)t->border[0] : e.x;
  e.y = isBorder ? (u32)(int)t->border[1] : e.y;
  e.z = isBorder ? (u32)(int)t->border[2] : e.z;
  e.w = isBorder ? (u32)(int)t->border[3] : e.w;
  return e;
}

#endif // CUFORT_DEVICE_CPU_TEXELS_H
