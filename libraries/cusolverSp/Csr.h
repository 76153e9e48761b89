//===- Csr.h - sparse matrices of systems of equations ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUSOLVERSP_CSR_H
#define CUFORT_LIBRARIES_CUSOLVERSP_CSR_H

#include "libraries/common/Elements.h"
#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>
#include <vector>

namespace cufort::cusolverSp {

using libraries::conjugate;
using libraries::Real;

/// Rows, each with its columns in ascending order.
template <typename T> struct Csr {
  struct Element {
    int column;
    T value;
  };
  using Row = std::vector<Element>;
  std::vector<Row> rows;

  Csr(int n, const T *values, const int *starts, const int *columns, int base)
      : rows(size_t(n)) {
    for (int i = 0; i < n; ++i) {
      Row &row = rows[size_t(i)];
      for (int k = starts[i] - base; k < starts[i + 1] - base; ++k)
        row.push_back({columns[k] - base, values[k]});
      sort(row);
      // Elements of one place are one.
      size_t last = 0;
      for (size_t k = 1; k < row.size(); ++k)
        if (row[k].column == row[last].column)
          row[last].value += row[k].value;
        else
          row[++last] = row[k];
      if (!row.empty())
        row.resize(last + 1);
    }
  }

  int size() const { return int(rows.size()); }

  /// A(p, p).
  void permute(const std::vector<int> &p) {
    std::vector<int> place(p.size());
    for (size_t i = 0; i < p.size(); ++i)
      place[size_t(p[i])] = int(i);
    std::vector<Row> old = std::move(rows);
    rows.resize(p.size());
    for (size_t i = 0; i < p.size(); ++i) {
      rows[i] = std::move(old[size_t(p[i])]);
      for (Element &each : rows[i])
        each.column = place[size_t(each.column)];
      sort(rows[i]);
    }
  }

  /// y = A x.
  void multiply(const T *x, T *y) const {
    for (size_t i = 0; i < rows.size(); ++i) {
      T sum(0);
      for (const Element &each : rows[i])
        sum += each.value * x[each.column];
      y[i] = sum;
    }
  }

private:
  static void sort(Row &row) {
    std::sort(row.begin(), row.end(), [](const Element &a, const Element &b) {
      return a.column < b.column;
    });
  }
};

/// Whether all indices are those of a square matrix.
inline bool isSquare(int n, const int *starts, const int *columns, int base) {
  for (int i = 0; i < n; ++i)
    for (int k = starts[i] - base; k < starts[i + 1] - base; ++k)
      if (columns[k] < base || columns[k] - base >= n)
        return false;
  return true;
}

/// The neighbours of each vertex in the graph of A + A^T, without itself.
using Graph = std::vector<std::vector<int>>;
Graph graphOf(int n, const int *starts, const int *columns, int base);

/// Which vertex comes first, second, ...: Cuthill's and McKee's order reversed,
/// for narrow bands.
std::vector<int> narrowBands(const Graph &graph);
/// Vertices of least degree first, for little fill.
std::vector<int> leastDegree(Graph graph);

} // namespace cufort::cusolverSp

#endif // CUFORT_LIBRARIES_CUSOLVERSP_CSR_H
