//===- Descriptor.cpp - Flang's array descriptor --------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/fortran/Descriptor.h"

namespace cufort::fortran {

size_t Descriptor::elements() const {
  size_t count = 1;
  for (int i = 0; i < rank; ++i)
    count *= dimensions()[i].extent > 0
                 ? static_cast<size_t>(dimensions()[i].extent)
                 : 0;
  return count;
}

StridedView Descriptor::view() const {
  StridedView view;
  view.base = static_cast<char *>(base);
  view.elementBytes = elementBytes;
  view.rank = rank;
  for (int i = 0; i < rank; ++i) {
    view.extent[i] = dimensions()[i].extent;
    view.stride[i] = dimensions()[i].stride;
  }
  return view;
}

void Descriptor::setContiguousStrides() {
  // The product overflows where another extent is zero, or after the last.
  uint64_t stride = elementBytes;
  for (int i = 0; i < rank; ++i) {
    dimensions()[i].stride = static_cast<int64_t>(stride);
    stride *= static_cast<uint64_t>(dimensions()[i].extent);
  }
}

MemoryKind memoryKind(int allocator) {
  switch (allocator) {
  case AllocatorPinned:
    return MemoryKind::Pinned;
  case AllocatorManaged:
  case AllocatorUnified:
    return MemoryKind::Managed;
  default:
    return MemoryKind::Device;
  }
}

} // namespace cufort::fortran
