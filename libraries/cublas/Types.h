//===- Types.h - elements of any type ---------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For routines that are told the types of their arrays: reading an element as a
// number of a wider type, and writing it.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUBLAS_TYPES_H
#define CUFORT_LIBRARIES_CUBLAS_TYPES_H

#include "libraries/common/NarrowTypes.h"
#include "libraries/cublas/Context.h"
#include <cmath>

namespace cufort::cublas {

using libraries::ofBfloat;
using libraries::ofE4M3;
using libraries::ofE5M2;
using libraries::ofHalf;
using libraries::toBfloat;
using libraries::toE4M3;
using libraries::toE5M2;

/// What of \p x a T can hold.
template <typename T, typename W> T narrowed(W x) {
  if constexpr (IsComplex<W> && !IsComplex<T>)
    return narrowed<T>(x.real());
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(std::nearbyint(x));
  else
    return static_cast<T>(x);
}

/// Calls \p call(load, store) for the type \p type, where load(array, i) is
/// element i as a W, and store(array, i, W) sets it. False: it is none of those
/// that are handled.
template <typename W, typename Call>
bool withType(cudaDataType type, Call &&call) {
  const auto plain = [&]<typename T>(T) {
    call([](const void *a,
            int64_t i) { return W(static_cast<const T *>(a)[i]); },
         [](void *a, int64_t i, W x) {
           static_cast<T *>(a)[i] = narrowed<T>(x);
         });
    return true;
  };
  switch (type) {
  case CUDA_R_32F:
    return plain(float());
  case CUDA_R_64F:
    return plain(double());
  case CUDA_R_8I:
    return plain(int8_t());
  case CUDA_R_32I:
    return plain(int32_t());
  case CUDA_R_16F:
    call([](const void *a,
            int64_t i) { return W(ofHalf(static_cast<const __half *>(a)[i])); },
         [](void *a, int64_t i, W x) {
           static_cast<__half *>(a)[i] = __float2half(narrowed<float>(x));
         });
    return true;
  case CUDA_R_16BF:
    call(
        [](const void *a, int64_t i) {
          return W(ofBfloat(static_cast<const uint16_t *>(a)[i]));
        },
        [](void *a, int64_t i, W x) {
          static_cast<uint16_t *>(a)[i] = toBfloat(narrowed<float>(x));
        });
    return true;
  case CUDA_R_8F_E4M3:
    call(
        [](const void *a, int64_t i) {
          return W(ofE4M3(static_cast<const uint8_t *>(a)[i]));
        },
        [](void *a, int64_t i, W x) {
          static_cast<uint8_t *>(a)[i] = toE4M3(narrowed<float>(x));
        });
    return true;
  case CUDA_R_8F_E5M2:
    call(
        [](const void *a, int64_t i) {
          return W(ofE5M2(static_cast<const uint8_t *>(a)[i]));
        },
        [](void *a, int64_t i, W x) {
          static_cast<uint8_t *>(a)[i] = toE5M2(narrowed<float>(x));
        });
    return true;
  case CUDA_C_32F:
    if constexpr (IsComplex<W>)
      return plain(std::complex<float>());
    return false;
  case CUDA_C_64F:
    if constexpr (IsComplex<W>)
      return plain(std::complex<double>());
    return false;
  default:
    return false;
  }
}

inline size_t sizeOf(cudaDataType type) {
  switch (type) {
  case CUDA_R_8I:
  case CUDA_R_8F_E4M3:
  case CUDA_R_8F_E5M2:
    return 1;
  case CUDA_R_16F:
  case CUDA_R_16BF:
    return 2;
  case CUDA_R_32F:
  case CUDA_R_32I:
    return 4;
  case CUDA_R_64F:
  case CUDA_C_32F:
    return 8;
  case CUDA_C_64F:
    return 16;
  default:
    return 0;
  }
}

/// Whether these numbers are types at all.
inline bool areTypes(std::initializer_list<cudaDataType> types) {
  for (cudaDataType type : types)
    if (type < CUDA_R_32F || type > CUDA_R_4F_E2M1)
      return false;
  return true;
}

/// Where element \p i of a vector of \p n is.
inline int64_t vectorPlace(int64_t i, int n, int inc) {
  return inc >= 0 ? i * inc : (n - 1 - i) * -int64_t(inc);
}

/// Element \p i of an array as a complex number, and setting it.
inline std::complex<double> loadAny(cudaDataType type, const void *a,
                                    int64_t i) {
  std::complex<double> result;
  withType<std::complex<double>>(type,
                                 [&](auto load, auto) { result = load(a, i); });
  return result;
}
inline void storeAny(cudaDataType type, void *a, int64_t i,
                     std::complex<double> x) {
  withType<std::complex<double>>(type,
                                 [&](auto, auto store) { store(a, i, x); });
}

/// A scalar of the type \p type.
class AnyScalar {
public:
  AnyScalar(cublasHandle_t h, const void *pointer, cudaDataType type)
      : pointer(onHost(h) ? nullptr : pointer), type(type) {
    if (onHost(h) && pointer)
      value = loadAny(type, pointer, 0);
  }
  std::complex<double> operator()() const {
    return pointer ? loadAny(type, pointer, 0) : value;
  }

private:
  const void *pointer;
  cudaDataType type;
  std::complex<double> value;
};

/// A product of matrices of given types, C = alpha*op(A)*op(B) + beta*C.
struct TypedProduct {
  cublasOperation_t transa, transb;
  int m, n, k;
  cudaDataType typeA, typeB, typeC;
  int64_t lda, ldb, ldc;

  int rowsA() const { return transa == CUBLAS_OP_N ? m : k; }
  int columnsA() const { return transa == CUBLAS_OP_N ? k : m; }
  int rowsB() const { return transb == CUBLAS_OP_N ? k : n; }
  int columnsB() const { return transb == CUBLAS_OP_N ? n : k; }
  bool isWrong() const {
    return wrong(transa) || wrong(transb) || m < 0 || n < 0 || k < 0 ||
           lda < std::max(1, rowsA()) || ldb < std::max(1, rowsB()) ||
           ldc < std::max(1, m);
  }
};

/// The type of the scalars of a computation on such data; -1: there is none of
/// these types.
int scalarTypeOf(cublasComputeType_t compute, const TypedProduct &product);

/// Computes one product. \p threads: how many OpenBLAS is to use; 0: it uses
/// one anyway, or is told by the caller. \p D: where the result goes, of C's
/// type.
void computeProduct(const TypedProduct &product, std::complex<double> alpha,
                    const void *A, const void *B, std::complex<double> beta,
                    const void *C, void *D, int64_t ldd, unsigned threads);

} // namespace cufort::cublas

#endif // CUFORT_LIBRARIES_CUBLAS_TYPES_H
