//===- Array.cpp - CUDA driver API: arrays, textures, surfaces ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/RuntimeApi.h"
#include "runtime/driver/Call.h"

// The public header, after the names it needs.
#include "include/texture_types.h"

using namespace cufort;
using namespace cufort::driver;

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

namespace {

struct Format {
  CUarray_format number;
  int bits, kind;
};
constexpr Format Formats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, 1},   {CU_AD_FORMAT_UNSIGNED_INT16, 16, 1},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, 1}, {CU_AD_FORMAT_SIGNED_INT8, 8, 0},
    {CU_AD_FORMAT_SIGNED_INT16, 16, 0},   {CU_AD_FORMAT_SIGNED_INT32, 32, 0},
    {CU_AD_FORMAT_HALF, 16, 2},           {CU_AD_FORMAT_FLOAT, 32, 2}};

/// cudaErrorInvalidValue: arrays have one, two or four channels.
Error describe(CUarray_format format, unsigned channels,
               cudaChannelFormatDesc *result) {
  for (const Format &each : Formats)
    if (each.number == format &&
        (channels == 1 || channels == 2 || channels == 4)) {
      const auto bits = [&](unsigned channel) {
        return channels > channel ? each.bits : 0;
      };
      *result = {bits(0), bits(1), bits(2), bits(3), each.kind};
      return cudaSuccess;
    }
  return cudaErrorInvalidValue;
}

template <typename Channels>
void readFormat(const Channels &c, CUarray_format *format, unsigned *channels) {
  *channels = (c.x != 0) + (c.y != 0) + (c.z != 0) + (c.w != 0);
  for (const Format &each : Formats)
    if (each.bits == c.x && each.kind == static_cast<int>(c.f))
      *format = each.number;
}

} // namespace

CUFORT_DRIVER_API CUresult
cuDeviceGetTexture1DLinearMaxWidth(size_t *elements, CUarray_format format,
                                   unsigned channels, CUdevice device) {
  return withDevice(device, [&] {
    cudaChannelFormatDesc channel{};
    const Error error = describe(format, channels, &channel);
    return resultOf(error == cudaSuccess ? cudaDeviceGetTexture1DLinearMaxWidth(
                                               elements, &channel, device)
                                         : error);
  });
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

CUFORT_DRIVER_API CUresult cuArray3DCreate(CUarray *array,
                                           const CUDA_ARRAY3D_DESCRIPTOR *d) {
  return inContext([&] {
    cudaChannelFormatDesc format{};
    if (!array || !d ||
        describe(d->Format, d->NumChannels, &format) != cudaSuccess)
      return cudaErrorInvalidValue;
    return cudaMalloc3DArray(reinterpret_cast<void **>(array), &format,
                             {d->Width, d->Height, d->Depth}, d->Flags);
  });
}

CUFORT_DRIVER_API CUresult cuArrayCreate(CUarray *array,
                                         const CUDA_ARRAY_DESCRIPTOR *d) {
  if (!d)
    return cuArray3DCreate(array, nullptr);
  const CUDA_ARRAY3D_DESCRIPTOR box{d->Width,  d->Height,      0,
                                    d->Format, d->NumChannels, 0};
  return cuArray3DCreate(array, &box);
}

CUFORT_DRIVER_API CUresult cuArrayDestroy(CUarray array) {
  return inContext([&] {
    return array ? cudaFreeArray(array) : cudaErrorInvalidResourceHandle;
  });
}

CUFORT_DRIVER_API CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *d,
                                                  CUarray array) {
  return onEngine([&](Engine &e) {
    if (!d)
      return cudaErrorInvalidValue;
    ArrayShape shape;
    if (const Error error = e.arrayShape(array, &shape); error != cudaSuccess)
      return error;
    const int *bits = shape.format.bits;
    *d = {shape.width, shape.height, shape.depth, CU_AD_FORMAT_FLOAT,
          0,           shape.flags};
    readFormat(cudaChannelFormatDesc{bits[0], bits[1], bits[2], bits[3],
                                     shape.format.kind},
               &d->Format, &d->NumChannels);
    return cudaSuccess;
  });
}

CUFORT_DRIVER_API CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *d,
                                                CUarray array) {
  CUDA_ARRAY3D_DESCRIPTOR box;
  const CUresult result = cuArray3DGetDescriptor(d ? &box : nullptr, array);
  if (!result)
    *d = {box.Width, box.Height, box.Format, box.NumChannels};
  return result;
}

CUFORT_DRIVER_API CUresult
cuMipmappedArrayCreate(CUmipmappedArray *mipmaps,
                       const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned levels) {
  return inContext([&] {
    cudaChannelFormatDesc format{};
    if (!mipmaps || !d ||
        describe(d->Format, d->NumChannels, &format) != cudaSuccess)
      return cudaErrorInvalidValue;
    return cudaMallocMipmappedArray(
        reinterpret_cast<cudaMipmappedArray_t *>(mipmaps), &format,
        {d->Width, d->Height, d->Depth}, levels, d->Flags);
  });
}

