//===- Solvers.cpp - sparse systems of equations --------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cusolverSp/Factors.h"
#include "libraries/cusolverSp/Routine.h"
#include <limits>
#include <numeric>

/// A pattern that many matrices have.
struct csrqrInfo {
  int rows = -1, nonzeros = -1;
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

/// Whether \p info is that of a square matrix of these sizes.
bool isAnalysed(csrqrInfo_t info, int m, int n, int nonzeros) {
  return handles<csrqrInfo>().isValid(info) && m == n && info->rows == m &&
         info->nonzeros == nonzeros;
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

/// Systems with the pattern that has been analysed, one after the other in all
/// arrays; square ones.
template <typename T>
cusolverStatus_t
csrqrBufferInfoBatched(cusolverSpHandle_t handle, int m, int n, int nonzeros,
                       cusparseMatDescr_t descriptor, const T *, const int *,
                       const int *, int count, csrqrInfo_t info,
                       size_t *internal, size_t *workspace) {
  const cusolverStatus_t status = check(
      handle, m, nonzeros, descriptor,
      isAnalysed(info, m, n, nonzeros) && count >= 0 && internal && workspace);
  if (status == CUSOLVER_STATUS_SUCCESS)
    *internal = *workspace = 1; // not used
  return status;
}

template <typename T>
cusolverStatus_t csrqrsvBatched(cusolverSpHandle_t handle, int m, int n,
                                int nonzeros, cusparseMatDescr_t descriptor,
                                const T *values, const int *starts,
                                const int *columns, const T *b, T *x, int count,
                                csrqrInfo_t info, void *) {
  const bool arrays = m == 0 || count == 0 || (starts && b && x);
  if (const cusolverStatus_t status =
          check(handle, m, nonzeros, descriptor,
                isAnalysed(info, m, n, nonzeros) && count >= 0 && arrays &&
                    (nonzeros == 0 || (values && columns)));
      status != CUSOLVER_STATUS_SUCCESS)
    return status;
  const int base = descriptor->base;
  return statusOf(perform(handle->stream, {}, [=](Team &team) {
    team.forEach(uint64_t(count), [&](uint64_t i) {
      const System<T> system{m,
                             values + i * uint64_t(nonzeros),
                             starts,
                             columns,
                             base,
                             b + i * uint64_t(m),
                             0,
                             0,
                             x + i * uint64_t(m)};
      // As dividing by such a pivot would.
      if (system.solve(Method::Qr) != -1)
        std::fill_n(system.x, m, T(std::numeric_limits<Real<T>>::quiet_NaN()));
    });
  }));
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
  for (int iteration = 0; iteration <= most; ++iteration) {
    if (iteration)
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

cusolverStatus_t cusolverSpCreateCsrqrInfo(csrqrInfo_t *info) {
  if (!info)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *info = handles<csrqrInfo>().make();
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverSpDestroyCsrqrInfo(csrqrInfo_t info) {
  return handles<csrqrInfo>().destroy(info) ? CUSOLVER_STATUS_SUCCESS
                                            : CUSOLVER_STATUS_INVALID_VALUE;
}
cusolverStatus_t cusolverSpXcsrqrAnalysisBatched(cusolverSpHandle_t handle,
                                                 int m, int n, int nonzeros,
                                                 cusparseMatDescr_t descriptor,
                                                 const int *, const int *,
                                                 csrqrInfo_t info) {
  if (const cusolverStatus_t status =
          check(handle, m, nonzeros, descriptor,
                n >= 0 && handles<csrqrInfo>().isValid(info));
      status != CUSOLVER_STATUS_SUCCESS)
    return status;
  if (m != n)
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  *info = {m, nonzeros};
  return CUSOLVER_STATUS_SUCCESS;
}

} // namespace cufort::cusolverSp

#include "cusolverSp_Solvers.inc"
