//===- PagedMemory.h - in place of page-locked memory -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_FORTRAN_PAGEDMEMORY_H
#define CUFORT_RUNTIME_FORTRAN_PAGEDMEMORY_H

#include <cstddef>

namespace cufort::fortran {

/// Ordinary host memory for a pinned array where there is no page-locked memory
/// left (guide, 2.5.4 and 3.3.3). Null if there is none of that either.
void *allocatePaged(size_t bytes);

/// Frees \p memory if allocatePaged gave it; says whether it did.
bool releasePaged(void *memory);

} // namespace cufort::fortran

#endif // CUFORT_RUNTIME_FORTRAN_PAGEDMEMORY_H
