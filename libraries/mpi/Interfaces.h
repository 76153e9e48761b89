//===- Interfaces.h - MPI's functions in Fortran and in C -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_MPI_INTERFACES_H
#define CUFORT_LIBRARIES_MPI_INTERFACES_H

#include "libraries/mpi/Stage.h"

namespace cufort::mpi {

/// mpif.h's functions: every argument is an address, handles are integers.
const Interface &fortran();
/// mpi.h's functions: scalars and handles are passed by value.
const Interface &c();

/// The requests at \p address, if any that waits has device buffers: their
/// handles are gone when the library's function returns.
inline std::vector<Handle> requestsBefore(const Interface &mpi, void *address,
                                          int count) {
  std::vector<Handle> all;
  if (anyRequests())
    for (int i = 0; i < count; ++i)
      all.push_back(mpi.handleAt(address, static_cast<size_t>(i)));
  return all;
}

inline void completeAll(const std::vector<Handle> &before) {
  for (Handle each : before)
    complete(each);
}

/// \p index counts from 0.
inline void completeOne(const std::vector<Handle> &before, int index) {
  if (index >= 0 && static_cast<size_t>(index) < before.size())
    complete(before[static_cast<size_t>(index)]);
}

} // namespace cufort::mpi

#endif // CUFORT_LIBRARIES_MPI_INTERFACES_H
