//===- Reduce.h - elements of several ranks become one ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_NCCL_REDUCE_H
#define CUFORT_LIBRARIES_NCCL_REDUCE_H

#include "nccl.h"
#include "runtime/core/engine/Team.h"
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cufort::nccl {

/// Bytes of an element; 0: there is no such type.
size_t sizeOf(ncclDataType_t type);

/// One rank's part: its elements, and what each is multiplied with first (its
/// bits, of the elements' type).
struct Source {
  const char *elements;
  uint64_t scalar = 0;
};

/// The operation of a reduction: one of NCCL's, or a sum of products with
/// scalars.
struct Operation {
  ncclRedOp_t operation = ncclSum;
  bool scaled = false;
};

/// Reduces \p count elements of the sources in their order, so that all ranks
/// and all runs have the same result. Half and narrower types are summed as
/// floats and rounded once. \p result may be one of the sources.
void reduce(Team &team, ncclDataType_t type, const Operation &operation,
            const std::vector<Source> &sources, char *result, size_t count);

} // namespace cufort::nccl

#endif // CUFORT_LIBRARIES_NCCL_REDUCE_H
