//===- Handle.cpp - cuSOLVER's objects on the CPU -------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cusolverDn/Jacobi.h"
#include "libraries/cusolverDn/Objects.h"

namespace cufort::cusolverDn {

bool isLive(cusolverDnHandle_t handle) {
  return handles<cusolverDnContext>().isValid(handle);
}
bool isLive(syevjInfo_t info) { return handles<syevjInfo>().isValid(info); }
bool isLive(gesvdjInfo_t info) { return handles<gesvdjInfo>().isValid(info); }

cusolverStatus_t cusolverGetVersion(int *version) {
  if (!version)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *version = CUSOLVER_VERSION;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int *value) {
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL)
    return CUSOLVER_STATUS_INVALID_VALUE;
  constexpr int Parts[] = {CUSOLVER_VER_MAJOR, CUSOLVER_VER_MINOR,
                           CUSOLVER_VER_PATCH};
  *value = Parts[type];
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle) {
  return create(handle);
}
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  return destroy(handle);
}

cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle,
                                     cudaStream_t stream) {
  return onLive(handle, [&] {
    handle->stream = stream;
    return true;
  });
}
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle,
                                     cudaStream_t *stream) {
  return answer(handle, stream, &cusolverDnContext::stream);
}

cusolverStatus_t
cusolverDnSetDeterministicMode(cusolverDnHandle_t handle,
                               cusolverDeterministicMode_t mode) {
  if (isLive(handle) && mode != CUSOLVER_DETERMINISTIC_RESULTS &&
      mode != CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS)
    return CUSOLVER_STATUS_INTERNAL_ERROR;
  return onLive(handle, [&] {
    handle->deterministic = mode;
    return true;
  });
}
cusolverStatus_t
cusolverDnGetDeterministicMode(cusolverDnHandle_t handle,
                               cusolverDeterministicMode_t *mode) {
  return answer(handle, mode, &cusolverDnContext::deterministic);
}

// Products are exact to their type's precision whatever is set.
cusolverStatus_t cusolverDnSetMathMode(cusolverDnHandle_t handle,
                                       cusolverMathMode_t mode) {
  return onLive(handle, [&] {
    handle->math = mode;
    return mode >= CUSOLVER_DEFAULT_MATH &&
           mode <= CUSOLVER_FP32_EMULATED_BF16X9_MATH;
  });
}
cusolverStatus_t cusolverDnGetMathMode(cusolverDnHandle_t handle,
                                       cusolverMathMode_t *mode) {
  return answer(handle, mode, &cusolverDnContext::math);
}
cusolverStatus_t
cusolverDnSetEmulationStrategy(cusolverDnHandle_t handle,
                               cudaEmulationStrategy_t strategy) {
  return onLive(handle, [&] {
    handle->emulation = strategy;
    return true;
  });
}
cusolverStatus_t
cusolverDnGetEmulationStrategy(cusolverDnHandle_t handle,
                               cudaEmulationStrategy_t *strategy) {
  return answer(handle, strategy, &cusolverDnContext::emulation);
}

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params) {
  return create(params);
}
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params) {
  return destroy(params);
}
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params,
                                         cusolverDnFunction_t function,
                                         cusolverAlgMode_t algo) {
  return onLive(params, [=] {
    return function >= CUSOLVERDN_GETRF && function <= CUSOLVERDN_SYEVBATCHED &&
           algo >= CUSOLVER_ALG_0 && algo <= CUSOLVER_ALG_2;
  });
}

//===----------------------------------------------------------------------===//
// Settings of Jacobi's method
//===----------------------------------------------------------------------===//

namespace {

template <typename Info>
cusolverStatus_t setTolerance(Info *info, double tolerance) {
  return onLive(info, [&] {
    info->tolerance = tolerance;
    return true;
  });
}
template <typename Info> cusolverStatus_t setMaxSweeps(Info *info, int sweeps) {
  return onLive(info, [&] {
    info->maxSweeps = sweeps;
    return true;
  });
}
template <typename Info> cusolverStatus_t setSorted(Info *info, int sorted) {
  return onLive(info, [&] {
    info->sorted = sorted;
    return true;
  });
}
template <typename Info>
cusolverStatus_t getResidual(cusolverDnHandle_t handle, Info *info,
                             double *residual) {
  return isLive(handle) ? answer(info, residual, &Info::residual)
                        : CUSOLVER_STATUS_NOT_INITIALIZED;
}
template <typename Info>
cusolverStatus_t getSweeps(cusolverDnHandle_t handle, Info *info, int *sweeps) {
  return isLive(handle) ? answer(info, sweeps, &Info::sweeps)
                        : CUSOLVER_STATUS_NOT_INITIALIZED;
}

} // namespace

} // namespace cufort::cusolverDn

#include "cusolverDn_Settings.inc"
