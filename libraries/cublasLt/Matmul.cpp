//===- Matmul.cpp - cublasLt on the CPU: products -------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BLAS multiplies, in the precision of the computation; what follows (the
// epilogue) is done on those sums, which are rounded to the result's type last.
//
//===----------------------------------------------------------------------===//

#include "libraries/cublas/Types.h"
#include "libraries/cublasLt/Descriptors.h"
#include <algorithm>
#include <vector>

namespace cufort::cublasLt {

using namespace cufort::libraries;
using cublas::TypedProduct;

namespace {

enum EpilogueBit : uint32_t {
  Relu = 2,
  Bias = 4,
  ReluGradient = 8,
  BiasGradient = 16,
  Gelu = 32,
  GeluGradient = 64,
  Auxiliary = 128,
  BiasGradientA = 256,
  BiasGradientB = 512
};

/// A product as BLAS computes it, all columns first, and how far apart the
/// arrays of a batch are, in bytes.
struct Problem {
  TypedProduct product;
  MatmulDesc desc;
  bool exchanged; ///< D's rows come first: A and B have changed places
  int count;
  bool listed; ///< the arrays of a batch are in lists of their addresses
  int64_t strideA, strideB, strideC, strideD, ldd;
  cudaDataType wide; ///< the type of the sums
  cudaDataType typeD, typeBias;

