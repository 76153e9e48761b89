//===- Descriptors.h - cublasLt on the CPU: descriptors ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUBLASLT_DESCRIPTORS_H
#define CUFORT_LIBRARIES_CUBLASLT_DESCRIPTORS_H

#include "cublasLt_functions.h"
#include <complex>
#include <cstring>

namespace cufort::cublasLt {

using Number = std::complex<double>;

/// Whether \p h has been created and not been destroyed. A handle of cuBLAS is
/// one of this library as well.
bool isValid(cublasLtHandle_t h);

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
  const float *scaleA = nullptr, *scaleB = nullptr, *scaleC = nullptr,
              *scaleD = nullptr;
  /// CUBLASLT_MATMUL_MATRIX_SCALE_... of A, B, C, D
  int32_t scaleModes[4] = {};
  void *emulation = nullptr;
  float *largestD = nullptr; ///< the largest magnitude of what is rounded to D
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

/// How products of doubles are put together of narrower ones on a GPU; a CPU
/// has these themselves.
struct EmulationDesc {
  int32_t strategy = CUDA_EMULATION_STRATEGY_DEFAULT,
          specialValues = CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT,
          mantissaControl = CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC,
          maxMantissaBitCount = 0, mantissaBitOffset = 0;
  int32_t *mantissaBitCount = nullptr;
};

/// How a product is computed. There is one way: what a program sets is kept.
struct Algorithm {
  int32_t id = 0;
  uint32_t tile = 0, splits = 1, reduction = 0, swizzling = 0, option = 0,
           stages = 0;
  uint16_t innerShape = 0, clusterShape = 0;
};

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Where an attribute is kept, and its size; nowhere: there is none such.
struct Place {
  void *at = nullptr;
  size_t bytes = 0;
};
template <typename T> Place placeOf(T &member) { return {&member, sizeof(T)}; }

cublasStatus_t set(Place place, const void *buf, size_t bytes);
cublasStatus_t get(Place place, void *buf, size_t bytes, size_t *written);

/// What an opaque structure holds.
template <typename Held, typename Opaque> Held &held(Opaque *opaque) {
  static_assert(sizeof(Held) <= sizeof(Opaque) &&
                alignof(Held) <= alignof(Opaque));
  return *reinterpret_cast<Held *>(opaque->data);
}

} // namespace cufort::cublasLt

#endif // CUFORT_LIBRARIES_CUBLASLT_DESCRIPTORS_H
