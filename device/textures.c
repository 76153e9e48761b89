//===- textures.c - textures and surfaces on GPUs -------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One instruction of PTX for each access. Each is inlined, so that what is
// constant in a call chooses the instruction when the program is compiled.
//
//===----------------------------------------------------------------------===//

#include "device/textures.h"

#define ACCESS __attribute__((always_inline))

//===----------------------------------------------------------------------===//
// Textures
//===----------------------------------------------------------------------===//

/// The bodies of all reads: PTX's geometry and coordinates, then operands from
/// number 5 on.
#define READ(V, letter, instruction, coordinates, ...)                         \
  V v;                                                                         \
  __asm__(instruction " {%0, %1, %2, %3}, [%4, {" coordinates "}];"            \
          : "=" letter(v.x), "=" letter(v.y), "=" letter(v.z), "=" letter(v.w) \
          : "l"(texture), __VA_ARGS__);                                        \
  return v

/// The same with what follows the coordinates: a level, or gradients.
#define READ_AT(V, letter, instruction, coordinates, level, ...)               \
  V v;                                                                         \
  __asm__(instruction " {%0, %1, %2, %3}, [%4, {" coordinates "}], " level ";" \
          : "=" letter(v.x), "=" letter(v.y), "=" letter(v.z), "=" letter(v.w) \
          : "l"(texture), __VA_ARGS__);                                        \
  return v

#define READS(name, V, T, ptx, letter)                                         \
  ACCESS V __cufort_texture_fetch_##name(u64 texture, int x) {                 \
    READ(V, letter, "tex.1d.v4." ptx ".s32", "%5", "r"(x));                    \
  }                                                                            \
  ACCESS V __cufort_texture_1d_##name(u64 texture, float x) {                  \
    READ(V, letter, "tex.1d.v4." ptx ".f32", "%5", "f"(x));                    \
  }                                                                            \
  ACCESS V __cufort_texture_2d_##name(u64 texture, float x, float y) {         \
    READ(V, letter, "tex.2d.v4." ptx ".f32", "%5, %6", "f"(x), "f"(y));        \
  }                                                                            \
  ACCESS V __cufort_texture_3d_##name(u64 texture, float x, float y,           \
                                      float z) {                               \
    READ(V, letter, "tex.3d.v4." ptx ".f32", "%5, %6, %7, %7", "f"(x), "f"(y), \
         "f"(z));                                                              \
  }                                                                            \
  ACCESS V __cufort_texture_1d_layered_##name(u64 texture, float x,            \
                                              int layer) {                     \
    READ(V, letter, "tex.a1d.v4." ptx ".f32", "%5, %6", "r"(layer), "f"(x));   \
  }                                                                            \
  ACCESS V __cufort_texture_2d_layered_##name(u64 texture, float x, float y,   \
                                              int layer) {                     \
    READ(V, letter, "tex.a2d.v4." ptx ".f32", "%5, %6, %7, %7", "r"(layer),    \
         "f"(x), "f"(y));                                                      \
  }                                                                            \
  ACCESS V __cufort_texture_cube_##name(u64 texture, float x, float y,         \
                                        float z) {                             \
    READ(V, letter, "tex.cube.v4." ptx ".f32", "%5, %6, %7, %7", "f"(x),       \
         "f"(y), "f"(z));                                                      \
  }                                                                            \
  ACCESS V __cufort_texture_cube_layered_##name(u64 texture, float x, float y, \
                                                float z, int layer) {          \
    READ(V, letter, "tex.acube.v4." ptx ".f32", "%5, %6, %7, %8", "r"(layer),  \
         "f"(x), "f"(y), "f"(z));                                              \
  }                                                                            \
  ACCESS V __cufort_texture_gather_##name(u64 texture, float x, float y,       \
                                          int component) {                     \
    if (component == 0) {                                                      \
      READ(V, letter, "tld4.r.2d.v4." ptx ".f32", "%5, %6", "f"(x), "f"(y));   \
    }                                                                          \
    if (component == 1) {                                                      \
      READ(V, letter, "tld4.g.2d.v4." ptx ".f32", "%5, %6", "f"(x), "f"(y));   \
    }                                                                          \
    if (component == 2) {                                                      \
      READ(V, letter, "tld4.b.2d.v4." ptx ".f32", "%5, %6", "f"(x), "f"(y));   \
    }                                                                          \
    READ(V, letter, "tld4.a.2d.v4." ptx ".f32", "%5, %6", "f"(x), "f"(y));     \
  }
