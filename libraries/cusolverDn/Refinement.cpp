//===- Refinement.cpp - solvers with settings of their refinement ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All is computed in the precision of the result, so that there is nothing to
// refine: the settings are checked and kept.
//
//===----------------------------------------------------------------------===//

#include "libraries/cusolverDn/Linear.h"
#include "libraries/cusolverDn/Objects.h"
#include "libraries/cusolverDn/Wide.h"

struct cusolverDnIRSParams {
  int refinement = CUSOLVER_IRS_REFINE_NOT_SET, main = 0, lowest = 0,
      iterations = 50, innerIterations = 50;
  double tolerance = 0, innerTolerance = 0;
  bool fallback = true;
};

struct cusolverDnIRSInfos {
  int iterations = 0, outerIterations = 0, maximum = 0;
};

namespace cufort::cusolverDn {

namespace {

using Params = cusolverDnIRSParams;
using Infos = cusolverDnIRSInfos;

template <typename T>
cusolverStatus_t keep(Params *params, T Params::*member, T value) {
  if (!handles<Params>().isValid(params))
    return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
  params->*member = value;
  return CUSOLVER_STATUS_SUCCESS;
}

bool isPrecision(int precision) {
  return (precision >= CUSOLVER_R_64F && precision <= CUSOLVER_R_TF32) ||
         (precision >= CUSOLVER_C_64F && precision <= CUSOLVER_C_TF32);
}

cusolverStatus_t asked(const Infos *infos, int *result, int Infos::*member) {
  if (!handles<Infos>().isValid(infos))
    return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
  if (!result)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *result = infos->*member;
  return CUSOLVER_STATUS_SUCCESS;
}

/// The type of the matrix, or -1.
int typeOf(int precision) {
  switch (precision) {
  case CUSOLVER_R_64F:
    return CUDA_R_64F;
  case CUSOLVER_R_32F:
    return CUDA_R_32F;
  case CUSOLVER_C_64F:
    return CUDA_C_64F;
  case CUSOLVER_C_32F:
    return CUDA_C_32F;
  default:
    return -1;
  }
}

cusolverStatus_t checkParams(cusolverDnHandle_t handle, const Params *params) {
  if (auto wrong = check(handle))
    return wrong;
  if (!handles<Params>().isValid(params))
    return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
  const bool sameKind =
      (params->main < CUSOLVER_C_8I) == (params->lowest < CUSOLVER_C_8I);
  if (typeOf(params->main) < 0 || !isPrecision(params->lowest) || !sameKind ||
      params->lowest < params->main)
    return CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC;
  if (params->refinement < CUSOLVER_IRS_REFINE_NONE ||
      params->refinement > CUSOLVER_IRS_REFINE_GMRES_NOPCOND)
    return CUSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE;
  if (params->iterations < 0 || params->innerIterations < 0)
    return CUSOLVER_STATUS_IRS_PARAMS_INVALID_MAXITER;
  return CUSOLVER_STATUS_SUCCESS;
}

/// Solves by \p call, for a number of the matrix's type.
template <typename Call>
cusolverStatus_t solve(cusolverDnHandle_t handle, const Params *params,
                       Infos *infos, Call call) {
  if (auto wrong = checkParams(handle, params))
    return wrong;
  if (!handles<Infos>().isValid(infos))
    return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
  *infos = {.maximum = params->iterations};
  return forType(static_cast<cudaDataType>(typeOf(params->main)), call);
}

} // namespace

cusolverStatus_t cusolverDnIRSParamsCreate(cusolverDnIRSParams_t *params) {
  return create(params);
}
cusolverStatus_t cusolverDnIRSParamsDestroy(cusolverDnIRSParams_t params) {
  return destroy(params) == CUSOLVER_STATUS_SUCCESS
             ? CUSOLVER_STATUS_SUCCESS
             : CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
}
cusolverStatus_t cusolverDnIRSParamsSetRefinementSolver(
    cusolverDnIRSParams_t params, cusolverIRSRefinement_t refinement_solver) {
  return keep(params, &Params::refinement, int(refinement_solver));
}
cusolverStatus_t cusolverDnIRSParamsSetSolverMainPrecision(
    cusolverDnIRSParams_t params, cusolverPrecType_t solver_main_precision) {
  return keep(params, &Params::main, int(solver_main_precision));
}
cusolverStatus_t cusolverDnIRSParamsSetSolverLowestPrecision(
    cusolverDnIRSParams_t params, cusolverPrecType_t solver_lowest_precision) {
  return keep(params, &Params::lowest, int(solver_lowest_precision));
}
cusolverStatus_t cusolverDnIRSParamsSetSolverPrecisions(
    cusolverDnIRSParams_t params, cusolverPrecType_t solver_main_precision,
    cusolverPrecType_t solver_lowest_precision) {
  if (auto wrong = keep(params, &Params::main, int(solver_main_precision)))
    return wrong;
  return keep(params, &Params::lowest, int(solver_lowest_precision));
}
cusolverStatus_t cusolverDnIRSParamsSetTol(cusolverDnIRSParams_t params,
                                           double val) {
  return keep(params, &Params::tolerance, val);
}
cusolverStatus_t cusolverDnIRSParamsSetTolInner(cusolverDnIRSParams_t params,
                                                double val) {
  return keep(params, &Params::innerTolerance, val);
}
cusolverStatus_t cusolverDnIRSParamsSetMaxIters(cusolverDnIRSParams_t params,
                                                int maxiters) {
  return keep(params, &Params::iterations, maxiters);
}
cusolverStatus_t
cusolverDnIRSParamsSetMaxItersInner(cusolverDnIRSParams_t params,
                                    int maxiters_inner) {
  return keep(params, &Params::innerIterations, maxiters_inner);
}
cusolverStatus_t cusolverDnIRSParamsGetMaxIters(cusolverDnIRSParams_t params,
                                                int *maxiters) {
  if (!handles<Params>().isValid(params))
    return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
  return answer(params, maxiters, &Params::iterations);
}
cusolverStatus_t
cusolverDnIRSParamsEnableFallback(cusolverDnIRSParams_t params) {
  return keep(params, &Params::fallback, true);
}
cusolverStatus_t
cusolverDnIRSParamsDisableFallback(cusolverDnIRSParams_t params) {
  return keep(params, &Params::fallback, false);
}

cusolverStatus_t cusolverDnIRSInfosCreate(cusolverDnIRSInfos_t *infos) {
  return create(infos);
}
cusolverStatus_t cusolverDnIRSInfosDestroy(cusolverDnIRSInfos_t infos) {
  return destroy(infos) == CUSOLVER_STATUS_SUCCESS
             ? CUSOLVER_STATUS_SUCCESS
             : CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
}
cusolverStatus_t cusolverDnIRSInfosGetNiters(cusolverDnIRSInfos_t infos,
                                             int *niters) {
  return asked(infos, niters, &Infos::iterations);
}
cusolverStatus_t cusolverDnIRSInfosGetOuterNiters(cusolverDnIRSInfos_t infos,
                                                  int *outer_niters) {
  return asked(infos, outer_niters, &Infos::outerIterations);
}
cusolverStatus_t cusolverDnIRSInfosGetMaxIters(cusolverDnIRSInfos_t infos,
                                               int *maxiters) {
  return asked(infos, maxiters, &Infos::maximum);
}
cusolverStatus_t cusolverDnIRSInfosRequestResidual(cusolverDnIRSInfos_t infos) {
  return handles<Infos>().isValid(infos)
             ? CUSOLVER_STATUS_SUCCESS
             : CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
}

cusolverStatus_t cusolverDnIRSXgesv_bufferSize(cusolverDnHandle_t handle,
                                               cusolverDnIRSParams_t params,
                                               int n, int,
                                               size_t *lwork_bytes) {
  if (auto wrong = checkParams(handle, params))
    return wrong;
  return sizeOf(handle, lwork_bytes, n);
}
cusolverStatus_t cusolverDnIRSXgesv(cusolverDnHandle_t handle,
                                    cusolverDnIRSParams_t params,
                                    cusolverDnIRSInfos_t infos, int n, int nrhs,
                                    void *dA, int ldda, void *dB, int lddb,
                                    void *dX, int lddx, void *dWorkspace,
                                    size_t lwork_bytes, int *niters,
                                    int *d_info) {
  return solve(handle, params, infos, [&]<typename T>(T) {
    return gesv<T>(handle, n, nrhs, static_cast<T *>(dA), ldda, nullptr,
                   static_cast<T *>(dB), lddb, static_cast<T *>(dX), lddx,
                   dWorkspace, lwork_bytes, niters, d_info);
  });
}
cusolverStatus_t cusolverDnIRSXgels_bufferSize(cusolverDnHandle_t handle,
                                               cusolverDnIRSParams_t params,
                                               int m, int, int,
                                               size_t *lwork_bytes) {
  if (auto wrong = checkParams(handle, params))
    return wrong;
  return sizeOf(handle, lwork_bytes, m);
}
cusolverStatus_t cusolverDnIRSXgels(cusolverDnHandle_t handle,
                                    cusolverDnIRSParams_t params,
                                    cusolverDnIRSInfos_t infos, int m, int n,
                                    int nrhs, void *dA, int ldda, void *dB,
                                    int lddb, void *dX, int lddx,
                                    void *dWorkspace, size_t lwork_bytes,
                                    int *niters, int *d_info) {
  return solve(handle, params, infos, [&]<typename T>(T) {
    return gels<T>(handle, m, n, nrhs, static_cast<T *>(dA), ldda,
                   static_cast<T *>(dB), lddb, static_cast<T *>(dX), lddx,
                   dWorkspace, lwork_bytes, niters, d_info);
  });
}

} // namespace cufort::cusolverDn
