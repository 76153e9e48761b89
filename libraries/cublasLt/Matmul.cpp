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
#include <vector>

struct cublasLtContext {};

namespace cufort::cublasLt {

using namespace cufort::libraries;
using cublas::TypedProduct;

namespace {

using Number = std::complex<double>;

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

bool isValid(cublasLtHandle_t h) {
  // A handle of cuBLAS is one of this library as well.
  return handles<cublasLtContext>().isValid(h) ||
         cublas::isValid(reinterpret_cast<cublasHandle_t>(h));
}

/// A product as BLAS computes it, all columns first, and how far apart the
/// arrays of a batch are, in bytes.
struct Problem {
  TypedProduct product;
  MatmulDesc desc;
  bool exchanged; ///< D's rows come first: A and B have changed places
  int count;
  int64_t strideA, strideB, strideC, strideD, ldd;
  cudaDataType wide; ///< the type of the sums
};

cublasOperation_t turned(int op, bool isRow) {
  if (!isRow)
    return static_cast<cublasOperation_t>(op);
  return op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
}

bool isReal(uint32_t type) { return type != CUDA_C_32F && type != CUDA_C_64F; }

cublasStatus_t describe(Problem &p, const MatmulDesc &desc,
                        const MatrixLayout &a, const MatrixLayout &b,
                        const MatrixLayout &c, const MatrixLayout &d) {
  p.desc = desc;
  for (const MatrixLayout *layout : {&a, &b, &c, &d})
    if (layout->order > CUBLASLT_ORDER_ROW ||
        layout->batchMode != CUBLASLT_BATCH_MODE_STRIDED ||
        layout->rows > INT_MAX || layout->columns > INT_MAX ||
        layout->ld > INT_MAX)
      return CUBLAS_STATUS_NOT_SUPPORTED;
  if (desc.transc != CUBLAS_OP_N || desc.fillMode != CUBLAS_FILL_MODE_FULL ||
      desc.pointerMode > CUBLASLT_POINTER_MODE_DEVICE || c.type != d.type ||
      c.order != d.order || desc.scaleA || desc.scaleB || desc.scaleC ||
      desc.scaleD)
    return CUBLAS_STATUS_NOT_SUPPORTED;
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
  if (scalar < 0 || scalar != desc.scaleType)
    return CUBLAS_STATUS_NOT_SUPPORTED;
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
  const cudaDataType biasType = typeOr(desc.biasType, p.product.typeC),
                     auxType = typeOr(desc.auxType, p.product.typeC);
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
  const cudaDataType biasType = typeOr(p.desc.biasType, q.typeC);
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

template <typename W>
void computeReal(Team &team, const Problem &p, int problem, Number alpha,
                 const void *A, const void *B, Number beta, const void *C,
                 void *D, unsigned threads) {
  const TypedProduct &q = p.product;
  TypedProduct sums = q;
  sums.typeC = p.wide;
  const bool direct =
      q.typeC == p.wide && (beta == 0.0 || (C == D && q.ldc == p.ldd));
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
  if (!direct)
    team.forEach(uint64_t(q.n), [&](uint64_t j) {
      cublas::withType<W>(q.typeC, [&](auto, auto store) {
        for (int64_t i = 0; i < q.m; ++i)
          store(D, int64_t(j) * p.ldd + i, x[int64_t(j) * ldx + i]);
      });
    });
}

/// A scalar of either side. \p type: of the description.
Number scalarNow(const MatmulDesc &desc, const void *pointer) {
  return cublas::loadAny(static_cast<cudaDataType>(desc.scaleType), pointer, 0);
}

} // namespace

cublasStatus_t cublasLtCreate(cublasLtHandle_t *h) {
  if (!h)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!blasPresent())
    return CUBLAS_STATUS_NOT_INITIALIZED;
  *h = handles<cublasLtContext>().make();
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t h) {
  return handles<cublasLtContext>().destroy(h) ? CUBLAS_STATUS_SUCCESS
                                               : CUBLAS_STATUS_NOT_INITIALIZED;
}
size_t cublasLtGetVersion() { return CUBLAS_VERSION; }
const char *cublasLtGetStatusName(cublasStatus_t status) {
  return cublas::cublasGetStatusName(status);
}
const char *cublasLtGetStatusString(cublasStatus_t status) {
  return cublas::cublasGetStatusString(status);
}
size_t cublasLtGetCudartVersion() { return cublas::cublasGetCudartVersion(); }
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int *value) {
  return cublas::cublasGetProperty(type, value);
}

