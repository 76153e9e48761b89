//===- Narrow.h - operands narrower than their sums -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUSPARSE_NARROW_H
#define CUFORT_LIBRARIES_CUSPARSE_NARROW_H

#include "libraries/common/NarrowTypes.h"
#include "libraries/cusparse/Sparse.h"

namespace cufort::cusparse {

/// The bytes of a number of such an operand; 0 for other types.
inline int64_t narrowBytes(cudaDataType type) {
  switch (type) {
  case CUDA_R_16F:
  case CUDA_R_16BF:
    return 2;
  case CUDA_R_8I:
    return 1;
  default:
    return 0;
  }
}

/// Whether A and x of a narrow type are multiplied in floats, and the result is
/// of floats or as narrow.
inline bool isMixture(cudaDataType a, cudaDataType x, cudaDataType y,
                      cudaDataType computed) {
  return computed == CUDA_R_32F && a == x && narrowBytes(a) &&
         (y == CUDA_R_32F || (y == a && a != CUDA_R_8I));
}

/// Whether half is computed in itself.
inline bool areHalves(cudaDataType a, cudaDataType b, cudaDataType c,
                      cudaDataType computed) {
  return computed == CUDA_R_16F && a == computed && b == computed &&
         c == computed;
}

inline float widened(cudaDataType type, const void *array, int64_t i) {
  switch (type) {
  case CUDA_R_16F:
    return ofHalfBits(static_cast<const uint16_t *>(array)[i]);
  case CUDA_R_16BF:
    return ofBfloat(static_cast<const uint16_t *>(array)[i]);
  case CUDA_R_8I:
    return static_cast<const int8_t *>(array)[i];
  default:
    return static_cast<const float *>(array)[i];
  }
}
inline void narrow(cudaDataType type, float value, void *array, int64_t i) {
  switch (type) {
  case CUDA_R_16F:
    static_cast<uint16_t *>(array)[i] = toHalfBits(value);
    break;
  case CUDA_R_16BF:
    static_cast<uint16_t *>(array)[i] = toBfloat(value);
    break;
  default:
    static_cast<float *>(array)[i] = value;
  }
}

/// A scalar of \p type as a float: of the host, captured at the call, or of the
/// device, read when the routine runs.
class NarrowScalar {
public:
  NarrowScalar(Handle handle, const void *given, cudaDataType type)
      : type(type),
        device(handle->mode == CUSPARSE_POINTER_MODE_DEVICE ? given : nullptr),
        value(device ? 0 : widened(type, given, 0)) {}
  float get() const { return device ? widened(type, device, 0) : value; }

private:
  cudaDataType type;
  const void *device;
  float value;
};

/// The elements of an array as floats.
inline std::vector<float> widened(Team &team, cudaDataType type,
                                  const void *array, int64_t count) {
  std::vector<float> result(static_cast<size_t>(count));
  constexpr int64_t Block = 4096;
  team.forEach(uint64_t((count + Block - 1) / Block), [&](uint64_t block) {
    const int64_t begin = int64_t(block) * Block;
    for (int64_t i = begin; i < std::min(count, begin + Block); ++i)
      result[size_t(i)] = widened(type, array, i);
  });
  return result;
}

/// How many elements \p matrix stores.
inline int64_t storedBy(const cusparseSpMatDescr &matrix) {
  return matrix.format == CUSPARSE_FORMAT_SLICED_ELLPACK ? matrix.stored
                                                         : matrix.nonzeros;
}
/// How many lie between the first and the last one of \p matrix.
inline int64_t storedBy(const cusparseDnMatDescr &matrix) {
  const bool byColumns = matrix.order == CUSPARSE_ORDER_COL;
  const int64_t lines = byColumns ? matrix.columns : matrix.rows,
                length = byColumns ? matrix.rows : matrix.columns;
  return lines == 0 || length == 0 ? 0 : (lines - 1) * matrix.leading + length;
}

} // namespace cufort::cusparse

#endif // CUFORT_LIBRARIES_CUSPARSE_NARROW_H