//===----------------------------------------------------------------------===//
// Textures and surfaces
//===----------------------------------------------------------------------===//

static Error resourceOf(const CUDA_RESOURCE_DESC *d, cudaResourceDesc *result) {
  if (!d || d->flags)
    return cudaErrorInvalidValue;
  *result = {};
  cudaChannelFormatDesc format{};
  const auto formatOf = [&](auto &to) {
    to = {format.x, format.y, format.z, format.w,
          static_cast<decltype(to.f)>(format.f)};
  };
  switch (numberOf(d->resType)) {
  case CU_RESOURCE_TYPE_ARRAY:
    result->resType = cudaResourceTypeArray;
    result->res.array.array =
        decltype(result->res.array.array)(d->res.array.hArray);
    return cudaSuccess;
  case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
    result->resType = cudaResourceTypeMipmappedArray;
    result->res.mipmap.mipmap =
        reinterpret_cast<cudaMipmappedArray_t>(d->res.mipmap.hMipmappedArray);
    return cudaSuccess;
  case CU_RESOURCE_TYPE_LINEAR:
    result->resType = cudaResourceTypeLinear;
    result->res.linear.devPtr = pointerOf(d->res.linear.devPtr);
    result->res.linear.sizeInBytes = d->res.linear.sizeInBytes;
    if (const Error error =
            describe(d->res.linear.format, d->res.linear.numChannels, &format);
        error != cudaSuccess)
      return error;
    formatOf(result->res.linear.desc);
    return cudaSuccess;
  case CU_RESOURCE_TYPE_PITCH2D:
    result->resType = cudaResourceTypePitch2D;
    result->res.pitch2D.devPtr = pointerOf(d->res.pitch2D.devPtr);
    result->res.pitch2D.width = d->res.pitch2D.width;
    result->res.pitch2D.height = d->res.pitch2D.height;
    result->res.pitch2D.pitchInBytes = d->res.pitch2D.pitchInBytes;
    if (const Error error = describe(d->res.pitch2D.format,
                                     d->res.pitch2D.numChannels, &format);
        error != cudaSuccess)
      return error;
    formatOf(result->res.pitch2D.desc);
    return cudaSuccess;
  default:
    return cudaErrorInvalidValue;
  }
}

static void readResource(const cudaResourceDesc &from, CUDA_RESOURCE_DESC *d) {
  *d = {};
  d->resType = static_cast<CUresourcetype>(from.resType);
  switch (from.resType) {
  case cudaResourceTypeArray:
    d->res.array.hArray =
        static_cast<CUarray>(static_cast<void *>(from.res.array.array));
    break;
  case cudaResourceTypeMipmappedArray:
    d->res.mipmap.hMipmappedArray =
        reinterpret_cast<CUmipmappedArray>(from.res.mipmap.mipmap);
    break;
  case cudaResourceTypeLinear:
    d->res.linear.devPtr =
        reinterpret_cast<CUdeviceptr>(from.res.linear.devPtr);
    d->res.linear.sizeInBytes = from.res.linear.sizeInBytes;
    readFormat(from.res.linear.desc, &d->res.linear.format,
               &d->res.linear.numChannels);
    break;
  case cudaResourceTypePitch2D:
    d->res.pitch2D.devPtr =
        reinterpret_cast<CUdeviceptr>(from.res.pitch2D.devPtr);
    d->res.pitch2D.width = from.res.pitch2D.width;
    d->res.pitch2D.height = from.res.pitch2D.height;
    d->res.pitch2D.pitchInBytes = from.res.pitch2D.pitchInBytes;
    readFormat(from.res.pitch2D.desc, &d->res.pitch2D.format,
               &d->res.pitch2D.numChannels);
    break;
  }
}

/// Integers are read as numbers from 0 or -1 to 1 unless the program wants
/// them as they are; those of 32 bits always are.
static bool readsIntegers(Engine &e, const CUDA_RESOURCE_DESC &resource,
                          unsigned flags) {
  if (flags & CU_TRSF_READ_AS_INTEGER)
    return true;
  CUarray_format format = CU_AD_FORMAT_FLOAT;
  if (resource.resType == CU_RESOURCE_TYPE_LINEAR)
    format = resource.res.linear.format;
  else if (resource.resType == CU_RESOURCE_TYPE_PITCH2D)
    format = resource.res.pitch2D.format;
  ArrayHandle array = nullptr;
  if (resource.resType == CU_RESOURCE_TYPE_ARRAY)
    array = resource.res.array.hArray;
  else if (resource.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY)
    e.mipmapLevel(resource.res.mipmap.hMipmappedArray, 0, &array);
  if (ArrayShape shape; array && e.arrayShape(array, &shape) == cudaSuccess)
    return shape.format.kind == 2 || shape.format.bits[0] == 32;
  return format == CU_AD_FORMAT_FLOAT || format == CU_AD_FORMAT_HALF ||
         format == CU_AD_FORMAT_SIGNED_INT32 ||
         format == CU_AD_FORMAT_UNSIGNED_INT32;
}

