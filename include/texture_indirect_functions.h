//===- texture_indirect_functions.h - reads of textures ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef __TEXTURE_INDIRECT_FUNCTIONS_H__
#define __TEXTURE_INDIRECT_FUNCTIONS_H__

#if defined(__CUDA__) && defined(__cplusplus)

#include "texture_types.h"
#include "vector_types.h"

typedef float __cufort_f4 __attribute__((ext_vector_type(4)));
typedef unsigned int __cufort_u4 __attribute__((ext_vector_type(4)));

// The device library's reads: as real numbers, signed and unsigned ones.
#define __CUFORT_READS(name, __V)                                              \
  extern "C" {                                                                 \
  __device__ __V __cufort_texture_fetch_##name(cudaTextureObject_t, int x);    \
  __device__ __V __cufort_texture_1d_##name(cudaTextureObject_t, float x);     \
  __device__ __V __cufort_texture_2d_##name(cudaTextureObject_t, float x,      \
                                            float y);                          \
  __device__ __V __cufort_texture_3d_##name(cudaTextureObject_t, float x,      \
                                            float y, float z);                 \
  __device__ __V __cufort_texture_1d_layered_##name(cudaTextureObject_t,       \
                                                    float x, int layer);       \
  __device__ __V __cufort_texture_2d_layered_##name(cudaTextureObject_t,       \
                                                    float x, float y,          \
                                                    int layer);                \
  __device__ __V __cufort_texture_cube_##name(cudaTextureObject_t, float x,    \
                                              float y, float z);               \
  __device__ __V __cufort_texture_cube_layered_##name(cudaTextureObject_t,     \
                                                      float x, float y,        \
                                                      float z, int layer);     \
  __device__ __V __cufort_texture_gather_##name(cudaTextureObject_t, float x,  \
                                                float y, int component);       \
  __device__ __V __cufort_texture_1d_lod_##name(cudaTextureObject_t, float x,  \
                                                float level);                  \
  __device__ __V __cufort_texture_2d_lod_##name(cudaTextureObject_t, float x,  \
                                                float y, float level);         \
  __device__ __V __cufort_texture_3d_lod_##name(cudaTextureObject_t, float x,  \
                                                float y, float z,              \
                                                float level);                  \
  __device__ __V __cufort_texture_1d_layered_lod_##name(cudaTextureObject_t,   \
                                                        float x, int layer,    \
                                                        float level);          \
  __device__ __V __cufort_texture_2d_layered_lod_##name(cudaTextureObject_t,   \
                                                        float x, float y,      \
                                                        int layer,             \
                                                        float level);          \
  __device__ __V __cufort_texture_cube_lod_##name(cudaTextureObject_t,         \
                                                  float x, float y, float z,   \
                                                  float level);                \
  __device__ __V __cufort_texture_cube_layered_lod_##name(cudaTextureObject_t, \
                                                          float x, float y,    \
                                                          float z, int layer,  \
                                                          float level);        \
  __device__ __V __cufort_texture_1d_grad_##name(cudaTextureObject_t, float x, \
                                                 float ax, float bx);          \
  __device__ __V __cufort_texture_2d_grad_##name(cudaTextureObject_t, float x, \
                                                 float y, float ax, float ay,  \
                                                 float bx, float by);          \
  __device__ __V __cufort_texture_3d_grad_##name(cudaTextureObject_t, float x, \
                                                 float y, float z, float ax,   \
                                                 float ay, float az, float bx, \
                                                 float by, float bz);          \
  }                                                                            \
  struct __cufort_reads_##name {                                               \
    __CUFORT_READ(__V, name, fetch, (int x), x)                                \
    __CUFORT_READ(__V, name, 1d, (float x), x)                                 \
    __CUFORT_READ(__V, name, 2d, (float x, float y), x, y)                     \
    __CUFORT_READ(__V, name, 3d, (float x, float y, float z), x, y, z)         \
    __CUFORT_READ(__V, name, 1d_layered, (float x, int l), x, l)               \
    __CUFORT_READ(__V, name, 2d_layered, (float x, float y, int l), x, y, l)   \
    __CUFORT_READ(__V, name, cube, (float x, float y, float z), x, y, z)       \
    __CUFORT_READ(__V, name, cube_layered, (float x, float y, float z, int l), \
                  x, y, z, l)                                                  \
    __CUFORT_READ(__V, name, gather, (float x, float y, int c), x, y, c)       \
    __CUFORT_READ(__V, name, 1d_lod, (float x, float l), x, l)                 \
    __CUFORT_READ(__V, name, 2d_lod, (float x, float y, float l), x, y, l)     \
    __CUFORT_READ(__V, name, 3d_lod, (float x, float y, float z, float l), x,  \
                  y, z, l)                                                     \
    __CUFORT_READ(__V, name, 1d_layered_lod, (float x, int n, float l), x, n,  \
                  l)                                                           \
    __CUFORT_READ(__V, name, 2d_layered_lod,                                   \
                  (float x, float y, int n, float l), x, y, n, l)              \
    __CUFORT_READ(__V, name, cube_lod, (float x, float y, float z, float l),   \
                  x, y, z, l)                                                  \
    __CUFORT_READ(__V, name, cube_layered_lod,                                 \
                  (float x, float y, float z, int n, float l), x, y, z, n, l)  \
    __CUFORT_READ(__V, name, 1d_grad, (float x, float a, float b), x, a, b)    \
    __CUFORT_READ(__V, name, 2d_grad, (float x, float y, float2 a, float2 b),  \
                  x, y, a.x, a.y, b.x, b.y)                                    \
    __CUFORT_READ(__V, name, 3d_grad,                                          \
                  (float x, float y, float z, float4 a, float4 b), x, y, z,    \
                  a.x, a.y, a.z, b.x, b.y, b.z)                                \
  };
