//===- Incomplete.cpp - incomplete factorisations
//--------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cusparse/Objects.h"
#include <atomic>
#include <cmath>

/// Where a factorisation has met a zero pivot, with the matrix's base; -1:
/// nowhere.
struct csrilu02Info {
  std::atomic<int> zeroPivot{-1};
  std::atomic<bool> analysed{false};
  /// Pivots of at most this size become the other number.
  bool boosts = false;
  double smallest = 0;
  std::complex<double> boost{};
};
struct csric02Info {
  std::atomic<int> zeroPivot{-1};
  std::atomic<bool> analysed{false};
};

namespace cufort::cusparse {

namespace {

/// The place of column \p j in the row [\p begin, \p end); -1: none.
int placeOf(const int *indices, int begin, int end, int j) {
  const int *found = std::lower_bound(indices + begin, indices + end, j);
  return found != indices + end && *found == j ? int(found - indices) : -1;
}

template <typename T> T numberOf(std::complex<double> number) {
  if constexpr (std::is_floating_point_v<T>)
    return T(number.real());
  else
    return T(number);
}

/// LU with the matrix's own pattern, in place. Indices ascend within rows.
template <typename T>
int factorLU(int m, T *values, const int *offsets, const int *indices, int base,
             const csrilu02Info &info) {
  int zero = -1;
  std::vector<int> diagonals(size_t(m), -1);
  const int *columns = indices - base; // by places with the base
  T *a = values - base;
  for (int i = 0; i < m; ++i) {
    const int begin = offsets[i], end = offsets[i + 1];
    for (int p = begin; p < end; ++p) {
      const int k = columns[p] - base;
      if (k >= i) {
        if (k == i)
          diagonals[size_t(i)] = p;
        break;
      }
      const int pivot = diagonals[size_t(k)];
      if (pivot < 0 || a[pivot] == T(0))
        continue;
      a[p] /= a[pivot];
      for (int q = pivot + 1; q < offsets[k + 1]; ++q)
        if (int place = placeOf(columns, p + 1, end, columns[q]); place >= 0)
          a[place] -= a[p] * a[q];
    }
    const int own = diagonals[size_t(i)];
    if (info.boosts && own >= 0 && std::abs(a[own]) <= info.smallest)
      a[own] = numberOf<T>(info.boost);
    if (zero < 0 && (own < 0 || a[own] == T(0)))
      zero = i + base;
  }
  return zero;
}

/// Cholesky's factor with the pattern of the lower triangle, in place; the
/// upper triangle stays.
template <typename T>
int factorCholesky(int m, T *values, const int *offsets, const int *indices,
                   int base, const csric02Info &) {
  int zero = -1;
  std::vector<int> diagonals(size_t(m), -1);
  const int *columns = indices - base;
  T *a = values - base;
  for (int i = 0; i < m; ++i) {
    const int begin = offsets[i], end = offsets[i + 1];
    for (int p = begin; p < end; ++p) {
      const int k = columns[p] - base;
      if (k > i)
        break;
      // The inner product of what is left of column k in rows i and k.
      T sum = a[p];
      for (int q = begin, r = offsets[k];
           q < p && r < offsets[k + 1] && columns[r] - base < k;) {
        if (columns[q] == columns[r])
          sum -= a[q++] * conjugate(a[r++]);
        else
          columns[q] < columns[r] ? ++q : ++r;
      }
      if (k < i) {
        const int pivot = diagonals[size_t(k)];
        a[p] = pivot < 0 ? sum : sum / conjugate(a[pivot]);
        continue;
      }
      diagonals[size_t(i)] = p;
      if (zero < 0 && !(std::real(sum) > 0))
        zero = i + base;
      a[p] = std::sqrt(sum);
    }
    if (zero < 0 && diagonals[size_t(i)] < 0)
      zero = i + base;
  }
  return zero;
}

template <typename Info>
bool isFactorisation(int m, int nonzeros, cusparseMatDescr_t descr, Info info) {
  return m > 0 && nonzeros > 0 && handles<cusparseMatDescr>().isValid(descr) &&
         handles<std::remove_pointer_t<Info>>().isValid(info);
}

bool isPolicy(cusparseSolvePolicy_t policy) {
  return policy == CUSPARSE_SOLVE_POLICY_NO_LEVEL ||
         policy == CUSPARSE_SOLVE_POLICY_USE_LEVEL;
}

template <typename T, typename Info, typename Factor>
cusparseStatus_t factor(Handle handle, int m, int nonzeros,
                        cusparseMatDescr_t descr, T *values, const int *offsets,
                        const int *indices, Info info, Factor routine) {
  if (auto wrong =
          checkOlder(handle, isFactorisation(m, nonzeros, descr, info)))
    return wrong;
  return submit(handle, 0, [=, base = int(descr->base)](Team &) {
    info->zeroPivot = routine(m, values, offsets, indices, base, *info);
  });
}

#define CUFORT_INCOMPLETE(name, Info, routine)                                 \
  template <typename T>                                                        \
  cusparseStatus_t name##_bufferSize(                                          \
      Handle handle, int m, int nonzeros, cusparseMatDescr_t descr, T *,       \
      const int *, const int *, Info info, int *size) {                        \
    return sizeOf(handle, size, isFactorisation(m, nonzeros, descr, info));    \
  }                                                                            \
  template <typename T>                                                        \
  cusparseStatus_t name##_bufferSizeExt(                                       \
      Handle handle, int m, int nonzeros, cusparseMatDescr_t descr, T *,       \
      const int *, const int *, Info info, size_t *size) {                     \
    /* NVIDIA's has it no longer. */                                           \
    if (auto wrong = checkOlder(handle, true))                                 \
      return wrong;                                                            \
    return CUSPARSE_STATUS_NOT_SUPPORTED;                                      \
  }                                                                            \
  template <typename T>                                                        \
  cusparseStatus_t name##_analysis(Handle handle, int m, int nonzeros,         \
                                   cusparseMatDescr_t descr, const T *,        \
                                   const int *, const int *, Info info,        \
                                   cusparseSolvePolicy_t policy, void *) {     \
    if (auto wrong =                                                           \
            checkOlder(handle, isFactorisation(m, nonzeros, descr, info) &&    \
                                   isPolicy(policy)))                          \
      return wrong;                                                            \
    info->analysed = true;                                                     \
    return CUSPARSE_STATUS_SUCCESS;                                            \
  }                                                                            \
  template <typename T>                                                        \
  cusparseStatus_t name(Handle handle, int m, int nonzeros,                    \
                        cusparseMatDescr_t descr, T *values,                   \
                        const int *offsets, const int *indices, Info info,     \
                        cusparseSolvePolicy_t policy, void *) {                \
    if (auto wrong = checkOlder(handle, isPolicy(policy)))                     \
      return wrong;                                                            \
    return factor(handle, m, nonzeros, descr, values, offsets, indices, info,  \
                  routine<T>);                                                 \
  }