CUFORT_DRIVER_API CUresult cuTexObjectCreate(
    CUtexObject *object, const CUDA_RESOURCE_DESC *resource,
    const CUDA_TEXTURE_DESC *texture, const CUDA_RESOURCE_VIEW_DESC *view) {
  return onEngine([&](Engine &e) {
    constexpr unsigned known = CU_TRSF_READ_AS_INTEGER |
                               CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
                               CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION |
                               CU_TRSF_SEAMLESS_CUBEMAP;
    cudaResourceDesc from{};
    if (!object || !texture || texture->flags & ~known)
      return cudaErrorInvalidValue;
    if (const Error error = resourceOf(resource, &from); error != cudaSuccess)
      return error;
    const CUDA_TEXTURE_DESC &t = *texture;
    cudaTextureDesc d{};
    for (int i = 0; i < 3; ++i)
      d.addressMode[i] = static_cast<cudaTextureAddressMode>(t.addressMode[i]);
    d.filterMode = static_cast<cudaTextureFilterMode>(t.filterMode);
    d.readMode = readsIntegers(e, *resource, t.flags)
                     ? cudaReadModeElementType
                     : cudaReadModeNormalizedFloat;
    d.sRGB = (t.flags & CU_TRSF_SRGB) != 0;
    d.normalizedCoords = (t.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    d.disableTrilinearOptimization =
        (t.flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
    d.seamlessCubemap = (t.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
    d.maxAnisotropy = t.maxAnisotropy;
    d.mipmapFilterMode = static_cast<cudaTextureFilterMode>(t.mipmapFilterMode);
    d.mipmapLevelBias = t.mipmapLevelBias;
    d.minMipmapLevelClamp = t.minMipmapLevelClamp;
    d.maxMipmapLevelClamp = t.maxMipmapLevelClamp;
    for (int i = 0; i < 4; ++i)
      d.borderColor[i] = t.borderColor[i];
    return cudaCreateTextureObject(
        object, &from, &d,
        reinterpret_cast<const cudaResourceViewDesc *>(view));
  });
}

CUFORT_DRIVER_API CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *d,
                                                      CUtexObject object) {
  return inContext([&] {
    cudaResourceDesc from{};
    const Error error = d ? cudaGetTextureObjectResourceDesc(&from, object)
                          : cudaErrorInvalidValue;
    if (error == cudaSuccess)
      readResource(from, d);
    return error;
  });
}

CUFORT_DRIVER_API CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *t,
                                                     CUtexObject object) {
  return inContext([&] {
    cudaTextureDesc d{};
    const Error error =
        t ? cudaGetTextureObjectTextureDesc(&d, object) : cudaErrorInvalidValue;
    if (error != cudaSuccess)
      return error;
    *t = {};
    for (int i = 0; i < 3; ++i)
      t->addressMode[i] = static_cast<CUaddress_mode>(d.addressMode[i]);
    t->filterMode = static_cast<CUfilter_mode>(d.filterMode);
    const auto flag = [](int set, unsigned which) { return set ? which : 0; };
    t->flags =
        flag(d.readMode == cudaReadModeElementType, CU_TRSF_READ_AS_INTEGER) |
        flag(d.normalizedCoords, CU_TRSF_NORMALIZED_COORDINATES) |
        flag(d.sRGB, CU_TRSF_SRGB) |
        flag(d.disableTrilinearOptimization,
             CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) |
        flag(d.seamlessCubemap, CU_TRSF_SEAMLESS_CUBEMAP);
    t->maxAnisotropy = d.maxAnisotropy;
    t->mipmapFilterMode = static_cast<CUfilter_mode>(d.mipmapFilterMode);
    t->mipmapLevelBias = d.mipmapLevelBias;
    t->minMipmapLevelClamp = d.minMipmapLevelClamp;
    t->maxMipmapLevelClamp = d.maxMipmapLevelClamp;
    for (int i = 0; i < 4; ++i)
      t->borderColor[i] = d.borderColor[i];
    return cudaSuccess;
  });
}

// Textures with a view are refused where they are made.
CUFORT_DRIVER_API CUresult
cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *, CUtexObject) {
  return inContext([] { return cudaErrorInvalidValue; });
}

CUFORT_DRIVER_API CUresult
cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource) {
  return inContext([&] {
    cudaResourceDesc from{};
    const Error error = resourceOf(resource, &from);
    return error == cudaSuccess ? cudaCreateSurfaceObject(object, &from)
                                : error;
  });
}

CUFORT_DRIVER_API CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *d,
                                                       CUsurfObject object) {
  return inContext([&] {
    cudaResourceDesc from{};
    const Error error = d ? cudaGetSurfaceObjectResourceDesc(&from, object)
                          : cudaErrorInvalidValue;
    if (error == cudaSuccess)
      readResource(from, d);
    return error;
  });
}