#define __CUFORT_STRIP(...) __VA_ARGS__
#define __CUFORT_READ(__V, name, how, parameters, ...)                         \
  static __device__ __forceinline__ __V read_##how(                            \
      cudaTextureObject_t t, __CUFORT_STRIP parameters) {                      \
    return __cufort_texture_##how##_##name(t, __VA_ARGS__);                    \
  }
__CUFORT_READS(f32, __cufort_f4)
__CUFORT_READS(s32, __cufort_u4)
__CUFORT_READS(u32, __cufort_u4)
#undef __CUFORT_READ
#undef __CUFORT_READS

/// How an element is read and converted.
template <class T> struct __cufort_element;
#define __CUFORT_ELEMENT(T, name, ...)                                         \
  template <> struct __cufort_element<T> : __cufort_reads_##name {             \
    template <class __V> static __device__ __forceinline__ T of(__V v) {       \
      return __VA_ARGS__;                                                      \
    }                                                                          \
  };
#define __CUFORT_ELEMENTS(T, vector, name)                                     \
  __CUFORT_ELEMENT(T, name, (T)v.x)                                            \
  __CUFORT_ELEMENT(vector##1, name, {(T)v.x})                                  \
  __CUFORT_ELEMENT(vector##2, name, {(T)v.x, (T)v.y})                          \
  __CUFORT_ELEMENT(vector##4, name, {(T)v.x, (T)v.y, (T)v.z, (T)v.w})
__CUFORT_ELEMENTS(float, float, f32)
__CUFORT_ELEMENTS(signed char, char, s32)
__CUFORT_ELEMENT(char, s32, (char)v.x)
__CUFORT_ELEMENTS(unsigned char, uchar, u32)
__CUFORT_ELEMENTS(short, short, s32)
__CUFORT_ELEMENTS(unsigned short, ushort, u32)
__CUFORT_ELEMENTS(int, int, s32)
__CUFORT_ELEMENTS(unsigned int, uint, u32)
#undef __CUFORT_ELEMENTS
#undef __CUFORT_ELEMENT

/// Each function of CUDA's in its two forms.
#define __CUFORT_TEXTURE(function, how, parameters, ...)                       \
  template <class T>                                                           \
  static __device__ __forceinline__ T function(cudaTextureObject_t texture,    \
                                               __CUFORT_STRIP parameters) {    \
    return __cufort_element<T>::of(                                            \
        __cufort_element<T>::read_##how(texture, __VA_ARGS__));                \
  }                                                                            \
  template <class T>                                                           \
  static __device__ __forceinline__ void function(                             \
      T *to, cudaTextureObject_t texture, __CUFORT_STRIP parameters) {         \
    *to = __cufort_element<T>::of(                                             \
        __cufort_element<T>::read_##how(texture, __VA_ARGS__));                \
  }
__CUFORT_TEXTURE(tex1Dfetch, fetch, (int x), x)
__CUFORT_TEXTURE(tex1D, 1d, (float x), x)
__CUFORT_TEXTURE(tex1DLod, 1d_lod, (float x, float level), x, level)
__CUFORT_TEXTURE(tex1DGrad, 1d_grad, (float x, float dx, float dy), x, dx, dy)
__CUFORT_TEXTURE(tex2D, 2d, (float x, float y), x, y)
__CUFORT_TEXTURE(tex2DLod, 2d_lod, (float x, float y, float level), x, y, level)
__CUFORT_TEXTURE(tex2DGrad, 2d_grad, (float x, float y, float2 dx, float2 dy),
                 x, y, dx, dy)
__CUFORT_TEXTURE(tex3D, 3d, (float x, float y, float z), x, y, z)
__CUFORT_TEXTURE(tex3DLod, 3d_lod, (float x, float y, float z, float level), x,
                 y, z, level)
__CUFORT_TEXTURE(tex3DGrad, 3d_grad,
                 (float x, float y, float z, float4 dx, float4 dy), x, y, z, dx,
                 dy)
__CUFORT_TEXTURE(tex1DLayered, 1d_layered, (float x, int layer), x, layer)
__CUFORT_TEXTURE(tex1DLayeredLod, 1d_layered_lod,
                 (float x, int layer, float level), x, layer, level)
__CUFORT_TEXTURE(tex2DLayered, 2d_layered, (float x, float y, int layer), x, y,
                 layer)
__CUFORT_TEXTURE(tex2DLayeredLod, 2d_layered_lod,
                 (float x, float y, int layer, float level), x, y, layer, level)
__CUFORT_TEXTURE(texCubemap, cube, (float x, float y, float z), x, y, z)
__CUFORT_TEXTURE(texCubemapLod, cube_lod,
                 (float x, float y, float z, float level), x, y, z, level)
__CUFORT_TEXTURE(texCubemapLayered, cube_layered,
                 (float x, float y, float z, int layer), x, y, z, layer)
__CUFORT_TEXTURE(texCubemapLayeredLod, cube_layered_lod,
                 (float x, float y, float z, int layer, float level), x, y, z,
                 layer, level)
__CUFORT_TEXTURE(tex2Dgather, gather, (float x, float y, int component = 0), x,
                 y, component)
#undef __CUFORT_TEXTURE
#undef __CUFORT_STRIP

#endif // __CUDA__

#endif // __TEXTURE_INDIRECT_FUNCTIONS_H__
