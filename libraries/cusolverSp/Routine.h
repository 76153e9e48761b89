//===- Routine.h - what all routines for sparse systems do ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUSOLVERSP_ROUTINE_H
#define CUFORT_LIBRARIES_CUSOLVERSP_ROUTINE_H

#include "cusolverSp_functions.h"
#include "libraries/common/Handles.h"
#include "libraries/common/Perform.h"
#include "libraries/cusparse/Sparse.h"

struct cusolverSpContext {
  cudaStream_t stream = nullptr;
};

namespace cufort::cusolverSp {

using namespace cufort::libraries;

inline cusolverStatus_t statusOf(Error error) {
  return error == cudaSuccess ? CUSOLVER_STATUS_SUCCESS
         : error == cudaErrorMemoryAllocation
             ? CUSOLVER_STATUS_ALLOC_FAILED
             : CUSOLVER_STATUS_EXECUTION_FAILED;
}

/// What every routine asks of its matrix.
inline cusolverStatus_t check(cusolverSpHandle_t handle, int rows, int nonzeros,
                              cusparseMatDescr_t descriptor, bool valid) {
  if (!handles<cusolverSpContext>().isValid(handle))
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (rows < 0 || nonzeros < 0 || !descriptor || !valid)
    return CUSOLVER_STATUS_INVALID_VALUE;
  return descriptor->type == CUSPARSE_MATRIX_TYPE_GENERAL
             ? CUSOLVER_STATUS_SUCCESS
             : CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
}

/// Performs \p routine(), which returns whether its arguments were right: in
/// the handle's stream, for the arrays are the device's, or at once.
template <typename Routine>
cusolverStatus_t call(cusolverSpHandle_t handle, bool onDevice,
                      Routine routine) {
  bool right = true;
  const Error error =
      onDevice ? perform(handle->stream, {.small = true, .wait = true},
                         [routine, &right](Team &) { right = routine(); })
               : catchExhaustion([&] {
                   right = routine();
                   return cudaSuccess;
                 });
  return error == cudaSuccess && !right ? CUSOLVER_STATUS_INVALID_VALUE
                                        : statusOf(error);
}

} // namespace cufort::cusolverSp

#endif // CUFORT_LIBRARIES_CUSOLVERSP_ROUTINE_H
