//===- texture_references.h - texture<> and surface<> variables -*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What CUDA had before texture objects, until version 11. A reference is a
// variable of the device that holds an object; the host makes one when it binds
// the reference and keeps it beside the settings, in its own variable of that
// name. Settings take effect when the reference is bound.
#ifndef CUFORT_TEXTURE_REFERENCES_H
#define CUFORT_TEXTURE_REFERENCES_H

#include "channel_descriptor.h"
#include "texture_types.h"
#include "vector_types.h"

struct textureReference {
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  struct cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
  enum cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  int disableTrilinearOptimization;
  enum cudaTextureReadMode __cufort_readMode;
  mutable cudaTextureObject_t __cufort_object;
  mutable size_t __cufort_offset;
};
struct surfaceReference {
  struct cudaChannelFormatDesc channelDesc;
  mutable cudaSurfaceObject_t __cufort_object;
};

template <class T, int __Type = cudaTextureType1D,
          enum cudaTextureReadMode __Mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture
    : public textureReference {
  texture(int normalizedCoordinates = 0,
          enum cudaTextureFilterMode filter = cudaFilterModePoint,
          enum cudaTextureAddressMode address = cudaAddressModeClamp)
      : texture(normalizedCoordinates, filter, address,
                cudaCreateChannelDesc<T>()) {}
  texture(int normalizedCoordinates, enum cudaTextureFilterMode filter,
          enum cudaTextureAddressMode address,
          struct cudaChannelFormatDesc description)
      : textureReference() {
    normalized = normalizedCoordinates;
    filterMode = filter;
    for (auto &mode : addressMode)
      mode = address;
    channelDesc = description;
    __cufort_readMode = __Mode;
  }
};
template <class T, int __Type = cudaTextureType1D>
struct __attribute__((device_builtin_surface_type)) surface
    : public surfaceReference {
  surface() : surfaceReference() {}
};

// The host's side.

static inline cudaError_t
__cufort_bind_texture(const textureReference *reference,
                      const cudaResourceDesc &resource) {
  cudaTextureDesc description = {};
  for (int i = 0; i < 3; ++i)
    description.addressMode[i] = reference->addressMode[i];
  description.filterMode = reference->filterMode;
  description.readMode = reference->__cufort_readMode;
  description.sRGB = reference->sRGB;
  description.normalizedCoords = reference->normalized;
  description.maxAnisotropy = reference->maxAnisotropy;
  // Where memory is read by its index there is nothing to blend, and no 32 bits
  // of an integer become a real number.
  const bool linear = resource.resType == cudaResourceTypeLinear;
  if (linear) {
    description.filterMode = cudaFilterModePoint;
    description.normalizedCoords = 0;
  }
  cudaTextureObject_t object = 0, former = reference->__cufort_object;
  cudaError_t error =
      ::cudaCreateTextureObject(&object, &resource, &description, 0);
  if (error != cudaSuccess)
    return error;
  // Running kernels may still read the former object.
  if (former)
    error = ::cudaDeviceSynchronize();
  if (error == cudaSuccess)
    error = ::cudaMemcpyToSymbol((const void *)reference, &object,
                                 sizeof(object), 0, cudaMemcpyHostToDevice);
  if (error != cudaSuccess) {
    ::cudaDestroyTextureObject(object);
    return error;
  }
  reference->__cufort_object = object;
  reference->__cufort_offset = 0;
  return former ? ::cudaDestroyTextureObject(former) : cudaSuccess;
}

/// Binds memory at \p address. A GPU may require textures to begin at aligned
/// addresses; then the texture begins before it, by \p offset bytes.
static inline cudaError_t
__cufort_bind_memory(size_t *offset, const textureReference *reference,
                     cudaResourceDesc &resource, void *&start, size_t *bytes) {
  cudaError_t error = __cufort_bind_texture(reference, resource);
  int device = 0, alignment = 512;
  ::cudaGetDevice(&device);
  ::cudaDeviceGetAttribute(&alignment, cudaDevAttrTextureAlignment, device);
  const size_t beyond = (size_t)start % (size_t)alignment;
  if (offset)
    *offset = 0;
  if (error == cudaSuccess || !offset || !beyond)
    return error;
  ::cudaGetLastError();
  start = (char *)start - beyond;
  if (bytes)
    *bytes += beyond;
  error = __cufort_bind_texture(reference, resource);
  if (error == cudaSuccess)
    *offset = reference->__cufort_offset = beyond;
  return error;
}

