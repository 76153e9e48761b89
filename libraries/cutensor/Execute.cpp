//===- Execute.cpp - operations on tensors --------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dimensions that are treated alike are one, as a table of offsets. A
// contraction is a product of matrices, into which the factors are packed.
// Work areas of the program's are not used.
//
//===----------------------------------------------------------------------===//

#include "libraries/common/Blas.h"
#include "libraries/common/DataTypes.h"
#include "libraries/cutensor/Tensors.h"
#include <algorithm>
#include <cmath>
#include <complex>

namespace cufort::cutensor {

namespace {

/// log(1 + exp(x)), also where exp(x) is infinite.
template <typename T> T softPlus(T x) {
  return std::max(x, T(0)) + std::log1p(std::exp(-std::abs(x)));
}

template <typename T> T applied(cutensorOperator_t op, T x) {
  if constexpr (!std::is_floating_point_v<T>) {
    return op == CUTENSOR_OP_CONJ ? std::conj(x) : x;
  } else {
    switch (op) {
    case CUTENSOR_OP_SQRT:
      return std::sqrt(x);
    case CUTENSOR_OP_RELU:
      return std::max(x, T(0));
    case CUTENSOR_OP_RCP:
      return 1 / x;
    case CUTENSOR_OP_SIGMOID:
      return 1 / (1 + std::exp(-x));
    case CUTENSOR_OP_TANH:
      return std::tanh(x);
    case CUTENSOR_OP_EXP:
      return std::exp(x);
    case CUTENSOR_OP_LOG:
      return std::log(x);
    case CUTENSOR_OP_ABS:
      return std::abs(x);
    case CUTENSOR_OP_NEG:
      return -x;
    case CUTENSOR_OP_SIN:
      return std::sin(x);
    case CUTENSOR_OP_COS:
      return std::cos(x);
    case CUTENSOR_OP_TAN:
      return std::tan(x);
    case CUTENSOR_OP_SINH:
      return std::sinh(x);
    case CUTENSOR_OP_COSH:
      return std::cosh(x);
    case CUTENSOR_OP_ASIN:
      return std::asin(x);
    case CUTENSOR_OP_ACOS:
      return std::acos(x);
    case CUTENSOR_OP_ATAN:
      return std::atan(x);
    case CUTENSOR_OP_ASINH:
      return std::asinh(x);
    case CUTENSOR_OP_ACOSH:
      return std::acosh(x);
    case CUTENSOR_OP_ATANH:
      return std::atanh(x);
    case CUTENSOR_OP_CEIL:
      return std::ceil(x);
    case CUTENSOR_OP_FLOOR:
      return std::floor(x);
    case CUTENSOR_OP_MISH:
      return x * std::tanh(softPlus(x));
    case CUTENSOR_OP_SWISH:
      return x / (1 + std::exp(-x));
    case CUTENSOR_OP_SOFT_PLUS:
      return softPlus(x);
    case CUTENSOR_OP_SOFT_SIGN:
      return x / (1 + std::abs(x));
    default: // of real numbers CONJ, too
      return x;
    }
  }
}

template <typename T> T combined(cutensorOperator_t op, T x, T y) {
  if (op == CUTENSOR_OP_MUL)
    return x * y;
  if constexpr (std::is_floating_point_v<T>) {
    if (op == CUTENSOR_OP_MAX)
      return std::max(x, y);
    if (op == CUTENSOR_OP_MIN)
      return std::min(x, y);
  }
  return x + y;
}

/// Performs \p routine(team, number) for a number of the type of \p plan's
/// operation, which is of \p kind.
template <typename Routine>
cutensorStatus_t execute(cutensorHandle_t handle, cutensorPlan_t plan,
                         Kind kind, bool valid, cudaStream_t stream,
                         Routine routine) {
  if (auto wrong =
          check(handle, valid && handles<cutensorPlan>().isValid(plan) &&
                            plan->operation.kind == kind))
    return wrong;
  int64_t size = 1;
  for (const Operand *each : {&plan->operation.a, &plan->operation.d})
    for (int64_t extent : each->extents)
      size *= extent;
  // Operations have no others.
  return forDataType(
      plan->operation.type, CUTENSOR_STATUS_NOT_SUPPORTED, [&]<typename T>(T) {
        return statusOf(
            perform(stream, {.small = size < 8192},
                    routine.template operator()<T>(plan->operation)));
      });
}

template <typename T> T numberAt(const void *address) {
  return *static_cast<const T *>(address);
}

constexpr int64_t Chunk = 2048;

/// Calls \p body(begin, end) for parts of [0, \p count).
template <typename Body> void forParts(Team &team, int64_t count, Body body) {
  team.forEach(uint64_t((count + Chunk - 1) / Chunk), [&](uint64_t part) {
    const int64_t begin = int64_t(part) * Chunk;
    body(begin, std::min(count, begin + Chunk));
  });
}

/// d = value(k) in the order in which the operation's result has its modes;
/// value gets the number of an element.
struct Places {
  Places(const cutensorOperationDescriptor &all, const Operand &operand)
      : offsets(cutensor::offsets(all.d.modes, all, operand)) {}
  int64_t operator[](int64_t i) const { return offsets[size_t(i)]; }
  const std::vector<int64_t> offsets;
};

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

/// The modes of a contraction: of all three, of a and d, of b and d, of a and
/// b.
struct Modes {
  explicit Modes(const cutensorOperationDescriptor &all) {
    for (int32_t mode : all.d.modes)
      (!all.b.has(mode)   ? rows
       : !all.a.has(mode) ? columns
                          : batches)
          .push_back(mode);
    for (int32_t mode : all.a.modes)
      if (!all.d.has(mode))
        inner.push_back(mode);
  }
  std::vector<int32_t> batches, rows, columns, inner;
};

/// \p packed(i, j) = op(x(i, j)) by columns.
template <typename T>
void pack(Team &team, const T *x, const std::vector<int64_t> &rows,
          const std::vector<int64_t> &columns, cutensorOperator_t op,
          T *packed) {
  const auto height = int64_t(rows.size()), width = int64_t(columns.size());
  forParts(team, height * width, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k)
      packed[k] = applied(
          op, x[rows[size_t(k % height)] + columns[size_t(k / height)]]);
  });
}

