//===- symbol.cpp - cudafor: symbols --------------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A symbol is a device variable, or a type(cudaSymbol) that holds its name.
// Counts and offsets are elements of the other side.
//
//===----------------------------------------------------------------------===//

#include "Descriptor.h"

using namespace cudafor;

namespace {

struct Variable {
  char *address;
  size_t bytes;
  size_t element; ///< 0: not known
};

int readSymbol(const Descriptor *symbol, Variable &variable) {
  if (isSymbol(symbol)) {
    const char *name = static_cast<const char *>(symbol->base_addr);
    size_t length = symbol->elem_len;
    while (length && name[length - 1] == ' ')
      --length;
    void *address;
    variable.element = 0;
    if (int error = __cufort_symbol(name, length, &address, &variable.bytes))
      return error;
    variable.address = static_cast<char *>(address);
    return Success;
  }
  variable = {static_cast<char *>(symbol->base_addr), symbol->elem_len,
              symbol->elem_len};
  for (int i = 0; i < symbol->rank; ++i)
    // How far an assumed-size array goes only its owner knows.
    if (symbol->dim[i].extent < 0)
      variable.bytes = SIZE_MAX;
    else if (variable.bytes != SIZE_MAX)
      variable.bytes *= static_cast<size_t>(symbol->dim[i].extent);
  return variable.address ? Success : refused(InvalidSymbol);
}

/// Calls \p copy(address in the symbol, address of the other side, bytes).
template <typename Copy>
int copySymbol(const Descriptor *symbol, const Descriptor *other,
               const Descriptor *count, const Descriptor *offset, Copy copy) {
  Variable variable;
  if (int error = readSymbol(symbol, variable))
    return error;
  Buffer buffer = readBuffer(other);
  size_t elements, bytes, start = 0;
  if (!readCount(count, elements) || (offset && !readCount(offset, start)) ||
      !buffer.contiguous)
    return refused(InvalidValue);
  // A raw address counts bytes, as everywhere.
  const size_t element = variable.element && variable.element < buffer.element
                             ? variable.element
                             : buffer.element;
  if (!byteCount(elements, element, bytes) ||
      !byteCount(start, element, start) || start > variable.bytes ||
      bytes > variable.bytes - start)
    return refused(InvalidValue);
  return copy(variable.address + start, buffer.address, bytes);
}

int kindOf(const int *direction) {
  return direction ? *direction : MemcpyDefault;
}

} // namespace

extern "C" {

int __cudafor_cudaMemcpyToSymbol(const Descriptor *symbol,
                                 const Descriptor *src, const Descriptor *count,
                                 const Descriptor *offset, const int *kdir) {
  const Routine routine("cudaMemcpyToSymbol");
  return copySymbol(symbol, src, count, offset,
                    [&](char *to, const char *from, size_t bytes) {
                      return cudaMemcpy(to, from, bytes, kindOf(kdir));
                    });
}

int __cudafor_cudaMemcpyFromSymbol(const Descriptor *dst,
                                   const Descriptor *symbol,
                                   const Descriptor *count,
                                   const Descriptor *offset, const int *kdir) {
  const Routine routine("cudaMemcpyFromSymbol");
  return copySymbol(symbol, dst, count, offset,
                    [&](const char *from, char *to, size_t bytes) {
                      return cudaMemcpy(to, from, bytes, kindOf(kdir));
                    });
}

int __cudafor_cudaMemcpyToSymbolAsync(const Descriptor *symbol,
                                      const Descriptor *src,
                                      const Descriptor *count,
                                      const Descriptor *offset, const int *kdir,
                                      const Descriptor *stream) {
  const Routine routine("cudaMemcpyToSymbolAsync");
  return copySymbol(symbol, src, count, offset,
                    [&](char *to, const char *from, size_t bytes) {
                      return cudaMemcpyAsync(to, from, bytes, kindOf(kdir),
                                             readStream(stream));
                    });
}

int __cudafor_cudaMemcpyFromSymbolAsync(
    const Descriptor *dst, const Descriptor *symbol, const Descriptor *count,
    const Descriptor *offset, const int *kdir, const Descriptor *stream) {
  const Routine routine("cudaMemcpyFromSymbolAsync");
  return copySymbol(symbol, dst, count, offset,
                    [&](const char *from, char *to, size_t bytes) {
                      return cudaMemcpyAsync(to, from, bytes, kindOf(kdir),
                                             readStream(stream));
                    });
}

int __cudafor_cudaGetSymbolAddress(void **pointer, const Descriptor *symbol) {
  const Routine routine("cudaGetSymbolAddress");
  Variable variable;
  if (int error = readSymbol(symbol, variable))
    return error;
  *pointer = variable.address;
  return Success;
}

int __cudafor_cudaGetSymbolSize(const Descriptor *size,
                                const Descriptor *symbol) {
  const Routine routine("cudaGetSymbolSize");
  Variable variable;
  if (int error = readSymbol(symbol, variable))
    return error;
  return writeCount(size, variable.bytes) ? Success : refused(InvalidValue);
}

} // extern "C"
