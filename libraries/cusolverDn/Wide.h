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

inline cudaDataType realOf(cudaDataType type) {
  return type == CUDA_C_32F   ? CUDA_R_32F
         : type == CUDA_C_64F ? CUDA_R_64F
                              : type;
}

/// Whether \p type is one of the four, other data and the computation are of
/// that type, too, and values of the real one.
inline bool agree(cudaDataType type, std::initializer_list<cudaDataType> others,
                  std::initializer_list<cudaDataType> reals = {}) {
  const auto is = [](cudaDataType wanted) {
    return [=](cudaDataType each) { return each == wanted; };
  };
  const cudaDataType real = realOf(type);
  return (real == CUDA_R_32F || real == CUDA_R_64F) &&
         std::all_of(others.begin(), others.end(), is(type)) &&
         std::all_of(reals.begin(), reals.end(), is(real));
}

/// forType where the types agree.
template <typename Call>
cusolverStatus_t forTypes(cusolverDnHandle_t handle, bool agreeing,
                          cudaDataType type, Call call) {
  if (isLive(handle) && !agreeing)
    return CUSOLVER_STATUS_INVALID_VALUE;
  return forType(type, call);
}

inline bool fits(std::initializer_list<int64_t> sizes) {
  return std::all_of(sizes.begin(), sizes.end(),
                     [](int64_t size) { return size <= INT_MAX; });
}

inline cusolverStatus_t sizesOf(cusolverDnHandle_t handle, size_t *onDevice,
                                size_t *onHost, int64_t n,
                                bool agreeing = true) {
  if (isLive(handle) && !agreeing)
    return CUSOLVER_STATUS_INVALID_VALUE;
  if (onHost)
    *onHost = 0;
  return fits({n}) ? sizeOf(handle, onDevice, int(n))
                   : CUSOLVER_STATUS_NOT_SUPPORTED;
}

} // namespace cufort::cusolverDn

#endif // CUFORT_LIBRARIES_CUSOLVERDN_WIDE_H