static inline cudaError_t
cudaBindTexture(size_t *offset, const textureReference *reference,
                const void *address,
                const struct cudaChannelFormatDesc *description,
                size_t bytes = 0xffffffffu) {
  const size_t element =
      (description->x + description->y + description->z + description->w) / 8;
  const size_t most = ((size_t)1 << 27) * element;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = (void *)address;
  resource.res.linear.desc = *description;
  resource.res.linear.sizeInBytes = bytes < most ? bytes : most;
  return __cufort_bind_memory(offset, reference, resource,
                              resource.res.linear.devPtr,
                              &resource.res.linear.sizeInBytes);
}
static inline cudaError_t
cudaBindTexture2D(size_t *offset, const textureReference *reference,
                  const void *address,
                  const struct cudaChannelFormatDesc *description, size_t width,
                  size_t height, size_t pitch) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = (void *)address;
  resource.res.pitch2D.desc = *description;
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  return __cufort_bind_memory(offset, reference, resource,
                              resource.res.pitch2D.devPtr, 0);
}
static inline cudaError_t
cudaBindTextureToArray(const textureReference *reference,
                       cudaArray_const_t array,
                       const struct cudaChannelFormatDesc * = 0) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = (cudaArray_t)array;
  return __cufort_bind_texture(reference, resource);
}
/// The object stays until the reference is bound again: a kernel that was
/// launched before may still read it.
static inline cudaError_t cudaUnbindTexture(const textureReference *) {
  return cudaSuccess;
}
static inline cudaError_t
cudaGetTextureAlignmentOffset(size_t *offset,
                              const textureReference *reference) {
  if (!reference->__cufort_object)
    return cudaErrorInvalidTextureBinding;
  *offset = reference->__cufort_offset;
  return cudaSuccess;
}
static inline cudaError_t
cudaGetTextureReference(const textureReference **reference,
                        const void *symbol) {
  *reference = (const textureReference *)symbol;
  return cudaSuccess;
}
static inline cudaError_t
cudaBindSurfaceToArray(const surfaceReference *reference,
                       cudaArray_const_t array,
                       const struct cudaChannelFormatDesc * = 0) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = (cudaArray_t)array;
  cudaSurfaceObject_t object = 0, former = reference->__cufort_object;
  cudaError_t error = ::cudaCreateSurfaceObject(&object, &resource);
  if (error != cudaSuccess)
    return error;
  if (former)
    error = ::cudaDeviceSynchronize();
  if (error == cudaSuccess)
    error = ::cudaMemcpyToSymbol((const void *)reference, &object,
                                 sizeof(object), 0, cudaMemcpyHostToDevice);
  if (error != cudaSuccess) {
    ::cudaDestroySurfaceObject(object);
    return error;
  }
  reference->__cufort_object = object;
  return former ? ::cudaDestroySurfaceObject(former) : cudaSuccess;
}

#define __CUFORT_OF_REFERENCE(result)                                          \
  template <class T, int __Type, enum cudaTextureReadMode __Mode>              \
  static inline result
