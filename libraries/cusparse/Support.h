//===- Support.h - what the generic functions take --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which formats, operations and types NVIDIA's generic functions take, and what
// they return for others, found out with cuSPARSE 12.6 on an H200: a program
// that runs on the CPU shall not meet its first refusal on a GPU. Most look
// first at the conjugation of real numbers, then at types, then at formats.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUSPARSE_SUPPORT_H
#define CUFORT_LIBRARIES_CUSPARSE_SUPPORT_H

#include "libraries/cusparse/Narrow.h"
#include <optional>

namespace cufort::cusparse {

constexpr auto Plain = CUSPARSE_OPERATION_NON_TRANSPOSE;

/// Whether a number is a type at all; one that is none is an invalid value.
inline bool isType(cudaDataType type) {
  return type >= CUDA_R_32F && type <= CUDA_R_4F_E2M1;
}

/// Real and complex numbers of 32 and 64 bits each.
inline bool isWide(cudaDataType type) {
  return type == CUDA_R_32F || type == CUDA_R_64F || type == CUDA_C_32F ||
         type == CUDA_C_64F;
}
inline bool isReal(cudaDataType type) {
  return type == CUDA_R_32F || type == CUDA_R_64F || narrowBytes(type);
}
inline bool conjugatesReal(cusparseOperation_t operation, cudaDataType type) {
  return operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE && isReal(type);
}
/// All of one wide type, in which the function computes.
inline bool areWide(cudaDataType a, cudaDataType b, cudaDataType c,
                    cudaDataType computed) {
  return a == computed && b == computed && c == computed && isWide(computed);
}

inline cusparseStatus_t unless(bool supported) {
  return supported ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}

/// Whether \p alg is an algorithm for matrices of \p format.
inline bool isAlgorithm(cusparseSpMVAlg_t alg, cusparseFormat_t format) {
  switch (alg) {
  case CUSPARSE_SPMV_ALG_DEFAULT:
    return true;
  case CUSPARSE_SPMV_COO_ALG1:
  case CUSPARSE_SPMV_COO_ALG2:
    return format == CUSPARSE_FORMAT_COO;
  case CUSPARSE_SPMV_CSR_ALG1:
  case CUSPARSE_SPMV_CSR_ALG2:
    return format == CUSPARSE_FORMAT_CSR || format == CUSPARSE_FORMAT_CSC;
  default:
    return alg > 0 && alg <= CUSPARSE_SPMV_BSR_ALG1 &&
           format >= CUSPARSE_FORMAT_BLOCKED_ELL;
  }
}
inline bool isAlgorithm(cusparseSpMMAlg_t alg, cusparseFormat_t format) {
  switch (alg) {
  case CUSPARSE_SPMM_ALG_DEFAULT:
    return true;
  case CUSPARSE_SPMM_COO_ALG1:
  case CUSPARSE_SPMM_COO_ALG2:
  case CUSPARSE_SPMM_COO_ALG3:
  case CUSPARSE_SPMM_COO_ALG4:
    return format == CUSPARSE_FORMAT_COO;
  case CUSPARSE_SPMM_CSR_ALG1:
  case CUSPARSE_SPMM_CSR_ALG2:
  case CUSPARSE_SPMM_CSR_ALG3:
    return format == CUSPARSE_FORMAT_CSR || format == CUSPARSE_FORMAT_CSC;
  default:
    return alg > 0 && alg <= CUSPARSE_SPMM_BSR_ALG1 &&
           format >= CUSPARSE_FORMAT_BLOCKED_ELL;
  }
}

/// Of a matrix and a vector; here types come first.
inline cusparseStatus_t supportOfSpMV(cusparseOperation_t operation,
                                      const cusparseSpMatDescr &a,
                                      cudaDataType x, cudaDataType y,
                                      cudaDataType computed) {
  if (!isType(computed))
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (!areWide(a.type, x, y, computed) && !isMixture(a.type, x, y, computed))
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  if (conjugatesReal(operation, a.type))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return unless(a.format != CUSPARSE_FORMAT_BLOCKED_ELL &&
                (a.format != CUSPARSE_FORMAT_BSR || operation == Plain));
}

/// Of a sparse matrix and a dense one.
inline cusparseStatus_t supportOfSpMM(cusparseOperation_t opA,
                                      cusparseOperation_t opB,
                                      const cusparseSpMatDescr &a,
                                      cudaDataType b, cudaDataType c,
                                      cudaDataType computed) {
  if (!isType(computed) || conjugatesReal(opA, a.type) ||
      conjugatesReal(opB, b))
    return CUSPARSE_STATUS_INVALID_VALUE;
  const bool wide = areWide(a.type, b, c, computed),
             mixed = isMixture(a.type, b, c, computed);
  switch (a.format) {
  case CUSPARSE_FORMAT_SLICED_ELLPACK:
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  case CUSPARSE_FORMAT_BLOCKED_ELL:
    return unless(opA == Plain && isReal(a.type) &&
                  (wide || mixed || areHalves(a.type, b, c, computed)));
  case CUSPARSE_FORMAT_BSR:
    return unless(opA == Plain && (wide || mixed));
  default:
    return unless(wide || mixed);
  }
}

/// Of triangular systems: with a vector, where \p opB is plain, or a matrix.
inline cusparseStatus_t supportOfSolver(cusparseOperation_t opA,
                                        cusparseOperation_t opB,
                                        const cusparseSpMatDescr &a,
                                        cudaDataType b, cudaDataType c,
                                        cudaDataType computed) {
  if (!isType(computed) || conjugatesReal(opA, a.type))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return unless(opB != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE &&
                areWide(a.type, b, c, computed) &&
                (a.format == CUSPARSE_FORMAT_CSR ||
                 a.format == CUSPARSE_FORMAT_COO ||
                 a.format == CUSPARSE_FORMAT_SLICED_ELLPACK));
}

/// Of products of sparse matrices. \p computed: where a function is told.
/// NVIDIA's computes in half and bfloat16, too; this one does not.
inline cusparseStatus_t supportOfSpGEMM(cusparseOperation_t opA,
                                        cusparseOperation_t opB,
                                        const cusparseSpMatDescr &a,
                                        const cusparseSpMatDescr &b,
                                        const cusparseSpMatDescr &c,
                                        std::optional<cudaDataType> computed) {
  const auto isRows = [](const cusparseSpMatDescr &matrix) {
    return matrix.format == CUSPARSE_FORMAT_CSR;
  };
  return unless(opA == Plain && opB == Plain && isRows(a) && isRows(b) &&
                isRows(c) &&
                (!computed || areWide(a.type, b.type, c.type, *computed)));
}

/// Of dense products where a sparse matrix has elements: blocks are square, of
/// a power of two, and the inner dimension is one of whole blocks.
inline cusparseStatus_t
supportOfSDDMM(cusparseOperation_t opA, cusparseOperation_t opB,
               const cusparseDnMatDescr &a, const cusparseDnMatDescr &b,
               const cusparseSpMatDescr &c, cudaDataType computed) {
  if (!isType(computed) || conjugatesReal(opA, a.type) ||
      conjugatesReal(opB, b.type))
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (!areWide(a.type, b.type, c.type, computed))
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  if (c.format == CUSPARSE_FORMAT_CSR)
    return CUSPARSE_STATUS_SUCCESS;
  const int64_t block = c.blockRows, inner = opA == Plain ? a.columns : a.rows;
  return unless(c.format == CUSPARSE_FORMAT_BSR && block >= 2 && block <= 64 &&
                (block & (block - 1)) == 0 && inner % block == 0);
}

/// Of conversions between sparse and dense matrices, of any type.
inline cusparseStatus_t supportOfDense(const cusparseSpMatDescr &a,
                                       bool toSparse) {
  return unless(a.format != CUSPARSE_FORMAT_BSR &&
                a.format != CUSPARSE_FORMAT_SLICED_ELLPACK &&
                (toSparse || a.format != CUSPARSE_FORMAT_BLOCKED_ELL));
}

} // namespace cufort::cusparse

#endif // CUFORT_LIBRARIES_CUSPARSE_SUPPORT_H
