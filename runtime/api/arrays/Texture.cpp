//===- Texture.cpp - CUDA runtime API: textures and surfaces --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/Direction.h"
#include "runtime/api/RuntimeApi.h"
#include "runtime/core/Device.h"
#include "runtime/core/engine/NumberOf.h"
#include "runtime/core/process/Process.h"
#include <map>
#include <mutex>

// The public header, after the names it needs.

using namespace cufort;

namespace {

/// What objects were made of, which programs can ask for.
struct Origin {
  cudaResourceDesc resource;
  cudaTextureDesc texture;
};
struct Origins {
  std::mutex mutex;
  std::map<TextureHandle, Origin> textures, surfaces;
};

Origins &origins() { return processWide<Origins>(ProcessObject::Textures); }

using Objects = std::map<TextureHandle, Origin>;

/// Remembers what \p object was made of; \p undo() where there is no memory.
template <typename Undo>
Error keep(Objects &objects, TextureHandle object, const Origin &origin,
           Undo undo) {
  try {
    std::lock_guard lock(origins().mutex);
    objects[object] = origin;
  } catch (const std::bad_alloc &) {
    undo();
    throw;
  }
  return cudaSuccess;
}

/// Ends \p object by \p call(); where that fails, it can be tried once more.
template <typename Call>
Error destroy(Objects &objects, TextureHandle object, Call call) {
  std::unique_lock lock(origins().mutex);
  auto entry = objects.extract(object);
  lock.unlock();
  if (!entry)
    return cudaErrorInvalidValue;
  const Error error = catchExhaustion(call);
  if (error != cudaSuccess) {
    lock.lock();
    objects.insert(std::move(entry));
  }
  return error;
}

template <typename Format> ChannelFormat formatOf(const Format &d) {
  return {{d.x, d.y, d.z, d.w}, static_cast<int>(d.f)};
}

/// One, two or four channels of 8, 16 or 32 bits, all the same.
bool isReadable(const ChannelFormat &format) {
  const int bits = format.bits[0];
  int channels = 0;
  for (int each : format.bits) {
    if (each && each != bits)
      return false;
    channels += each != 0;
  }
  return (bits == 8 || bits == 16 || bits == 32) && channels != 3 &&
         format.kind >= 0 && format.kind <= 2 &&
         !(format.kind == 2 && bits == 8);
}

ArrayHandle handleOf(const void *array) { return const_cast<void *>(array); }

/// What a GPU's driver finds out by itself: whether a texture can read \p d's
/// memory, where it begins and how its rows follow each other.
Error checkMemory(Engine &e, const TextureDescription &d) {
  if (!d.memory)
    return cudaErrorInvalidValue;
  if (!e.deviceMemoryIsHostMemory())
    return cudaSuccess;
  constexpr int PitchAlignment = 51, MostColumns = 70, MostRows = 71;
  const auto attribute = [&](int number) {
    int value = 0;
    e.deviceAttribute(number, &value);
    return static_cast<size_t>(value);
  };
  // Variables begin where they like; what counts is the place within them.
  void *begin = nullptr;
  size_t bytes = 0;
  if (e.addressRange(d.memory, &begin, &bytes) != cudaSuccess)
    return cudaErrorInvalidValue;
  const auto place = static_cast<size_t>(static_cast<char *>(d.memory) -
                                         static_cast<char *>(begin));
  if (place % e.properties().textureAlignment ||
      (d.height &&
       (d.pitch % attribute(PitchAlignment) ||
        d.width > attribute(MostColumns) || d.height > attribute(MostRows))))
    return cudaErrorInvalidValue;
  return checkDeviceMemory(e, d.memory);
}

/// Whether what is read can be converted and filtered as \p texture says.
Error checkSettings(const cudaTextureDesc &texture,
                    const TextureDescription &d) {
  const auto isFilter = [](int mode) { return mode == 0 || mode == 1; };
  if (!isFilter(numberOf(texture.filterMode)) ||
      !isFilter(numberOf(texture.mipmapFilterMode)))
    return cudaErrorInvalidValue;
  // Filtered values are real numbers: those of the memory, or what integers of
  // 8 and 16 bits are converted to.
  const bool isReal = d.format.kind == 2;
  const bool isConverted =
      d.normalizedFloat && !isReal && d.format.bits[0] != 32;
  const bool isInteger = !isReal && !isConverted;
  if (isInteger && texture.filterMode == cudaFilterModeLinear)
    return cudaErrorInvalidFilterSetting;
  if (d.normalizedFloat && !isConverted)
    return cudaErrorInvalidNormSetting;
  // Levels have different sizes: their places are fractions, CUDA's
  // documentation says.
  return d.mipmaps && (!texture.normalizedCoords ||
                       (isInteger &&
                        texture.mipmapFilterMode == cudaFilterModeLinear))
             ? cudaErrorInvalidValue
             : cudaSuccess;
}

/// How many coordinates a texture has, which is as many as its modes of
/// addresses count, and whether its faces are a cube's.
struct Coordinates {
  int count = 1;
  bool areOfCube = false;
};

/// Fills in what is read; the rest is the texture's description.
Error describe(Engine &e, const cudaResourceDesc &resource,
               TextureDescription &d, Coordinates &coordinates) {
  switch (numberOf(resource.resType)) {
  case cudaResourceTypeArray: {
    ArrayShape shape;
    d.array = handleOf(resource.res.array.array);
    if (const Error error = e.arrayShape(d.array, &shape); error != cudaSuccess)
      return error;
    d.format = shape.format;
    coordinates = {shape.depth && !(shape.flags & ArrayIsLayered) ? 3
                   : shape.height                                 ? 2
                                                                  : 1,
                   (shape.flags & ArrayIsCubemap) != 0};
    return isReadable(d.format) ? cudaSuccess
                                : cudaErrorInvalidChannelDescriptor;
  }
  case cudaResourceTypeMipmappedArray: {
    cudaResourceDesc finest{};
    d.mipmaps = resource.res.mipmap.mipmap;
    ArrayHandle array = nullptr;
    if (const Error error = e.mipmapLevel(d.mipmaps, 0, &array);
        error != cudaSuccess)
      return error;
    finest.resType = cudaResourceTypeArray;
    finest.res.array.array = decltype(finest.res.array.array)(array);
    return describe(e, finest, d, coordinates);
  }
  case cudaResourceTypeLinear:
    d.memory = resource.res.linear.devPtr;
    d.format = formatOf(resource.res.linear.desc);
    if (!isReadable(d.format))
      return cudaErrorInvalidChannelDescriptor;
    d.width = resource.res.linear.sizeInBytes /
              ArrayShape{d.format, 1, 0, 0, 0}.elementBytes();
    return checkMemory(e, d);
  case cudaResourceTypePitch2D:
    d.memory = resource.res.pitch2D.devPtr;
    d.format = formatOf(resource.res.pitch2D.desc);
    if (!isReadable(d.format))
      return cudaErrorInvalidChannelDescriptor;
    d.width = resource.res.pitch2D.width;
    d.height = resource.res.pitch2D.height;
    coordinates.count = 2;
    d.pitch = resource.res.pitch2D.pitchInBytes;
    return checkMemory(e, d);
  default:
    return cudaErrorInvalidValue;
  }
}

} // namespace

