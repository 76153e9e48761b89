//===- Strided.h - arrays with any strides ----------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_STRIDED_H
#define CUFORT_RUNTIME_CORE_STRIDED_H

#include <cstddef>

namespace cufort {

/// Fortran's.
inline constexpr int MaxRank = 15;

/// An array in memory, first dimension fastest. Strides are in bytes and may
/// be negative or zero; \p base is the first element.
struct StridedView {
  char *base = nullptr;
  size_t elementBytes = 0;
  int rank = 0;
  ptrdiff_t extent[MaxRank] = {};
  ptrdiff_t stride[MaxRank] = {};

  /// The number of elements.
  size_t elements() const;
  /// Whether the elements follow each other without gaps, in order.
  bool contiguous() const;
  /// The lowest and one past the highest byte touched.
  void span(char **begin, char **end) const;
};

/// A contiguous view of \p shape's shape at \p memory.
StridedView contiguousLike(const StridedView &shape, void *memory);

/// Rewrites both views (of equal shape) so that they describe the same
/// elements in the same order with the fewest dimensions: leading dimensions
/// contiguous in both become one wide element, dimensions that follow each
/// other in both are merged, dimensions of extent 1 vanish.
void simplify(StridedView &a, StridedView &b);

/// Copies element by element between views of equal shape in host memory; they
/// must not overlap.
void copyStridedOnHost(const StridedView &to, const StridedView &from);

/// Whether the bytes that the two views touch may overlap.
bool mayOverlap(const StridedView &a, const StridedView &b);

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_STRIDED_H
