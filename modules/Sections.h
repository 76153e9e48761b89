//===- Sections.h - copies of sections with gaps ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_MODULES_SECTIONS_H
#define CUFORT_MODULES_SECTIONS_H

#include "Descriptor.h"

namespace cudafor {

/// cudaMemcpy of \p bytes bytes where one of the two is a section with gaps,
/// whose elements come in array element order. Such a section must be memory
/// that the host reaches; of device memory it is an invalid value.
int copySections(const Descriptor &dst, const Buffer &to, const Descriptor &src,
                 const Buffer &from, size_t bytes, int kind);

} // namespace cudafor

#endif // CUFORT_MODULES_SECTIONS_H
