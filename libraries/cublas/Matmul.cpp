//===- Matmul.cpp - matmul of device arrays in host code ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Called by modules/intrinsics.cpp for products that are so large that opening
// a library pays. Whether one is taken depends on the sizes alone, so that the
// same product is computed in the same way each time.
//
//===----------------------------------------------------------------------===//

#include "cublas_functions.h"
#include "libraries/common/Blas.h"
#include "libraries/common/Dispatch.h"
#include "libraries/cublas/Legacy.h"

namespace cufort::cublas {

namespace {

using namespace cufort::libraries;

/// Multiplications from which on a library is opened: that of a GPU takes part
/// of a second.
constexpr double LargeOnCpu = 1 << 23, LargeOnGpu = 1 << 30;

enum class Library { None, OfCpu, OfGpu };

Library findLibrary() {
  bool usable;
  if (onGpu(&usable))
    return openVendorLibrary(VendorFiles) ? Library::OfGpu : Library::None;
  return usable && blasPresent(/*quietly=*/true) ? Library::OfCpu
                                                 : Library::None;
}

template <typename T, typename R>
bool multiply(cublasStatus_t (*gemm)(cublasHandle_t, cublasOperation_t,
                                     cublasOperation_t, int, int, int,
                                     const T *, const T *, int, const T *, int,
                                     const T *, T *, int),
              void *c, const void *a, const void *b, int m, int n, int k,
              R one) {
  const cublasHandle_t handle = hiddenHandle();
  if (!handle)
    return false;
  T alpha{}, beta{};
  *reinterpret_cast<R *>(&alpha) = one;
  return gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha,
              static_cast<const T *>(a), m, static_cast<const T *>(b), k, &beta,
              static_cast<T *>(c), m) == CUBLAS_STATUS_SUCCESS;
}

} // namespace

} // namespace cufort::cublas

using namespace cufort::cublas;

/// False: the caller's kernel is to do it.
extern "C" [[gnu::visibility("default")]] bool
__cufort_library_matmul(char type, void *c, const void *a, const void *b,
                        int64_t m, int64_t n, int64_t k) {
  const double work = double(m) * double(n) * double(k);
  if (!type || work < LargeOnCpu || !cufort::libraries::areInts({m, n, k}))
    return false;
  static const Library library = findLibrary();
  if (library == Library::None ||
      (library == Library::OfGpu && work < LargeOnGpu))
    return false;
  const int rows = static_cast<int>(m), columns = static_cast<int>(n),
            inner = static_cast<int>(k);
  switch (type) {
  case 's':
    return multiply(::cublasSgemm_v2, c, a, b, rows, columns, inner, 1.0f);
  case 'd':
    return multiply(::cublasDgemm_v2, c, a, b, rows, columns, inner, 1.0);
  case 'c':
    return multiply(::cublasCgemm_v2, c, a, b, rows, columns, inner, 1.0f);
  default:
    return multiply(::cublasZgemm_v2, c, a, b, rows, columns, inner, 1.0);
  }
}
