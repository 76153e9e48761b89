//===- Descriptors.cpp - cublasLt on the CPU: descriptors -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cublasLt/Descriptors.h"
#include <new>

namespace cufort::cublasLt {

cublasStatus_t set(Place place, const void *buf, size_t bytes) {
  if (!place.at || !buf || bytes != place.bytes)
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(place.at, buf, place.bytes);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t get(Place place, void *buf, size_t bytes, size_t *written) {
  if (!place.at || (bytes == 0 && !written) || (bytes && !buf))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (written)
    *written = place.bytes;
  if (bytes == 0)
    return CUBLAS_STATUS_SUCCESS;
  if (bytes != place.bytes)
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(buf, place.at, place.bytes);
  return CUBLAS_STATUS_SUCCESS;
}

namespace {

Place find(MatrixLayout &m, cublasLtMatrixLayoutAttribute_t attribute) {
  switch (attribute) {
  case CUBLASLT_MATRIX_LAYOUT_TYPE:
    return placeOf(m.type);
  case CUBLASLT_MATRIX_LAYOUT_ORDER:
    return placeOf(m.order);
  case CUBLASLT_MATRIX_LAYOUT_ROWS:
    return placeOf(m.rows);
  case CUBLASLT_MATRIX_LAYOUT_COLS:
    return placeOf(m.columns);
  case CUBLASLT_MATRIX_LAYOUT_LD:
    return placeOf(m.ld);
  case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
    return placeOf(m.batchCount);
  case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
    return placeOf(m.stride);
  case CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET:
    return placeOf(m.planeOffset);
  case CUBLASLT_MATRIX_LAYOUT_BATCH_MODE:
    return placeOf(m.batchMode);
  }
  return {};
}

Place find(MatmulDesc &d, cublasLtMatmulDescAttributes_t attribute) {
  switch (attribute) {
  case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE:
    return placeOf(d.computeType);
  case CUBLASLT_MATMUL_DESC_SCALE_TYPE:
    return placeOf(d.scaleType);
  case CUBLASLT_MATMUL_DESC_POINTER_MODE:
    return placeOf(d.pointerMode);
  case CUBLASLT_MATMUL_DESC_TRANSA:
    return placeOf(d.transa);
  case CUBLASLT_MATMUL_DESC_TRANSB:
    return placeOf(d.transb);
  case CUBLASLT_MATMUL_DESC_TRANSC:
    return placeOf(d.transc);
  case CUBLASLT_MATMUL_DESC_FILL_MODE:
    return placeOf(d.fillMode);
  case CUBLASLT_MATMUL_DESC_EPILOGUE:
    return placeOf(d.epilogue);
  case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
    return placeOf(d.bias);
  case CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE:
    return placeOf(d.biasStride);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER:
    return placeOf(d.aux);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD:
    return placeOf(d.auxLd);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE:
    return placeOf(d.auxStride);
  case CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET:
    return placeOf(d.smCountTarget);
  case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER:
    return placeOf(d.scaleA);
  case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER:
    return placeOf(d.scaleB);
  case CUBLASLT_MATMUL_DESC_C_SCALE_POINTER:
    return placeOf(d.scaleC);
  case CUBLASLT_MATMUL_DESC_D_SCALE_POINTER:
    return placeOf(d.scaleD);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE:
    return placeOf(d.auxType);
  case CUBLASLT_MATMUL_DESC_FAST_ACCUM:
    return placeOf(d.fastAccumulation);
  case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
    return placeOf(d.biasType);
  case CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR:
    return placeOf(d.emulation);
  case CUBLASLT_MATMUL_DESC_AMAX_D_POINTER:
    return placeOf(d.largestD);
  case CUBLASLT_MATMUL_DESC_A_SCALE_MODE:
  case CUBLASLT_MATMUL_DESC_B_SCALE_MODE:
  case CUBLASLT_MATMUL_DESC_C_SCALE_MODE:
  case CUBLASLT_MATMUL_DESC_D_SCALE_MODE:
    return placeOf(d.scaleModes[attribute - CUBLASLT_MATMUL_DESC_A_SCALE_MODE]);
  default:
    // Those of auxiliary data of eight bits and of vectors of scalars.
    return {};
  }
}

Place find(TransformDesc &d,
           cublasLtMatrixTransformDescAttributes_t attribute) {
  switch (attribute) {
  case CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE:
    return placeOf(d.scaleType);
  case CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE:
    return placeOf(d.pointerMode);
  case CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA:
    return placeOf(d.transa);
  case CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB:
    return placeOf(d.transb);
  }
  return {};
}

Place find(Preference &p, cublasLtMatmulPreferenceAttributes_t attribute) {
  switch (attribute) {
  case CUBLASLT_MATMUL_PREF_SEARCH_MODE:
    return placeOf(p.searchMode);
  case CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES:
    return placeOf(p.workspaceBytes);
  case CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK:
    return placeOf(p.reductionMask);
  case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES:
  case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES:
  case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES:
  case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES:
    return placeOf(
        p.alignments[attribute - CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES]);
  case CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT:
    return placeOf(p.waves);
  case CUBLASLT_MATMUL_PREF_IMPL_MASK:
    return placeOf(p.implementations);
  }
  return {};
}

Place find(EmulationDesc &d, cublasLtEmulationDescAttributes_t attribute) {
  switch (attribute) {
  case CUBLASLT_EMULATION_DESC_STRATEGY:
    return placeOf(d.strategy);
  case CUBLASLT_EMULATION_DESC_SPECIAL_VALUES_SUPPORT:
    return placeOf(d.specialValues);
  case CUBLASLT_EMULATION_DESC_FIXEDPOINT_MANTISSA_CONTROL:
    return placeOf(d.mantissaControl);
  case CUBLASLT_EMULATION_DESC_FIXEDPOINT_MAX_MANTISSA_BIT_COUNT:
    return placeOf(d.maxMantissaBitCount);
  case CUBLASLT_EMULATION_DESC_FIXEDPOINT_MANTISSA_BIT_OFFSET:
    return placeOf(d.mantissaBitOffset);
  case CUBLASLT_EMULATION_DESC_FIXEDPOINT_MANTISSA_BIT_COUNT_POINTER:
    return placeOf(d.mantissaBitCount);
  }
  return {};
}

template <typename Held, typename Opaque>
cublasStatus_t initialise(Opaque *opaque, size_t bytes, Held value) {
  if (!opaque || bytes < sizeof(Opaque))
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memset(opaque, 0, sizeof(Opaque));
  new (opaque->data) Held(value);
  return CUBLAS_STATUS_SUCCESS;
}

template <typename Held, typename Opaque>
cublasStatus_t create(Opaque **made, Held value) {
  if (!made)
    return CUBLAS_STATUS_INVALID_VALUE;
  *made = new (std::nothrow) Opaque;
  return *made ? initialise(*made, sizeof(Opaque), value)
               : CUBLAS_STATUS_ALLOC_FAILED;
}

template <typename Opaque> cublasStatus_t destroy(Opaque *opaque) {
  delete opaque;
  return CUBLAS_STATUS_SUCCESS;
}

MatrixLayout layoutOf(cudaDataType type, uint64_t rows, uint64_t columns,
                      int64_t ld) {
  MatrixLayout layout;
  layout.type = type;
  layout.rows = rows;
  layout.columns = columns;
  layout.ld = ld;
  return layout;
}
MatmulDesc descOf(cublasComputeType_t computeType, cudaDataType scaleType) {
  MatmulDesc desc;
  desc.computeType = computeType;
  desc.scaleType = scaleType;
  return desc;
}
TransformDesc transformOf(cudaDataType scaleType) {
  TransformDesc desc;
  desc.scaleType = scaleType;
  return desc;
}

} // namespace

cublasStatus_t
cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t matLayout, size_t size,
                                  cudaDataType type, uint64_t rows,
                                  uint64_t cols, int64_t ld) {
  return initialise(matLayout, size, layoutOf(type, rows, cols, ld));
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *matLayout,
                                          cudaDataType type, uint64_t rows,
                                          uint64_t cols, int64_t ld) {
  return create(matLayout, layoutOf(type, rows, cols, ld));
}
cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t matmulDesc,
                                               size_t size,
                                               cublasComputeType_t computeType,
                                               cudaDataType scaleType) {
  return initialise(matmulDesc, size, descOf(computeType, scaleType));
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *matmulDesc,
                                        cublasComputeType_t computeType,
                                        cudaDataType scaleType) {
  return create(matmulDesc, descOf(computeType, scaleType));
}
cublasStatus_t cublasLtMatrixTransformDescInit_internal(
    cublasLtMatrixTransformDesc_t transformDesc, size_t size,
    cudaDataType scaleType) {
  return initialise(transformDesc, size, transformOf(scaleType));
}
cublasStatus_t
cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t *transformDesc,
                                  cudaDataType scaleType) {
  return create(transformDesc, transformOf(scaleType));
}
cublasStatus_t
cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t pref,
                                      size_t size) {
  return initialise(pref, size, Preference());
}
cublasStatus_t
cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *pref) {
  return create(pref, Preference());
}