EACH_RESULT(READS)

#define READS_AT(name, V, T, ptx, letter)                                      \
  ACCESS V __cufort_texture_1d_lod_##name(u64 texture, float x, float l) {     \
    READ_AT(V, letter, "tex.level.1d.v4." ptx ".f32", "%5", "%6", "f"(x),      \
            "f"(l));                                                           \
  }                                                                            \
  ACCESS V __cufort_texture_2d_lod_##name(u64 texture, float x, float y,       \
                                          float l) {                           \
    READ_AT(V, letter, "tex.level.2d.v4." ptx ".f32", "%5, %6", "%7", "f"(x),  \
            "f"(y), "f"(l));                                                   \
  }                                                                            \
  ACCESS V __cufort_texture_3d_lod_##name(u64 texture, float x, float y,       \
                                          float z, float l) {                  \
    READ_AT(V, letter, "tex.level.3d.v4." ptx ".f32", "%5, %6, %7, %7", "%8",  \
            "f"(x), "f"(y), "f"(z), "f"(l));                                   \
  }                                                                            \
  ACCESS V __cufort_texture_1d_layered_lod_##name(u64 texture, float x,        \
                                                  int layer, float l) {        \
    READ_AT(V, letter, "tex.level.a1d.v4." ptx ".f32", "%5, %6", "%7",         \
            "r"(layer), "f"(x), "f"(l));                                       \
  }                                                                            \
  ACCESS V __cufort_texture_2d_layered_lod_##name(                             \
      u64 texture, float x, float y, int layer, float l) {                     \
    READ_AT(V, letter, "tex.level.a2d.v4." ptx ".f32", "%5, %6, %7, %7", "%8", \
            "r"(layer), "f"(x), "f"(y), "f"(l));                               \
  }                                                                            \
  ACCESS V __cufort_texture_cube_lod_##name(u64 texture, float x, float y,     \
                                            float z, float l) {                \
    READ_AT(V, letter, "tex.level.cube.v4." ptx ".f32", "%5, %6, %7, %7",      \
            "%8", "f"(x), "f"(y), "f"(z), "f"(l));                             \
  }                                                                            \
  ACCESS V __cufort_texture_cube_layered_lod_##name(                           \
      u64 texture, float x, float y, float z, int layer, float l) {            \
    READ_AT(V, letter, "tex.level.acube.v4." ptx ".f32", "%5, %6, %7, %8",     \
            "%9", "r"(layer), "f"(x), "f"(y), "f"(z), "f"(l));                 \
  }                                                                            \
  ACCESS V __cufort_texture_1d_grad_##name(u64 texture, float x, float ax,     \
                                           float bx) {                         \
    READ_AT(V, letter, "tex.grad.1d.v4." ptx ".f32", "%5", "{%6}, {%7}",       \
            "f"(x), "f"(ax), "f"(bx));                                         \
  }                                                                            \
  ACCESS V __cufort_texture_2d_grad_##name(                                    \
      u64 texture, float x, float y, float ax, float ay, float bx, float by) { \
    READ_AT(V, letter, "tex.grad.2d.v4." ptx ".f32", "%5, %6",                 \
            "{%7, %8}, {%9, %10}", "f"(x), "f"(y), "f"(ax), "f"(ay), "f"(bx),  \
            "f"(by));                                                          \
  }                                                                            \
  ACCESS V __cufort_texture_3d_grad_##name(                                    \
      u64 texture, float x, float y, float z, float ax, float ay, float az,    \
      float bx, float by, float bz) {                                          \
    READ_AT(V, letter, "tex.grad.3d.v4." ptx ".f32", "%5, %6, %7, %7",         \
            "{%8, %9, %10, %10}, {%11, %12, %13, %13}", "f"(x), "f"(y),        \
            "f"(z), "f"(ax), "f"(ay), "f"(az), "f"(bx), "f"(by), "f"(bz));     \
  }
EACH_RESULT(READS_AT)

//===----------------------------------------------------------------------===//
// Surfaces
//===----------------------------------------------------------------------===//

#define LOAD1(T, ptx, letter, where, mode, coordinates, ...)                   \
  __asm__ volatile("suld.b." where "." ptx "." mode " %0, [%1, {" coordinates  \
                   "}];"                                                       \
                   : "=" letter(((T *)data)[0])                                \
                   : "l"(surface), __VA_ARGS__                                 \
                   : "memory")
