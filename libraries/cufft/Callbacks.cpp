//===- Callbacks.cpp - functions for each element -------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cufft/Callbacks.h"
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

namespace cufort::cufft {

namespace {

//===----------------------------------------------------------------------===//
// Calls of device functions. Complex numbers come back in two registers, and
// are passed on the stack, as Clang has it for the code of GPUs, which the
// CPU's is made of. The last argument is where they find the special registers
// (separateProcedures in compiler/cpu/import): there is no block around them,
// and all are zero.
//===----------------------------------------------------------------------===//

alignas(64) constexpr std::array<char, 4096> Registers{};

struct Pair {
  double first, second;
};

// A member that is not aligned keeps a structure out of registers.
struct [[gnu::packed]] Unaligned8 {
  char first;
  int second;
  char rest[3];
};
struct [[gnu::packed]] alignas(16) Unaligned16 {
  char first;
  long second;
  char rest[7];
};

template <typename T> constexpr bool IsComplex = !std::is_floating_point_v<T>;

template <typename T>
using Passed = std::conditional_t<
    !IsComplex<T>, T,
    std::conditional_t<sizeof(T) == 8, Unaligned8, Unaligned16>>;

template <typename T>
T load(const Callback &callback, void *from, size_t offset, void *shared) {
  using Result = std::conditional_t<IsComplex<T>, Pair, T>;
  const Result result = reinterpret_cast<Result (*)(void *, size_t, void *,
                                                    void *, const void *)>(
      callback.function)(from, offset, callback.info, shared, Registers.data());
  if constexpr (!IsComplex<T>) {
    return result;
  } else {
    // A float is the lower half of its register.
    T element;
    std::memcpy(&element.x, &result.first, sizeof element.x);
    std::memcpy(&element.y, &result.second, sizeof element.y);
    return element;
  }
}

template <typename T>
void store(const Callback &callback, void *to, size_t offset, T element,
           void *shared) {
  Passed<T> passed;
  std::memcpy(&passed, &element, sizeof element);
  reinterpret_cast<void (*)(void *, size_t, Passed<T>, void *, void *,
                            const void *)>(callback.function)(
      to, offset, passed, callback.info, shared, Registers.data());
}

//===----------------------------------------------------------------------===//
// All elements of a side
//===----------------------------------------------------------------------===//

ptrdiff_t strideOf(const Dimension &dimension, bool ofInput) {
  return ofInput ? dimension.inputStride : dimension.outputStride;
}

/// Calls \p body(offset, shared) for the elements of a side, with \p bytes of
/// memory for each thread.
template <typename Body>
void forElements(Team &team, const TransformShape &shape, bool ofInput,
                 size_t bytes, const Body &body) {
  const int last = shape.rank - 1;
  const bool isHalf =
      shape.kind == (ofInput ? Kind::ComplexToReal : Kind::RealToComplex);
  const ptrdiff_t columns =
      isHalf ? shape.dimensions[last].n / 2 + 1 : shape.dimensions[last].n;
  uint64_t rows = static_cast<uint64_t>(shape.batch.n);
  for (int i = 0; i != last; ++i)
    rows *= static_cast<uint64_t>(shape.dimensions[i].n);
  const uint64_t pieces = rows < 64 ? rows : 64;
  team.forEach(pieces, [&](uint64_t piece) {
    const std::unique_ptr<char[]> shared(bytes ? new char[bytes] : nullptr);
    for (uint64_t row = rows * piece / pieces;
         row != rows * (piece + 1) / pieces; ++row) {
      ptrdiff_t left = static_cast<ptrdiff_t>(row), offset = 0;
      for (int i = last - 1; i >= 0; --i) {
        offset += left % shape.dimensions[i].n *
                  strideOf(shape.dimensions[i], ofInput);
        left /= shape.dimensions[i].n;
      }
      offset += left * strideOf(shape.batch, ofInput);
      for (ptrdiff_t i = 0; i != columns; ++i)
        body(static_cast<size_t>(offset +
                                 i * strideOf(shape.dimensions[last], ofInput)),
             shared.get());
    }
  });
}

/// Calls \p call for a number of the type that a side of a transform has.
template <typename Call>
void forElementType(cufftType type, bool ofInput, Call call) {
  switch (type) {
  case CUFFT_C2C:
    return call(cufftComplex{});
  case CUFFT_Z2Z:
    return call(cufftDoubleComplex{});
  case CUFFT_R2C:
    return ofInput ? call(cufftReal{}) : call(cufftComplex{});
  case CUFFT_C2R:
    return ofInput ? call(cufftComplex{}) : call(cufftReal{});
  case CUFFT_D2Z:
    return ofInput ? call(cufftDoubleReal{}) : call(cufftDoubleComplex{});
  case CUFFT_Z2D:
    return ofInput ? call(cufftDoubleComplex{}) : call(cufftDoubleReal{});
  }
}

} // namespace

cufftResult callbackOf(Callbacks &callbacks, cufftXtCallbackType type,
                       cufftType transform, Callback **result) {
  // They come in the order complex, complex of doubles, real, real of doubles.
  if (type < CUFFT_CB_LD_COMPLEX || type > CUFFT_CB_ST_REAL_DOUBLE)
    return CUFFT_INVALID_TYPE;
  const bool loads = type < CUFFT_CB_ST_COMPLEX;
  const int element =
      type - (loads ? CUFFT_CB_LD_COMPLEX : CUFFT_CB_ST_COMPLEX);
  bool same = false;
  forElementType(transform, loads, [&]<typename T>(T) {
    constexpr size_t Part = IsComplex<T> ? sizeof(T) / 2 : sizeof(T);
    same = element == (IsComplex<T> ? 0 : 2) + (Part == 8 ? 1 : 0);
  });
  if (!same)
    return CUFFT_INVALID_TYPE;
  *result = loads ? &callbacks.load : &callbacks.store;
  return CUFFT_SUCCESS;
}

void loadAll(Team &team, const Callback &callback, cufftType type,
             const TransformShape &shape, void *from, void *to) {
  forElementType(type, true, [&]<typename T>(T) {
    forElements(team, shape, true, callback.sharedBytes,
                [&](size_t offset, void *shared) {
                  static_cast<T *>(to)[offset] =
                      callback.function
                          ? load<T>(callback, from, offset, shared)
                          : static_cast<T *>(from)[offset];
                });
  });
}

void storeAll(Team &team, const Callback &callback, cufftType type,
              const TransformShape &shape, void *from, void *to) {
  forElementType(type, false, [&]<typename T>(T) {
    forElements(team, shape, false, callback.sharedBytes,
                [&](size_t offset, void *shared) {
                  const T element = static_cast<T *>(from)[offset];
                  if (callback.function)
                    store<T>(callback, to, offset, element, shared);
                  else
                    static_cast<T *>(to)[offset] = element;
                });
  });
}

} // namespace cufort::cufft