CUFORT_API cudaError_t cudaCreateTextureObject(
    cudaTextureObject_t *object, const cudaResourceDesc *resource,
    const cudaTextureDesc *texture, const cudaResourceViewDesc *view) {
  if (!resource || view)
    return recordError(view ? cudaErrorNotSupported : cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    TextureDescription d;
    Coordinates coordinates;
    if (const Error error = describe(e, *resource, d, coordinates);
        error != cudaSuccess)
      return error;
    if (!object || !texture)
      return cudaErrorInvalidValue;
    d.normalizedFloat =
        numberOf(texture->readMode) == cudaReadModeNormalizedFloat;
    if (const Error error = checkSettings(*texture, d); error != cudaSuccess)
      return error;
    if (texture->seamlessCubemap && !coordinates.areOfCube)
      return cudaErrorInvalidValue;
    for (int i = 0; i < 3; ++i) {
      const int mode = numberOf(texture->addressMode[i]);
      const bool isMode = mode >= 0 && mode <= 3;
      if (!isMode && i < coordinates.count)
        return cudaErrorInvalidValue;
      d.addressMode[i] = isMode ? mode : cudaAddressModeClamp;
    }
    d.filterMode = texture->filterMode;
    d.normalizedCoordinates = texture->normalizedCoords != 0;
    d.srgb = texture->sRGB != 0;
    d.seamlessCubemap = texture->seamlessCubemap != 0;
    d.maxAnisotropy = texture->maxAnisotropy;
    for (int i = 0; i < 4; ++i)
      d.border[i] = texture->borderColor[i];
    d.levelFilterMode = texture->mipmapFilterMode;
    d.levelBias = texture->mipmapLevelBias;
    d.levelMin = texture->minMipmapLevelClamp;
    d.levelMax = texture->maxMipmapLevelClamp;
    if (const Error error = e.createTexture(object, d); error != cudaSuccess)
      return error;
    return keep(origins().textures, *object, {*resource, *texture},
                [&] { e.destroyTexture(*object); });
  });
}

