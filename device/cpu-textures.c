//===- cpu-textures.c - textures and surfaces on the CPU ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUDA's rules of texture fetching: how coordinates outside are taken, and
// weights of linear filtering with 8 bits after the point.
//
//===----------------------------------------------------------------------===//

#include "device/textures.h"
#include "image/Texture.h"

#define INLINE static inline __attribute__((always_inline))

typedef const struct CufortTexture Texture;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

INLINE u32 channelBits(const char *at, Texture *t) {
  switch (t->channelBytes) {
  case 1:
    return t->kind == 0 ? (u32) * (const signed char *)at
                        : *(const unsigned char *)at;
  case 2:
    return t->kind == 0 ? (u32) * (const short *)at
                        : *(const unsigned short *)at;
  default:
    return *(const u32 *)at;
  }
}

INLINE float fromSrgb(float x) {
  return x <= 0.04045f ? x / 12.92f
                       : __builtin_powf((x + 0.055f) / 1.055f, 2.4f);
}

INLINE float channelReal(const char *at, Texture *t, int channel) {
  u32 bits = channelBits(at, t);
  if (t->kind == 2)
    return t->channelBytes == 2
               ? (float)__builtin_bit_cast(_Float16, (unsigned short)bits)
               : __builtin_bit_cast(float, bits);
  if (t->channelBytes == 4)
    return __builtin_bit_cast(float, bits);
  const float most = t->channelBytes == 1 ? (t->kind ? 255.f : 127.f)
                                          : (t->kind ? 65535.f : 32767.f);
  if (t->kind == 0) {
    float x = (float)(int)bits / most;
    return x < -1 ? -1 : x;
  }
  float x = (float)bits / most;
  return t->isSrgb && channel < 3 ? fromSrgb(x) : x;
}

/// The element at a place, which is one of the texture or all -1: the border.
INLINE f4 elementReal(Texture *t, int x, int y, int z) {
  if (x < 0 || y < 0 || z < 0)
    return (f4){t->border[0], t->border[1], t->border[2], t->border[3]};
  const char *at = t->memory + (u64)z * t->slice + (u64)y * t->pitch +
                   (u64)x * (u32)(t->channels * t->channelBytes);
  f4 v = {0, 0, 0, 0};
  for (int c = 0; c < t->channels; ++c)
    v[c] = channelReal(at + c * t->channelBytes, t, c);
  return v;
}

