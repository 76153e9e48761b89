//===- Copies.h - arrays and boxes that are copied --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_ENGINE_COPIES_H
#define CUFORT_RUNTIME_CORE_ENGINE_COPIES_H

#include <cstddef>

namespace cufort {

/// cudaMemcpyKind.
enum class CopyKind : int {
  HostToHost = 0,
  HostToDevice = 1,
  DeviceToHost = 2,
  DeviceToDevice = 3,
  Default = 4
};

/// A cudaArray_t.
using ArrayHandle = void *;

/// A cudaMipmappedArray_t.
using MipmapHandle = void *;

/// cudaChannelFormatDesc: the bits of up to four channels and what they hold
/// (0 signed, 1 unsigned, 2 real, 3 none).
struct ChannelFormat {
  int bits[4];
  int kind;
};

/// What a CUDA array is like. Height 0: one-dimensional; depth 0: no more than
/// two-dimensional.
struct ArrayShape {
  ChannelFormat format;
  size_t width, height, depth;
  unsigned flags;

  size_t elementBytes() const {
    return static_cast<size_t>(format.bits[0] + format.bits[1] +
                               format.bits[2] + format.bits[3]) /
           8;
  }
  size_t rows() const { return height ? height : 1; }
  size_t slices() const { return depth ? depth : 1; }
};

/// One side of a copy of a box: where it starts in an array, or in memory
/// whose rows are \p pitch bytes and whose slices \p rows rows apart.
struct BoxSide {
  ArrayHandle array = nullptr;
  void *memory = nullptr;
  size_t pitch = 0, rows = 0;
  size_t xBytes = 0, y = 0, z = 0;

  bool operator==(const BoxSide &) const = default;
};

struct BoxCopy {
  BoxSide to, from;
  size_t widthBytes = 0, height = 1, depth = 1;
  CopyKind kind = CopyKind::Default;

  /// Whether both move the same bytes between the same places, whatever
  /// direction the program gave.
  bool samePlaces(const BoxCopy &other) const {
    return to == other.to && from == other.from &&
           widthBytes == other.widthBytes && height == other.height &&
           depth == other.depth;
  }
};

/// The copy of \p bytes bytes as a box.
inline BoxCopy lineCopy(void *to, const void *from, size_t bytes,
                        CopyKind kind) {
  BoxCopy box;
  box.to.memory = to;
  box.from.memory = const_cast<void *>(from);
  box.to.pitch = box.from.pitch = box.widthBytes = bytes;
  box.to.rows = box.from.rows = 1;
  box.kind = kind;
  return box;
}

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_ENGINE_COPIES_H
