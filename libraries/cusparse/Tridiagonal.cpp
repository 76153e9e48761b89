//===- Tridiagonal.cpp - tridiagonal systems
//-------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Of the lower diagonal the first element does not count, of the upper one the
// last.

#include "libraries/cusparse/Sparse.h"

namespace cufort::cusparse {

namespace {

/// Gaussian elimination without exchanges; \p x becomes the solution. Elements
/// lie \p stride apart.
template <typename T>
void eliminate(int m, const T *lower, const T *diagonal, const T *upper, T *x,
               int64_t stride) {
  std::vector<T> factors(size_t(std::max(1, m)));
  T pivot = diagonal[0];
  x[0] /= pivot;
  for (int i = 1; i < m; ++i) {
    factors[size_t(i)] = upper[(i - 1) * stride] / pivot;
    pivot = diagonal[i * stride] - lower[i * stride] * factors[size_t(i)];
    x[i * stride] =
        (x[i * stride] - lower[i * stride] * x[(i - 1) * stride]) / pivot;
  }
  for (int i = m - 2; i >= 0; --i)
    x[i * stride] -= factors[size_t(i) + 1] * x[(i + 1) * stride];
}

/// The same with exchanges of neighbouring rows where the lower one has the
/// larger pivot.
template <typename T>
void eliminatePivoted(int m, const T *lower, const T *diagonal, const T *upper,
                      T *x) {
  const auto size = size_t(m);
  std::vector<T> d(diagonal, diagonal + m), u(size, T(0)), second(size, T(0));
  std::copy_n(upper, m - 1, u.begin());
  for (size_t i = 0; i + 1 < size; ++i) {
    T below = lower[i + 1];
    if (std::abs(d[i]) >= std::abs(below)) {
      const T factor = below / d[i];
      d[i + 1] -= factor * u[i];
      x[i + 1] -= factor * x[i];
      continue;
    }
    // Row i + 1 becomes row i.
    const T factor = d[i] / below, next = d[i + 1];
    d[i] = below;
    d[i + 1] = u[i] - factor * next;
    u[i] = next;
    if (i + 2 < size) {
      second[i] = u[i + 1];
      u[i + 1] = -factor * second[i];
    }
    std::swap(x[i], x[i + 1]);
    x[i + 1] -= factor * x[i];
  }
  for (size_t i = size; i-- > 0;) {
    if (i + 1 < size)
      x[i] -= u[i] * x[i + 1];
    if (i + 2 < size)
      x[i] -= second[i] * x[i + 2];
    x[i] /= d[i];
  }
}

/// Gaussian elimination of five diagonals with exchanges of rows; \p x becomes
/// the solution.
template <typename T>
void eliminateFive(int m, const T *const (&diagonals)[5], T *x,
                   int64_t stride) {
  // Element (i, j) at [i][j - i + 2]; exchanges add two diagonals above.
  constexpr int Width = 7;
  std::vector<T> band(size_t(m) * Width, T(0));
  const auto at = [&](int i, int j) -> T & {
    return band[size_t(i) * Width + size_t(j - i + 2)];
  };
  for (int i = 0; i < m; ++i)
    for (int d = 0; d < 5; ++d)
      if (i + d - 2 >= 0 && i + d - 2 < m)
        at(i, i + d - 2) = diagonals[d][i * stride];
  for (int k = 0; k < m; ++k) {
    const int last = std::min(m - 1, k + 2), end = std::min(m - 1, k + 4);
    int pivot = k;
    for (int i = k + 1; i <= last; ++i)
      if (std::abs(at(i, k)) > std::abs(at(pivot, k)))
        pivot = i;
    if (pivot != k) {
      for (int j = k; j <= end; ++j)
        std::swap(at(k, j), at(pivot, j));
      std::swap(x[k * stride], x[pivot * stride]);
    }
    for (int i = k + 1; i <= last; ++i) {
      const T factor = at(i, k) / at(k, k);
      for (int j = k + 1; j <= end; ++j)
        at(i, j) -= factor * at(k, j);
      x[i * stride] -= factor * x[k * stride];
    }
  }
  for (int i = m - 1; i >= 0; --i) {
    for (int j = i + 1; j <= std::min(m - 1, i + 4); ++j)
      x[i * stride] -= at(i, j) * x[j * stride];
    x[i * stride] /= at(i, i);
  }
}

template <typename T>
cusparseStatus_t gtsv2_bufferSizeExt(Handle handle, int, int, const T *,
                                     const T *, const T *, const T *, int,
                                     size_t *size) {
  return sizeOf(handle, size);
}

template <typename T>
cusparseStatus_t gtsv2(Handle handle, int m, int n, const T *lower,
                       const T *diagonal, const T *upper, T *b, int ldb,
                       void *) {
  if (auto wrong = checkOlder(handle, m >= 3 && n >= 0 && ldb >= m))
    return wrong;
  return submit(handle, int64_t(m) * n, [=](Team &team) {
    team.forEach(uint64_t(n), [&](uint64_t j) {
      eliminatePivoted(m, lower, diagonal, upper, b + int64_t(j) * ldb);
    });
  });
}

template <typename T>
cusparseStatus_t
gtsv2_nopivot_bufferSizeExt(Handle handle, int m, int n, const T *l, const T *d,
                            const T *u, const T *b, int ldb, size_t *size) {
  return gtsv2_bufferSizeExt(handle, m, n, l, d, u, b, ldb, size);
}

template <typename T>
cusparseStatus_t gtsv2_nopivot(Handle handle, int m, int n, const T *lower,
                               const T *diagonal, const T *upper, T *b, int ldb,
                               void *) {
  if (auto wrong = checkOlder(handle, m >= 3 && n >= 0 && ldb >= m))
    return wrong;
  return submit(handle, int64_t(m) * n, [=](Team &team) {
    team.forEach(uint64_t(n), [&](uint64_t j) {
      eliminate(m, lower, diagonal, upper, b + int64_t(j) * ldb, 1);
    });
  });
}

template <typename T>
cusparseStatus_t
gtsv2StridedBatch_bufferSizeExt(Handle handle, int m, const T *, const T *,
                                const T *, const T *, int count, int stride,
                                size_t *size) {
  return sizeOf(handle, size, m >= 3 && count > 0 && stride >= m);
}

template <typename T>
cusparseStatus_t gtsv2StridedBatch(Handle handle, int m, const T *lower,
                                   const T *diagonal, const T *upper, T *x,
                                   int count, int stride, void *) {
  if (auto wrong = checkOlder(handle, m >= 3 && count > 0 && stride >= m))
    return wrong;
  return submit(handle, int64_t(m) * count, [=](Team &team) {
    team.forEach(uint64_t(count), [&](uint64_t i) {
      const int64_t at = int64_t(i) * stride;
      eliminate(m, lower + at, diagonal + at, upper + at, x + at, 1);
    });
  });
}

template <typename T>
cusparseStatus_t
gtsvInterleavedBatch_bufferSizeExt(Handle handle, int algorithm, int, const T *,
                                   const T *, const T *, const T *, int,
                                   size_t *size) {
  return sizeOf(handle, size, algorithm >= 0 && algorithm <= 2);
}

template <typename T>
cusparseStatus_t gtsvInterleavedBatch(Handle handle, int algorithm, int m,
                                      T *lower, T *diagonal, T *upper, T *x,
                                      int count, void *) {
  if (auto wrong = checkOlder(handle, m >= 0 && count >= 0 && algorithm >= 0 &&
                                          algorithm <= 2))
    return wrong;
  if (m == 0)
    return CUSPARSE_STATUS_SUCCESS;
  return submit(handle, int64_t(m) * count, [=](Team &team) {
    team.forEach(uint64_t(count), [&](uint64_t i) {
      eliminate<T>(m, lower + i, diagonal + i, upper + i, x + i, count);
    });
  });
}

template <typename T>
cusparseStatus_t
gpsvInterleavedBatch_bufferSizeExt(Handle handle, int, int, const T *,
                                   const T *, const T *, const T *, const T *,
                                   const T *, int, size_t *size) {
  return sizeOf(handle, size);
}

template <typename T>
cusparseStatus_t
gpsvInterleavedBatch(Handle handle, int algorithm, int m, T *second, T *lower,
                     T *diagonal, T *upper, T *far, T *x, int count, void *) {
  if (auto wrong = checkOlder(handle, algorithm == 0 && m >= 3 && count >= 0))
    return wrong;
  return submit(handle, int64_t(m) * count, [=](Team &team) {
    team.forEach(uint64_t(count), [&](uint64_t i) {
      eliminateFive<T>(
          m, {second + i, lower + i, diagonal + i, upper + i, far + i}, x + i,
          count);
    });
  });
}

} // namespace

} // namespace cufort::cusparse

#include "cusparse_Tridiagonal.inc"
