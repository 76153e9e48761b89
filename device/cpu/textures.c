//===- textures.c - textures on the CPU -----------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUDA's rules of texture fetching: how coordinates outside are taken, and
// weights of linear filtering with 8 bits after the point.
//
// The threads of a block become lanes of vectors, and so must what they read.
// Therefore nothing here is a vector itself but the result, which is put
// together last and taken apart by whoever calls; what a texture is like is
// asked in branches that all threads take alike, and read from constant memory,
// so that loops ask only once; and what lies outside is replaced after a read
// at a place that is cut off at the ends, since neighbours then stay
// neighbours.
//
//===----------------------------------------------------------------------===//

#include "device/cpu/texels.h"

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

INLINE int cutOff(int i, int count) {
  return i < 0 ? 0 : i > count - 1 ? count - 1 : i;
}

/// A number of an element, or -1: outside, where the border is.
INLINE int place(int i, int count, int mode) {
  const int nearest = cutOff(i, count);
  switch (mode) {
  case CUFORT_ADDRESS_WRAP:
    // The coordinate was brought to one turn before.
    return cutOff(i < 0 ? i + count : i >= count ? i - count : i, count);
  case CUFORT_ADDRESS_MIRROR:
    i %= 2 * count;
    if (i < 0)
      i += 2 * count;
    return i < count ? i : 2 * count - 1 - i;
  case CUFORT_ADDRESS_BORDER:
    return nearest == i ? i : -1;
  default:
    return nearest;
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

INLINE struct Axis alongMode(float x, int count, int mode, int isNormalized,
                             int isLinear) {
  // Repetition is of textures from 0 to 1 only.
  if (!isNormalized &&
      (mode == CUFORT_ADDRESS_WRAP || mode == CUFORT_ADDRESS_MIRROR))
    mode = CUFORT_ADDRESS_CLAMP;
  if (isNormalized) {
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

INLINE struct Axis along(Texture *t, int axis, float x, int count,
                         int isLinear) {
  return alongMode(x, count, t->addressMode[axis], t->isNormalized, isLinear);
}

/// On a face of a cube, whose edges are its own, whatever the address mode is.
INLINE struct Axis alongFace(float x, int count, int isLinear) {
  return alongMode(x, count, CUFORT_ADDRESS_CLAMP, 1, isLinear);
}

INLINE int layerOf(Texture *t, int layer) { return cutOff(layer, t->depth); }

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

INLINE float weighted(float sum, float weight, float x) {
  return sum + (weight != 0 ? weight * x : 0);
}

INLINE struct Reals addCorner(struct Reals sum, float weight, struct Reals e) {
  return (struct Reals){
      weighted(sum.x, weight, e.x), weighted(sum.y, weight, e.y),
      weighted(sum.z, weight, e.z), weighted(sum.w, weight, e.w)};
}

/// A read at up to three places; \p dimensions is constant.
INLINE struct Reals placesReal(Texture *t, int dimensions, struct Axis a,
                               struct Axis b, struct Axis c) {
  if (!t->isLinear)
    return elementReal(t, a.first, b.first, c.first);
  struct Reals r = {0, 0, 0, 0};
#define CORNER(i, j, k)                                                        \
  r = addCorner(r,                                                             \
                (i ? a.weight : 1 - a.weight) *                                \
                    (j ? b.weight : 1 - b.weight) *                            \
                    (k ? c.weight : 1 - c.weight),                             \
                elementReal(t, i ? a.second : a.first, j ? b.second : b.first, \
                            k ? c.second : c.first))
  CORNER(0, 0, 0);
  CORNER(1, 0, 0);
  if (dimensions > 1) {
    CORNER(0, 1, 0);
    CORNER(1, 1, 0);
  }
  if (dimensions > 2) {
    CORNER(0, 0, 1);
    CORNER(1, 0, 1);
    CORNER(0, 1, 1);
    CORNER(1, 1, 1);
  }
#undef CORNER
  return r;
}

/// \p layer is the slice where there are fewer than three dimensions.
INLINE struct Reals sampleReal(Texture *t, int dimensions, float x, float y,
                               float z, int layer) {
  const int isLinear = t->isLinear;
  struct Axis a = along(t, 0, x, t->width, isLinear), b = {0, 0, 0},
              c = {layer, layer, 0};
  if (dimensions > 1)
    b = along(t, 1, y, t->height, isLinear);
  if (dimensions > 2)
    c = along(t, 2, z, t->depth, isLinear);
  return placesReal(t, dimensions, a, b, c);
}

INLINE struct Bits sampleBits(Texture *t, int dimensions, float x, float y,
                              float z, int layer) {
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

INLINE struct Reals cubeReal(Texture *t, float x, float y, float z, int layer) {
  const int slice = layerOf(t, 6 * layer + faceOf(&x, &y, z)),
            isLinear = t->isLinear;
  return placesReal(t, 2, alongFace(x, t->width, isLinear),
                    alongFace(y, t->height, isLinear),
                    (struct Axis){slice, slice, 0});
}

INLINE struct Bits cubeBits(Texture *t, float x, float y, float z, int layer) {
  const int slice = layerOf(t, 6 * layer + faceOf(&x, &y, z));
  return elementBits(t, alongFace(x, t->width, 0).first,
                     alongFace(y, t->height, 0).first, slice);
}

//===----------------------------------------------------------------------===//
// Levels of detail
//===----------------------------------------------------------------------===//

struct Levels {
  Texture *first, *second; ///< the second only where levels are mixed
  float weight;            ///< of the second
};

INLINE float between(float x, float least, float most) {
  x = x > least ? x : least;
  return x < most ? x : most;
}

/// Where a texture with levels is read at \p level.
INLINE struct Levels levelsAt(Texture *t, float level) {
  Texture *levels = (Texture *)(u64)t->levels;
  const int last = t->levelCount - 1;
  level = between(level + t->levelBias, t->levelMin, t->levelMax);
  level = between(level, 0, (float)last);
  if (!t->mixesLevels) {
    Texture *nearest = levels + ((int)__builtin_ceilf(level + 0.5f) - 1);
    return (struct Levels){nearest, nearest, 0};
  }
  // As weights of elements, with 8 bits after the point.
  level = __builtin_floorf(level * 256 + 0.5f) / 256;
  const float floor = __builtin_floorf(level);
  const int i = (int)floor;
  return (struct Levels){levels + i, levels + (i < last ? i + 1 : last),
                         level - floor};
}

INLINE struct Reals mixed(struct Levels l, struct Reals a, struct Reals b) {
  const struct Reals none = {0, 0, 0, 0};
  return addCorner(addCorner(none, 1 - l.weight, a), l.weight, b);
}

INLINE struct Reals sampleLevelReal(Texture *t, int dimensions, float x,
                                    float y, float z, int layer, float level) {
  if (!t->levelCount)
    return sampleReal(t, dimensions, x, y, z, layer);
  const struct Levels l = levelsAt(t, level);
  const struct Reals r = sampleReal(l.first, dimensions, x, y, z, layer);
  if (!t->mixesLevels)
    return r;
  return mixed(l, r, sampleReal(l.second, dimensions, x, y, z, layer));
}

INLINE struct Bits sampleLevelBits(Texture *t, int dimensions, float x, float y,
                                   float z, int layer, float level) {
  if (!t->levelCount)
    return sampleBits(t, dimensions, x, y, z, layer);
  return sampleBits(levelsAt(t, level).first, dimensions, x, y, z, layer);
}

INLINE struct Reals cubeLevelReal(Texture *t, float x, float y, float z,
                                  int layer, float level) {
  if (!t->levelCount)
    return cubeReal(t, x, y, z, layer);
  const struct Levels l = levelsAt(t, level);
  const struct Reals r = cubeReal(l.first, x, y, z, layer);
  return t->mixesLevels ? mixed(l, r, cubeReal(l.second, x, y, z, layer)) : r;
}

INLINE struct Bits cubeLevelBits(Texture *t, float x, float y, float z,
                                 int layer, float level) {
  return cubeBits(t->levelCount ? levelsAt(t, level).first : t, x, y, z, layer);
}

INLINE float squared(float x, int count) {
  return x * (float)count * (x * (float)count);
}

/// The level at which the neighbours on a screen, \p a and \p b away, lie one
/// element apart, the farther one of the two.
INLINE float levelBetween(Texture *t, float ax, float ay, float az, float bx,
                          float by, float bz) {
  const float a = squared(ax, t->width) + squared(ay, t->height) +
                  squared(az, t->depth),
              b = squared(bx, t->width) + squared(by, t->height) +
                  squared(bz, t->depth);
  return __builtin_log2f(a > b ? a : b) / 2;
}

#define SAMPLE_LEVEL_f32 sampleLevelReal
#define SAMPLE_LEVEL_s32 sampleLevelBits
#define SAMPLE_LEVEL_u32 sampleLevelBits
#define CUBE_LEVEL_f32 cubeLevelReal
#define CUBE_LEVEL_s32 cubeLevelBits
#define CUBE_LEVEL_u32 cubeLevelBits
#define SAMPLE_f32 sampleReal
#define SAMPLE_s32 sampleBits
#define SAMPLE_u32 sampleBits
#define CUBE_f32 cubeReal
#define CUBE_s32 cubeBits
#define CUBE_u32 cubeBits
#define PLAIN_f32 realsAt
#define PLAIN_s32 channelsAt
#define PLAIN_u32 channelsAt
#define ELEMENT_f32 elementReal
#define ELEMENT_s32 elementBits
#define ELEMENT_u32 elementBits
#define PARTS_f32 struct Reals
#define PARTS_s32 struct Bits
#define PARTS_u32 struct Bits
#define RESULT(V, e) ((V){e.x, e.y, e.z, e.w})
#define COMPONENT(e, n) (n == 0 ? e.x : n == 1 ? e.y : n == 2 ? e.z : e.w)

#define READS(name, V, T, ptx, letter)                                         \
  V __cufort_texture_fetch_##name(u64 texture, int x) {                        \
    Texture *t = (Texture *)texture;                                           \
    const int near = cutOff(x, t->width);                                      \
    PARTS_##name e = PLAIN_##name(t, near, 0, 0);                              \
    return (V){near == x ? e.x : 0, near == x ? e.y : 0, near == x ? e.z : 0,  \
               near == x ? e.w : 0};                                           \
  }                                                                            \
  V __cufort_texture_1d_##name(u64 texture, float x) {                         \
    PARTS_##name e = SAMPLE_##name((Texture *)texture, 1, x, 0, 0, 0);         \
    return RESULT(V, e);                                                       \
  }                                                                            \
  V __cufort_texture_2d_##name(u64 texture, float x, float y) {                \
    PARTS_##name e = SAMPLE_##name((Texture *)texture, 2, x, y, 0, 0);         \
    return RESULT(V, e);                                                       \
  }                                                                            \
  V __cufort_texture_3d_##name(u64 texture, float x, float y, float z) {       \
    PARTS_##name e = SAMPLE_##name((Texture *)texture, 3, x, y, z, 0);         \
    return RESULT(V, e);                                                       \
  }                                                                            \
  V __cufort_texture_1d_layered_##name(u64 texture, float x, int layer) {      \
    Texture *t = (Texture *)texture;                                           \
    PARTS_##name e = SAMPLE_##name(t, 1, x, 0, 0, layerOf(t, layer));          \
    return RESULT(V, e);                                                       \
  }                                                                            \
  V __cufort_texture_2d_layered_##name(u64 texture, float x, float y,          \
                                       int layer) {                            \
    Texture *t = (Texture *)texture;                                           \
    PARTS_##name e = SAMPLE_##name(t, 2, x, y, 0, layerOf(t, layer));          \
    return RESULT(V, e);                                                       \
  }                                                                            \
  V __cufort_texture_cube_layered_##name(u64 texture, float x, float y,        \
                                         float z, int layer) {                 \
    PARTS_##name e = CUBE_##name((Texture *)texture, x, y, z, layer);          \
    return RESULT(V, e);                                                       \
  }                                                                            \
  V __cufort_texture_cube_##name(u64 texture, float x, float y, float z) {     \
    return __cufort_texture_cube_layered_##name(texture, x, y, z, 0);          \
  }                                                                            \
  V __cufort_texture_gather_##name(u64 texture, float x, float y, int n) {     \
    Texture *t = (Texture *)texture;                                           \
    const struct Axis a = along(t, 0, x, t->width, 1),                         \
                      b = along(t, 1, y, t->height, 1);                        \
    const PARTS_##name e = ELEMENT_##name(t, a.first, b.second, 0),            \
                       f = ELEMENT_##name(t, a.second, b.second, 0),           \
                       g = ELEMENT_##name(t, a.second, b.first, 0),            \
                       h = ELEMENT_##name(t, a.first, b.first, 0);             \
    return (V){COMPONENT(e, n), COMPONENT(f, n), COMPONENT(g, n),              \
               COMPONENT(h, n)};                                               \
  }
