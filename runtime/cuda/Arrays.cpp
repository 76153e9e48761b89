//===- Arrays.cpp - CUDA arrays of NVIDIA devices -------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/StreamNumbers.h"
#include "runtime/cuda/CudaEngine.h"
#include "runtime/cuda/Destruction.h"
#include <algorithm>
#include <bit>
#include <unordered_map>

#define BIND()                                                                 \
  if (Error bindError = bind(); bindError != cudaSuccess)                      \
  return bindError

namespace cufort::cuda {

namespace {

/// The driver's formats say less than the runtime's.
struct KnownArray {
  ArrayShape shape;
  const CudaEngine *owner;
  MipmapHandle mipmaps; ///< that it is a level of; null: none
};

/// A cudaMipmappedArray_t.
struct KnownMipmaps {
  ArrayShape shape;
  const CudaEngine *owner;
  unsigned levels;
};

/// The arrays of all devices.
struct Arrays {
  std::mutex mutex;
  std::unordered_map<ArrayHandle, KnownArray> arrays;
  std::unordered_map<MipmapHandle, KnownMipmaps> mipmaps;
};

Arrays &arrays() {
  static auto *instance = new Arrays;
  return *instance;
}

} // namespace

// Signed integers are 8, 9, 10, unsigned ones 1, 2, 3, reals 16 and 32.
int driverFormat(const ChannelFormat &format) {
  const int bits = format.bits[0];
  const int size = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : -1;
  if (size < 0)
    return 0;
  switch (format.kind) {
  case 0:
    return 8 + size;
  case 1:
    return 1 + size;
  case 2:
    return size == 1 ? 16 : size == 2 ? 32 : 0;
  default:
    return 0;
  }
}

namespace {

/// What the driver is told of an array; an error where it has no such format.
Error describeShape(const ArrayShape &shape, ArrayDescriptor *result) {
  unsigned channels = 0;
  for (int bits : shape.format.bits)
    if (bits) {
      if (bits != shape.format.bits[0])
        return cudaErrorInvalidChannelDescriptor;
      ++channels;
    }
  const int format = driverFormat(shape.format);
  if (!format || channels == 3)
    return cudaErrorInvalidChannelDescriptor;
  *result = {shape.width, shape.height, shape.depth,
             format,      channels,     shape.flags};
  return cudaSuccess;
}

} // namespace

Error CudaEngine::createArray(ArrayHandle *array, const ArrayShape &shape) {
  BIND();
  ArrayDescriptor description;
  if (Error error = describeShape(shape, &description); error != cudaSuccess)
    return error;
  CUarray created = nullptr;
  if (CUresult code = driver.arrayCreate(&created, &description))
    return errorOf(code);
  try {
    std::lock_guard lock(arrays().mutex);
    arrays().arrays[created] = {shape, this, nullptr};
  } catch (const std::bad_alloc &) {
    driver.arrayDestroy(created);
    throw;
  }
  *array = created;
  return cudaSuccess;
}

Error CudaEngine::destroyArray(ArrayHandle array) {
  if (!array)
    return cudaSuccess;
  BIND();
  {
    std::lock_guard lock(arrays().mutex);
    auto found = arrays().arrays.find(array);
    if (found != arrays().arrays.end() && found->second.mipmaps)
      return cudaErrorInvalidValue;
  }
  Destruction known(arrays().mutex, arrays().arrays, array);
  return known ? known.end(
                     errorOf(driver.arrayDestroy(static_cast<CUarray>(array))))
               : cudaErrorInvalidResourceHandle;
}

Error CudaEngine::arrayShape(ArrayHandle array, ArrayShape *shape) {
  std::lock_guard lock(arrays().mutex);
  auto found = arrays().arrays.find(array);
  if (found == arrays().arrays.end())
    return cudaErrorInvalidResourceHandle;
  *shape = found->second.shape;
  return cudaSuccess;
}

void CudaEngine::forgetArrays() {
  std::lock_guard lock(arrays().mutex);
  const auto mine = [&](const auto &entry) {
    return entry.second.owner == this;
  };
  std::erase_if(arrays().arrays, mine);
  std::erase_if(arrays().mipmaps, mine);
}

//===----------------------------------------------------------------------===//
// Mipmaps
//===----------------------------------------------------------------------===//

static bool isLayered(const ArrayShape &shape) {
  return shape.flags & (ArrayIsLayered | ArrayIsCubemap);
}

Error CudaEngine::createMipmaps(MipmapHandle *mipmaps, const ArrayShape &shape,
                                unsigned levels) {
  BIND();
  ArrayDescriptor description;
  if (Error error = describeShape(shape, &description); error != cudaSuccess)
    return error;
  const size_t depth = isLayered(shape) ? 0 : shape.depth;
  levels =
      std::clamp(levels, 1u,
                 std::max(1u, static_cast<unsigned>(std::bit_width(std::max(
                                  {shape.width, shape.height, depth})))));
  CUmipmappedArray created = nullptr;
  if (CUresult code = driver.mipmapsCreate(&created, &description, levels))
    return errorOf(code);
  try {
    std::lock_guard lock(arrays().mutex);
    arrays().mipmaps[created] = {shape, this, levels};
  } catch (const std::bad_alloc &) {
    driver.mipmapsDestroy(created);
    throw;
  }
  *mipmaps = created;
  return cudaSuccess;
}

Error CudaEngine::destroyMipmaps(MipmapHandle mipmaps) {
  if (!mipmaps)
    return cudaSuccess;
  BIND();
  Destruction known(arrays().mutex, arrays().mipmaps, mipmaps);
  if (!known)
    return cudaErrorInvalidResourceHandle;
  const Error error = known.end(
      errorOf(driver.mipmapsDestroy(static_cast<CUmipmappedArray>(mipmaps))));
  if (error == cudaSuccess) {
    std::lock_guard lock(arrays().mutex);
    std::erase_if(arrays().arrays, [&](const auto &entry) {
      return entry.second.mipmaps == mipmaps;
    });
  }
  return error;
}

Error CudaEngine::mipmapLevel(MipmapHandle mipmaps, unsigned level,
                              ArrayHandle *array) {
  BIND();
  std::lock_guard lock(arrays().mutex);
  auto found = arrays().mipmaps.find(mipmaps);
  if (found == arrays().mipmaps.end())
    return cudaErrorInvalidResourceHandle;
  if (level >= found->second.levels)
    return cudaErrorInvalidValue;
  CUarray part = nullptr;
  if (CUresult code = driver.mipmapsLevel(
          &part, static_cast<CUmipmappedArray>(mipmaps), level))
    return errorOf(code);
  const auto half = [level](size_t size) {
    return size ? std::max<size_t>(size >> level, 1) : 0;
  };
  ArrayShape shape = found->second.shape;
  shape.width = half(shape.width);
  shape.height = half(shape.height);
  if (!isLayered(shape))
    shape.depth = half(shape.depth);
  arrays().arrays[part] = {shape, found->second.owner, mipmaps};
  *array = part;
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Copies of boxes
//===----------------------------------------------------------------------===//

Copy3D describeBox(const BoxCopy &box) {
  Copy3D copy{};
  const auto fill = [&](Copy3D::Side &side, const BoxSide &from) {
    side.xBytes = from.xBytes;
    side.y = from.y;
    side.z = from.z;
    side.memoryType = from.array ? MemoryArray : MemoryUnified;
    side.array = from.array;
    side.device = reinterpret_cast<CUdeviceptr>(from.memory);
    // Single rows and slices need no pitch; the driver wants one all the same.
    side.pitch = std::max(from.pitch, from.xBytes + box.widthBytes);
    side.height = std::max(from.rows, from.y + box.height);
  };
  fill(copy.from, box.from);
  fill(copy.to, box.to);
  copy.widthBytes = box.widthBytes;
  copy.height = box.height;
  copy.depth = box.depth;
  return copy;
}

Error CudaEngine::copyBox(const BoxCopy &box, StreamHandle stream, bool async) {
  BIND();
  if (!knownStream(stream))
    return cudaErrorInvalidResourceHandle;
  if (!box.widthBytes || !box.height || !box.depth)
    return cudaSuccess;
  if (static_cast<unsigned>(box.kind) >
      static_cast<unsigned>(CopyKind::Default))
    return cudaErrorInvalidMemcpyDirection;
  for (const BoxSide *side : {&box.to, &box.from}) {
    ArrayShape shape;
    if (!side->array && !side->memory)
      return cudaErrorInvalidValue;
    if (side->array)
      if (Error error = arrayShape(side->array, &shape); error != cudaSuccess)
        return error;
  }
  for (const BoxSide *side : {&box.to, &box.from})
    if (!side->array && (box.height > 1 || box.depth > 1) &&
        side->pitch < box.widthBytes)
      return cudaErrorInvalidPitchValue;
  Copy3D copy = describeBox(box);
  if (!box.from.array)
    putMemory(copy.from, box.from.memory, box.kind, false);
  if (!box.to.array)
    putMemory(copy.to, box.to.memory, box.kind, true);
  return async ? errorOf(driver.copy3DAsync(
                     &copy, static_cast<CUstream>(handleOf(stream))))
               : waited(driver.copy3D(&copy));
}

} // namespace cufort::cuda