CUFORT_INCOMPLETE(csrilu02, csrilu02Info_t, factorLU)
CUFORT_INCOMPLETE(csric02, csric02Info_t, factorCholesky)

template <typename T>
cusparseStatus_t csrilu02_numericBoost(Handle handle, csrilu02Info_t info,
                                       int enable, double *smallest, T *boost) {
  if (auto wrong = checkOlder(handle, handles<csrilu02Info>().isValid(info) &&
                                          (!enable || (smallest && boost))))
    return wrong;
  info->boosts = enable;
  if (enable) {
    info->smallest = *smallest;
    info->boost = *boost;
  }
  return CUSPARSE_STATUS_SUCCESS;
}

/// Waits for the factorisation, as NVIDIA's does.
template <typename Info>
cusparseStatus_t zeroPivot(Handle handle, Info *info, int *position) {
  if (auto wrong = checkOlder(
          handle, position && handles<Info>().isValid(info) && info->analysed))
    return wrong;
  int found = -1;
  if (auto wrong = submit(
          handle, 0, [&found, info](Team &) { found = info->zeroPivot; },
          /*wait=*/true))
    return wrong;
  *position = found;
  return found < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

} // namespace

cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info) {
  return create(info, true);
}
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info) {
  return destroy(info);
}
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle,
                                             csrilu02Info_t info,
                                             int *position) {
  return zeroPivot(handle, info, position);
}
cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t *info) {
  return create(info, true);
}
cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info) {
  return destroy(info);
}
cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t handle,
                                            csric02Info_t info, int *position) {
  return zeroPivot(handle, info, position);
}

} // namespace cufort::cusparse

#include "cusparse_Incomplete.inc"
