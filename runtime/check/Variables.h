//===- Variables.h - the names of addresses ---------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CHECK_VARIABLES_H
#define CUFORT_RUNTIME_CHECK_VARIABLES_H

#include "runtime/check/Threads.h"
#include <string>

namespace cufort::check {

void noteVariables(const image::CheckTable &table);

/// What the source calls a piece of memory.
struct Name {
  std::string variable, shape, element;
};

/// What the access at \p site of \p thread to \p address calls it.
Name nameOf(const Thread &thread, const image::CheckSite &site,
            const void *address);

/// \p address; if it is in the shared memory of another block of the cluster,
/// in the same place of that of \p run.
const char *inOwnShared(const BlockRun &run, const void *address);

/// Fortran code of \p run has an array by name (check_array).
void noteArray(BlockRun &run, const char *address, const char *name,
               uint64_t elementBytes, uint32_t rank, const int64_t *dimensions);

/// What \p offset bytes from the first of \p variable is called.
Name nameOfElement(const image::CheckVariable &variable, int64_t offset);

} // namespace cufort::check

#endif // CUFORT_RUNTIME_CHECK_VARIABLES_H
