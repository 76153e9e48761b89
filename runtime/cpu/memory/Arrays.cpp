//===- Arrays.cpp - CUDA arrays and copies of boxes on the CPU ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/CpuEngine.h"
#include "runtime/cpu/memory/CopyOperation.h"
#include <algorithm>
#include <bit>

namespace cufort::cpu {

/// A CUDA array is pitched memory that knows its shape.
struct Array {
  ArrayShape shape;
  char *memory;
  size_t pitch;
  bool isLevel = false; ///< of mipmaps, which own it
};

/// A cudaMipmappedArray_t: an array for each level.
struct Mipmaps {
  std::vector<ArrayHandle> levels;
};

static constexpr size_t PitchGranule = 64;

/// Whether a GPU (from compute capability 7.5 on) has arrays of this shape.
static bool isPossible(const ArrayShape &s) {
  constexpr unsigned Surface = 2, Cube = 4, Gather = 8;
  const bool layered = s.flags & ArrayIsLayered;
  const auto fits = [&](size_t width, size_t height, size_t depth) {
    return s.width <= width && s.height <= height && s.depth <= depth;
  };
  if (s.flags & Cube)
    return s.width == s.height && fits(32768, 32768, layered ? 2046 : 6) &&
           s.depth && s.depth % 6 == 0;
  if (s.flags & Gather)
    return !layered && s.height && fits(32768, 32768, 0);
  if (layered)
    return s.depth && fits(32768, 32768, 2048);
  if (s.depth)
    return fits(16384, 16384, 16384) || fits(8192, 8192, 32768);
  if (s.height)
    return fits(131072, 65536, 0);
  return fits(s.flags & Surface ? 32768 : 131072, 0, 0);
}

Error CpuEngine::createArray(ArrayHandle *handle, const ArrayShape &shape) {
  const size_t element = shape.elementBytes();
  if (!element || !shape.width ||
      (shape.depth && !shape.height && !(shape.flags & ArrayIsLayered)) ||
      !isPossible(shape))
    return cudaErrorInvalidValue;
  auto array = std::make_unique<Array>();
  array->shape = shape;
  size_t bytes, row;
  if (__builtin_mul_overflow(shape.width, element, &row) ||
      row > SIZE_MAX - PitchGranule)
    return cudaErrorMemoryAllocation;
  array->pitch = (row + PitchGranule - 1) / PitchGranule * PitchGranule;
  if (__builtin_mul_overflow(array->pitch, shape.rows(), &bytes) ||
      __builtin_mul_overflow(bytes, shape.slices(), &bytes))
    return cudaErrorMemoryAllocation;
  void *memory;
  if (Error error = allocate(&memory, bytes, MemoryKind::Device);
      error != cudaSuccess)
    return error;
  array->memory = static_cast<char *>(memory);
  std::lock_guard lock(mutex);
  try {
    arrays.insert(array.get());
  } catch (const std::bad_alloc &) {
    Memory::release(memory, MemoryKind::Device);
    throw;
  }
  *handle = array.release();
  return cudaSuccess;
}

Error CpuEngine::destroyArray(ArrayHandle handle) {
  if (!handle)
    return cudaSuccess;
  auto *array = static_cast<Array *>(handle);
  for (CpuEngine *engine : cpuEngines()) {
    {
      std::lock_guard lock(engine->mutex);
      if (!engine->arrays.count(array))
        continue;
      if (array->isLevel)
        return cudaErrorInvalidValue;
      engine->arrays.erase(array);
    }
    return engine->freeArray(array);
  }
  return cudaErrorInvalidResourceHandle;
}

/// The end of an array that is no longer known.
Error CpuEngine::freeArray(Array *array) {
  const Error error = release(array->memory, MemoryKind::Device);
  delete array;
  return error;
}

//===----------------------------------------------------------------------===//
// Mipmaps
//===----------------------------------------------------------------------===//

Error CpuEngine::createMipmaps(MipmapHandle *handle, const ArrayShape &shape,
                               unsigned levels) {
  const bool layered = shape.flags & (ArrayIsLayered | ArrayIsCubemap);
  const size_t depth = layered ? 0 : shape.depth;
  const auto most = static_cast<unsigned>(
      std::bit_width(std::max({shape.width, shape.height, depth})));
  if (!most)
    return cudaErrorInvalidValue;
  levels = std::clamp(levels, 1u, most);
  auto made = std::make_unique<Mipmaps>();
  made->levels.reserve(levels);
  const auto undo = [&] {
    for (ArrayHandle level : made->levels) {
      static_cast<Array *>(level)->isLevel = false;
      destroyArray(level);
    }
  };
  const auto half = [](size_t size, unsigned level) {
    return size ? std::max<size_t>(size >> level, 1) : 0;
  };
  try {
    for (unsigned level = 0; level < levels; ++level) {
      ArrayShape part = shape;
      part.width = half(shape.width, level);
      part.height = half(shape.height, level);
      if (!layered)
        part.depth = half(shape.depth, level);
      ArrayHandle array;
      if (Error error = createArray(&array, part); error != cudaSuccess) {
        undo();
        return error;
      }
      static_cast<Array *>(array)->isLevel = true;
      made->levels.push_back(array);
    }
    std::lock_guard lock(mutex);
    mipmapSets.insert(made.get());
  } catch (const std::bad_alloc &) {
    undo();
    throw;
  }
  *handle = made.release();
  return cudaSuccess;
}

Error CpuEngine::destroyMipmaps(MipmapHandle handle) {
  if (!handle)
    return cudaSuccess;
  auto *mipmaps = static_cast<Mipmaps *>(handle);
  for (CpuEngine *engine : cpuEngines()) {
    {
      std::lock_guard lock(engine->mutex);
      if (!engine->mipmapSets.erase(mipmaps))
        continue;
      for (ArrayHandle level : mipmaps->levels)
        engine->arrays.erase(static_cast<Array *>(level));
    }
    Error result = cudaSuccess;
    for (ArrayHandle level : mipmaps->levels)
      if (Error error = engine->freeArray(static_cast<Array *>(level));
          error != cudaSuccess)
        result = error;
    delete mipmaps;
    return result;
  }
  return cudaErrorInvalidResourceHandle;
}

Error CpuEngine::mipmapLevel(MipmapHandle handle, unsigned level,
                             ArrayHandle *array) {
  auto *mipmaps = static_cast<Mipmaps *>(handle);
  for (CpuEngine *engine : cpuEngines()) {
    std::lock_guard lock(engine->mutex);
    if (!engine->mipmapSets.count(mipmaps))
      continue;
    if (level >= mipmaps->levels.size())
      return cudaErrorInvalidValue;
    *array = mipmaps->levels[level];
    return cudaSuccess;
  }
  return cudaErrorInvalidResourceHandle;
}

/// Of a reset, which frees the memory itself. Under the lock.
void CpuEngine::destroyArrays() {
  for (Array *array : arrays)
    delete array;
  arrays.clear();
  for (Mipmaps *mipmaps : mipmapSets)
    delete mipmaps;
  mipmapSets.clear();
}

char *arrayMemory(ArrayHandle handle, size_t *pitch) {
  const auto *array = static_cast<const Array *>(handle);
  *pitch = array->pitch;
  return array->memory;
}

Error CpuEngine::arrayShape(ArrayHandle handle, ArrayShape *shape) {
  auto *array = static_cast<Array *>(handle);
  for (CpuEngine *engine : cpuEngines()) {
    std::lock_guard lock(engine->mutex);
    if (engine->arrays.count(array)) {
      *shape = array->shape;
      return cudaSuccess;
    }
  }
  return cudaErrorInvalidResourceHandle;
}

Error CpuEngine::resolve(const BoxSide &side, const BoxCopy &box,
                         StridedView *view) {
  char *memory = static_cast<char *>(side.memory);
  size_t pitch = side.pitch, rows = side.rows;
  if (side.array) {
    ArrayShape shape;
    if (Error error = arrayShape(side.array, &shape); error != cudaSuccess)
      return error;
    const auto *array = static_cast<const Array *>(side.array);
    const auto outside = [](size_t first, size_t count, size_t all) {
      return first > all || count > all - first;
    };
    if (outside(side.xBytes, box.widthBytes,
                shape.width * shape.elementBytes()) ||
        outside(side.y, box.height, shape.rows()) ||
        outside(side.z, box.depth, shape.slices()))
      return cudaErrorInvalidValue;
    memory = array->memory;
    pitch = array->pitch;
    rows = shape.rows();
  }
  if (!memory)
    return cudaErrorInvalidValue;
  if ((box.height > 1 || box.depth > 1) && pitch < box.widthBytes)
    return cudaErrorInvalidPitchValue;
  if (box.depth > 1 && rows < box.height)
    return cudaErrorInvalidValue;
  // From the side's begin: the first byte that is copied, and the last, with
  // what lies between rows and slices.
  size_t first, last;
  if (__builtin_mul_overflow(rows, side.z, &first) ||
      __builtin_add_overflow(first, side.y, &first) ||
      __builtin_mul_overflow(pitch, first, &first) ||
      __builtin_add_overflow(first, side.xBytes, &first) ||
      __builtin_mul_overflow(rows, box.depth - 1, &last) ||
      __builtin_add_overflow(last, box.height - 1, &last) ||
      __builtin_mul_overflow(pitch, last, &last) ||
      __builtin_add_overflow(last, first, &last) ||
      __builtin_add_overflow(last, box.widthBytes, &last) || last > PTRDIFF_MAX)
    return cudaErrorInvalidValue;
  if (!side.array)
    if (Error error = checkRange(memory, last); error != cudaSuccess)
      return error;
  memory += first;
  *view = {memory, box.widthBytes, 2, {}, {}};
  view->extent[0] = static_cast<ptrdiff_t>(box.height);
  view->extent[1] = static_cast<ptrdiff_t>(box.depth);
  view->stride[0] = static_cast<ptrdiff_t>(pitch);
  view->stride[1] = static_cast<ptrdiff_t>(pitch * rows);
  return cudaSuccess;
}

Error CpuEngine::copyBox(const BoxCopy &box, StreamHandle handle, bool async) {
  Stream *stream = findAny(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (!box.widthBytes || !box.height || !box.depth)
    return cudaSuccess;
  if (static_cast<unsigned>(box.kind) >
      static_cast<unsigned>(CopyKind::Default))
    return cudaErrorInvalidMemcpyDirection;
  if (!async)
    if (Error error = graphSet.refuseImplicit(); error != cudaSuccess)
      return error;
  StridedView to, from;
  if (Error error = resolve(box.to, box, &to); error != cudaSuccess)
    return error;
  if (Error error = resolve(box.from, box, &from); error != cudaSuccess)
    return error;
  const bool wait = !async || pageable(to.base, from.base, box.kind);
  simplify(to, from);
  const auto work = [&] { return box; };
  if (!to.rank) // all in one piece
    return submit(*stream, GraphNodeType::Copy, wait, work, [=] {
      return new CopyOperation(to.base, from.base, to.elementBytes);
    });
  return submit(*stream, GraphNodeType::Copy, wait, work,
                [=] { return new StridedCopyOperation(to, from); });
}

} // namespace cufort::cpu
