//===- Solvers.cpp - sparse systems of equations --------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cusolverSp_functions.h"
#include "libraries/common/Handles.h"
#include "libraries/common/Perform.h"
#include "libraries/cusolverSp/Factors.h"
#include "libraries/cusparse/Sparse.h"
#include <limits>
#include <numeric>

struct cusolverSpContext {
  cudaStream_t stream = nullptr;
};

namespace cufort::cusolverSp {

using namespace cufort::libraries;

namespace {

float number(float value) { return value; }
double number(double value) { return value; }
std::complex<float> number(cuComplex value) { return {value.x, value.y}; }
std::complex<double> number(cuDoubleComplex value) {
  return {value.x, value.y};
}

cusolverStatus_t statusOf(Error error) {
  return error == cudaSuccess ? CUSOLVER_STATUS_SUCCESS
         : error == cudaErrorMemoryAllocation
             ? CUSOLVER_STATUS_ALLOC_FAILED
             : CUSOLVER_STATUS_EXECUTION_FAILED;
}

/// What every routine asks of its matrix.
cusolverStatus_t check(cusolverSpHandle_t handle, int rows, int nonzeros,
                       cusparseMatDescr_t descriptor, bool valid) {
  if (!handles<cusolverSpContext>().isValid(handle))
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (rows < 0 || nonzeros < 0 || !descriptor || !valid)
    return CUSOLVER_STATUS_INVALID_VALUE;
  return descriptor->type == CUSPARSE_MATRIX_TYPE_GENERAL
             ? CUSOLVER_STATUS_SUCCESS
             : CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
}

/// Whether all indices are those of a square matrix.
bool isSquare(int n, const int *starts, const int *columns, int base) {
  for (int i = 0; i < n; ++i)
    for (int k = starts[i] - base; k < starts[i + 1] - base; ++k)
      if (columns[k] < base || columns[k] - base >= n)
        return false;
  return true;
}

enum class Method { Qr, Cholesky };

/// A system as its routine has it.
template <typename T> struct System {
  int n;
  const T *values;
  const int *starts, *columns;
  int base;
  const T *b;
  Real<T> tolerance;
  int reorder;
  T *x;

  /// Sets x; returns the pivot that is none, or -1, and -2 for wrong indices.
  int solve(Method method) const {
    if (!isSquare(n, starts, columns, base))
      return -2;
    Csr<T> matrix(n, values, starts, columns, base);
    std::vector<int> order(size_t(n), 0);
    std::iota(order.begin(), order.end(), 0);
    if (reorder) {
      order = narrowBands(graphOf(n, starts, columns, base));
      matrix.permute(order);
    }
    std::vector<T> right(static_cast<size_t>(n));
    for (size_t i = 0; i < right.size(); ++i)
      right[i] = b[order[i]];
    int singularity;
    if (method == Method::Cholesky) {
      const CholeskyFactors<T> factors(matrix, tolerance);
      singularity = factors.singularity();
      if (singularity < 0)
        factors.solve(right);
    } else {
      const QrFactors<T> factors(matrix);
      singularity = factors.singularity(tolerance);
      if (singularity < 0)
        factors.solve(right);
    }
    if (singularity < 0)
      for (size_t i = 0; i < right.size(); ++i)
        x[order[i]] = right[i];
    return singularity;
  }
};

/// Performs \p routine(), which returns whether its arguments were right: in
/// the handle's stream, for the arrays are the device's, or at once.
template <typename Routine>
cusolverStatus_t call(cusolverSpHandle_t handle, bool onDevice,
                      Routine routine) {
  bool right = true;
  const Error error =
      onDevice ? perform(handle->stream, {.small = true, .wait = true},
                         [routine, &right](Team &) { right = routine(); })
               : catchExhaustion([&] {
                   right = routine();
                   return cudaSuccess;
                 });
  return error == cudaSuccess && !right ? CUSOLVER_STATUS_INVALID_VALUE
                                        : statusOf(error);
}

template <typename T>
cusolverStatus_t solve(cusolverSpHandle_t handle, Method method, bool onDevice,
                       int n, int nonzeros, cusparseMatDescr_t descriptor,
                       const T *values, const int *starts, const int *columns,
                       const T *b, Real<T> tolerance, int reorder, T *x,
                       int *singularity) {
  const bool arrays = n == 0 || (starts && b && x);
  if (const cusolverStatus_t status = check(
          handle, n, nonzeros, descriptor,
          arrays && singularity && (nonzeros == 0 || (values && columns)));
      status != CUSOLVER_STATUS_SUCCESS)
    return status;
  const System<T> system{n, values,    starts,  columns, int(descriptor->base),
                         b, tolerance, reorder, x};
  return call(handle, onDevice, [=] {
    const int pivot = system.solve(method);
    if (pivot >= -1)
      *singularity = pivot;
    return pivot >= -1;
  });
}

/// Inverse iteration with A - mu0.
template <typename T>
bool iterate(const System<T> &system, T mu0, int most, T *mu) {
  const int n = system.n;
  if (!isSquare(n, system.starts, system.columns, system.base))
    return false;
  const Csr<T> matrix(n, system.values, system.starts, system.columns,
                      system.base);
  Csr<T> shifted = matrix;
  for (int i = 0; i < n; ++i) {
    auto &row = shifted.rows[size_t(i)];
    auto place = std::find_if(row.begin(), row.end(),
                              [&](auto &each) { return each.column >= i; });
    if (place == row.end() || place->column != i)
      place = row.insert(place, {i, T(0)});
    place->value -= mu0;
  }
  const QrFactors<T> factors(shifted);
  // The shift may be an eigenvalue.
  const Real<T> least =
      std::max(std::numeric_limits<Real<T>>::epsilon() * factors.scale(),
               std::numeric_limits<Real<T>>::min());
  auto lengthOf = [](const std::vector<T> &vector) {
    Real<T> sum(0);
    for (const T &each : vector)
      sum += std::norm(each);
    return std::sqrt(sum);
  };
  std::vector<T> x(system.b, system.b + n), product(x.size());
  T value = mu0;
  for (int turn = 0; turn <= most; ++turn) {
    if (turn)
      factors.solve(x, least);
    const Real<T> length = lengthOf(x);
    for (T &each : x)
      each /= length;
    matrix.multiply(x.data(), product.data());
    value = T(0);
    for (size_t i = 0; i < x.size(); ++i)
      value += conjugate(x[i]) * product[i];
    for (size_t i = 0; i < x.size(); ++i)
      product[i] -= value * x[i];
    if (lengthOf(product) < system.tolerance)
      break;
  }
  *mu = value;
  std::copy(x.begin(), x.end(), system.x);
  return true;
}

template <typename T>
cusolverStatus_t eigen(cusolverSpHandle_t handle, bool onDevice, int n,
                       int nonzeros, cusparseMatDescr_t descriptor,
                       const T *values, const int *starts, const int *columns,
                       T mu0, const T *x0, int most, Real<T> tolerance, T *mu,
                       T *x) {
  if (const cusolverStatus_t status =
          check(handle, n, nonzeros, descriptor,
                n > 0 && starts && x0 && mu && x &&
                    (!nonzeros || (values && columns)));
      status != CUSOLVER_STATUS_SUCCESS)
    return status;
  const System<T> system{n,  values,    starts, columns, int(descriptor->base),
                         x0, tolerance, 0,      x};
  return call(handle, onDevice, [=] { return iterate(system, mu0, most, mu); });
}

template <typename... Arguments>
auto csrlsvqr(cusolverSpHandle_t handle, Arguments... all) {
  return solve(handle, Method::Qr, true, all...);
}
template <typename... Arguments>
auto csrlsvqrHost(cusolverSpHandle_t handle, Arguments... all) {
  return solve(handle, Method::Qr, false, all...);
}
// The same solution; a pivot of rotations is one of rows' exchanges, too.
template <typename... Arguments>
auto csrlsvluHost(cusolverSpHandle_t handle, Arguments... all) {
  return solve(handle, Method::Qr, false, all...);
}
template <typename... Arguments>
auto csrlsvchol(cusolverSpHandle_t handle, Arguments... all) {
  return solve(handle, Method::Cholesky, true, all...);
}
template <typename... Arguments>
auto csrlsvcholHost(cusolverSpHandle_t handle, Arguments... all) {
  return solve(handle, Method::Cholesky, false, all...);
}
template <typename T, typename Shift, typename... Arguments>
auto csreigvsi(cusolverSpHandle_t handle, int n, int nonzeros,
               cusparseMatDescr_t descriptor, const T *values,
               const int *starts, const int *columns, Shift mu0,
               Arguments... all) {
  return eigen(handle, true, n, nonzeros, descriptor, values, starts, columns,
               number(mu0), all...);
}
template <typename T, typename Shift, typename... Arguments>
auto csreigvsiHost(cusolverSpHandle_t handle, int n, int nonzeros,
                   cusparseMatDescr_t descriptor, const T *values,
                   const int *starts, const int *columns, Shift mu0,
                   Arguments... all) {
  return eigen(handle, false, n, nonzeros, descriptor, values, starts, columns,
               number(mu0), all...);
}

/// Writes the order that \p make finds for the graph of a matrix.
template <typename Make>
cusolverStatus_t permutation(cusolverSpHandle_t handle, int n, int nonzeros,
                             cusparseMatDescr_t descriptor, const int *starts,
                             const int *columns, int *p, Make make) {
  if (const cusolverStatus_t status =
          check(handle, n, nonzeros, descriptor,
                n == 0 || (starts && p && (!nonzeros || columns)));
      status != CUSOLVER_STATUS_SUCCESS)
    return status;
  return call(handle, false, [&] {
    const int base = descriptor->base;
    if (!isSquare(n, starts, columns, base))
      return false;
    const std::vector<int> order = make(graphOf(n, starts, columns, base));
    std::copy(order.begin(), order.end(), p);
    return true;
  });
}

} // namespace

cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t *handle) {
  if (!handle)
    return CUSOLVER_STATUS_INVALID_VALUE;
  return statusOf(catchExhaustion([&] {
    *handle = handles<cusolverSpContext>().make();
    return cudaSuccess;
  }));
}
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t handle) {
  return handles<cusolverSpContext>().destroy(handle)
             ? CUSOLVER_STATUS_SUCCESS
             : CUSOLVER_STATUS_NOT_INITIALIZED;
}
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t handle,
                                     cudaStream_t stream) {
  if (!handles<cusolverSpContext>().isValid(handle))
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t handle,
                                     cudaStream_t *stream) {
  if (!handles<cusolverSpContext>().isValid(handle))
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (!stream)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *stream = handle->stream;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverSpXcsrissymHost(cusolverSpHandle_t handle, int m,
                                         int nonzeros,
                                         cusparseMatDescr_t descriptor,
                                         const int *starts, const int *ends,
                                         const int *columns, int *symmetric) {
  if (const cusolverStatus_t status =
          check(handle, m, nonzeros, descriptor,
                symmetric && (m == 0 || (starts && ends)));
      status != CUSOLVER_STATUS_SUCCESS)
    return status;
  return call(handle, false, [&] {
    const int base = descriptor->base;
    std::vector<std::pair<int, int>> places, mirrored;
    for (int i = 0; i < m; ++i)
      for (int k = starts[i] - base; k < ends[i] - base; ++k) {
        places.push_back({i, columns[k] - base});
        mirrored.push_back({columns[k] - base, i});
      }
    std::sort(places.begin(), places.end());
    std::sort(mirrored.begin(), mirrored.end());
    *symmetric = places == mirrored;
    return true;
  });
}

cusolverStatus_t cusolverSpXcsrsymrcmHost(cusolverSpHandle_t handle, int n,
                                          int nonzeros,
                                          cusparseMatDescr_t descriptor,
                                          const int *starts, const int *columns,
                                          int *p) {
  return permutation(handle, n, nonzeros, descriptor, starts, columns, p,
                     narrowBands);
}
cusolverStatus_t cusolverSpXcsrsymmdqHost(cusolverSpHandle_t handle, int n,
                                          int nonzeros,
                                          cusparseMatDescr_t descriptor,
                                          const int *starts, const int *columns,
                                          int *p) {
  return permutation(handle, n, nonzeros, descriptor, starts, columns, p,
                     leastDegree);
}
cusolverStatus_t cusolverSpXcsrsymamdHost(cusolverSpHandle_t handle, int n,
                                          int nonzeros,
                                          cusparseMatDescr_t descriptor,
                                          const int *starts, const int *columns,
                                          int *p) {
  return permutation(handle, n, nonzeros, descriptor, starts, columns, p,
                     leastDegree);
}
cusolverStatus_t
cusolverSpXcsrmetisndHost(cusolverSpHandle_t handle, int n, int nonzeros,
                          cusparseMatDescr_t descriptor, const int *starts,
                          const int *columns, const int64_t *, int *p) {
  return permutation(handle, n, nonzeros, descriptor, starts, columns, p,
                     leastDegree);
}

cusolverStatus_t
cusolverSpXcsrperm_bufferSizeHost(cusolverSpHandle_t handle, int m, int n,
                                  int nonzeros, cusparseMatDescr_t descriptor,
                                  const int *, const int *, const int *,
                                  const int *, size_t *bytes) {
  const cusolverStatus_t status =
      check(handle, m, nonzeros, descriptor, n >= 0 && bytes);
  if (status == CUSOLVER_STATUS_SUCCESS)
    *bytes = 1; // not used
  return status;
}

/// B(i, j) = A(p(i), q(j)).
cusolverStatus_t cusolverSpXcsrpermHost(cusolverSpHandle_t handle, int m, int n,
                                        int nonzeros,
                                        cusparseMatDescr_t descriptor,
                                        int *starts, int *columns, const int *p,
                                        const int *q, int *map, void *) {
  if (const cusolverStatus_t status =
          check(handle, m, nonzeros, descriptor,
                n >= 0 && starts && p && q && (!nonzeros || (columns && map)));
      status != CUSOLVER_STATUS_SUCCESS)
    return status;
  return call(handle, false, [&] {
    const int base = descriptor->base;
    std::vector<int> place(size_t(n), -1);
    for (int j = 0; j < n; ++j) {
      if (q[j] < 0 || q[j] >= n || place[size_t(q[j])] >= 0)
        return false;
      place[size_t(q[j])] = j;
    }
    struct Element {
      int column, map;
    };
    std::vector<Element> all;
    std::vector<int> begins{base};
    for (int i = 0; i < m; ++i) {
      if (p[i] < 0 || p[i] >= m)
        return false;
      const size_t first = all.size();
      for (int k = starts[p[i]] - base; k < starts[p[i] + 1] - base; ++k) {
        if (columns[k] < base || columns[k] - base >= n)
          return false;
        all.push_back({place[size_t(columns[k] - base)] + base, map[k]});
      }
      std::sort(all.begin() + long(first), all.end(),
                [](const Element &a, const Element &b) {
                  return a.column < b.column;
                });
      begins.push_back(int(all.size()) + base);
    }
    if (all.size() > size_t(nonzeros))
      return false;
    std::copy(begins.begin(), begins.end(), starts);
    for (size_t k = 0; k < all.size(); ++k) {
      columns[k] = all[k].column;
      map[k] = all[k].map;
    }
    return true;
  });
}

} // namespace cufort::cusolverSp

#include "cusolverSp_Solvers.inc"
