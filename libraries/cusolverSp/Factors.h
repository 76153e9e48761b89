//===- Factors.h - factorisations of sparse matrices ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUSOLVERSP_FACTORS_H
#define CUFORT_LIBRARIES_CUSOLVERSP_FACTORS_H

#include "libraries/cusolverSp/Csr.h"

namespace cufort::cusolverSp {

/// A = Q R by Givens rotations, row by row: a row is rotated with the rows of R
/// until its first column has none. Q is the list of what was done.
template <typename T> class QrFactors {
  using Element = typename Csr<T>::Element;
  using Row = typename Csr<T>::Row;

public:
  explicit QrFactors(const Csr<T> &matrix)
      : r(matrix.rows.size()), steps(matrix.rows.size()) {
    Row rest, rotated, upper;
    for (size_t i = 0; i < r.size(); ++i) {
      rest = matrix.rows[i];
      while (!rest.empty()) {
        const auto j = size_t(rest.front().column);
        if (r[j].empty()) {
          r[j] = rest;
          steps[i].place = int(j);
          break;
        }
        const Rotation rotation(int(j), r[j].front().value, rest.front().value);
        rotate(rotation, r[j], rest, upper, rotated);
        steps[i].rotations.push_back(rotation);
        r[j].swap(upper);
        rest.swap(rotated);
      }
    }
  }

  /// The first column that depends on those before it, as far as \p tolerance
  /// tells; -1 if there is none.
  int singularity(Real<T> tolerance) const {
    for (size_t j = 0; j < r.size(); ++j)
      if (r[j].empty() || std::abs(r[j].front().value) <= tolerance)
        return int(j);
    return -1;
  }

  /// The largest element of R.
  Real<T> scale() const {
    Real<T> largest(0);
    for (const Row &row : r)
      for (const Element &each : row)
        largest = std::max(largest, std::abs(each.value));
    return largest;
  }

  /// \p b becomes x with A x = b; elements of R's diagonal below \p least are
  /// taken for that.
  void solve(std::vector<T> &b, Real<T> least = 0) const {
    std::vector<T> x(r.size(), T(0));
    for (size_t i = 0; i < r.size(); ++i) {
      T rest = b[i];
      for (const Rotation &each : steps[i].rotations) {
        T &above = x[size_t(each.row)];
        const T sum = conjugate(each.c) * above + conjugate(each.s) * rest;
        rest = each.c * rest - each.s * above;
        above = sum;
      }
      if (steps[i].place >= 0)
        x[size_t(steps[i].place)] = rest;
    }
    for (size_t j = r.size(); j-- > 0;) {
      T diagonal(0);
      for (const Element &each : r[j])
        if (size_t(each.column) == j)
          diagonal = each.value;
        else
          x[j] -= each.value * x[size_t(each.column)];
      x[j] /= std::abs(diagonal) < least ? T(least) : diagonal;
    }
    b.swap(x);
  }

private:
  struct Rotation {
    Rotation(int row, T above, T below) : row(row) {
      const Real<T> length = std::hypot(std::abs(above), std::abs(below));
      c = length > 0 ? above / length : T(1);
      s = length > 0 ? below / length : T(0);
    }
    int row;
    T c, s;
  };
  struct Step {
    std::vector<Rotation> rotations;
    int place = -1; ///< the row of R that what is left becomes
  };

  static void rotate(const Rotation &rotation, const Row &above,
                     const Row &below, Row &newAbove, Row &newBelow) {
    newAbove.clear();
    newBelow.clear();
    const T c = rotation.c, s = rotation.s;
    const T cc = conjugate(c), sc = conjugate(s);
    auto put = [&](int column, T a, T b) {
      newAbove.push_back({column, cc * a + sc * b});
      if (column != rotation.row)
        newBelow.push_back({column, c * b - s * a});
    };
    size_t i = 0, k = 0;
    while (i < above.size() || k < below.size())
      if (k == below.size() ||
          (i < above.size() && above[i].column < below[k].column)) {
        put(above[i].column, above[i].value, T(0));
        ++i;
      } else if (i == above.size() || below[k].column < above[i].column) {
        put(below[k].column, T(0), below[k].value);
        ++k;
      } else {
        put(above[i].column, above[i].value, below[k].value);
        ++i, ++k;
      }
  }

  std::vector<Row> r;
  std::vector<Step> steps;
};

/// A = L L^H of the lower triangle, each row of L from its first element on.
template <typename T> class CholeskyFactors {
public:
  /// Ends at a pivot that is not above \p tolerance.
  CholeskyFactors(const Csr<T> &matrix, Real<T> tolerance)
      : first(matrix.rows.size()), rows(matrix.rows.size()) {
    for (int i = 0; i < matrix.size(); ++i) {
      const auto &source = matrix.rows[size_t(i)];
      std::vector<T> &row = rows[size_t(i)];
      const int begin = source.empty() ? i : std::min(i, source.front().column);
      first[size_t(i)] = begin;
      row.assign(size_t(i - begin) + 1, T(0));
      for (const auto &each : source)
        if (each.column <= i)
          row[size_t(each.column - begin)] += each.value;
      for (int j = begin; j < i; ++j) {
        T &element = row[size_t(j - begin)];
        element = (element - product(i, j)) / diagonal(j);
      }
      const Real<T> pivot = std::real(row.back() - product(i, i));
      const Real<T> root = pivot > 0 ? std::sqrt(pivot) : Real<T>(0);
      if (!(root > tolerance)) {
        failed = i;
        return;
      }
      row.back() = root;
    }
  }

  int singularity() const { return failed; }

  void solve(std::vector<T> &b) const {
    for (size_t i = 0; i < rows.size(); ++i) {
      const auto begin = size_t(first[i]);
      for (size_t k = begin; k < i; ++k)
        b[i] -= rows[i][k - begin] * b[k];
      b[i] /= diagonal(int(i));
    }
    for (size_t i = rows.size(); i-- > 0;) {
      const auto begin = size_t(first[i]);
      b[i] /= diagonal(int(i));
      for (size_t k = begin; k < i; ++k)
        b[k] -= conjugate(rows[i][k - begin]) * b[i];
    }
  }

private:
  T diagonal(int i) const { return rows[size_t(i)].back(); }

  /// The sum over k < j of L(i, k) and conjugate L(j, k).
  T product(int i, int j) const {
    const int begin = std::max(first[size_t(i)], first[size_t(j)]);
    const T *left = rows[size_t(i)].data() - first[size_t(i)];
    const T *right = rows[size_t(j)].data() - first[size_t(j)];
    T sum(0);
    for (int k = begin; k < j; ++k)
      sum += left[k] * conjugate(right[k]);
    return sum;
  }

  std::vector<int> first;
  std::vector<std::vector<T>> rows;
  int failed = -1;
};

} // namespace cufort::cusolverSp

#endif // CUFORT_LIBRARIES_CUSOLVERSP_FACTORS_H
