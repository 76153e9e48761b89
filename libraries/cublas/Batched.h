//===- Batched.h - many problems of one shape -------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUBLAS_BATCHED_H
#define CUFORT_LIBRARIES_CUBLAS_BATCHED_H

#include "libraries/cublas/Context.h"
#include <array>

namespace cufort::cublas {

/// body(i) for each problem. \p single: OpenBLAS uses one thread for each
/// anyway. Otherwise a thread of the team has a problem, unless there are fewer
/// problems than threads: then all have one after the other.
template <typename Body>
void forProblems(Team &team, int count, bool single, Body &&body) {
  if (single)
    return team.forEach(static_cast<uint64_t>(count), body);
  if (static_cast<unsigned>(count) < team.threads()) {
    const BlasThreads all(team.threads());
    for (int i = 0; i < count; ++i)
      body(static_cast<uint64_t>(i));
    return;
  }
  const BlasThreads one(1);
  team.forEach(static_cast<uint64_t>(count), body);
}

/// What is an array of addresses for some routines is one array with a stride
/// for others.
template <typename T> struct AtAddresses {
  T *const *addresses;
  T *operator()(uint64_t i) const { return addresses[i]; }
};
template <typename T> struct AtStride {
  T *first;
  long long stride;
  T *operator()(uint64_t i) const {
    return first + static_cast<int64_t>(i) * stride;
  }
};

/// One group of problems after the other: product(g, first problem, sizes,
/// number of problems). Sizes and factors are the host's.
template <typename Integer, typename Product>
cublasStatus_t
forGroups(cublasHandle_t h, Integer groups, const Integer *counts,
          const std::array<const Integer *, 6> &sizes, Product product) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (groups < 0 || !counts)
    return CUBLAS_STATUS_INVALID_VALUE;
  for (const Integer *each : sizes)
    if (!each)
      return CUBLAS_STATUS_INVALID_VALUE;
  if (!onHost(h))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  int64_t first = 0;
  for (Integer g = 0; g < groups; ++g) {
    std::array<int, 6> all;
    for (size_t i = 0; i < all.size(); ++i) {
      all[i] = static_cast<int>(sizes[i][g]);
      if (all[i] != sizes[i][g])
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    const int count = static_cast<int>(counts[g]);
    if (count != counts[g])
      return CUBLAS_STATUS_NOT_SUPPORTED;
    if (cublasStatus_t status = product(g, first, all, count);
        status != CUBLAS_STATUS_SUCCESS)
      return status;
    first += count;
  }
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace cufort::cublas

#endif // CUFORT_LIBRARIES_CUBLAS_BATCHED_H