template <typename T>
void multiply(Team &team, int64_t m, int64_t n, int64_t k, const T *a,
              const T *b, T *c) {
  if (blasPresent(/*quietly=*/true) && m < INT32_MAX && n < INT32_MAX &&
      k < INT32_MAX) {
    const BlasThreads threads(team.threads());
    blas<T, "gemm">('N', 'N', int(m), int(n), int(k), T(1), a, int(m), b,
                    int(k), T(0), c, int(m));
    return;
  }
  team.forEach(uint64_t(n), [&](uint64_t j) {
    T *column = c + int64_t(j) * m;
    std::fill_n(column, m, T(0));
    for (int64_t l = 0; l < k; ++l) {
      const T factor = b[l + int64_t(j) * k];
      for (int64_t i = 0; i < m; ++i)
        column[i] += a[i + l * m] * factor;
    }
  });
}

template <typename T>
void contract(Team &team, const cutensorOperationDescriptor &all, T alpha,
              const T *a, const T *b, T beta, const T *c, T *d) {
  const Modes modes(all);
  const auto table = [&](const std::vector<int32_t> &which,
                         const Operand &operand) {
    return offsets(which, all, operand);
  };
  const auto rowsA = table(modes.rows, all.a), rowsC = table(modes.rows, all.c),
             rowsD = table(modes.rows, all.d),
             innerA = table(modes.inner, all.a),
             innerB = table(modes.inner, all.b),
             columnsB = table(modes.columns, all.b),
             columnsC = table(modes.columns, all.c),
             columnsD = table(modes.columns, all.d);
  const auto batchA = table(modes.batches, all.a),
             batchB = table(modes.batches, all.b),
             batchC = table(modes.batches, all.c),
             batchD = table(modes.batches, all.d);
  const auto m = int64_t(rowsA.size()), n = int64_t(columnsB.size()),
             k = int64_t(innerA.size());
  std::vector<T> left(size_t(m * k)), right(size_t(k * n)),
      product(size_t(m * n));
  for (size_t batch = 0; batch != batchD.size(); ++batch) {
    pack(team, a + batchA[batch], rowsA, innerA, all.a.op, left.data());
    pack(team, b + batchB[batch], innerB, columnsB, all.b.op, right.data());
    multiply(team, m, n, k, left.data(), right.data(), product.data());
    const T *old = c + batchC[batch];
    T *to = d + batchD[batch];
    forParts(team, m * n, [&](int64_t begin, int64_t end) {
      for (int64_t e = begin; e < end; ++e) {
        const auto i = size_t(e % m), j = size_t(e / m);
        T value = alpha * product[size_t(e)];
        if (beta != T(0))
          value += beta * applied(all.c.op, old[rowsC[i] + columnsC[j]]);
        to[rowsD[i] + columnsD[j]] = value;
      }
    });
  }
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

template <typename T>
void reduce(Team &team, const cutensorOperationDescriptor &all, T alpha,
            const T *a, T beta, const T *c, T *d) {
  std::vector<int32_t> inner;
  for (int32_t mode : all.a.modes)
    if (!all.d.has(mode))
      inner.push_back(mode);
  const std::vector<int64_t> elements = offsets(inner, all, all.a);
  const Places placeA(all, all.a), placeC(all, all.c), placeD(all, all.d);
  const auto count = int64_t(placeD.offsets.size());
  const auto part = [&](int64_t i, size_t begin, size_t end) {
    const T *from = a + placeA[i];
    T sum = applied(all.a.op, from[elements[begin]]);
    for (size_t k = begin + 1; k < end; ++k)
      sum = combined(all.first, sum, applied(all.a.op, from[elements[k]]));
    return sum;
  };
  const auto store = [&](int64_t i, T sum) {
    T value = alpha * sum;
    if (beta != T(0))
      value += beta * applied(all.c.op, c[placeC[i]]);
    d[placeD[i]] = value;
  };
  if (count >= team.threads() || elements.size() < 8192) {
    team.forEach(uint64_t(count), [&](uint64_t i) {
      store(int64_t(i), part(int64_t(i), 0, elements.size()));
    });
    return;
  }
  // Few results: the elements of each are shared.
  const size_t parts = team.threads();
  std::vector<T> sums(parts);
  for (int64_t i = 0; i < count; ++i) {
    team.forEach(parts, [&](uint64_t p) {
      sums[p] = part(i, elements.size() * p / parts,
                     elements.size() * (p + 1) / parts);
    });
    for (size_t p = 1; p != parts; ++p)
      sums[0] = combined(all.first, sums[0], sums[p]);
    store(i, sums[0]);
  }
}

} // namespace

