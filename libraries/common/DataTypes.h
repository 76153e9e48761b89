//===- DataTypes.h - calls for the type of elements -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_COMMON_DATATYPES_H
#define CUFORT_LIBRARIES_COMMON_DATATYPES_H

#include "library_types.h"
#include <complex>

namespace cufort::libraries {

/// What \p call returns for a number of the type \p type; \p otherwise, where
/// that is none of single or double precision.
template <typename Status, typename Call>
Status forDataType(cudaDataType type, Status otherwise, Call call) {
  switch (type) {
  case CUDA_R_32F:
    return call(float());
  case CUDA_R_64F:
    return call(double());
  case CUDA_C_32F:
    return call(std::complex<float>());
  case CUDA_C_64F:
    return call(std::complex<double>());
  default:
    return otherwise;
  }
}

} // namespace cufort::libraries

#endif // CUFORT_LIBRARIES_COMMON_DATATYPES_H
