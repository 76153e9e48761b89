//===- Vectors.cpp - sparse vectors with dense ones -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cusparse/Sparse.h"
#include "libraries/cusparse/Support.h"

namespace cufort::cusparse {

namespace {

/// What is wrong with two vectors, or with other arguments.
cusparseStatus_t check(Handle handle, bool valid, const cusparseSpVecDescr *x,
                       const cusparseDnVecDescr *y) {
  if (auto wrong = cusparse::check(
          handle, valid && handles<cusparseSpVecDescr>().isValid(x) &&
                      handles<cusparseDnVecDescr>().isValid(y) &&
                      x->size == y->size))
    return wrong;
  return x->type == y->type ? CUSPARSE_STATUS_SUCCESS
                            : CUSPARSE_STATUS_NOT_SUPPORTED;
}

/// The same of a product, whose sum is of the type \p computed.
cusparseStatus_t checkProduct(Handle handle, cusparseOperation_t operation,
                              const cusparseSpVecDescr *x,
                              const cusparseDnVecDescr *y, const void *result,
                              cudaDataType computed) {
  if (auto wrong = check(handle, result, x, y))
    return wrong;
  const bool conjugates = operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE &&
                          (x->type == CUDA_C_32F || x->type == CUDA_C_64F);
  if ((operation != CUSPARSE_OPERATION_NON_TRANSPOSE && !conjugates) ||
      !isType(computed))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return x->type == computed ? CUSPARSE_STATUS_SUCCESS
                             : CUSPARSE_STATUS_NOT_SUPPORTED;
}

/// Performs \p routine(indices, x, y) for the two vectors, in one thread:
/// indices may come more than once.
template <typename T, typename Routine>
cusparseStatus_t onVectors(Handle handle, const cusparseSpVecDescr *x,
                           const cusparseDnVecDescr *y, Routine routine,
                           bool wait = false) {
  return submit(
      handle, 0,
      [routine, x = *x, y = *y](Team &) {
        const Integers indices(x.indices, x.indexType);
        routine([&](int64_t k) { return indices[k] - x.base; }, x.nonzeros,
                static_cast<T *>(x.values), y.size, static_cast<T *>(y.values));
      },
      wait);
}

} // namespace

cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha,
                               cusparseConstSpVecDescr_t x, const void *beta,
                               cusparseDnVecDescr_t y) {
  if (auto wrong = check(handle, alpha && beta, x, y))
    return wrong;
  return forType(y->type, [&]<typename T>(T) {
    const Scalar<T> a(handle, alpha), b(handle, beta);
    return onVectors<T>(
        handle, x, y,
        [=](auto index, int64_t count, const T *from, int64_t size, T *to) {
          const T factor = a.get(), scale = b.get();
          for (int64_t i = 0; i < size; ++i)
            to[i] = scale == T(0) ? T(0) : scale * to[i];
          for (int64_t k = 0; k < count; ++k)
            to[index(k)] += factor * from[k];
        });
  });
}

cusparseStatus_t cusparseGather(cusparseHandle_t handle,
                                cusparseConstDnVecDescr_t y,
                                cusparseSpVecDescr_t x) {
  if (auto wrong = check(handle, true, x, y))
    return wrong;
  return forType(y->type, [&]<typename T>(T) {
    return onVectors<T>(
        handle, x, y,
        [](auto index, int64_t count, T *to, int64_t, const T *from) {
          for (int64_t k = 0; k < count; ++k)
            to[k] = from[index(k)];
        });
  });
}

cusparseStatus_t cusparseScatter(cusparseHandle_t handle,
                                 cusparseConstSpVecDescr_t x,
                                 cusparseDnVecDescr_t y) {
  if (auto wrong = check(handle, true, x, y))
    return wrong;
  return forType(y->type, [&]<typename T>(T) {
    return onVectors<T>(
        handle, x, y,
        [](auto index, int64_t count, const T *from, int64_t, T *to) {
          for (int64_t k = 0; k < count; ++k)
            to[index(k)] = from[k];
        });
  });
}

cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void *cosine,
                             const void *sine, cusparseSpVecDescr_t x,
                             cusparseDnVecDescr_t y) {
  if (auto wrong = check(handle, cosine && sine, x, y))
    return wrong;
  return forType(y->type, [&]<typename T>(T) {
    const Scalar<T> c(handle, cosine), s(handle, sine);
    return onVectors<T>(handle, x, y,
                        [=](auto index, int64_t count, T *a, int64_t, T *b) {
                          for (int64_t k = 0; k < count; ++k) {
                            const T u = a[k], v = b[index(k)];
                            a[k] = c.get() * u + s.get() * v;
                            b[index(k)] = c.get() * v - conjugate(s.get()) * u;
                          }
                        });
  });
}

cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle,
                                         cusparseOperation_t operation,
                                         cusparseConstSpVecDescr_t x,
                                         cusparseConstDnVecDescr_t y,
                                         const void *result, cudaDataType type,
                                         size_t *size) {
  if (auto wrong = checkProduct(handle, operation, x, y, result, type))
    return wrong;
  return sizeOf(handle, size);
}

cusparseStatus_t cusparseSpVV(cusparseHandle_t handle,
                              cusparseOperation_t operation,
                              cusparseConstSpVecDescr_t x,
                              cusparseConstDnVecDescr_t y, void *result,
                              cudaDataType type, void *) {
  if (auto wrong = checkProduct(handle, operation, x, y, result, type))
    return wrong;
  const bool conjugated = operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  return forType(type, [&]<typename T>(T) {
    return onVectors<T>(
        handle, x, y,
        [=](auto index, int64_t count, const T *a, int64_t, const T *b) {
          T sum(0);
          for (int64_t k = 0; k < count; ++k)
            sum += (conjugated ? conjugate(a[k]) : a[k]) * b[index(k)];
          *static_cast<T *>(result) = sum;
        },
        /*wait=*/handle->mode == CUSPARSE_POINTER_MODE_HOST);
  });
}

} // namespace cufort::cusparse
