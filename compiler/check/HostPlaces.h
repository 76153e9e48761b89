//===- HostPlaces.h - which statement calls CUDA ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CHECK_HOSTPLACES_H
#define CUFORT_COMPILER_CHECK_HOSTPLACES_H

#include "llvm/IR/Module.h"

namespace cufort::check {

/// With --check: before each call of CUDA's functions in \p host, before any
/// optimisation, the calling thread notes the statement that it executes, so
/// that reports say where memory was allocated, freed and copied. Needs line
/// tables.
void noteHostPlaces(llvm::Module &host);

} // namespace cufort::check

#endif // CUFORT_COMPILER_CHECK_HOSTPLACES_H
