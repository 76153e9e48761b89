//===- Convert.h - element conversion ---------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_FORTRAN_CONVERT_H
#define CUFORT_RUNTIME_FORTRAN_CONVERT_H

#include "runtime/fortran/Descriptor.h"

namespace cufort::fortran {

/// Whether elements of \p from can be copied to \p to byte by byte.
bool sameElements(const Descriptor &to, const Descriptor &from);

/// Converts \p count consecutive elements in host memory as intrinsic
/// assignment does (numeric to numeric, logical to logical, character to
/// character with padding or truncation). False: no such conversion.
bool convert(void *to, const Descriptor &toType, const void *from,
             const Descriptor &fromType, size_t count);

} // namespace cufort::fortran

#endif // CUFORT_RUNTIME_FORTRAN_CONVERT_H
