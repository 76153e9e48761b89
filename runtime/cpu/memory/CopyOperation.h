//===- CopyOperation.h - copies and fills on the CPU ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_MEMORY_COPYOPERATION_H
#define CUFORT_RUNTIME_CPU_MEMORY_COPYOPERATION_H

#include "runtime/core/Strided.h"
#include "runtime/cpu/streams/Operation.h"
#include <vector>

namespace cufort::cpu {

/// A copy of consecutive bytes, in pieces.
class CopyOperation final : public Operation {
public:
  /// Some ten microseconds: much longer than a worker takes to claim one, and
  /// short enough for all to end together.
  static constexpr size_t PieceBytes = 256 * 1024;

  CopyOperation(void *to, const void *from, size_t bytes);
  void run(uint64_t begin, uint64_t end, Participant &) override;
  bool describe(profile::Work &work) const override;

private:
  char *to;
  const char *from;
  size_t bytes;
  bool overlapping;
};

/// A copy between arrays of any strides, in slices of the outermost dimension.
class StridedCopyOperation final : public Operation {
public:
  /// The views must have been simplified and have elements.
  StridedCopyOperation(const StridedView &to, const StridedView &from);
  void run(uint64_t begin, uint64_t end, Participant &) override;
  bool describe(profile::Work &work) const override;

private:
  StridedView to, from;
};

/// Writes a pattern again and again, in pieces.
class FillOperation final : public Operation {
public:
  FillOperation(void *to, const void *pattern, size_t patternBytes,
                size_t count);
  void run(uint64_t begin, uint64_t end, Participant &) override;
  bool describe(profile::Work &work) const override;

private:
  char *to;
  std::vector<char> pattern;
  size_t count, countPerPiece;
};

/// Sets rows of bytes.
class RowFillOperation final : public Operation {
public:
  RowFillOperation(void *to, size_t pitch, unsigned char value, size_t width,
                   size_t height)
      : Operation(height), to(static_cast<char *>(to)), pitch(pitch),
        width(width), value(value) {}
  void run(uint64_t begin, uint64_t end, Participant &) override;
  bool describe(profile::Work &work) const override;

private:
  char *to;
  size_t pitch, width;
  unsigned char value;
};

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_MEMORY_COPYOPERATION_H
