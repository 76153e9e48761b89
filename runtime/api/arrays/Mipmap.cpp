//===- Mipmap.cpp - CUDA runtime API: arrays with levels ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/RuntimeApi.h"
#include "runtime/core/Device.h"

using namespace cufort;

CUFORT_API cudaError_t cudaMallocMipmappedArray(
    cudaMipmappedArray_t *mipmaps, const cudaChannelFormatDesc *format,
    cudaExtent extent, unsigned levels, unsigned flags) {
  if (!mipmaps || !format)
    return recordError(cudaErrorInvalidValue);
  ArrayShape shape{};
  if (const cudaError_t error = shapeOf(*format, extent, flags, &shape);
      error != cudaSuccess)
    return recordError(error);
  return onDevice([&](Engine &e) {
    return e.createMipmaps(reinterpret_cast<void **>(mipmaps), shape, levels);
  });
}

CUFORT_API cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmaps) {
  return onDevice([&](Engine &e) { return e.destroyMipmaps(mipmaps); });
}

CUFORT_API cudaError_t cudaGetMipmappedArrayLevel(
    cudaArray_t *array, cudaMipmappedArray_const_t mipmaps, unsigned level) {
  if (!array)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    return e.mipmapLevel(const_cast<cudaMipmappedArray_t>(mipmaps), level,
                         array);
  });
}

//===----------------------------------------------------------------------===//
// What ordinary arrays do not have
//===----------------------------------------------------------------------===//

// Arrays with several planes, with holes, or whose memory comes later cannot be
// made (shapeOf refuses their flags): for all others CUDA's answer is the
// error.

static cudaError_t refuseArray(
    const void *result, cudaArray_t array,
    const std::source_location &where = std::source_location::current()) {
  const profile::Call recorded(where);
  if (!result)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    ArrayShape shape;
    const Error error = e.arrayShape(array, &shape);
    return error == cudaSuccess ? cudaErrorInvalidValue : error;
  });
}

static cudaError_t refuseMipmaps(
    const void *result, void *mipmaps,
    const std::source_location &where = std::source_location::current()) {
  const profile::Call recorded(where);
  if (!result)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    ArrayHandle level;
    const Error error = e.mipmapLevel(mipmaps, 0, &level);
    return error == cudaSuccess ? cudaErrorInvalidValue : error;
  });
}

CUFORT_API cudaError_t cudaArrayGetPlane(cudaArray_t *plane, cudaArray_t array,
                                         unsigned) {
  return refuseArray(plane, array);
}

CUFORT_API cudaError_t cudaArrayGetSparseProperties(
    cudaArraySparseProperties *properties, cudaArray_t array) {
  return array ? refuseArray(properties, array)
               : recordError(cudaErrorInvalidValue);
}

CUFORT_API cudaError_t cudaArrayGetMemoryRequirements(
    cudaArrayMemoryRequirements *requirements, cudaArray_t array, int device) {
  if (!deviceAt(device) || !array)
    return recordError(array ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
  return refuseArray(requirements, array);
}

CUFORT_API cudaError_t cudaMipmappedArrayGetSparseProperties(
    cudaArraySparseProperties *properties, cudaMipmappedArray_t mipmaps) {
  return refuseMipmaps(properties, mipmaps);
}

CUFORT_API cudaError_t cudaMipmappedArrayGetMemoryRequirements(
    cudaArrayMemoryRequirements *requirements, cudaMipmappedArray_t mipmaps,
    int device) {
  return deviceAt(device) ? refuseMipmaps(requirements, mipmaps)
                          : recordError(cudaErrorInvalidDevice);
}

/// The longest line that a texture reads straight from memory.
CUFORT_API cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(
    size_t *elements, const cudaChannelFormatDesc *format, int device) {
  constexpr int maxTexture1DLinearWidth = 69;
  ArrayShape shape{};
  if (!elements || !format ||
      shapeOf(*format, {1, 0, 0}, 0, &shape) != cudaSuccess)
    return recordError(cudaErrorInvalidValue);
  Engine *engine = deviceAt(device);
  if (!engine)
    return recordError(cudaErrorInvalidDevice);
  int width = 0;
  const Error error = engine->deviceAttribute(maxTexture1DLinearWidth, &width);
  if (error == cudaSuccess)
    *elements = static_cast<size_t>(width);
  return recordError(error);
}
