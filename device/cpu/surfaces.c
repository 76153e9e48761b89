//===- surfaces.c - surfaces on the CPU -----------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/cpu/texels.h"

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
