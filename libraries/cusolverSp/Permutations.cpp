//===- Permutations.cpp - patterns of sparse matrices ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cusolverSp/Csr.h"
#include "libraries/cusolverSp/Routine.h"

namespace cufort::cusolverSp {

namespace {

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
