//===- sections.cpp - cudafor: copies of sections with gaps ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a compiler passes the arguments of cudaMemcpy by address, a section of
// a host array with gaps goes through a contiguous temporary array, and comes
// back from it. Here the descriptor tells, and the library does the same.
//
//===----------------------------------------------------------------------===//

#include "Sections.h"

#include <cstdlib>

using namespace cudafor;

namespace {

/// cudaPointerAttributes
struct PointerAttributes {
  int type, device;
  void *devicePointer, *hostPointer;
  long reserved[8];
};

enum MemoryType { Unregistered, Host, Device, Managed };

/// Moves the first \p elements elements of \p section, in array element order,
/// to (or, \p back, from) \p packed.
void pack(const Descriptor &section, char *packed, size_t elements, bool back) {
  CFI_index_t index[CFI_MAX_RANK] = {};
  char *address = static_cast<char *>(section.base_addr);
  const size_t size = section.elem_len;
  for (; elements; --elements, packed += size) {
    std::memcpy(back ? address : packed, back ? packed : address, size);
    for (int i = 0; i < section.rank; ++i) {
      address += section.dim[i].sm;
      if (++index[i] < section.dim[i].extent)
        break;
      address -= section.dim[i].sm * section.dim[i].extent;
      index[i] = 0;
    }
  }
}

size_t elementsOf(const Descriptor &section) {
  size_t elements = 1;
  for (int i = 0; i < section.rank; ++i)
    elements *= static_cast<size_t>(section.dim[i].extent);
  return elements;
}

/// One side of a copy: the actual argument's memory, or a packed image of it.
class Side {
public:
  Side(const Descriptor &section, const Buffer &buffer)
      : section(section), buffer(buffer) {}
  ~Side() { std::free(packed); }
  Side(const Side &) = delete;
  Side &operator=(const Side &) = delete;

  int prepare(size_t bytes, bool read) {
    if (buffer.contiguous)
      return Success;
    elements = bytes / buffer.element;
    if (elements * buffer.element != bytes || elements > elementsOf(section))
      return refused(InvalidValue);
    PointerAttributes attributes = {};
    if (int error = cudaPointerGetAttributes(&attributes, buffer.address))
      return error;
    if (attributes.type == Device)
      return refused(InvalidValue);
    // Kernels may still write what they can reach.
    if (attributes.type != Unregistered)
      if (int error = cudaStreamSynchronize(nullptr))
        return error;
    packed = static_cast<char *>(std::malloc(bytes ? bytes : 1));
    if (!packed)
      return refused(MemoryAllocation);
    if (read)
      pack(section, packed, elements, false);
    return Success;
  }

  void *address() const { return packed ? packed : buffer.address; }

  void unpack() const {
    if (packed)
      pack(section, packed, elements, true);
  }

private:
  const Descriptor &section;
  const Buffer &buffer;
  char *packed = nullptr;
  size_t elements = 0;
};

} // namespace

int cudafor::copySections(const Descriptor &dst, const Buffer &to,
                          const Descriptor &src, const Buffer &from,
                          size_t bytes, int kind) {
  Side target(dst, to), source(src, from);
  if (int error = target.prepare(bytes, false))
    return error;
  if (int error = source.prepare(bytes, true))
    return error;
  if (int error = cudaMemcpy(target.address(), source.address(), bytes, kind))
    return error;
  target.unpack();
  return Success;
}
