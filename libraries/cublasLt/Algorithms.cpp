//===- Algorithms.cpp - cublasLt on the CPU: ways to compute --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// There is one way to compute a product, whatever its number and settings are:
// those are kept, for programs that choose them.
//
//===----------------------------------------------------------------------===//

#include "libraries/cublasLt/Descriptors.h"

namespace cufort::cublasLt {

namespace {

Algorithm read(const cublasLtMatmulAlgo_t &algo) {
  static_assert(sizeof(Algorithm) <= sizeof(algo.data));
  Algorithm result;
  std::memcpy(&result, algo.data, sizeof result);
  return result;
}
void write(cublasLtMatmulAlgo_t &algo, const Algorithm &value) {
  algo = {};
  std::memcpy(algo.data, &value, sizeof value);
}

Place find(Algorithm &a, cublasLtMatmulAlgoConfigAttributes_t attribute) {
  switch (attribute) {
  case CUBLASLT_ALGO_CONFIG_ID:
    return placeOf(a.id);
  case CUBLASLT_ALGO_CONFIG_TILE_ID:
    return placeOf(a.tile);
  case CUBLASLT_ALGO_CONFIG_SPLITK_NUM:
    return placeOf(a.splits);
  case CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME:
    return placeOf(a.reduction);
  case CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING:
    return placeOf(a.swizzling);
  case CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION:
    return placeOf(a.option);
  case CUBLASLT_ALGO_CONFIG_STAGES_ID:
    return placeOf(a.stages);
  case CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID:
    return placeOf(a.innerShape);
  case CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID:
    return placeOf(a.clusterShape);
  }
  return {};
}

} // namespace

cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t h, cublasComputeType_t,
                                        cudaDataType, cudaDataType,
                                        cudaDataType, cudaDataType,
                                        cudaDataType, int requested, int *ids,
                                        int *returned) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (requested < 1 || !ids || !returned)
    return CUBLAS_STATUS_INVALID_VALUE;
  ids[0] = 0;
  *returned = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t h, cublasComputeType_t,
                                      cudaDataType, cudaDataType, cudaDataType,
                                      cudaDataType, cudaDataType, int algoId,
                                      cublasLtMatmulAlgo_t *algo) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (algoId < 0 || !algo)
    return CUBLAS_STATUS_INVALID_VALUE;
  write(*algo, {.id = algoId});
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t *algo,
                                     cublasLtMatmulAlgoConfigAttributes_t attr,
                                     const void *buf, size_t sizeInBytes) {
  if (!algo || attr == CUBLASLT_ALGO_CONFIG_ID)
    return CUBLAS_STATUS_INVALID_VALUE;
  Algorithm value = read(*algo);
  const cublasStatus_t status = set(find(value, attr), buf, sizeInBytes);
  write(*algo, value);
  return status;
}

cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(
    const cublasLtMatmulAlgo_t *algo, cublasLtMatmulAlgoConfigAttributes_t attr,
    void *buf, size_t sizeInBytes, size_t *sizeWritten) {
  if (!algo)
    return CUBLAS_STATUS_INVALID_VALUE;
  Algorithm value = read(*algo);
  return get(find(value, attr), buf, sizeInBytes, sizeWritten);
}

cublasStatus_t cublasLtMatmulAlgoCapGetAttribute(
    const cublasLtMatmulAlgo_t *algo, cublasLtMatmulAlgoCapAttributes_t attr,
    void *buf, size_t sizeInBytes, size_t *sizeWritten) {
  if (!algo)
    return CUBLAS_STATUS_INVALID_VALUE;
  int32_t no = 0, yes = 1;
  uint32_t alignment = 1,
           pointerModes = CUBLASLT_POINTER_MODE_MASK_HOST |
                          CUBLASLT_POINTER_MODE_MASK_DEVICE,
           epilogues = 1023;
  uint64_t implementation = CUBLASLT_NUMERICAL_IMPL_FLAGS_FMA;
  switch (attr) {
  case CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT:
  case CUBLASLT_ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT:
  case CUBLASLT_ALGO_CAP_POINTER_ARRAY_BATCH_SUPPORT:
    return get(placeOf(yes), buf, sizeInBytes, sizeWritten);
  case CUBLASLT_ALGO_CAP_POINTER_MODE_MASK:
    return get(placeOf(pointerModes), buf, sizeInBytes, sizeWritten);
  case CUBLASLT_ALGO_CAP_EPILOGUE_MASK:
    return get(placeOf(epilogues), buf, sizeInBytes, sizeWritten);
  case CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS:
    return get(placeOf(implementation), buf, sizeInBytes, sizeWritten);
  case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES:
  case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES:
  case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_C_BYTES:
  case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES:
    return get(placeOf(alignment), buf, sizeInBytes, sizeWritten);
  default:
    // No choice, and for tiles and stages a list of one: undefined ones.
    return attr < CUBLASLT_ALGO_CAP_SPLITK_SUPPORT ||
                   attr > CUBLASLT_ALGO_CAP_FLOATING_POINT_EMULATION_SUPPORT
               ? CUBLAS_STATUS_INVALID_VALUE
               : get(placeOf(no), buf, sizeInBytes, sizeWritten);
  }
}

} // namespace cufort::cublasLt
