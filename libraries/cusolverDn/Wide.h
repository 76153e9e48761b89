//===- Wide.h - types that are arguments --------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The routines of 64-bit sizes, whose types are arguments. LAPACK's sizes have
// 32 bits: larger ones are not supported.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUSOLVERDN_WIDE_H
#define CUFORT_LIBRARIES_CUSOLVERDN_WIDE_H

#include "libraries/common/DataTypes.h"
#include "libraries/cusolverDn/Handle.h"
#include <climits>

namespace cufort::cusolverDn {

/// What \p call returns for a number of the type \p type.
template <typename Call>
cusolverStatus_t forType(cudaDataType type, Call call) {
  return libraries::forDataType(type, CUSOLVER_STATUS_NOT_SUPPORTED, call);
}

inline bool fits(std::initializer_list<int64_t> sizes) {
  return std::all_of(sizes.begin(), sizes.end(),
                     [](int64_t size) { return size <= INT_MAX; });
}

inline cusolverStatus_t sizesOf(cusolverDnHandle_t handle, size_t *onDevice,
                                size_t *onHost, int64_t n) {
  if (onHost)
    *onHost = 0;
  return fits({n}) ? sizeOf(handle, onDevice, int(n))
                   : CUSOLVER_STATUS_NOT_SUPPORTED;
}

} // namespace cufort::cusolverDn

#endif // CUFORT_LIBRARIES_CUSOLVERDN_WIDE_H