cutensorStatus_t cutensorPermute(cutensorHandle_t handle, cutensorPlan_t plan,
                                 const void *alpha, const void *a, void *b,
                                 cudaStream_t stream) {
  return execute(handle, plan, Kind::Permutation, alpha && a && b, stream,
                 [&]<typename T>(const cutensorOperationDescriptor &all) {
                   return [all, factor = numberAt<T>(alpha),
                           from = static_cast<const T *>(a),
                           to = static_cast<T *>(b)](Team &team) {
                     const Places placeA(all, all.a), placeB(all, all.d);
                     forParts(team, int64_t(placeB.offsets.size()),
                              [&](int64_t begin, int64_t end) {
                                for (int64_t i = begin; i < end; ++i)
                                  to[placeB[i]] =
                                      factor *
                                      applied(all.a.op, from[placeA[i]]);
                              });
                   };
                 });
}

cutensorStatus_t
cutensorElementwiseBinaryExecute(cutensorHandle_t handle, cutensorPlan_t plan,
                                 const void *alpha, const void *a,
                                 const void *gamma, const void *c, void *d,
                                 cudaStream_t stream) {
  return execute(
      handle, plan, Kind::Binary, alpha && a && gamma && c && d, stream,
      [&]<typename T>(const cutensorOperationDescriptor &all) {
        return [all, first = numberAt<T>(alpha), second = numberAt<T>(gamma),
                x = static_cast<const T *>(a), y = static_cast<const T *>(c),
                to = static_cast<T *>(d)](Team &team) {
          const Places placeA(all, all.a), placeC(all, all.c),
              placeD(all, all.d);
          forParts(team, int64_t(placeD.offsets.size()),
                   [&](int64_t begin, int64_t end) {
                     for (int64_t i = begin; i < end; ++i)
                       to[placeD[i]] = combined(
                           all.first, first * applied(all.a.op, x[placeA[i]]),
                           second * applied(all.c.op, y[placeC[i]]));
                   });
        };
      });
}

