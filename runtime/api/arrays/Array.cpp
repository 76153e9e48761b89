//===- Array.cpp - CUDA runtime API: arrays and boxes ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/Direction.h"
#include "runtime/core/Device.h"
#include <algorithm>
#include <cstring>

using namespace cufort;

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

namespace {

ChannelFormat formatOf(const cudaChannelFormatDesc &d) {
  return {{d.x, d.y, d.z, d.w}, d.f};
}

/// Normalised, compressed or of several planes, as the name of its kind says.
bool isOfOneKind(const cudaChannelFormatDesc &d) {
  constexpr int None = 3, Last = 31;
  return d.f > None && d.f <= Last;
}

/// One, two or four channels of 8, 16 or 32 bits, all the same.
bool valid(const cudaChannelFormatDesc &d) {
  const int bits[] = {d.x, d.y, d.z, d.w};
  bool ended = false;
  for (int b : bits) {
    if (b && (b != d.x || ended))
      return false;
    ended |= !b;
  }
  const bool three = d.z && !d.w;
  return (d.x == 8 || d.x == 16 || d.x == 32) && d.f >= 0 && d.f <= 2 &&
         !(d.f == 2 && d.x == 8) && !three;
}

cudaError_t
create(cudaArray_t *array, const cudaChannelFormatDesc *format,
       const cudaExtent &extent, unsigned flags,
       const std::source_location &where = std::source_location::current()) {
  const profile::Call recorded(where);
  if (!array || !format)
    return recordError(cudaErrorInvalidValue);
  ArrayShape shape{};
  if (const cudaError_t error = shapeOf(*format, extent, flags, &shape);
      error != cudaSuccess)
    return recordError(error);
  return onDevice([&](Engine &e) { return e.createArray(array, shape); });
}

} // namespace

cudaError_t cufort::shapeOf(const cudaChannelFormatDesc &format,
                            const cudaExtent &extent, unsigned flags,
                            ArrayShape *shape) {
  // Layers, surfaces, cubes, gathering and what encoders of video read; refused
  // are holes, and memory that comes later. Attachments of graphics are not
  // made here.
  constexpr unsigned known = 0x10f, surfaces = 2, holes = 0x40, later = 0x80,
                     refused = holes | later;
  if (!extent.width ||
      (extent.depth && !extent.height && !(flags & ArrayIsLayered)) ||
      flags & ~(known | refused))
    return cudaErrorInvalidValue;
  // Neither of these goes with layers or the other, and holes with surfaces.
  if ((flags & refused) == refused ||
      (flags & refused && flags & ArrayIsLayered) ||
      (flags & holes && flags & surfaces))
    return cudaErrorInvalidValue;
  if (isOfOneKind(format))
    return cudaErrorNotSupported;
  if (!valid(format))
    return cudaErrorInvalidChannelDescriptor;
  *shape = {formatOf(format), extent.width, extent.height, extent.depth, flags};
  return flags & refused ? cudaErrorNotSupported : cudaSuccess;
}

CUFORT_API cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z,
                                                       int w, int f) {
  return {x, y, z, w, f};
}

CUFORT_API cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format,
                                          cudaArray_const_t array) {
  if (!format)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    ArrayShape shape;
    const Error error = e.arrayShape(const_cast<void *>(array), &shape);
    if (error == cudaSuccess)
      *format = {shape.format.bits[0], shape.format.bits[1],
                 shape.format.bits[2], shape.format.bits[3], shape.format.kind};
    return error;
  });
}

CUFORT_API cudaError_t cudaMallocArray(cudaArray_t *array,
                                       const cudaChannelFormatDesc *format,
                                       size_t width, size_t height,
                                       unsigned flags) {
  return create(array, format, {width, height, 0}, flags);
}

CUFORT_API cudaError_t cudaMalloc3DArray(cudaArray_t *array,
                                         const cudaChannelFormatDesc *format,
                                         cudaExtent extent, unsigned flags) {
  return create(array, format, extent, flags);
}