  /// Matrix \p i of a batch.
  template <typename Void> Void *at(Void *array, int64_t stride, int i) const {
    if (listed)
      return static_cast<Void *const *>(static_cast<const void *>(array))[i];
    using Byte = std::conditional_t<std::is_const_v<Void>, const char, char>;
    return static_cast<Byte *>(array) + i * stride;
  }
};

cublasOperation_t turned(int op, bool isRow) {
  if (!isRow)
    return static_cast<cublasOperation_t>(op);
  return op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
}

bool isFloat8(uint32_t type) {
  return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2;
}

/// Whether there are products of floats of eight bits of these types.
bool areFloat8(const MatmulDesc &desc, uint32_t a, uint32_t b, uint32_t c,
               uint32_t d) {
  const bool half = c == CUDA_R_16F || c == CUDA_R_16BF;
  return isFloat8(a) && isFloat8(b) &&
         !(a == CUDA_R_8F_E5M2 && b == CUDA_R_8F_E5M2) &&
         (isFloat8(d) ? half || c == d : c == d && (half || c == CUDA_R_32F)) &&
         (desc.computeType == CUBLAS_COMPUTE_32F ||
          desc.computeType == CUBLAS_COMPUTE_32F_PEDANTIC) &&
         desc.scaleType == CUDA_R_32F;
}

bool isReal(uint32_t type) { return type != CUDA_C_32F && type != CUDA_C_64F; }

cublasStatus_t describe(Problem &p, const MatmulDesc &desc,
                        const MatrixLayout &a, const MatrixLayout &b,
                        const MatrixLayout &c, const MatrixLayout &d) {
  p.desc = desc;
  for (const MatrixLayout *layout : {&a, &b, &c, &d})
    if (layout->order > CUBLASLT_ORDER_ROW ||
        layout->batchMode != d.batchMode || layout->rows > INT_MAX ||
        layout->columns > INT_MAX || layout->ld > INT_MAX)
      return CUBLAS_STATUS_NOT_SUPPORTED;
  const bool float8 = areFloat8(desc, a.type, b.type, c.type, d.type);
  const bool scaled =
      desc.scaleA || desc.scaleB || desc.scaleC || desc.scaleD || desc.largestD;
  if (desc.transc != CUBLAS_OP_N || desc.fillMode != CUBLAS_FILL_MODE_FULL ||
      desc.pointerMode > CUBLASLT_POINTER_MODE_DEVICE || c.order != d.order ||
      (!float8 && (c.type != d.type || scaled)) ||
      std::ranges::any_of(desc.scaleModes, [](int mode) {
        return mode != CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F;
      }))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  p.listed = d.batchMode == CUBLASLT_BATCH_MODE_POINTER_ARRAY;
  for (auto [layout, op] : {std::pair(&a, desc.transa), {&b, desc.transb}}) {
    if (op < CUBLAS_OP_N || op > CUBLAS_OP_C)
      return CUBLAS_STATUS_INVALID_VALUE;
    if (op == CUBLAS_OP_C && layout->order != d.order && !isReal(layout->type))
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  const auto size = [](const MatrixLayout &m, int op, bool rows) {
    return static_cast<int>((op == CUBLAS_OP_N) == rows ? m.rows : m.columns);
  };
  const int m = size(a, desc.transa, true), k = size(a, desc.transa, false),
            n = size(b, desc.transb, false);
  if (size(b, desc.transb, true) != k || d.rows != uint64_t(m) ||
      d.columns != uint64_t(n) || c.rows != d.rows || c.columns != d.columns)
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto type = [](const MatrixLayout &layout) {
    return static_cast<cudaDataType>(layout.type);
  };
  // A matrix whose rows come first is the transposed one.
  const bool rowA = a.order == CUBLASLT_ORDER_ROW,
             rowB = b.order == CUBLASLT_ORDER_ROW;
  p.exchanged = d.order == CUBLASLT_ORDER_ROW;
  const auto opA = turned(desc.transa, rowA != p.exchanged),
             opB = turned(desc.transb, rowB != p.exchanged);
  p.product = p.exchanged
                  ? TypedProduct{opB,     opA,     n,    m,    k,   type(b),
                                 type(a), type(d), b.ld, a.ld, c.ld}
                  : TypedProduct{opA,     opB,     m,    n,    k,   type(a),
                                 type(b), type(d), a.ld, b.ld, c.ld};
  p.ldd = d.ld;
  if (p.product.isWrong() || d.ld < std::max(1, p.product.m))
    return CUBLAS_STATUS_INVALID_VALUE;
  p.count = d.batchCount;
  for (const MatrixLayout *layout : {&a, &b, &c})
    if (layout->batchCount != d.batchCount)
      return CUBLAS_STATUS_INVALID_VALUE;
  const auto bytes = [&](const MatrixLayout &layout) {
    return layout.stride * static_cast<int64_t>(cublas::sizeOf(type(layout)));
  };
  p.strideA = bytes(a), p.strideB = bytes(b), p.strideC = bytes(c);
  p.strideD = bytes(d);
  const int scalar = cublas::scalarTypeOf(
      static_cast<cublasComputeType_t>(desc.computeType), p.product);
  if (!float8 && (scalar < 0 || scalar != desc.scaleType))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  p.typeD = type(d);
  p.typeBias = !float8                ? p.typeD
               : isFloat8(c.type)     ? CUDA_R_16F
               : isFloat8(d.type)     ? type(c)
               : d.type == CUDA_R_16F ? CUDA_R_16F
                                      : CUDA_R_16BF;
  const cudaDataType in = p.product.typeA;
  p.wide = in == CUDA_C_32F || in == CUDA_C_64F || in == CUDA_R_64F ? in
           : type(d) == CUDA_R_32I ? CUDA_R_64F
                                   : CUDA_R_32F;
  const uint32_t known = Relu | Bias | ReluGradient | BiasGradient | Gelu |
                         GeluGradient | Auxiliary | BiasGradientA |
                         BiasGradientB | 1;
  if (desc.epilogue & ~known)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (desc.epilogue != CUBLASLT_EPILOGUE_DEFAULT &&
      (!isReal(p.wide) || p.exchanged))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return CUBLAS_STATUS_SUCCESS;
}

double gelu(double x) {
  return 0.5 * x *
         (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}
double geluSlope(double x) {
  const double t = std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * 0.7978845608028654 *
                             (1 + 3 * 0.044715 * x * x);
}

cudaDataType typeOr(int32_t type, cudaDataType otherwise) {
  return type < 0 ? otherwise : static_cast<cudaDataType>(type);
}

/// What follows the product of one problem, on its sums \p x.
template <typename W>
void finish(Team *team, const Problem &p, int problem, W *x, int64_t ldx) {
  const MatmulDesc &desc = p.desc;
  const uint32_t what = desc.epilogue;
  const cudaDataType biasType = typeOr(desc.biasType, p.typeBias),
                     auxType = typeOr(desc.auxType, p.typeD);
  const int64_t firstBias = problem * desc.biasStride,
                firstAux = problem * desc.auxStride;
  auto *bits = static_cast<uint8_t *>(desc.aux) + firstAux / 8;
  const auto column = [&](uint64_t j) {
    for (int64_t i = 0; i < p.product.m; ++i) {
      double value = x[j * ldx + i];
      if (what & Bias)
        value += cublas::loadAny(biasType, desc.bias, firstBias + i).real();
      const int64_t at = firstAux + int64_t(j) * desc.auxLd + i;
      uint8_t &byte = bits[(int64_t(j) * desc.auxLd + i) / 8];
      const auto bit = static_cast<uint8_t>(1 << (i % 8));
      if (what & Relu) {
        if (what & Auxiliary)
          byte = value > 0 ? byte | bit : byte & ~bit;
        value = value > 0 ? value : 0;
      } else if (what & Gelu) {
        if (what & Auxiliary)
          cublas::storeAny(auxType, desc.aux, at, value);
        value = gelu(value);
      } else if (what & ReluGradient) {
        value = byte & bit ? value : 0;
      } else if (what & GeluGradient) {
        value *= geluSlope(cublas::loadAny(auxType, desc.aux, at).real());
      }
      x[j * ldx + i] = static_cast<W>(value);
    }
  };
  // The columns have bytes of the mask of their own.
  if (team)
    team->forEach(uint64_t(p.product.n), column);
  else
    for (int j = 0; j < p.product.n; ++j)
      column(uint64_t(j));
  if (what & BiasGradient)
    for (int64_t i = 0; i < p.product.m; ++i) {
      double sum = 0;
      for (int64_t j = 0; j < p.product.n; ++j)
        sum += x[j * ldx + i];
      cublas::storeAny(biasType, desc.bias, firstBias + i, sum);
    }
}

/// Sums of the rows of op(A), or of the columns of op(B).
void sumInput(const Problem &p, int problem, const void *A, const void *B) {
  const bool ofA = p.desc.epilogue & BiasGradientA;
  const TypedProduct &q = p.product;
  const cudaDataType biasType = typeOr(p.desc.biasType, p.typeBias);
  for (int64_t i = 0; i < (ofA ? q.m : q.n); ++i) {
    double sum = 0;
    for (int64_t l = 0; l < q.k; ++l)
      sum += ofA ? cublas::loadAny(q.typeA, A,
                                   q.transa == CUBLAS_OP_N ? l * q.lda + i
                                                           : i * q.lda + l)
                       .real()
                 : cublas::loadAny(q.typeB, B,
                                   q.transb == CUBLAS_OP_N ? i * q.ldb + l
                                                           : l * q.ldb + i)
                       .real();
    cublas::storeAny(biasType, p.desc.bias, problem * p.desc.biasStride + i,
                     sum);
  }
}

/// A scale of the device's, 1 where there is none.
float factorOf(const float *scale) { return scale ? *scale : 1; }

/// The largest magnitude of a result, before it is scaled.
template <typename W>
void keepLargest(const Problem &p, const W *x, int64_t ldx) {
  W largest = 0;
  for (int64_t j = 0; j < p.product.n; ++j)
    for (int64_t i = 0; i < p.product.m; ++i)
      largest = std::max(largest, std::abs(x[j * ldx + i]));
  *p.desc.largestD = static_cast<float>(largest);
}

template <typename W>
void computeReal(Team &team, const Problem &p, int problem, Number alpha,
                 const void *A, const void *B, Number beta, const void *C,
                 void *D, unsigned threads) {
  const TypedProduct &q = p.product;
  TypedProduct sums = q;
  sums.typeC = p.wide;
  const MatmulDesc &desc = p.desc;
  alpha *= factorOf(desc.scaleA) * factorOf(desc.scaleB);
  if (isFloat8(q.typeC))
    beta *= factorOf(desc.scaleC);
  const bool direct = p.typeD == p.wide && q.typeC == p.wide &&
                      (beta == 0.0 || (C == D && q.ldc == p.ldd));
  std::vector<W> own(direct ? 0 : size_t(q.m) * q.n);
  W *x = direct ? static_cast<W *>(D) : own.data();
  const int64_t ldx = direct ? p.ldd : q.m;
  sums.ldc = ldx;
  if (!direct && beta != 0.0)
    for (int64_t j = 0; j < q.n; ++j)
      for (int64_t i = 0; i < q.m; ++i)
        x[j * ldx + i] =
            static_cast<W>(cublas::loadAny(q.typeC, C, j * q.ldc + i).real());
  cublas::computeProduct(sums, alpha, A, B, beta, x, x, ldx, threads);
  if (p.desc.epilogue & ~(1u | BiasGradientA | BiasGradientB))
    finish(&team, p, problem, x, ldx);
  if (p.desc.epilogue & (BiasGradientA | BiasGradientB))
    sumInput(p, problem, A, B);
  if (desc.largestD)
    keepLargest(p, x, ldx);
  const W scale = isFloat8(p.typeD) ? W(factorOf(desc.scaleD)) : W(1);
  if (!direct)
    team.forEach(uint64_t(q.n), [&](uint64_t j) {
      cublas::withType<W>(p.typeD, [&](auto, auto store) {
        for (int64_t i = 0; i < q.m; ++i)
          store(D, int64_t(j) * p.ldd + i, scale * x[int64_t(j) * ldx + i]);
      });
    });
}

/// Whether the pointers of the epilogue are those that it needs. NVIDIA's
/// library refuses those that it does not need, too (13.0 on an H200).
cublasStatus_t checkEpilogue(const Problem &p) {
  const MatmulDesc &desc = p.desc;
  const uint32_t what = desc.epilogue;
  const bool needsBias =
      what & (Bias | BiasGradient | BiasGradientA | BiasGradientB);
  if (needsBias != (desc.bias != nullptr))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!(what & Auxiliary)) {
    if (!desc.aux || needsBias)
      return CUBLAS_STATUS_SUCCESS;
    return what & (Relu | Gelu) ? CUBLAS_STATUS_NOT_SUPPORTED
                                : CUBLAS_STATUS_INVALID_VALUE;
  }
  if (!desc.aux)
    return CUBLAS_STATUS_INVALID_VALUE;
  // The mask of a column is whole groups of 16 bytes.
  const bool hasMask = what & (Relu | ReluGradient);
  return hasMask && (desc.auxLd % 128 || desc.auxLd < p.product.m)
             ? CUBLAS_STATUS_INVALID_VALUE
             : CUBLAS_STATUS_SUCCESS;
}

/// A scalar of either side. \p type: of the description.
Number scalarNow(const MatmulDesc &desc, const void *pointer) {
  return cublas::loadAny(static_cast<cudaDataType>(desc.scaleType), pointer, 0);
}

} // namespace

cublasStatus_t cublasLtMatmul(cublasLtHandle_t h, cublasLtMatmulDesc_t desc,
                              const void *alpha, const void *A,
                              cublasLtMatrixLayout_t a, const void *B,
                              cublasLtMatrixLayout_t b, const void *beta,
                              const void *C, cublasLtMatrixLayout_t c, void *D,
                              cublasLtMatrixLayout_t d,
                              const cublasLtMatmulAlgo_t *, void *, size_t,
                              cudaStream_t stream) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!desc || !a || !b || !c || !d || !alpha || !beta)
    return CUBLAS_STATUS_INVALID_VALUE;
  Problem p;
  cublasStatus_t status = describe(
      p, held<MatmulDesc>(desc), held<MatrixLayout>(a), held<MatrixLayout>(b),
      held<MatrixLayout>(c), held<MatrixLayout>(d));
  if (status == CUBLAS_STATUS_SUCCESS)
    status = checkEpilogue(p);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  if (p.product.m == 0 || p.product.n == 0 || p.count == 0)
    return CUBLAS_STATUS_SUCCESS;
  if (p.exchanged) {
    std::swap(A, B);
    std::swap(p.strideA, p.strideB);
  }
  const bool fromHost = p.desc.pointerMode == CUBLASLT_POINTER_MODE_HOST;
  const Number x = fromHost ? scalarNow(p.desc, alpha) : 0,
               y = fromHost ? scalarNow(p.desc, beta) : 0;
  const double work = double(p.product.m) * p.product.n * p.product.k;
  const bool single = work <= BlasSmall::Level3;
  const Error error = perform(
      stream, {.small = work * p.count <= BlasSmall::Level3}, [=](Team &team) {
        const Number factor = fromHost ? x : scalarNow(p.desc, alpha),
                     kept = fromHost ? y : scalarNow(p.desc, beta);
        const unsigned threads = single ? 0 : team.threads();
        for (int i = 0; i < p.count; ++i) {
          const void *ai = p.at(A, p.strideA, i);
          const void *bi = p.at(B, p.strideB, i);
          const void *ci = p.at(C, p.strideC, i);
          void *di = p.at(D, p.strideD, i);
          if (!isReal(p.wide))
            cublas::computeProduct(p.product, factor, ai, bi, kept, ci, di,
                                   p.ldd, threads);
          else if (p.wide == CUDA_R_64F)
            computeReal<double>(team, p, i, factor, ai, bi, kept, ci, di,
                                threads);
          else
            computeReal<float>(team, p, i, factor, ai, bi, kept, ci, di,
                               threads);
        }
      });
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                              : CUBLAS_STATUS_EXECUTION_FAILED;
}

