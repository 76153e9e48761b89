//===- Legacy.cpp - cuBLAS without handles --------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cublas/Legacy.h"
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace cufort::cublas {

namespace {

/// What a thread has.
struct OfThread {
  std::vector<cublasHandle_t> handles, hidden; ///< by the numbers of devices
  cublasStatus_t error = CUBLAS_STATUS_SUCCESS;

  ~OfThread() {
    // With the first thread the process ends, and with it the devices.
    if (syscall(SYS_gettid) != getpid())
      destroy();
  }
  void destroy() {
    for (auto *all : {&handles, &hidden}) {
      for (cublasHandle_t handle : *all)
        if (handle)
          cublasDestroy_v2(handle);
      all->clear();
    }
  }
};

thread_local OfThread Own;

cublasHandle_t handleOf(std::vector<cublasHandle_t> &all) {
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess)
    return nullptr;
  const auto index = static_cast<size_t>(device);
  if (all.size() <= index)
    all.resize(index + 1);
  cublasHandle_t &handle = all[index];
  if (!handle) {
    const cublasStatus_t status = cublasCreate_v2(&handle);
    if (status != CUBLAS_STATUS_SUCCESS) {
      handle = nullptr;
      Own.error = status;
    }
  }
  return handle;
}

} // namespace

cublasHandle_t defaultHandle() { return handleOf(Own.handles); }
cublasHandle_t hiddenHandle() { return handleOf(Own.hidden); }

Legacy::Legacy(cublasPointerMode_t scalars) : used(defaultHandle()) {
  changed = used &&
            cublasGetPointerMode_v2(used, &before) == CUBLAS_STATUS_SUCCESS &&
            before != scalars;
  if (changed)
    cublasSetPointerMode_v2(used, scalars);
}

Legacy::~Legacy() {
  if (changed)
    cublasSetPointerMode_v2(used, before);
}

void Legacy::ended(cublasStatus_t status) const {
  if (status != CUBLAS_STATUS_SUCCESS)
    Own.error = status;
}

} // namespace cufort::cublas

using namespace cufort::cublas;

#define CUFORT_EXPORT extern "C" [[gnu::visibility("default")]]

CUFORT_EXPORT cublasHandle_t __cufort_cublasGetHandle() {
  return defaultHandle();
}

CUFORT_EXPORT cublasStatus_t cublasInit() {
  return defaultHandle() ? CUBLAS_STATUS_SUCCESS
                         : CUBLAS_STATUS_NOT_INITIALIZED;
}
CUFORT_EXPORT cublasStatus_t cublasShutdown() {
  Own.destroy();
  return CUBLAS_STATUS_SUCCESS;
}
CUFORT_EXPORT cublasStatus_t cublasGetError() {
  return std::exchange(Own.error, CUBLAS_STATUS_SUCCESS);
}
CUFORT_EXPORT cublasStatus_t cublasGetVersion(int *version) {
  const cublasHandle_t handle = defaultHandle();
  return handle ? cublasGetVersion_v2(handle, version)
                : CUBLAS_STATUS_NOT_INITIALIZED;
}
CUFORT_EXPORT cublasStatus_t cublasAlloc(int n, int elemSize,
                                         void **devicePtr) {
  if (n <= 0 || elemSize <= 0 || !devicePtr)
    return CUBLAS_STATUS_INVALID_VALUE;
  return cudaMalloc(devicePtr, size_t(n) * size_t(elemSize)) == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_ALLOC_FAILED;
}
CUFORT_EXPORT cublasStatus_t cublasFree(void *devicePtr) {
  return cudaFree(devicePtr) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                            : CUBLAS_STATUS_INTERNAL_ERROR;
}
CUFORT_EXPORT cublasStatus_t cublasSetKernelStream(cudaStream_t stream) {
  const cublasHandle_t handle = defaultHandle();
  return handle ? cublasSetStream_v2(handle, stream)
                : CUBLAS_STATUS_NOT_INITIALIZED;
}
CUFORT_EXPORT void cublasCrotg(cuComplex *a, cuComplex b, float *c,
                               cuComplex *s) {
  const Legacy legacy(Legacy::Host);
  legacy.ended(cublasCrotg_v2(legacy.handle(), a, &b, c, s));
}
CUFORT_EXPORT void cublasZrotg(cuDoubleComplex *a, cuDoubleComplex b, double *c,
                               cuDoubleComplex *s) {
  const Legacy legacy(Legacy::Host);
  legacy.ended(cublasZrotg_v2(legacy.handle(), a, &b, c, s));
}