#define LOAD2(T, ptx, letter, where, mode, coordinates, ...)                   \
  __asm__ volatile("suld.b." where ".v2." ptx "." mode                         \
                   " {%0, %1}, [%2, {" coordinates "}];"                       \
                   : "=" letter(((T *)data)[0]), "=" letter(((T *)data)[1])    \
                   : "l"(surface), __VA_ARGS__                                 \
                   : "memory")
#define STORE1(T, ptx, letter, where, mode, coordinates, ...)                  \
  __asm__ volatile("sust.b." where "." ptx "." mode " [%1, {" coordinates      \
                   "}], %0;" ::letter(((const T *)data)[0]),                   \
                   "l"(surface), __VA_ARGS__                                   \
                   : "memory")
#define STORE2(T, ptx, letter, where, mode, coordinates, ...)                  \
  __asm__ volatile("sust.b." where ".v2." ptx "." mode " [%2, {" coordinates   \
                   "}], {%0, %1};" ::letter(((const T *)data)[0]),             \
                   letter(((const T *)data)[1]), "l"(surface), __VA_ARGS__     \
                   : "memory")

// Operands count from 2 on in single accesses, from 3 on in double ones.
#define WITH_GEOMETRY(ONE, T, ptx, letter, mode, a, b, c)                      \
  switch (geometry) {                                                          \
  case Surface1D:                                                              \
    ONE(T, ptx, letter, "1d", mode, a, "r"(x));                                \
    break;                                                                     \
  case Surface2D:                                                              \
    ONE(T, ptx, letter, "2d", mode, a ", " b, "r"(x), "r"(y));                 \
    break;                                                                     \
  case Surface3D:                                                              \
    ONE(T, ptx, letter, "3d", mode, a ", " b ", " c ", " c, "r"(x), "r"(y),    \
        "r"(z));                                                               \
    break;                                                                     \
  case Surface1DLayered:                                                       \
    ONE(T, ptx, letter, "a1d", mode, a ", " b, "r"(z), "r"(x));                \
    break;                                                                     \
  case Surface2DLayered:                                                       \
    ONE(T, ptx, letter, "a2d", mode, a ", " b ", " c ", " c, "r"(z), "r"(x),   \
        "r"(y));                                                               \
    break;                                                                     \
  }
#define WITH_MODE(ONE, T, ptx, letter, a, b, c)                                \
  if (boundary == BoundaryZero) {                                              \
    WITH_GEOMETRY(ONE, T, ptx, letter, "zero", a, b, c)                        \
  } else if (boundary == BoundaryClamp) {                                      \
    WITH_GEOMETRY(ONE, T, ptx, letter, "clamp", a, b, c)                       \
  } else {                                                                     \
    WITH_GEOMETRY(ONE, T, ptx, letter, "trap", a, b, c)                        \
  }
// Bytes have registers of 16 bits.
#define WITH_SIZE(ONE, TWO)                                                    \
  switch (bytes) {                                                             \
  case 2:                                                                      \
    WITH_MODE(ONE, unsigned short, "b16", "h", "%2", "%3", "%4")               \
    break;                                                                     \
  case 4:                                                                      \
    WITH_MODE(ONE, u32, "b32", "r", "%2", "%3", "%4")                          \
    break;                                                                     \
  case 8:                                                                      \
    WITH_MODE(ONE, u64, "b64", "l", "%2", "%3", "%4")                          \
    break;                                                                     \
  case 16:                                                                     \
    WITH_MODE(TWO, u64, "b64", "l", "%3", "%4", "%5")                          \
    break;                                                                     \
  }

/// Reads \p bytes bytes (1, 2, 4, 8, 16) at byte \p x of a row.
ACCESS void __cufort_texture_surface_read(int geometry, int bytes, int boundary,
                                          u64 surface, int x, int y, int z,
                                          void *to) {
  if (bytes == 1) {
    unsigned short word = 0, *data = &word;
    WITH_MODE(LOAD1, unsigned short, "b8", "h", "%2", "%3", "%4")
    *(unsigned char *)to = (unsigned char)word;
    return;
  }
  void *data = to;
  WITH_SIZE(LOAD1, LOAD2)
}

ACCESS void __cufort_texture_surface_write(int geometry, int bytes,
                                           int boundary, u64 surface, int x,
                                           int y, int z, const void *from) {
  if (bytes == 1) {
    unsigned short word = *(const unsigned char *)from, *data = &word;
    WITH_MODE(STORE1, unsigned short, "b8", "h", "%2", "%3", "%4")
    return;
  }
  const void *data = from;
  WITH_SIZE(STORE1, STORE2)
}
