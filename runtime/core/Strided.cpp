//===- Strided.cpp - arrays with any strides ------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Strided.h"
#include <cstdint>
#include <cstring>

namespace cufort {

size_t StridedView::elements() const {
  size_t count = 1;
  for (int i = 0; i < rank; ++i)
    count *= extent[i] > 0 ? static_cast<size_t>(extent[i]) : 0;
  return count;
}

bool StridedView::contiguous() const {
  ptrdiff_t expected = static_cast<ptrdiff_t>(elementBytes);
  for (int i = 0; i < rank; ++i) {
    if (extent[i] <= 0)
      return true;
    if (extent[i] != 1 && stride[i] != expected)
      return false;
    expected *= extent[i];
  }
  return true;
}

void StridedView::span(char **begin, char **end) const {
  *begin = base;
  *end = base + elementBytes;
  if (!elements()) {
    *end = base;
    return;
  }
  for (int i = 0; i < rank; ++i) {
    ptrdiff_t reach = (extent[i] - 1) * stride[i];
    (reach < 0 ? *begin : *end) += reach;
  }
}

StridedView contiguousLike(const StridedView &shape, void *memory) {
  StridedView view = shape;
  view.base = static_cast<char *>(memory);
  // The product may overflow where another extent is zero, or after the last.
  size_t stride = shape.elementBytes;
  for (int i = 0; i < view.rank; ++i) {
    view.stride[i] = static_cast<ptrdiff_t>(stride);
    stride *= static_cast<size_t>(view.extent[i]);
  }
  return view;
}

void simplify(StridedView &a, StridedView &b) {
  int rank = 0;
  size_t bytes = a.elementBytes;
  for (int i = 0; i < a.rank; ++i) {
    if (a.extent[i] == 1)
      continue;
    const auto wide = static_cast<ptrdiff_t>(bytes);
    if (rank == 0 && a.stride[i] == wide && b.stride[i] == wide) {
      bytes *= static_cast<size_t>(a.extent[i]);
      continue;
    }
    if (rank > 0 && a.stride[i] == a.stride[rank - 1] * a.extent[rank - 1] &&
        b.stride[i] == b.stride[rank - 1] * b.extent[rank - 1]) {
      a.extent[rank - 1] *= a.extent[i];
      b.extent[rank - 1] = a.extent[rank - 1];
      continue;
    }
    a.extent[rank] = b.extent[rank] = a.extent[i];
    a.stride[rank] = a.stride[i];
    b.stride[rank] = b.stride[i];
    ++rank;
  }
  a.rank = b.rank = rank;
  a.elementBytes = b.elementBytes = bytes;
}

namespace {

template <typename T>
void copyRow(char *to, ptrdiff_t toStride, const char *from,
             ptrdiff_t fromStride, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; ++i) {
    T element;
    std::memcpy(&element, from + i * fromStride, sizeof(T));
    std::memcpy(to + i * toStride, &element, sizeof(T));
  }
}

struct Pair {
  uint64_t low, high;
};

void copyRow(char *to, ptrdiff_t toStride, const char *from,
             ptrdiff_t fromStride, ptrdiff_t count, size_t bytes) {
  switch (bytes) {
  case 1:
    return copyRow<uint8_t>(to, toStride, from, fromStride, count);
  case 2:
    return copyRow<uint16_t>(to, toStride, from, fromStride, count);
  case 4:
    return copyRow<uint32_t>(to, toStride, from, fromStride, count);
  case 8:
    return copyRow<uint64_t>(to, toStride, from, fromStride, count);
  case 16:
    return copyRow<Pair>(to, toStride, from, fromStride, count);
  default:
    for (ptrdiff_t i = 0; i < count; ++i)
      std::memcpy(to + i * toStride, from + i * fromStride, bytes);
  }
}

} // namespace

void copyStridedOnHost(const StridedView &to, const StridedView &from) {
  if (!to.elements())
    return;
  StridedView t = to, f = from;
  simplify(t, f);
  if (t.rank == 0) {
    std::memcpy(t.base, f.base, t.elementBytes);
    return;
  }
  ptrdiff_t index[MaxRank] = {};
  char *target = t.base;
  const char *source = f.base;
  for (;;) {
    copyRow(target, t.stride[0], source, f.stride[0], t.extent[0],
            t.elementBytes);
    int dim = 1;
    for (; dim < t.rank; ++dim) {
      target += t.stride[dim];
      source += f.stride[dim];
      if (++index[dim] < t.extent[dim])
        break;
      target -= t.stride[dim] * t.extent[dim];
      source -= f.stride[dim] * t.extent[dim];
      index[dim] = 0;
    }
    if (dim >= t.rank)
      return;
  }
}

bool mayOverlap(const StridedView &a, const StridedView &b) {
  char *aBegin, *aEnd, *bBegin, *bEnd;
  a.span(&aBegin, &aEnd);
  b.span(&bBegin, &bEnd);
  return aBegin < bEnd && bBegin < aEnd;
}

} // namespace cufort
