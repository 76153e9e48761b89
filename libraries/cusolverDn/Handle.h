//===- Handle.h - cuSOLVER's objects on the CPU -----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workspaces of the program's are not used: LAPACK's needs are other ones, so
// each routine has workspaces of its own while it runs. The sizes that
// programs are told are small and never zero.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUSOLVERDN_HANDLE_H
#define CUFORT_LIBRARIES_CUSOLVERDN_HANDLE_H

#include "cusolverDn_functions.h"
#include "libraries/common/Blas.h"
#include "libraries/common/Elements.h"
#include "libraries/common/Perform.h"
#include "libraries/common/Workspace.h"
#include <algorithm>
#include <complex>
#include <type_traits>
#include <vector>

struct cusolverDnContext {
  cudaStream_t stream = nullptr;
  cusolverDeterministicMode_t deterministic = CUSOLVER_DETERMINISTIC_RESULTS;
  cusolverMathMode_t math = CUSOLVER_DEFAULT_MATH;
  cudaEmulationStrategy_t emulation = CUDA_EMULATION_STRATEGY_DEFAULT;
};

namespace cufort::cusolverDn {

using namespace cufort::libraries;

/// Whether \p handle has been created and not been destroyed.
bool isLive(cusolverDnHandle_t handle);

/// CUSOLVER_STATUS_SUCCESS, or what every routine returns for such a handle.
inline cusolverStatus_t check(cusolverDnHandle_t handle) {
  if (!isLive(handle))
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  return lapackPresent() ? CUSOLVER_STATUS_SUCCESS
                         : CUSOLVER_STATUS_INTERNAL_ERROR;
}

/// The same for a routine whose sizes are right if \p valid.
inline cusolverStatus_t check(cusolverDnHandle_t handle, bool valid) {
  const cusolverStatus_t status = check(handle);
  if (status == CUSOLVER_STATUS_SUCCESS && !valid)
    return CUSOLVER_STATUS_INVALID_VALUE;
  return status;
}

inline bool isLeading(int ld, int rows) { return ld >= std::max(1, rows); }

/// Answers a question for the size of a workspace.
template <typename Size>
cusolverStatus_t sizeOf(cusolverDnHandle_t handle, Size *size, int n) {
  if (!isLive(handle))
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (!size)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *size = static_cast<Size>(std::max(1, n));
  return CUSOLVER_STATUS_SUCCESS;
}

/// The same of the routines that look at their sizes for it.
inline cusolverStatus_t sizeOfChecked(cusolverDnHandle_t handle, int *size,
                                      int n, bool valid) {
  if (auto wrong = check(handle, n >= 0 && valid))
    return wrong;
  return sizeOf(handle, size, n);
}

inline cusolverStatus_t statusOf(Error error) {
  return error == cudaSuccess ? CUSOLVER_STATUS_SUCCESS
         : error == cudaErrorMemoryAllocation
             ? CUSOLVER_STATUS_ALLOC_FAILED
             : CUSOLVER_STATUS_EXECUTION_FAILED;
}

/// Below so many rows LAPACK is as fast with one thread.
constexpr int SmallMatrix = 64;

/// Performs \p routine() in the handle's stream, with LAPACK's threads being
/// the team's; \p n: the larger size of the matrix.
template <typename Routine>
cusolverStatus_t submit(cusolverDnHandle_t handle, int n, Routine routine,
                        bool wait = false) {
  return statusOf(
      perform(handle->stream,
              {.small = n <= SmallMatrix, .wait = wait, .bringsThreads = true},
              [routine](Team &team) {
                const BlasThreads threads(team.threads());
                routine();
              }));
}

/// Performs \p routine(i) for each of \p count small problems, each by one
/// thread.
template <typename Routine>
cusolverStatus_t submitBatch(cusolverDnHandle_t handle, int count,
                             Routine routine) {
  return statusOf(
      perform(handle->stream, {.small = count < 2}, [=](Team &team) {
        const BlasThreads threads(1);
        team.forEach(static_cast<uint64_t>(count),
                     [&](uint64_t i) { routine(i); });
      }));
}

/// Touches the first and the last element of a matrix.
template <typename T>
void touchMatrix(const T *a, int rows, int columns, int ld) {
  if (rows > 0 && columns > 0)
    touch(a, (size_t(ld) * (columns - 1) + rows) * sizeof(T));
}

inline char letter(cublasFillMode_t uplo) {
  return uplo == CUBLAS_FILL_MODE_LOWER ? 'L' : 'U';
}
inline char letter(cublasSideMode_t side) {
  return side == CUBLAS_SIDE_LEFT ? 'L' : 'R';
}
inline char letter(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N ? 'N' : operation == CUBLAS_OP_T ? 'T' : 'C';
}
inline char letter(cusolverEigMode_t mode) {
  return mode == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
}
inline bool isFill(cublasFillMode_t uplo) {
  return uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER;
}

/// The first number of a workspace query's answer.
template <typename T> int sizeFrom(const T &answer) {
  return std::max(1, static_cast<int>(std::real(answer)));
}

/// Calls \p routine(work, length) twice: to ask for the size of the workspace,
/// and with one.
template <typename T, typename Routine> void withWorkspace(Routine routine) {
  T answer{};
  routine(&answer, -1);
  Workspace<T> work(static_cast<size_t>(sizeFrom(answer)));
  routine(work.data(), static_cast<int>(work.size()));
}

} // namespace cufort::cusolverDn

#endif // CUFORT_LIBRARIES_CUSOLVERDN_HANDLE_H