CUFORT_API cudaError_t cudaFreeArray(cudaArray_t array) {
  return onDevice([&](Engine &e) { return e.destroyArray(array); });
}

CUFORT_API cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format,
                                        cudaExtent *extent, unsigned *flags,
                                        cudaArray_t array) {
  return onDevice([&](Engine &e) {
    ArrayShape shape;
    const Error error = e.arrayShape(array, &shape);
    if (error != cudaSuccess)
      return error;
    if (format)
      *format = {shape.format.bits[0], shape.format.bits[1],
                 shape.format.bits[2], shape.format.bits[3], shape.format.kind};
    if (extent)
      *extent = {shape.width, shape.height, shape.depth};
    if (flags)
      *flags = shape.flags;
    return cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Two-dimensional copies
//===----------------------------------------------------------------------===//

namespace {

BoxSide inArray(const void *array, size_t x, size_t y) {
  BoxSide side;
  side.array = const_cast<void *>(array);
  side.xBytes = x;
  side.y = y;
  return side;
}

BoxSide inMemory(const void *memory, size_t pitch) {
  BoxSide side;
  side.memory = const_cast<void *>(memory);
  side.pitch = pitch;
  return side;
}

Error copyRectangle(Engine &e, const BoxSide &to, const BoxSide &from,
                    size_t width, size_t height, cudaMemcpyKind kind,
                    cudaStream_t stream, bool async) {
  if (!width || !height)
    return cudaSuccess;
  if ((to.memory && to.pitch < width) || (from.memory && from.pitch < width))
    return height > 1 ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue;
  const auto isArray = [](const BoxSide &s) { return !s.memory && !s.pitch; };
  for (const BoxSide *side : {&to, &from})
    if (!side->array && !side->memory)
      return isArray(*side) ? cudaErrorInvalidResourceHandle
                            : cudaErrorInvalidValue;
  // An array is no place on the host.
  const bool fromHost =
      kind == CopyKind::HostToHost || kind == CopyKind::HostToDevice;
  const bool toHost =
      kind == CopyKind::HostToHost || kind == CopyKind::DeviceToHost;
  if ((isArray(to) && toHost) || (isArray(from) && fromHost))
    return cudaErrorInvalidMemcpyDirection;
  BoxCopy box;
  box.to = to;
  box.from = from;
  box.widthBytes = width;
  box.height = height;
  box.kind = kind;
  const Error error = checkDirection(e, to.memory, from.memory, kind);
  return error == cudaSuccess ? e.copyBox(box, stream, async) : error;
}

/// Copies \p bytes in the order in which they follow each other in an array
/// of rows: the rest of the first row, whole rows, what is left. \p piece is
/// called with a place in the array, one in the run of bytes and an extent.
template <typename Piece>
Error alongRows(Engine &e, cudaArray_t array, size_t x, size_t y, size_t bytes,
                Piece piece) {
  ArrayShape shape;
  if (const Error error = e.arrayShape(array, &shape); error != cudaSuccess)
    return error;
  const size_t row = shape.width * shape.elementBytes();
  const size_t rows = shape.rows();
  if (x > row || y > rows || bytes > row * (rows - y) - x ||
      (y == rows && bytes))
    return cudaErrorInvalidValue;
  size_t done = 0;
  while (done < bytes) {
    const size_t left = bytes - done;
    const size_t width = x || left < row ? std::min(left, row - x) : row;
    const size_t height = width == row ? left / row : 1;
    if (const Error error = piece(x, y, done, width, height);
        error != cudaSuccess)
      return error;
    done += width * height;
    x = 0;
    y += height;
  }
  return cudaSuccess;
}

cudaError_t
toArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
        cudaMemcpyKind kind, cudaStream_t stream, bool async,
        const std::source_location &where = std::source_location::current()) {
  const profile::Call recorded(where);
  return onDevice([&](Engine &e) {
    if (!bytes)
      return cudaSuccess;
    if (!to)
      return cudaErrorInvalidResourceHandle;
    if (!from)
      return cudaErrorInvalidValue;
    return alongRows(
        e, to, x, y, bytes,
        [&](size_t px, size_t py, size_t done, size_t width, size_t height) {
          return copyRectangle(
              e, inArray(to, px, py),
              inMemory(static_cast<const char *>(from) + done, width), width,
              height, kind, stream, async);
        });
  });
}

cudaError_t
fromArray(void *to, const void *from, size_t x, size_t y, size_t bytes,
          cudaMemcpyKind kind, cudaStream_t stream, bool async,
          const std::source_location &where = std::source_location::current()) {
  const profile::Call recorded(where);
  return onDevice([&](Engine &e) {
    if (!bytes)
      return cudaSuccess;
    if (!from)
      return cudaErrorInvalidResourceHandle;
    if (!to)
      return cudaErrorInvalidValue;
    return alongRows(
        e, const_cast<void *>(from), x, y, bytes,
        [&](size_t px, size_t py, size_t done, size_t width, size_t height) {
          return copyRectangle(
              e, inMemory(static_cast<char *>(to) + done, width),
              inArray(from, px, py), width, height, kind, stream, async);
        });
  });
}

} // namespace

CUFORT_API cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y,
                                         const void *from, size_t bytes,
                                         cudaMemcpyKind kind) {
  return toArray(to, x, y, from, bytes, kind, nullptr, false);
}

CUFORT_API cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x,
                                              size_t y, const void *from,
                                              size_t bytes, cudaMemcpyKind kind,
                                              cudaStream_t stream) {
  return toArray(to, x, y, from, bytes, kind, stream, true);
}

