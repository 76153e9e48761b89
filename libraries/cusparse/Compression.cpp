//===- Compression.cpp - matrices with fewer elements ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements that are small are left out; and products with sparse vectors.
//
//===----------------------------------------------------------------------===//

#include "libraries/cusparse/Objects.h"
#include <numeric>

namespace cufort::cusparse {

namespace {

bool onHost(Handle handle) {
  return handle->mode == CUSPARSE_POINTER_MODE_HOST;
}
bool isDescriptor(cusparseMatDescr_t descr) {
  return handles<cusparseMatDescr>().isValid(descr);
}

//===----------------------------------------------------------------------===//
// Compression
//===----------------------------------------------------------------------===//

/// Of a complex tolerance the real part counts.
double bound(float x) { return x; }
double bound(double x) { return x; }
double bound(cuComplex x) { return x.x; }
double bound(cuDoubleComplex x) { return x.x; }

template <typename T, typename Tolerance>
cusparseStatus_t nnz_compress(Handle handle, int m, cusparseMatDescr_t descr,
                              const T *values, const int *offsets, int *counts,
                              int *total, Tolerance tolerance) {
  if (auto wrong = checkOlder(handle, m >= 0 && total && isDescriptor(descr) &&
                                          !(bound(tolerance) < 0)))
    return wrong;
  const int base = descr->base;
  return submit(
      handle, m,
      [=](Team &team) {
        team.forEach(uint64_t(m), [&](uint64_t i) {
          counts[i] = int(std::count_if(
              values + offsets[i] - base, values + offsets[i + 1] - base,
              [&](T x) { return std::abs(x) > bound(tolerance); }));
        });
        *total = std::accumulate(counts, counts + m, 0);
      },
      onHost(handle));
}

template <typename T, typename Tolerance>
cusparseStatus_t
csr2csr_compress(Handle handle, int m, int n, cusparseMatDescr_t descr,
                 const T *values, const int *indices, const int *offsets,
                 int nonzeros, const int *counts, T *newValues, int *newIndices,
                 int *newOffsets, Tolerance tolerance) {
  if (auto wrong = checkOlder(handle, m >= 0 && n >= 0 && nonzeros >= 0 &&
                                          isDescriptor(descr) &&
                                          !(bound(tolerance) < 0)))
    return wrong;
  const int base = descr->base;
  return submit(handle, nonzeros, [=](Team &team) {
    newOffsets[0] = base;
    std::partial_sum(counts, counts + m, newOffsets + 1);
    for (int i = 1; i <= m; ++i)
      newOffsets[i] += base;
    team.forEach(uint64_t(m), [&](uint64_t i) {
      int to = newOffsets[i] - base;
      for (int k = offsets[i] - base; k < offsets[i + 1] - base; ++k)
        if (std::abs(values[k]) > bound(tolerance)) {
          newIndices[to] = indices[k];
          newValues[to++] = values[k];
        }
    });
  });
}

//===----------------------------------------------------------------------===//
// Pruning
//===----------------------------------------------------------------------===//

/// A dense matrix by columns, or one by rows: forRow(i, call(column, value)).
template <typename T> struct Dense {
  int n;
  const T *values;
  int leading;
  template <typename Call> void forRow(uint64_t i, Call call) const {
    for (int j = 0; j < n; ++j)
      call(j, values[int64_t(i) + int64_t(j) * leading]);
  }
};
template <typename T> struct Csr {
  int base;
  const T *values;
  const int *offsets, *indices;
  template <typename Call> void forRow(uint64_t i, Call call) const {
    for (int k = offsets[i] - base; k < offsets[i + 1] - base; ++k)
      call(indices[k] - base, values[k]);
  }
};

/// The offsets of what is larger than the threshold, and its number.
template <typename T, typename Matrix>
cusparseStatus_t countLarge(Handle handle, int m, Matrix matrix,
                            const T *threshold, int base, int *offsets,
                            int *total) {
  const Scalar<T> least(handle, threshold);
  return submit(
      handle, m,
      [=](Team &team) {
        const T bound = least.get();
        offsets[0] = base;
        team.forEach(uint64_t(m), [&](uint64_t i) {
          int count = 0;
          matrix.forRow(i, [&](int, T x) { count += std::abs(x) > bound; });
          offsets[i + 1] = count;
        });
        for (int i = 0; i < m; ++i)
          offsets[i + 1] += offsets[i];
        *total = offsets[m] - base;
      },
      onHost(handle));
}

template <typename T, typename Matrix>
cusparseStatus_t copyLarge(Handle handle, int m, Matrix matrix,
                           const T *threshold, int base, T *values,
                           const int *offsets, int *indices) {
  const Scalar<T> least(handle, threshold);
  return submit(handle, m, [=](Team &team) {
    const T bound = least.get();
    team.forEach(uint64_t(m), [&](uint64_t i) {
      int to = offsets[i] - base;
      matrix.forRow(i, [&](int j, T x) {
        if (!(std::abs(x) > bound))
          return;
        indices[to] = j + base;
        values[to++] = x;
      });
    });
  });
}

bool isPruned(int m, int n, int lda, const void *threshold,
              cusparseMatDescr_t descr) {
  return m >= 0 && n >= 0 && lda >= std::max(1, m) && threshold &&
         isDescriptor(descr);
}

template <typename T>
cusparseStatus_t
pruneDense2csr_bufferSizeExt(Handle handle, int m, int n, const T *, int lda,
                             const T *threshold, cusparseMatDescr_t descr,
                             const T *, const int *, const int *,
                             size_t *size) {
  if (auto wrong = checkOlder(handle, isPruned(m, n, lda, threshold, descr)))
    return wrong;
  return sizeOf(handle, size);
}
template <typename T>
cusparseStatus_t pruneDense2csrNnz(Handle handle, int m, int n, const T *values,
                                   int lda, const T *threshold,
                                   cusparseMatDescr_t descr, int *offsets,
                                   int *total, void *) {
  if (auto wrong =
          checkOlder(handle, total && isPruned(m, n, lda, threshold, descr)))
    return wrong;
  return countLarge(handle, m, Dense<T>{n, values, lda}, threshold, descr->base,
                    offsets, total);
}
template <typename T>
cusparseStatus_t pruneDense2csr(Handle handle, int m, int n, const T *values,
                                int lda, const T *threshold,
                                cusparseMatDescr_t descr, T *newValues,
                                const int *offsets, int *indices, void *) {
  if (auto wrong = checkOlder(handle, isPruned(m, n, lda, threshold, descr)))
    return wrong;
  return copyLarge(handle, m, Dense<T>{n, values, lda}, threshold, descr->base,
                   newValues, offsets, indices);
}

bool isPruned(int m, int n, int nonzeros, cusparseMatDescr_t from,
              const void *threshold, cusparseMatDescr_t to) {
  return m >= 0 && n >= 0 && nonzeros >= 0 && isDescriptor(from) && threshold &&
         isDescriptor(to);
}

template <typename T>
cusparseStatus_t pruneCsr2csr_bufferSizeExt(
    Handle handle, int m, int n, int nonzeros, cusparseMatDescr_t from,
    const T *, const int *, const int *, const T *threshold,
    cusparseMatDescr_t to, const T *, const int *, const int *, size_t *size) {
  if (auto wrong =
          checkOlder(handle, isPruned(m, n, nonzeros, from, threshold, to)))
    return wrong;
  return sizeOf(handle, size);
}
template <typename T>
cusparseStatus_t pruneCsr2csrNnz(Handle handle, int m, int n, int nonzeros,
                                 cusparseMatDescr_t from, const T *values,
                                 const int *offsets, const int *indices,
                                 const T *threshold, cusparseMatDescr_t to,
                                 int *newOffsets, int *total, void *) {
  if (auto wrong = checkOlder(
          handle, total && isPruned(m, n, nonzeros, from, threshold, to)))
    return wrong;
  return countLarge(handle, m, Csr<T>{from->base, values, offsets, indices},
                    threshold, to->base, newOffsets, total);
}
template <typename T>
cusparseStatus_t
pruneCsr2csr(Handle handle, int m, int n, int nonzeros, cusparseMatDescr_t from,
             const T *values, const int *offsets, const int *indices,
             const T *threshold, cusparseMatDescr_t to, T *newValues,
             const int *newOffsets, int *newIndices, void *) {
  if (auto wrong =
          checkOlder(handle, isPruned(m, n, nonzeros, from, threshold, to)))
    return wrong;
  return copyLarge(handle, m, Csr<T>{from->base, values, offsets, indices},
                   threshold, to->base, newValues, newOffsets, newIndices);
}

//===----------------------------------------------------------------------===//
// A dense matrix times a sparse vector
//===----------------------------------------------------------------------===//

template <typename T>
cusparseStatus_t gemvi(Handle handle, cusparseOperation_t operation, int m,
                       int n, const T *alpha, const T *matrix, int lda,
                       int nonzeros, const T *x, const int *indices,
                       const T *beta, T *y, cusparseIndexBase_t base, void *) {
  const bool plain = operation == CUSPARSE_OPERATION_NON_TRANSPOSE;
  if (auto wrong = checkOlder(
          handle, m >= 0 && n >= 0 && lda >= std::max(1, m) && alpha && beta &&
                      nonzeros >= 0 && nonzeros <= (plain ? n : m) &&
                      isOperation(operation) && isBase(base)))
    return wrong;
  const Scalar<T> factor(handle, alpha), kept(handle, beta);
  const bool conjugated = operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  const int64_t count = plain ? m : n, row = plain ? 1 : lda,
                column = plain ? lda : 1;
  return submit(handle, count * nonzeros, [=](Team &team) {
    const T a = factor.get(), c = kept.get();
    team.forEach(uint64_t(count), [&](uint64_t i) {
      T sum(0);
      for (int k = 0; k < nonzeros; ++k) {
        const T each = matrix[int64_t(i) * row + (indices[k] - base) * column];
        sum += (conjugated ? conjugate(each) : each) * x[k];
      }
      y[i] = c == T(0) ? a * sum : a * sum + c * y[i];
    });
  });
}

cusparseStatus_t gemvi_bufferSize(Handle handle, cusparseOperation_t operation,
                                  int m, int n, int nonzeros, int *size) {
  return sizeOf(handle, size,
                m >= 0 && n >= 0 && nonzeros >= 0 && isOperation(operation));
}

} // namespace

} // namespace cufort::cusparse

#include "cusparse_Compression.inc"
