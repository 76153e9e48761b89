//===- Solvers.cpp - triangular systems
//------------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cusparse/Objects.h"
#include "libraries/cusparse/Support.h"

struct cusparseSpSVDescr {
  cusparseSpMatDescr matrix{};
};
struct cusparseSpSMDescr {
  cusparseSpMatDescr matrix{};
};

namespace cufort::cusparse {

namespace {

/// op(A) of a triangle, ready for solutions.
template <typename T> class Triangle {
public:
  Triangle(const cusparseSpMatDescr &matrix, cusparseOperation_t operation)
      : a(rowsOf<T>(matrix, operation)),
        lower((matrix.fill == CUSPARSE_FILL_MODE_LOWER) ==
              (operation == CUSPARSE_OPERATION_NON_TRANSPOSE)),
        unit(matrix.diagonal == CUSPARSE_DIAG_TYPE_UNIT) {}

  /// Solves for one right-hand side; what lies in the other triangle does not
  /// count.
  template <typename Right>
  void solve(T alpha, Right right, T *x, int64_t stride) const {
    for (int64_t step = 0; step < a.rows; ++step) {
      const int64_t i = lower ? step : a.rows - 1 - step;
      T sum = alpha * right(i), diagonal(1);
      for (int64_t k = a.offsets[size_t(i)]; k < a.offsets[size_t(i) + 1];
           ++k) {
        const int64_t j = a.indices[size_t(k)];
        if (j == i)
          diagonal = a.values[size_t(k)];
        else if (lower ? j < i : j > i)
          sum -= a.values[size_t(k)] * x[j * stride];
      }
      x[i * stride] = unit ? sum : sum / diagonal;
    }
  }

private:
  const Rows<T> a;
  const bool lower, unit;
};

bool isSystem(cusparseOperation_t, const cusparseSpMatDescr *matrix,
              const cusparseDnVecDescr *x, const cusparseDnVecDescr *y) {
  return handles<cusparseSpMatDescr>().isValid(matrix) &&
         handles<cusparseDnVecDescr>().isValid(x) &&
         handles<cusparseDnVecDescr>().isValid(y) &&
         matrix->rows == matrix->columns && x->size == matrix->rows &&
         y->size == matrix->rows;
}

bool isSystem(cusparseOperation_t opB, const cusparseSpMatDescr *matrix,
              const cusparseDnMatDescr *b, const cusparseDnMatDescr *c) {
  if (!handles<cusparseSpMatDescr>().isValid(matrix) ||
      !handles<cusparseDnMatDescr>().isValid(b) ||
      !handles<cusparseDnMatDescr>().isValid(c))
    return false;
  const bool plain = opB == CUSPARSE_OPERATION_NON_TRANSPOSE;
  return matrix->rows == matrix->columns && c->rows == matrix->rows &&
         (plain ? b->rows : b->columns) == c->rows &&
         (plain ? b->columns : b->rows) == c->columns;
}

template <typename Descr, typename Vectors>
cusparseStatus_t checkSystem(Handle handle, cusparseOperation_t opA,
                             cusparseOperation_t opB, const void *alpha,
                             const cusparseSpMatDescr *matrix, const Vectors *b,
                             const Vectors *c, cudaDataType type, int alg,
                             const Descr *descr) {
  // There is one algorithm, the default.
  if (auto wrong =
          check(handle, alpha && alg == 0 && isSystem(opB, matrix, b, c) &&
                            handles<Descr>().isValid(descr)))
    return wrong;
  return supportOfSolver(opA, opB, *matrix, b->type, c->type, type);
}

/// The same before a system is solved. As with NVIDIA's library the vectors may
/// be absent until then, and nothing is looked at but the matrix.
template <typename Descr>
cusparseStatus_t checkMatrix(Handle handle, cusparseOperation_t opA,
                             const void *alpha,
                             const cusparseSpMatDescr *matrix,
                             cudaDataType type, int alg, const Descr *descr) {
  if (auto wrong =
          check(handle, alpha && alg == 0 && isType(type) &&
                            handles<cusparseSpMatDescr>().isValid(matrix) &&
                            matrix->rows == matrix->columns &&
                            handles<Descr>().isValid(descr)))
    return wrong;
  return supportOfSolver(opA, Plain, *matrix, matrix->type, matrix->type,
                         matrix->type);
}

/// The same of the matrix and the right-hand sides.
template <typename Descr>
cusparseStatus_t checkMatrix(Handle handle, cusparseOperation_t opA,
                             cusparseOperation_t opB, const void *alpha,
                             const cusparseSpMatDescr *matrix,
                             const cusparseDnMatDescr *b, cudaDataType type,
                             int alg, const Descr *descr) {
  const bool plain = opB == CUSPARSE_OPERATION_NON_TRANSPOSE;
  if (auto wrong =
          check(handle, handles<cusparseSpMatDescr>().isValid(matrix) &&
                            handles<cusparseDnMatDescr>().isValid(b) &&
                            (plain ? b->rows : b->columns) == matrix->rows))
    return wrong;
  if (auto wrong = checkMatrix(handle, opA, alpha, matrix, type, alg, descr))
    return wrong;
  return supportOfSolver(opA, opB, *matrix, b->type, matrix->type,
                         matrix->type);
}

/// The analysis keeps no values: new ones become the matrix's. Its diagonal
/// alone, or all that it stores.
template <typename Descr>
cusparseStatus_t update(Handle handle, Descr *descr, void *values, int part) {
  const bool diagonal = part == CUSPARSE_SPSV_UPDATE_DIAGONAL;
  if (auto wrong =
          check(handle, values && handles<Descr>().isValid(descr) &&
                            (diagonal || part == CUSPARSE_SPSV_UPDATE_GENERAL)))
    return wrong;
  const cusparseSpMatDescr matrix = descr->matrix;
  if (!matrix.values) // not analysed
    return CUSPARSE_STATUS_INVALID_VALUE;
  return forType(matrix.type, [&]<typename T>(T) {
    return submit(handle, 0, [=](Team &) {
      const auto *from = static_cast<const T *>(values);
      auto *to = static_cast<T *>(matrix.values);
      if (!diagonal)
        std::copy_n(from, matrix.nonzeros, to);
      else
        forEachElement(matrix, [&](int64_t i, int64_t j, int64_t k) {
          if (i == j)
            to[k] = from[i];
        });
    });
  });
}

} // namespace

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *descr) {
  return create(descr, true);
}
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descr) {
  return destroy(descr);
}
cusparseStatus_t
cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t operation,
                        const void *alpha, cusparseConstSpMatDescr_t matrix,
                        cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                        cudaDataType type, cusparseSpSVAlg_t alg,
                        cusparseSpSVDescr_t descr, size_t *size) {
  if (auto wrong =
          checkMatrix(handle, operation, alpha, matrix, type, alg, descr))
    return wrong;
  return sizeOf(handle, size);
}
cusparseStatus_t
cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t operation,
                      const void *alpha, cusparseConstSpMatDescr_t matrix,
                      cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                      cudaDataType type, cusparseSpSVAlg_t alg,
                      cusparseSpSVDescr_t descr, void *) {
  if (auto wrong =
          checkMatrix(handle, operation, alpha, matrix, type, alg, descr))
    return wrong;
  descr->matrix = *matrix;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t
cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t operation,
                   const void *alpha, cusparseConstSpMatDescr_t matrix,
                   cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                   cudaDataType type, cusparseSpSVAlg_t alg,
                   cusparseSpSVDescr_t descr) {
  if (auto wrong = checkSystem(handle, operation, Plain, alpha, matrix, x, y,
                               type, alg, descr))
    return wrong;
  return forType(type, [&]<typename T>(T) {
    const Scalar<T> factor(handle, alpha);
    return submit(
        handle, 0,
        [=, matrix = *matrix, from = static_cast<const T *>(x->values),
         to = static_cast<T *>(y->values)](Team &) {
          Triangle<T>(matrix, operation)
              .solve(factor.get(), [&](int64_t i) { return from[i]; }, to, 1);
        });
  });
}
cusparseStatus_t cusparseSpSV_updateMatrix(cusparseHandle_t handle,
                                           cusparseSpSVDescr_t descr,
                                           void *values,
                                           cusparseSpSVUpdate_t part) {
  return update(handle, descr, values, part);
}

cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *descr) {
  return create(descr, true);
}
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descr) {
  return destroy(descr);
}
cusparseStatus_t cusparseSpSM_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
    cusparseDnMatDescr_t c, cudaDataType type, cusparseSpSMAlg_t alg,
    cusparseSpSMDescr_t descr, size_t *size) {
  if (auto wrong = checkMatrix(handle, opA, opB, alpha, a, b, type, alg, descr))
    return wrong;
  return sizeOf(handle, size);
}
cusparseStatus_t cusparseSpSM_analysis(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
    cusparseDnMatDescr_t c, cudaDataType type, cusparseSpSMAlg_t alg,
    cusparseSpSMDescr_t descr, void *) {
  if (auto wrong = checkMatrix(handle, opA, opB, alpha, a, b, type, alg, descr))
    return wrong;
  descr->matrix = *a;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSM_updateMatrix(cusparseHandle_t handle,
                                           cusparseSpSMDescr_t descr,
                                           void *values,
                                           cusparseSpSMUpdate_t part) {
  return update(handle, descr, values, part);
}
cusparseStatus_t
cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t opA,
                   cusparseOperation_t opB, const void *alpha,
                   cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                   cusparseDnMatDescr_t c, cudaDataType type,
                   cusparseSpSMAlg_t alg, cusparseSpSMDescr_t descr) {
  if (auto wrong =
          checkSystem(handle, opA, opB, alpha, a, b, c, type, alg, descr))
    return wrong;
  return forType(type, [&]<typename T>(T) {
    const Scalar<T> factor(handle, alpha);
    return submit(
        handle, a->nonzeros * c->columns,
        [=, a = *a, b = *b, c = *c](Team &team) {
          const Triangle<T> triangle(a, opA);
          const bool plain = opB == CUSPARSE_OPERATION_NON_TRANSPOSE;
          const int64_t row = plain ? b.rowStride() : b.columnStride(),
                        column = plain ? b.columnStride() : b.rowStride();
          const auto *from = static_cast<const T *>(b.values);
          auto *to = static_cast<T *>(c.values);
          team.forEach(uint64_t(c.columns), [&](uint64_t j) {
            triangle.solve(
                factor.get(),
                [&](int64_t i) { return from[i * row + int64_t(j) * column]; },
                to + int64_t(j) * c.columnStride(), c.rowStride());
          });
        });
  });
}

} // namespace cufort::cusparse
