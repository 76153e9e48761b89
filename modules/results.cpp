//===- results.cpp - where array intrinsics compute their results ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An array intrinsic of device arrays whose result is assigned to a device
// array computes it in that array, if it may: a copy of a large product takes
// as long as a part of the product.
//
//===----------------------------------------------------------------------===//

#include "Arrays.h"

using namespace cudafor;

extern "C" {
void *_FortranACUFDeviceMemAlloc(size_t bytes, unsigned allocator,
                                 const char *file, int line);
void _FortranACUFMemFree(void *memory, unsigned allocator, const char *file,
                         int line);
}

namespace {

/// Whether arrays have bytes in common, or may have.
bool overlap(const Descriptor &a, const Descriptor &b) {
  if (elements(a) == 0 || elements(b) == 0)
    return false;
  const auto bounds = [](const Descriptor &array, bool upper) {
    auto end = reinterpret_cast<intptr_t>(array.base_addr);
    for (int i = 0; i < array.rank; ++i) {
      const int64_t last = (array.dim[i].extent - 1) * array.dim[i].sm;
      if ((last > 0) == upper)
        end += last;
    }
    return upper ? end + static_cast<intptr_t>(array.elem_len) : end;
  };
  return bounds(a, false) < bounds(b, true) &&
         bounds(b, false) < bounds(a, true);
}

} // namespace

extern "C" {

/// Where a result that is \p wanted, which is assigned to \p to, is computed
/// from \p a and \p b: in the array itself if it has the shape and nobody reads
/// it meanwhile, else in memory of its own.
void *__cufort_result(Descriptor *to, Descriptor *wanted, Descriptor *a,
                      Descriptor *b, const char *file, int line) {
  bool fits = to->base_addr && isContiguous(*to) &&
              to->elem_len == wanted->elem_len && to->rank == wanted->rank &&
              !overlap(*to, *a) && !overlap(*to, *b);
  for (int i = 0; fits && i < to->rank; ++i)
    fits = to->dim[i].extent == wanted->dim[i].extent;
  return fits ? to->base_addr
              : _FortranACUFDeviceMemAlloc(elements(*wanted) * wanted->elem_len,
                                           0, file, line);
}

/// Whether \p result has yet to be copied to \p to; if not, the assignment ends
/// here.
bool __cufort_result_is_elsewhere(Descriptor *to, Descriptor *result,
                                  const char *file, int line) {
  if (to->base_addr != result->base_addr)
    return true;
  check(cudaDeviceSynchronize(), {file, line},
        "array intrinsic of a device array");
  return false;
}

void __cufort_free_result(Descriptor *result, const char *file, int line) {
  _FortranACUFMemFree(result->base_addr, 0, file, line);
}

} // extern "C"