cutensorStatus_t cutensorElementwiseTrinaryExecute(
    cutensorHandle_t handle, cutensorPlan_t plan, const void *alpha,
    const void *a, const void *beta, const void *b, const void *gamma,
    const void *c, void *d, cudaStream_t stream) {
  return execute(
      handle, plan, Kind::Trinary, alpha && a && beta && b && gamma && c && d,
      stream, [&]<typename T>(const cutensorOperationDescriptor &all) {
        return [all, first = numberAt<T>(alpha), second = numberAt<T>(beta),
                third = numberAt<T>(gamma), x = static_cast<const T *>(a),
                y = static_cast<const T *>(b), z = static_cast<const T *>(c),
                to = static_cast<T *>(d)](Team &team) {
          const Places placeA(all, all.a), placeB(all, all.b),
              placeC(all, all.c), placeD(all, all.d);
          forParts(team, int64_t(placeD.offsets.size()),
                   [&](int64_t begin, int64_t end) {
                     for (int64_t i = begin; i < end; ++i)
                       to[placeD[i]] = combined(
                           all.second,
                           combined(all.first,
                                    first * applied(all.a.op, x[placeA[i]]),
                                    second * applied(all.b.op, y[placeB[i]])),
                           third * applied(all.c.op, z[placeC[i]]));
                   });
        };
      });
}

cutensorStatus_t cutensorReduce(cutensorHandle_t handle, cutensorPlan_t plan,
                                const void *alpha, const void *a,
                                const void *beta, const void *c, void *d,
                                void *, uint64_t, cudaStream_t stream) {
  return execute(
      handle, plan, Kind::Reduction, alpha && a && beta && c && d, stream,
      [&]<typename T>(const cutensorOperationDescriptor &all) {
        return
            [all, factor = numberAt<T>(alpha), kept = numberAt<T>(beta),
             from = static_cast<const T *>(a), old = static_cast<const T *>(c),
             to = static_cast<T *>(d)](Team &team) {
              reduce<T>(team, all, factor, from, kept, old, to);
            };
      });
}

cutensorStatus_t cutensorContract(cutensorHandle_t handle, cutensorPlan_t plan,
                                  const void *alpha, const void *a,
                                  const void *b, const void *beta,
                                  const void *c, void *d, void *, uint64_t,
                                  cudaStream_t stream) {
  return execute(
      handle, plan, Kind::Contraction, alpha && a && b && beta && c && d,
      stream, [&]<typename T>(const cutensorOperationDescriptor &all) {
        return
            [all, factor = numberAt<T>(alpha), kept = numberAt<T>(beta),
             left = static_cast<const T *>(a),
             right = static_cast<const T *>(b), old = static_cast<const T *>(c),
             to = static_cast<T *>(d)](Team &team) {
              contract<T>(team, all, factor, left, right, kept, old, to);
            };
      });
}

} // namespace cufort::cutensor