cublasStatus_t
cublasLtEmulationDescInit_internal(cublasLtEmulationDesc_t emulationDesc,
                                   size_t size) {
  return initialise(emulationDesc, size, EmulationDesc());
}
cublasStatus_t
cublasLtEmulationDescCreate(cublasLtEmulationDesc_t *emulationDesc) {
  return create(emulationDesc, EmulationDesc());
}

#define CUFORT_ATTRIBUTES(Name, Held, Attribute)                               \
  cublasStatus_t cublasLt##Name##Destroy(cublasLt##Name##_t opaque) {          \
    return destroy(opaque);                                                    \
  }                                                                            \
  cublasStatus_t cublasLt##Name##SetAttribute(cublasLt##Name##_t opaque,       \
                                              Attribute attr, const void *buf, \
                                              size_t bytes) {                  \
    return opaque ? set(find(held<Held>(opaque), attr), buf, bytes)            \
                  : CUBLAS_STATUS_INVALID_VALUE;                               \
  }                                                                            \
  cublasStatus_t cublasLt##Name##GetAttribute(cublasLt##Name##_t opaque,       \
                                              Attribute attr, void *buf,       \
                                              size_t bytes, size_t *written) { \
    return opaque ? get(find(held<Held>(opaque), attr), buf, bytes, written)   \
                  : CUBLAS_STATUS_INVALID_VALUE;                               \
  }
CUFORT_ATTRIBUTES(MatrixLayout, MatrixLayout, cublasLtMatrixLayoutAttribute_t)
CUFORT_ATTRIBUTES(MatmulDesc, MatmulDesc, cublasLtMatmulDescAttributes_t)
CUFORT_ATTRIBUTES(MatrixTransformDesc, TransformDesc,
                  cublasLtMatrixTransformDescAttributes_t)
CUFORT_ATTRIBUTES(EmulationDesc, EmulationDesc,
                  cublasLtEmulationDescAttributes_t)
CUFORT_ATTRIBUTES(MatmulPreference, Preference,
                  cublasLtMatmulPreferenceAttributes_t)

} // namespace cufort::cublasLt
