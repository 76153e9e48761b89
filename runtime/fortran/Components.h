//===- Components.h - components with a memory of their own -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_FORTRAN_COMPONENTS_H
#define CUFORT_RUNTIME_FORTRAN_COMPONENTS_H

#include "runtime/fortran/Descriptor.h"

namespace cufort::fortran {

/// Whether elements of \p records have values from the start: by default
/// initialisation, or because components are allocatable or pointers.
bool hasFirstValues(const Descriptor &records);

/// Sees to it that in \p records, which lie in memory that the host may read,
/// allocatable components at any depth are where their attributes want them:
/// flang_rt knows the attribute DEVICE only and allocates managed and pinned
/// ones as the host's. What it has allocated moves, and the descriptors know
/// their allocator from then on.
void placeComponents(const Descriptor &records, Place place);

} // namespace cufort::fortran

#endif // CUFORT_RUNTIME_FORTRAN_COMPONENTS_H
