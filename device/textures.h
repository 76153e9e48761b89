//===- textures.h - accesses to textures and surfaces -----------*- C -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The procedures that include/texture_indirect_functions.h calls: textures.c
// has them for GPUs, cpu-textures.c and cpu-surfaces.c for the CPU.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_DEVICE_TEXTURES_H
#define CUFORT_DEVICE_TEXTURES_H

typedef float f4 __attribute__((ext_vector_type(4)));
typedef unsigned int u4 __attribute__((ext_vector_type(4)));
typedef unsigned int u32;
typedef unsigned long long u64;

/// Results: name, type, PTX's type, constraint.
#define EACH_RESULT(X)                                                         \
  X(f32, f4, float, "f32", "f")                                                \
  X(s32, u4, u32, "s32", "r")                                                  \
  X(u32, u4, u32, "u32", "r")

/// What a surface is like.
enum SurfaceGeometry {
  Surface1D,
  Surface2D,
  Surface3D,
  Surface1DLayered, ///< z: the layer
  Surface2DLayered  ///< a face of a cube is a layer
};

/// cudaSurfaceBoundaryMode.
enum SurfaceBoundary { BoundaryZero, BoundaryClamp, BoundaryTrap };

#endif // CUFORT_DEVICE_TEXTURES_H