// There are no heuristics to keep, and no messages.
cublasStatus_t cublasLtHeuristicsCacheGetCapacity(size_t *capacity) {
  if (!capacity)
    return CUBLAS_STATUS_INVALID_VALUE;
  *capacity = 0;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtHeuristicsCacheSetCapacity(size_t) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerSetFile(FILE *) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerOpenFile(const char *) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerSetLevel(int) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerSetMask(int) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerForceDisable() { return CUBLAS_STATUS_SUCCESS; }

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
  const cublasStatus_t status = describe(
      p, held<MatmulDesc>(desc), held<MatrixLayout>(a), held<MatrixLayout>(b),
      held<MatrixLayout>(c), held<MatrixLayout>(d));
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  if (p.desc.epilogue & (Bias | BiasGradient | BiasGradientA | BiasGradientB) &&
      !p.desc.bias)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (p.desc.epilogue & Auxiliary && !p.desc.aux)
    return CUBLAS_STATUS_INVALID_VALUE;
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
          const void *ai = static_cast<const char *>(A) + i * p.strideA;
          const void *bi = static_cast<const char *>(B) + i * p.strideB;
          const void *ci = static_cast<const char *>(C) + i * p.strideC;
          void *di = static_cast<char *>(D) + i * p.strideD;
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

cublasStatus_t
cublasLtMatrixTransform(cublasLtHandle_t h, cublasLtMatrixTransformDesc_t desc,
                        const void *alpha, const void *A,
                        cublasLtMatrixLayout_t a, const void *beta,
                        const void *B, cublasLtMatrixLayout_t b, void *C,
                        cublasLtMatrixLayout_t c, cudaStream_t stream) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!desc || !a || !c || !alpha || !C || !A || (beta && B && !b))
    return CUBLAS_STATUS_INVALID_VALUE;
  const TransformDesc t = held<TransformDesc>(desc);
  const MatrixLayout la = held<MatrixLayout>(a), lc = held<MatrixLayout>(c);
  const bool hasB = beta && B;
  const MatrixLayout lb = hasB ? held<MatrixLayout>(b) : la;
  for (const MatrixLayout *layout : {&la, &lb, &lc})
    if (layout->order > CUBLASLT_ORDER_ROW || layout->batchCount != 1 ||
        !cublas::sizeOf(static_cast<cudaDataType>(layout->type)))
      return CUBLAS_STATUS_NOT_SUPPORTED;
  const auto matches = [&](const MatrixLayout &m, int op) {
    return (op == CUBLAS_OP_N ? m.rows : m.columns) == lc.rows &&
           (op == CUBLAS_OP_N ? m.columns : m.rows) == lc.columns;
  };
  if (!matches(la, t.transa) || (hasB && !matches(lb, t.transb)))
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto type = static_cast<cudaDataType>(t.scaleType);
  const bool fromHost = t.pointerMode == CUBLASLT_POINTER_MODE_HOST;
  const Number x = fromHost ? cublas::loadAny(type, alpha, 0) : 0,
               y = fromHost && hasB ? cublas::loadAny(type, beta, 0) : 0;
  const auto place = [](const MatrixLayout &m, int64_t i, int64_t j) {
    return m.order == CUBLASLT_ORDER_COL ? j * m.ld + i : i * m.ld + j;
  };
  const auto element = [=](const MatrixLayout &m, const void *array, int op,
                           int64_t i, int64_t j) {
    const Number e =
        cublas::loadAny(static_cast<cudaDataType>(m.type), array,
                        op == CUBLAS_OP_N ? place(m, i, j) : place(m, j, i));
    return op == CUBLAS_OP_C ? std::conj(e) : e;
  };
  const Error error = perform(
      stream, {.small = double(lc.rows) * double(lc.columns) <= 16384},
      [=](Team &team) {
        const Number f = fromHost ? x : cublas::loadAny(type, alpha, 0),
                     g = fromHost || !hasB ? y : cublas::loadAny(type, beta, 0);
        team.forEach(lc.columns, [&](uint64_t column) {
          const auto j = static_cast<int64_t>(column);
          for (int64_t i = 0; i < int64_t(lc.rows); ++i) {
            Number value = f * element(la, A, t.transa, i, j);
            if (hasB)
              value += g * element(lb, B, t.transb, i, j);
            cublas::storeAny(static_cast<cudaDataType>(lc.type), C,
                             place(lc, i, j), value);
          }
        });
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
cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t h, cublasComputeType_t,
                                        cudaDataType, cudaDataType,
                                        cudaDataType, cudaDataType,
                                        cudaDataType, int requested, int *ids,
                                        int *returned) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (requested < 1 || !ids)
    return CUBLAS_STATUS_INVALID_VALUE;
  ids[0] = 0;
  if (returned)
    *returned = 1;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t h, cublasComputeType_t,
                                      cudaDataType, cudaDataType, cudaDataType,
                                      cudaDataType, cudaDataType, int algoId,
                                      cublasLtMatmulAlgo_t *algo) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (algoId != 0 || !algo)
    return CUBLAS_STATUS_INVALID_VALUE;
  *algo = {};
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace cufort::cublasLt
