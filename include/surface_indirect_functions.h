//===- surface_indirect_functions.h - surfaces ------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef __SURFACE_INDIRECT_FUNCTIONS_H__
#define __SURFACE_INDIRECT_FUNCTIONS_H__

#if defined(__CUDA__) && defined(__cplusplus)

#include "surface_types.h"

extern "C" {
// The device library's, of 1, 2, 4, 8 or 16 bytes; device/textures.h has the
// numbers of geometries.
__device__ void __cufort_texture_surface_read(int geometry, int bytes,
                                              int boundary, cudaSurfaceObject_t,
                                              int x, int y, int z, void *to);
__device__ void __cufort_texture_surface_write(int geometry, int bytes,
                                               int boundary,
                                               cudaSurfaceObject_t, int x,
                                               int y, int z, const void *from);
}

#define __CUFORT_STRIP(...) __VA_ARGS__
#define __CUFORT_SURFACE(name, geometry, parameters, x, y, z)                  \
  template <class T>                                                           \
  static __device__ __forceinline__ T name##read(                              \
      cudaSurfaceObject_t surface, __CUFORT_STRIP parameters,                  \
      cudaSurfaceBoundaryMode boundary = cudaBoundaryModeTrap) {               \
    T value;                                                                   \
    __cufort_texture_surface_read(geometry, sizeof(T), boundary, surface, x,   \
                                  y, z, &value);                               \
    return value;                                                              \
  }                                                                            \
  template <class T>                                                           \
  static __device__ __forceinline__ void name##read(                           \
      T *to, cudaSurfaceObject_t surface, __CUFORT_STRIP parameters,           \
      cudaSurfaceBoundaryMode boundary = cudaBoundaryModeTrap) {               \
    T value;                                                                   \
    __cufort_texture_surface_read(geometry, sizeof(T), boundary, surface, x,   \
                                  y, z, &value);                               \
    *to = value;                                                               \
  }                                                                            \
  template <class T>                                                           \
  static __device__ __forceinline__ void name##write(                          \
      T value, cudaSurfaceObject_t surface, __CUFORT_STRIP parameters,         \
      cudaSurfaceBoundaryMode boundary = cudaBoundaryModeTrap) {               \
    __cufort_texture_surface_write(geometry, sizeof(T), boundary, surface, x,  \
                                   y, z, &value);                              \
  }
// x counts bytes.
__CUFORT_SURFACE(surf1D, 0, (int x), x, 0, 0)
__CUFORT_SURFACE(surf2D, 1, (int x, int y), x, y, 0)
__CUFORT_SURFACE(surf3D, 2, (int x, int y, int z), x, y, z)
__CUFORT_SURFACE(surf1DLayered, 3, (int x, int layer), x, 0, layer)
__CUFORT_SURFACE(surf2DLayered, 4, (int x, int y, int layer), x, y, layer)
__CUFORT_SURFACE(surfCubemap, 4, (int x, int y, int face), x, y, face)
__CUFORT_SURFACE(surfCubemapLayered, 4, (int x, int y, int layerFace), x, y,
                 layerFace)
#undef __CUFORT_SURFACE
#undef __CUFORT_STRIP

#endif // __CUDA__

#endif // __SURFACE_INDIRECT_FUNCTIONS_H__