//===----------------------------------------------------------------------===//
// Ways to compute: there is one
//===----------------------------------------------------------------------===//

cublasStatus_t
cublasLtMatmulAlgoCheck(cublasLtHandle_t h, cublasLtMatmulDesc_t desc,
                        cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                        cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                        const cublasLtMatmulAlgo_t *algo,
                        cublasLtMatmulHeuristicResult_t *result) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!desc || !a || !b || !c || !d || !result)
    return CUBLAS_STATUS_INVALID_VALUE;
  Problem p;
  const cublasStatus_t status = describe(
      p, held<MatmulDesc>(desc), held<MatrixLayout>(a), held<MatrixLayout>(b),
      held<MatrixLayout>(c), held<MatrixLayout>(d));
  *result = {};
  if (algo)
    result->algo = *algo;
  else
    cublasLt::cublasLtMatmulAlgoInit(h, CUBLAS_COMPUTE_32F, CUDA_R_32F,
                                     CUDA_R_32F, CUDA_R_32F, CUDA_R_32F,
                                     CUDA_R_32F, 0, &result->algo);
  result->state = status;
  result->wavesCount = 1;
  return status;
}
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t h, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
    cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
    cublasLtMatrixLayout_t d, cublasLtMatmulPreference_t preference,
    int requested, cublasLtMatmulHeuristicResult_t *results, int *returned) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!preference || requested < 1 || !results || !returned)
    return CUBLAS_STATUS_INVALID_VALUE;
  *returned = 0;
  const cublasStatus_t status =
      cublasLt::cublasLtMatmulAlgoCheck(h, desc, a, b, c, d, nullptr, results);
  *returned = status == CUBLAS_STATUS_SUCCESS;
  return status;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristicForStream(
    cublasLtHandle_t h, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
    cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
    cublasLtMatrixLayout_t d, cublasLtMatmulPreference_t preference,
    int requested, cublasLtMatmulHeuristicResult_t *results, int *returned,
    cudaStream_t) {
  return cublasLt::cublasLtMatmulAlgoGetHeuristic(
      h, desc, a, b, c, d, preference, requested, results, returned);
}
} // namespace cufort::cublasLt