INLINE u4 elementBits(Texture *t, int x, int y, int z) {
  if (x < 0 || y < 0 || z < 0)
    return (u4){(u32)(int)t->border[0], (u32)(int)t->border[1],
                (u32)(int)t->border[2], (u32)(int)t->border[3]};
  const char *at = t->memory + (u64)z * t->slice + (u64)y * t->pitch +
                   (u64)x * (u32)(t->channels * t->channelBytes);
  u4 v = {0, 0, 0, 0};
  for (int c = 0; c < t->channels; ++c)
    v[c] = channelBits(at + c * t->channelBytes, t);
  return v;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// A number of an element, or -1: outside, where the border is.
INLINE int place(int i, int count, int mode) {
  if (i >= 0 && i < count)
    return i;
  switch (mode) {
  case CUFORT_ADDRESS_WRAP:
    i %= count;
    return i < 0 ? i + count : i;
  case CUFORT_ADDRESS_MIRROR:
    i %= 2 * count;
    if (i < 0)
      i += 2 * count;
    return i < count ? i : 2 * count - 1 - i;
  case CUFORT_ADDRESS_BORDER:
    return -1;
  default:
    return i < 0 ? 0 : count - 1;
  }
}

struct Axis {
  int first, second; ///< elements; the second only for linear filtering
  float weight;      ///< of the second
};

INLINE int wholeOf(float x) {
  const float limit = 1 << 24;
  return x > -limit ? (x < limit ? (int)x : 1 << 24) : -(1 << 24);
}

INLINE struct Axis along(Texture *t, int axis, float x, int count,
                         int isLinear) {
  // Repetition is of textures from 0 to 1 only.
  int mode = t->addressMode[axis];
  if (!t->isNormalized &&
      (mode == CUFORT_ADDRESS_WRAP || mode == CUFORT_ADDRESS_MIRROR))
    mode = CUFORT_ADDRESS_CLAMP;
  if (t->isNormalized) {
    if (mode == CUFORT_ADDRESS_WRAP)
      x -= __builtin_floorf(x);
    x *= (float)count;
  }
  struct Axis a = {0, 0, 0};
  if (isLinear) {
    x -= 0.5f;
    // Weights have 8 bits after the point.
    x = __builtin_floorf(x * 256 + 0.5f) / 256;
  }
  const float floor = __builtin_floorf(x);
  const int i = wholeOf(floor);
  a.first = place(i, count, mode);
  if (isLinear) {
    a.second = place(i + 1, count, mode);
    a.weight = x - floor;
  }
  return a;
}

INLINE int layerOf(Texture *t, int layer) {
  return layer < 0 ? 0 : layer < t->depth ? layer : t->depth - 1;
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

/// A read at up to three coordinates; \p dimensions is constant. \p layer is
/// the slice where there are fewer than three.
INLINE f4 sampleReal(Texture *t, int dimensions, float x, float y, float z,
                     int layer) {
  const int isLinear = t->isLinear;
  struct Axis a = along(t, 0, x, t->width, isLinear), b = {0, 0, 0},
              c = {layer, layer, 0};
  if (dimensions > 1)
    b = along(t, 1, y, t->height, isLinear);
  if (dimensions > 2)
    c = along(t, 2, z, t->depth, isLinear);
  if (!isLinear)
    return elementReal(t, a.first, b.first, c.first);
  f4 result = {0, 0, 0, 0};
  for (int k = 0; k < (dimensions > 2 ? 2 : 1); ++k)
    for (int j = 0; j < (dimensions > 1 ? 2 : 1); ++j)
      for (int i = 0; i < 2; ++i) {
        const float weight = (i ? a.weight : 1 - a.weight) *
                             (j ? b.weight : 1 - b.weight) *
                             (k ? c.weight : 1 - c.weight);
        if (weight != 0)
          result += weight * elementReal(t, i ? a.second : a.first,
                                         j ? b.second : b.first,
                                         k ? c.second : c.first);
      }
  return result;
}

INLINE u4 sampleBits(Texture *t, int dimensions, float x, float y, float z,
                     int layer) {
  struct Axis a = along(t, 0, x, t->width, 0), b = {0, 0, 0},
              c = {layer, layer, 0};
  if (dimensions > 1)
    b = along(t, 1, y, t->height, 0);
  if (dimensions > 2)
    c = along(t, 2, z, t->depth, 0);
  return elementBits(t, a.first, b.first, c.first);
}

/// The face of a cube that a direction meets, and where.
INLINE int faceOf(float *x, float *y, float z) {
  const float ax = __builtin_fabsf(*x), ay = __builtin_fabsf(*y),
              az = __builtin_fabsf(z);
  float s, t, m;
  int face;
  if (ax >= ay && ax >= az) {
    face = *x < 0;
    m = ax, t = -*y, s = *x < 0 ? z : -z;
  } else if (ay >= az) {
    face = 2 + (*y < 0);
    m = ay, s = *x, t = *y < 0 ? -z : z;
  } else {
    face = 4 + (z < 0);
    m = az, t = -*y, s = z < 0 ? -*x : *x;
  }
  *x = (s / m + 1) / 2;
  *y = (t / m + 1) / 2;
  return face;
}

/// Edges of a face are its own, whatever the address mode is.
INLINE struct CufortTexture ofCube(Texture *t) {
  struct CufortTexture face = *t;
  face.isNormalized = 1;
  face.addressMode[0] = face.addressMode[1] = CUFORT_ADDRESS_CLAMP;
  return face;
}

#define REAL_f32(...) sampleReal(__VA_ARGS__)
#define REAL_s32(...) sampleBits(__VA_ARGS__)
#define REAL_u32(...) sampleBits(__VA_ARGS__)
#define ELEMENT_f32(...) elementReal(__VA_ARGS__)
#define ELEMENT_s32(...) elementBits(__VA_ARGS__)
#define ELEMENT_u32(...) elementBits(__VA_ARGS__)

#define READS(name, V, T, ptx, letter)                                         \
  V __cufort_texture_fetch_##name(u64 texture, int x) {                        \
    Texture *t = (Texture *)texture;                                           \
    if (x < 0 || x >= t->width)                                                \
      return (V){0, 0, 0, 0};                                                  \
    return ELEMENT_##name(t, x, 0, 0);                                         \
  }                                                                            \
  V __cufort_texture_1d_##name(u64 texture, float x) {                         \
    return REAL_##name((Texture *)texture, 1, x, 0, 0, 0);                     \
  }                                                                            \
  V __cufort_texture_2d_##name(u64 texture, float x, float y) {                \
    return REAL_##name((Texture *)texture, 2, x, y, 0, 0);                     \
  }                                                                            \
  V __cufort_texture_3d_##name(u64 texture, float x, float y, float z) {       \
    return REAL_##name((Texture *)texture, 3, x, y, z, 0);                     \
  }                                                                            \
  V __cufort_texture_1d_layered_##name(u64 texture, float x, int layer) {      \
    Texture *t = (Texture *)texture;                                           \
    return REAL_##name(t, 1, x, 0, 0, layerOf(t, layer));                      \
  }                                                                            \
  V __cufort_texture_2d_layered_##name(u64 texture, float x, float y,          \
                                       int layer) {                            \
    Texture *t = (Texture *)texture;                                           \
    return REAL_##name(t, 2, x, y, 0, layerOf(t, layer));                      \
  }                                                                            \
  V __cufort_texture_cube_layered_##name(u64 texture, float x, float y,        \
                                         float z, int layer) {                 \
    struct CufortTexture t = ofCube((Texture *)texture);                       \
    const int face = faceOf(&x, &y, z);                                        \
    return REAL_##name(&t, 2, x, y, 0, layerOf(&t, 6 * layer + face));         \
  }                                                                            \
  V __cufort_texture_cube_##name(u64 texture, float x, float y, float z) {     \
    return __cufort_texture_cube_layered_##name(texture, x, y, z, 0);          \
  }                                                                            \
  V __cufort_texture_gather_##name(u64 texture, float x, float y,              \
                                   int component) {                            \
    Texture *t = (Texture *)texture;                                           \
    const struct Axis a = along(t, 0, x, t->width, 1),                         \
                      b = along(t, 1, y, t->height, 1);                        \
    return (V){ELEMENT_##name(t, a.first, b.second, 0)[component],             \
               ELEMENT_##name(t, a.second, b.second, 0)[component],            \
               ELEMENT_##name(t, a.second, b.first, 0)[component],             \
               ELEMENT_##name(t, a.first, b.first, 0)[component]};             \
  }
EACH_RESULT(READS)

//===----------------------------------------------------------------------===//
// Surfaces
//===----------------------------------------------------------------------===//

/// The place on one axis by the boundary mode; -1: there is none.
INLINE int bounded(int i, int count, int boundary) {
  if (i >= 0 && i < count)
    return i;
  if (boundary == BoundaryClamp)
    return i < 0 ? 0 : count - 1;
  if (boundary == BoundaryTrap)
    __builtin_trap();
  return -1;
}

INLINE char *surfaceAddress(Texture *t, int geometry, int bytes, int boundary,
                            int x, int y, int z) {
  const int hasY = geometry == Surface2D || geometry == Surface3D ||
                   geometry == Surface2DLayered;
  const int hasZ = geometry != Surface1D && geometry != Surface2D;
  const int row = t->width * t->channels * t->channelBytes;
  x = bounded(x, row - bytes + 1, boundary);
  y = hasY ? bounded(y, t->height, boundary) : 0;
  z = hasZ ? bounded(z, t->depth, boundary) : 0;
  if (x < 0 || y < 0 || z < 0)
    return 0;
  return t->memory + (u64)z * t->slice + (u64)y * t->pitch + (u64)x;
}

void __cufort_texture_surface_read(int geometry, int bytes, int boundary,
                                   u64 surface, int x, int y, int z, void *to) {
  const char *from =
      surfaceAddress((Texture *)surface, geometry, bytes, boundary, x, y, z);
  for (int i = 0; i < bytes; ++i)
    ((char *)to)[i] = from ? from[i] : 0;
}

void __cufort_texture_surface_write(int geometry, int bytes, int boundary,
                                    u64 surface, int x, int y, int z,
                                    const void *from) {
  char *to =
      surfaceAddress((Texture *)surface, geometry, bytes, boundary, x, y, z);
  if (to)
    for (int i = 0; i < bytes; ++i)
      to[i] = ((const char *)from)[i];
}
