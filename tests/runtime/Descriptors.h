//===- Descriptors.h - array descriptors for tests --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_TESTS_RUNTIME_DESCRIPTORS_H
#define CUFORT_TESTS_RUNTIME_DESCRIPTORS_H

#include "runtime/fortran/EntryPoints.h"
#include <vector>

/// A descriptor with room for its dimensions, as Flang lays it out.
struct Array {
  cufort::fortran::Descriptor header{};
  cufort::fortran::Dimension dimensions[15] = {};
  char addendum[16] = {};

  operator cufort::fortran::Descriptor *() { return &header; }
  operator cufort::fortran::Descriptor &() { return header; }
};

template <typename T> constexpr int8_t typeCode();
template <> constexpr int8_t typeCode<int>() { return 9; }
template <> constexpr int8_t typeCode<long>() { return 10; }
template <> constexpr int8_t typeCode<float>() { return 27; }
template <> constexpr int8_t typeCode<double>() { return 28; }

enum Attribute : uint8_t { Plain = 0, Pointer = 1, Allocatable = 2 };

/// A contiguous array of the given extents with lower bounds 1.
template <typename T>
Array describe(T *base, const std::vector<int64_t> &extents,
               Attribute attribute = Plain, int allocator = 0) {
  Array a;
  a.header = {base,
              sizeof(T),
              20240719,
              static_cast<uint8_t>(extents.size()),
              typeCode<T>(),
              attribute,
              static_cast<uint8_t>(allocator << 1)};
  for (size_t i = 0; i < extents.size(); ++i)
    a.dimensions[i] = {1, extents[i], 0};
  a.header.setContiguousStrides();
  return a;
}

struct Range {
  int64_t low, high, step;
};

/// The section of \p whole that \p ranges (from 1, both ends included) name.
inline Array section(const Array &whole, const std::vector<Range> &ranges) {
  Array a = whole;
  a.header.attribute = Plain;
  a.header.extra = 0;
  char *base = static_cast<char *>(whole.header.base);
  for (size_t i = 0; i < ranges.size(); ++i) {
    const Range &r = ranges[i];
    const int64_t stride = whole.dimensions[i].stride;
    base += (r.low - 1) * stride;
    a.dimensions[i] = {1, (r.high - r.low + r.step) / r.step, stride * r.step};
  }
  a.header.base = base;
  return a;
}

/// Element \p index (from 0) of each dimension.
template <typename T> T &at(const Array &a, const std::vector<int64_t> &index) {
  char *address = static_cast<char *>(a.header.base);
  for (size_t i = 0; i < index.size(); ++i)
    address += index[i] * a.dimensions[i].stride;
  return *reinterpret_cast<T *>(address);
}

#endif // CUFORT_TESTS_RUNTIME_DESCRIPTORS_H