CUFORT_API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  if (!object)
    return cudaSuccess;
  return onDevice([&](Engine &e) {
    return destroy(origins().textures, object,
                   [&] { return e.destroyTexture(object); });
  });
}

CUFORT_API cudaError_t cudaGetTextureObjectResourceDesc(
    cudaResourceDesc *resource, cudaTextureObject_t object) {
  std::lock_guard lock(origins().mutex);
  auto found = origins().textures.find(object);
  if (!resource || found == origins().textures.end())
    return recordError(cudaErrorInvalidValue);
  *resource = found->second.resource;
  return cudaSuccess;
}

CUFORT_API cudaError_t cudaGetTextureObjectTextureDesc(
    cudaTextureDesc *texture, cudaTextureObject_t object) {
  std::lock_guard lock(origins().mutex);
  auto found = origins().textures.find(object);
  if (!texture || found == origins().textures.end())
    return recordError(cudaErrorInvalidValue);
  *texture = found->second.texture;
  return cudaSuccess;
}

// Textures with a view are refused where they are made.
CUFORT_API cudaError_t cudaGetTextureObjectResourceViewDesc(
    cudaResourceViewDesc *, cudaTextureObject_t) {
  return recordError(cudaErrorInvalidValue);
}

CUFORT_API cudaError_t cudaCreateSurfaceObject(
    cudaSurfaceObject_t *object, const cudaResourceDesc *resource) {
  if (!object || !resource)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    TextureDescription d;
    Coordinates coordinates;
    if (const Error error = describe(e, *resource, d, coordinates);
        error != cudaSuccess)
      return error;
    if (numberOf(resource->resType) != cudaResourceTypeArray)
      return cudaErrorInvalidValue;
    if (const Error error = e.createSurface(object, d.array);
        error != cudaSuccess)
      return error;
    return keep(origins().surfaces, *object, {*resource, {}},
                [&] { e.destroySurface(*object); });
  });
}

CUFORT_API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  if (!object)
    return cudaSuccess;
  return onDevice([&](Engine &e) {
    return destroy(origins().surfaces, object,
                   [&] { return e.destroySurface(object); });
  });
}

CUFORT_API cudaError_t cudaGetSurfaceObjectResourceDesc(
    cudaResourceDesc *resource, cudaSurfaceObject_t object) {
  std::lock_guard lock(origins().mutex);
  auto found = origins().surfaces.find(object);
  if (!resource || found == origins().surfaces.end())
    return recordError(cudaErrorInvalidValue);
  *resource = found->second.resource;
  return cudaSuccess;
}