EACH_RESULT(READS)

#define LEVEL_READ(name, V, how, parameters, dimensions, ...)                  \
  V __cufort_texture_##how##_##name parameters {                               \
    Texture *t = (Texture *)texture;                                           \
    PARTS_##name e = SAMPLE_LEVEL_##name(t, dimensions, __VA_ARGS__);          \
    return RESULT(V, e);                                                       \
  }
#define LEVEL_READS(name, V, T, ptx, letter)                                   \
  LEVEL_READ(name, V, 1d_lod, (u64 texture, float x, float l), 1, x, 0, 0, 0,  \
             l)                                                                \
  LEVEL_READ(name, V, 2d_lod, (u64 texture, float x, float y, float l), 2, x,  \
             y, 0, 0, l)                                                       \
  LEVEL_READ(name, V, 3d_lod,                                                  \
             (u64 texture, float x, float y, float z, float l), 3, x, y, z, 0, \
             l)                                                                \
  LEVEL_READ(name, V, 1d_layered_lod,                                          \
             (u64 texture, float x, int layer, float l), 1, x, 0, 0,           \
             layerOf(t, layer), l)                                             \
  LEVEL_READ(name, V, 2d_layered_lod,                                          \
             (u64 texture, float x, float y, int layer, float l), 2, x, y, 0,  \
             layerOf(t, layer), l)                                             \
  LEVEL_READ(name, V, 1d_grad, (u64 texture, float x, float ax, float bx), 1,  \
             x, 0, 0, 0, levelBetween(t, ax, 0, 0, bx, 0, 0))                  \
  LEVEL_READ(                                                                  \
      name, V, 2d_grad,                                                        \
      (u64 texture, float x, float y, float ax, float ay, float bx, float by), \
      2, x, y, 0, 0, levelBetween(t, ax, ay, 0, bx, by, 0))                    \
  LEVEL_READ(name, V, 3d_grad,                                                 \
             (u64 texture, float x, float y, float z, float ax, float ay,      \
              float az, float bx, float by, float bz),                         \
             3, x, y, z, 0, levelBetween(t, ax, ay, az, bx, by, bz))           \
  V __cufort_texture_cube_layered_lod_##name(u64 texture, float x, float y,    \
                                             float z, int layer, float l) {    \
    PARTS_##name e = CUBE_LEVEL_##name((Texture *)texture, x, y, z, layer, l); \
    return RESULT(V, e);                                                       \
  }                                                                            \
  V __cufort_texture_cube_lod_##name(u64 texture, float x, float y, float z,   \
                                     float l) {                                \
    return __cufort_texture_cube_layered_lod_##name(texture, x, y, z, 0, l);   \
  }
EACH_RESULT(LEVEL_READS)