CUFORT_API cudaError_t cudaMemcpyFromArray(void *to, const void *from, size_t x,
                                           size_t y, size_t bytes,
                                           cudaMemcpyKind kind) {
  return fromArray(to, from, x, y, bytes, kind, nullptr, false);
}

CUFORT_API cudaError_t cudaMemcpyFromArrayAsync(void *to, const void *from,
                                                size_t x, size_t y,
                                                size_t bytes,
                                                cudaMemcpyKind kind,
                                                cudaStream_t stream) {
  return fromArray(to, from, x, y, bytes, kind, stream, true);
}

/// Through both arrays row by row, wherever one of them begins a new one.
CUFORT_API cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t toX,
                                              size_t toY, const void *from,
                                              size_t fromX, size_t fromY,
                                              size_t bytes,
                                              cudaMemcpyKind kind) {
  return onDevice([&](Engine &e) {
    return alongRows(
        e, to, toX, toY, bytes,
        [&](size_t x, size_t y, size_t done, size_t width, size_t height) {
          ArrayShape shape;
          auto *source = const_cast<void *>(from);
          if (const Error error = e.arrayShape(source, &shape);
              error != cudaSuccess)
            return error;
          const size_t row = shape.width * shape.elementBytes();
          for (size_t i = 0; i < height; ++i) {
            const size_t start = fromY * row + fromX + done + i * width;
            size_t moved = 0;
            const Error error = alongRows(
                e, source, start % row, start / row, width,
                [&](size_t sx, size_t sy, size_t, size_t w, size_t h) {
                  const Error error = copyRectangle(
                      e, inArray(to, x + moved, y + i), inArray(from, sx, sy),
                      w, h, kind, nullptr, false);
                  moved += w * h;
                  return error;
                });
            if (error != cudaSuccess)
              return error;
          }
          return cudaSuccess;
        });
  });
}

CUFORT_API cudaError_t cudaMemcpy2DToArrayAsync(
    cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
    size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return onDevice([&](Engine &e) {
    return copyRectangle(e, inArray(to, x, y), inMemory(from, pitch), width,
                         height, kind, stream, true);
  });
}