__CUFORT_OF_REFERENCE(cudaError_t)
cudaBindTexture(size_t *offset, const texture<T, __Type, __Mode> &reference,
                const void *address,
                const struct cudaChannelFormatDesc &description,
                size_t bytes = 0xffffffffu) {
  return cudaBindTexture(offset, (const textureReference *)&reference, address,
                         &description, bytes);
}
__CUFORT_OF_REFERENCE(cudaError_t)
cudaBindTexture(size_t *offset, const texture<T, __Type, __Mode> &reference,
                const void *address, size_t bytes = 0xffffffffu) {
  return cudaBindTexture(offset, (const textureReference *)&reference, address,
                         &reference.channelDesc, bytes);
}
__CUFORT_OF_REFERENCE(cudaError_t)
cudaBindTexture2D(size_t *offset, const texture<T, __Type, __Mode> &reference,
                  const void *address,
                  const struct cudaChannelFormatDesc &description, size_t width,
                  size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, (const textureReference *)&reference,
                           address, &description, width, height, pitch);
}
__CUFORT_OF_REFERENCE(cudaError_t)
cudaBindTexture2D(size_t *offset, const texture<T, __Type, __Mode> &reference,
                  const void *address, size_t width, size_t height,
                  size_t pitch) {
  return cudaBindTexture2D(offset, (const textureReference *)&reference,
                           address, &reference.channelDesc, width, height,
                           pitch);
}
__CUFORT_OF_REFERENCE(cudaError_t)
cudaBindTextureToArray(const texture<T, __Type, __Mode> &reference,
                       cudaArray_const_t array,
                       const struct cudaChannelFormatDesc &) {
  return cudaBindTextureToArray((const textureReference *)&reference, array);
}
__CUFORT_OF_REFERENCE(cudaError_t)
cudaBindTextureToArray(const texture<T, __Type, __Mode> &reference,
                       cudaArray_const_t array) {
  return cudaBindTextureToArray((const textureReference *)&reference, array);
}
__CUFORT_OF_REFERENCE(cudaError_t)
cudaUnbindTexture(const texture<T, __Type, __Mode> &reference) {
  return cudaUnbindTexture((const textureReference *)&reference);
}
__CUFORT_OF_REFERENCE(cudaError_t)
cudaGetTextureAlignmentOffset(size_t *offset,
                              const texture<T, __Type, __Mode> &reference) {
  return cudaGetTextureAlignmentOffset(offset,
                                       (const textureReference *)&reference);
}
template <class T, int __Type>
static inline cudaError_t
cudaBindSurfaceToArray(const surface<T, __Type> &reference,
                       cudaArray_const_t array,
                       const struct cudaChannelFormatDesc &) {
  return cudaBindSurfaceToArray((const surfaceReference *)&reference, array);
}
template <class T, int __Type>
static inline cudaError_t
cudaBindSurfaceToArray(const surface<T, __Type> &reference,
                       cudaArray_const_t array) {
  return cudaBindSurfaceToArray((const surfaceReference *)&reference, array);
}

// The device's side: a reference's value is its object.

template <class __Reference>
static __device__ __forceinline__ unsigned long long
__cufort_object_of(__Reference reference) {
  unsigned long long object;
  __builtin_memcpy(&object, &reference, sizeof(object));
  return object;
}

/// The result type of a read: the element, or a real number for each component.
template <class T, enum cudaTextureReadMode> struct __cufort_texel {
  typedef T type;
};
#define __CUFORT_TEXEL(T, Real)                                                \
  template <> struct __cufort_texel<T, cudaReadModeNormalizedFloat> {          \
    typedef Real type;                                                         \
  };
