//===- Routines.cpp - cublasXt on the CPU ---------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The devices of a CPU share its memory: one of them computes the whole.
//
//===----------------------------------------------------------------------===//

#include "cublasXt_functions.h"
#include "libraries/cublas/Context.h"
#include <algorithm>
#include <memory>
#include <new>

struct cublasXtContext {
  cublasHandle_t blas = nullptr;
  int blockDim = 2048;
  cublasXtPinnedMemMode_t pinning = CUBLASXT_PINNING_DISABLED;
};

namespace cufort::cublasXt {

using namespace cufort::libraries;
using cublas::elements;

namespace {

template <typename Call> cublasStatus_t with(cublasXtHandle_t h, Call call) {
  return handles<cublasXtContext>().isValid(h) ? call(*h)
                                               : CUBLAS_STATUS_NOT_INITIALIZED;
}

/// Sizes become ints; addresses are those of the other interface's types.
template <typename To, typename From> To passed(From value) {
  if constexpr (std::is_pointer_v<To>)
    return reinterpret_cast<To>(value);
  else
    return static_cast<To>(value);
}

template <typename T> bool fits(T value) {
  if constexpr (std::is_same_v<T, size_t>)
    return value <= INT_MAX;
  return true;
}

template <typename... Parameters, typename... Arguments>
cublasStatus_t call(cublasStatus_t (*routine)(cublasHandle_t, Parameters...),
                    cublasHandle_t h, Arguments... arguments) {
  return routine(h, passed<Parameters>(arguments)...);
}

/// Calls the routine of cuBLAS and waits for it.
template <auto Routine, typename... Arguments>
cublasStatus_t route(cublasXtHandle_t h, Arguments... arguments) {
  return with(h, [&](cublasXtContext &c) {
    if (!(fits(arguments) && ...))
      return CUBLAS_STATUS_NOT_SUPPORTED;
    const cublasStatus_t status = call(Routine, c.blas, arguments...);
    if (status != CUBLAS_STATUS_SUCCESS)
      return status;
    return cudaStreamSynchronize(nullptr) == ::cudaSuccess
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_EXECUTION_FAILED;
  });
}

/// The product with a packed symmetric matrix: it is unpacked first.
template <auto Unpack, auto Multiply, typename T>
cublasStatus_t spmm(cublasXtHandle_t h, cublasSideMode_t side,
                    cublasFillMode_t uplo, size_t m, size_t n, const T *alpha,
                    const T *AP, const T *B, size_t ldb, const T *beta, T *C,
                    size_t ldc) {
  return with(h, [&](cublasXtContext &c) {
    const size_t order = std::max<size_t>(1, side == CUBLAS_SIDE_LEFT ? m : n);
    if (!fits(order))
      return CUBLAS_STATUS_NOT_SUPPORTED;
    const std::unique_ptr<T[]> whole(new (std::nothrow) T[order * order]);
    if (!whole)
      return CUBLAS_STATUS_ALLOC_FAILED;
    cublasStatus_t status =
        call(Unpack, c.blas, uplo, order, AP, whole.get(), order);
    if (status == CUBLAS_STATUS_SUCCESS)
      status = route<Multiply>(h, side, uplo, m, n, alpha, whole.get(), order,
                               B, ldb, beta, C, ldc);
    // Where the product was refused, too.
    cudaStreamSynchronize(nullptr);
    return status;
  });
}

} // namespace

cublasStatus_t cublasXtCreate(cublasXtHandle_t *h) {
  if (!h)
    return CUBLAS_STATUS_INVALID_VALUE;
  cublasHandle_t blas;
  const cublasStatus_t status = cublas::cublasCreate_v2(&blas);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  *h = handles<cublasXtContext>().make();
  (*h)->blas = blas;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtDestroy(cublasXtHandle_t h) {
  if (!h)
    return CUBLAS_STATUS_INVALID_VALUE;
  return with(h, [&](cublasXtContext &c) {
    cublas::cublasDestroy_v2(c.blas);
    handles<cublasXtContext>().destroy(h);
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasXtGetNumBoards(int nbDevices, int *, int *nbBoards) {
  if (nbDevices <= 0 || !nbBoards)
    return CUBLAS_STATUS_INVALID_VALUE;
  *nbBoards = 1;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtMaxBoards(int *nbGpuBoards) {
  if (!nbGpuBoards)
    return CUBLAS_STATUS_INVALID_VALUE;
  *nbGpuBoards = 32;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t h, int nbDevices,
                                    int *deviceId) {
  return with(h, [&](cublasXtContext &) {
    int devices = 0;
    if (nbDevices <= 0 || !deviceId ||
        cudaGetDeviceCount(&devices) != ::cudaSuccess)
      return CUBLAS_STATUS_INVALID_VALUE;
    for (int i = 0; i < nbDevices; ++i)
      if (deviceId[i] < 0 || deviceId[i] >= devices)
        return CUBLAS_STATUS_INVALID_VALUE;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t h, int blockDim) {
  return with(h, [&](cublasXtContext &c) {
    if (blockDim <= 0)
      return CUBLAS_STATUS_INVALID_VALUE;
    c.blockDim = blockDim;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t h, int *blockDim) {
  return with(h, [&](cublasXtContext &c) {
    if (!blockDim)
      return CUBLAS_STATUS_INVALID_VALUE;
    *blockDim = c.blockDim;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t h,
                                         cublasXtPinnedMemMode_t *mode) {
  return with(h, [&](cublasXtContext &c) {
    if (!mode)
      return CUBLAS_STATUS_INVALID_VALUE;
    *mode = c.pinning;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t h,
                                         cublasXtPinnedMemMode_t mode) {
  return with(h, [&](cublasXtContext &c) {
    if (mode != CUBLASXT_PINNING_DISABLED && mode != CUBLASXT_PINNING_ENABLED)
      return CUBLAS_STATUS_INVALID_VALUE;
    c.pinning = mode;
    return CUBLAS_STATUS_SUCCESS;
  });
}

// What a CPU may do beside GPUs: here it does all.
cublasStatus_t cublasXtSetCpuRoutine(cublasXtHandle_t h, cublasXtBlasOp_t,
                                     cublasXtOpType_t, void *) {
  return with(h, [](cublasXtContext &) { return CUBLAS_STATUS_SUCCESS; });
}
cublasStatus_t cublasXtSetCpuRatio(cublasXtHandle_t h, cublasXtBlasOp_t,
                                   cublasXtOpType_t, float) {
  return with(h, [](cublasXtContext &) { return CUBLAS_STATUS_SUCCESS; });
}

} // namespace cufort::cublasXt

#include "cublasXt_Routines.inc"