CUFORT_API cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y,
                                           const void *from, size_t pitch,
                                           size_t width, size_t height,
                                           cudaMemcpyKind kind) {
  return onDevice([&](Engine &e) {
    return copyRectangle(e, inArray(to, x, y), inMemory(from, pitch), width,
                         height, kind, nullptr, false);
  });
}

CUFORT_API cudaError_t cudaMemcpy2DFromArrayAsync(
    void *to, size_t pitch, const void *from, size_t x, size_t y, size_t width,
    size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return onDevice([&](Engine &e) {
    return copyRectangle(e, inMemory(to, pitch), inArray(from, x, y), width,
                         height, kind, stream, true);
  });
}

CUFORT_API cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch,
                                             const void *from, size_t x,
                                             size_t y, size_t width,
                                             size_t height,
                                             cudaMemcpyKind kind) {
  return onDevice([&](Engine &e) {
    return copyRectangle(e, inMemory(to, pitch), inArray(from, x, y), width,
                         height, kind, nullptr, false);
  });
}

CUFORT_API cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t toX,
                                                size_t toY, const void *from,
                                                size_t fromX, size_t fromY,
                                                size_t width, size_t height,
                                                cudaMemcpyKind kind) {
  return onDevice([&](Engine &e) {
    if (!to && from && width && height)
      return cudaErrorInvalidValue;
    return copyRectangle(e, inArray(to, toX, toY), inArray(from, fromX, fromY),
                         width, height, kind, nullptr, false);
  });
}

//===----------------------------------------------------------------------===//
// Three dimensions
//===----------------------------------------------------------------------===//

CUFORT_API cudaError_t cudaMalloc3D(cudaPitchedPtr *result, cudaExtent extent) {
  if (!result)
    return recordError(cudaErrorInvalidValue);
  // Rows 512 bytes apart or a multiple, as those of cudaMallocPitch.
  const size_t pitch = (extent.width + 511) / 512 * 512;
  size_t bytes;
  if (pitch < extent.width ||
      __builtin_mul_overflow(pitch, extent.height, &bytes) ||
      __builtin_mul_overflow(bytes, extent.depth, &bytes))
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    void *memory;
    const Error error = e.allocate(&memory, bytes, MemoryKind::Device);
    if (error == cudaSuccess)
      *result = {memory, bytes ? pitch : 0, extent.width, extent.height};
    return error;
  });
}

/// Slices that follow each other without a gap are one rectangle.
CUFORT_API cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int value,
                                         cudaExtent extent,
                                         cudaStream_t stream) {
  size_t rows;
  if (!extent.width || !extent.height || !extent.depth)
    return cudaSuccess;
  if (extent.height > p.ysize ||
      __builtin_mul_overflow(extent.height, extent.depth, &rows))
    return recordError(cudaErrorInvalidValue);
  if (rows == 1)
    p.pitch = extent.width;
  else if (extent.width > p.pitch)
    return recordError(cudaErrorInvalidValue);
  return filled(p.ptr, extent.width, [&](Engine &e) {
    const auto byte = static_cast<unsigned char>(value);
    if (extent.height == p.ysize || extent.depth <= 1)
      return e.fill2D(p.ptr, p.pitch, byte, extent.width, rows, stream);
    for (size_t z = 0; z < extent.depth; ++z)
      if (const Error error =
              e.fill2D(static_cast<char *>(p.ptr) + z * p.pitch * p.ysize,
                       p.pitch, byte, extent.width, extent.height, stream);
          error != cudaSuccess)
        return error;
    return cudaSuccess;
  });
}

CUFORT_API cudaError_t cudaMemset3D(cudaPitchedPtr p, int value,
                                    cudaExtent extent) {
  const profile::Call recorded;
  return cudaMemset3DAsync(p, value, extent, nullptr);
}
