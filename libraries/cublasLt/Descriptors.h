//===- Descriptors.h - cublasLt on the CPU: descriptors ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUBLASLT_DESCRIPTORS_H
#define CUFORT_LIBRARIES_CUBLASLT_DESCRIPTORS_H

#include "cublasLt_functions.h"
#include <cstring>

namespace cufort::cublasLt {

struct MatrixLayout {
  uint32_t type, order = CUBLASLT_ORDER_COL;
  uint64_t rows, columns;
  int64_t ld;
  int32_t batchCount = 1, batchMode = CUBLASLT_BATCH_MODE_STRIDED;
  int64_t stride = 0, planeOffset = 0;
};

struct MatmulDesc {
  int32_t computeType, scaleType, pointerMode = CUBLASLT_POINTER_MODE_HOST,
                                  transa = CUBLAS_OP_N, transb = CUBLAS_OP_N,
                                  transc = CUBLAS_OP_N,
                                  fillMode = CUBLAS_FILL_MODE_FULL;
  uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  void *bias = nullptr;
  int64_t biasStride = 0;
  void *aux = nullptr;
  int64_t auxLd = 0, auxStride = 0;
  int32_t smCountTarget = 0, auxType = -1, biasType = -1;
  int8_t fastAccumulation = 0;
  const void *scaleA = nullptr, *scaleB = nullptr, *scaleC = nullptr,
             *scaleD = nullptr;
};

struct TransformDesc {
  int32_t scaleType, pointerMode = CUBLASLT_POINTER_MODE_HOST,
                     transa = CUBLAS_OP_N, transb = CUBLAS_OP_N;
};

struct Preference {
  uint32_t searchMode = 0;
  uint64_t workspaceBytes = 0;
  uint32_t reductionMask = 7, alignments[4] = {256, 256, 256, 256};
  float waves = 0;
  uint64_t implementations = ~uint64_t(0);
};

/// What an opaque structure holds.
template <typename Held, typename Opaque> Held &held(Opaque *opaque) {
  static_assert(sizeof(Held) <= sizeof(Opaque) &&
                alignof(Held) <= alignof(Opaque));
  return *reinterpret_cast<Held *>(opaque->data);
}

} // namespace cufort::cublasLt

#endif // CUFORT_LIBRARIES_CUBLASLT_DESCRIPTORS_H