#define __CUFORT_TEXELS(T, vector)                                             \
  __CUFORT_TEXEL(T, float)                                                     \
  __CUFORT_TEXEL(vector##1, float1)                                            \
  __CUFORT_TEXEL(vector##2, float2)                                            \
  __CUFORT_TEXEL(vector##4, float4)
__CUFORT_TEXELS(signed char, char)
__CUFORT_TEXEL(char, float)
__CUFORT_TEXELS(unsigned char, uchar)
__CUFORT_TEXELS(short, short)
__CUFORT_TEXELS(unsigned short, ushort)
#undef __CUFORT_TEXELS
#undef __CUFORT_TEXEL

#define __CUFORT_STRIP(...) __VA_ARGS__
#define __CUFORT_TEXTURE(function, __Type, parameters, ...)                    \
  __CUFORT_OF_REFERENCE_ON_DEVICE(__Type)                                      \
  function(texture<T, __Type, __Mode> reference, __CUFORT_STRIP parameters) {  \
    return function<typename __cufort_texel<T, __Mode>::type>(                 \
        __cufort_object_of(reference), __VA_ARGS__);                           \
  }
#define __CUFORT_OF_REFERENCE_ON_DEVICE(__Type)                                \
  template <class T, enum cudaTextureReadMode __Mode>                          \
  static __device__ __forceinline__ typename __cufort_texel<T, __Mode>::type
__CUFORT_TEXTURE(tex1Dfetch, cudaTextureType1D, (int x), x)
__CUFORT_TEXTURE(tex1D, cudaTextureType1D, (float x), x)
__CUFORT_TEXTURE(tex1DLod, cudaTextureType1D, (float x, float level), x, level)
__CUFORT_TEXTURE(tex2D, cudaTextureType2D, (float x, float y), x, y)
__CUFORT_TEXTURE(tex2DLod, cudaTextureType2D, (float x, float y, float level),
                 x, y, level)
__CUFORT_TEXTURE(tex3D, cudaTextureType3D, (float x, float y, float z), x, y, z)
__CUFORT_TEXTURE(tex3DLod, cudaTextureType3D,
                 (float x, float y, float z, float level), x, y, z, level)
__CUFORT_TEXTURE(tex1DLayered, cudaTextureType1DLayered, (float x, int layer),
                 x, layer)
__CUFORT_TEXTURE(tex2DLayered, cudaTextureType2DLayered,
                 (float x, float y, int layer), x, y, layer)
__CUFORT_TEXTURE(texCubemap, cudaTextureTypeCubemap,
                 (float x, float y, float z), x, y, z)
__CUFORT_TEXTURE(texCubemapLayered, cudaTextureTypeCubemapLayered,
                 (float x, float y, float z, int layer), x, y, z, layer)
__CUFORT_TEXTURE(tex2Dgather, cudaTextureType2D,
                 (float x, float y, int component = 0), x, y, component)
#undef __CUFORT_OF_REFERENCE_ON_DEVICE
#undef __CUFORT_TEXTURE

#define __CUFORT_SURFACE(shape, __Type, parameters, ...)                       \
  template <class T, class __S>                                                \
  static __device__ __forceinline__ T surf##shape##read(                       \
      surface<__S, __Type> reference, __CUFORT_STRIP parameters,               \
      enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {              \
    return surf##shape##read<T>(__cufort_object_of(reference), __VA_ARGS__,    \
                                mode);                                         \
  }                                                                            \
  template <class T, class __S>                                                \
  static __device__ __forceinline__ void surf##shape##read(                    \
      T *to, surface<__S, __Type> reference, __CUFORT_STRIP parameters,        \
      enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {              \
    *to = surf##shape##read<T>(__cufort_object_of(reference), __VA_ARGS__,     \
                               mode);                                          \
  }                                                                            \
  template <class T, class __S>                                                \
  static __device__ __forceinline__ void surf##shape##write(                   \
      T value, surface<__S, __Type> reference, __CUFORT_STRIP parameters,      \
      enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {              \
    surf##shape##write(value, __cufort_object_of(reference), __VA_ARGS__,      \
                       mode);                                                  \
  }
__CUFORT_SURFACE(1D, cudaTextureType1D, (int x), x)
__CUFORT_SURFACE(2D, cudaTextureType2D, (int x, int y), x, y)
__CUFORT_SURFACE(3D, cudaTextureType3D, (int x, int y, int z), x, y, z)
__CUFORT_SURFACE(1DLayered, cudaTextureType1DLayered, (int x, int layer), x,
                 layer)
__CUFORT_SURFACE(2DLayered, cudaTextureType2DLayered, (int x, int y, int layer),
                 x, y, layer)
#undef __CUFORT_SURFACE
#undef __CUFORT_STRIP
#undef __CUFORT_OF_REFERENCE

#endif // CUFORT_TEXTURE_REFERENCES_H
