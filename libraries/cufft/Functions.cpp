//===- Functions.cpp - cuFFT's functions on the CPU -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// FFTW needs no work area of the program's: sizes of work areas are zero, and
// one that is set is not used.
//
//===----------------------------------------------------------------------===//

#include "libraries/cufft/Plan.h"
#include "runtime/core/process/FaultInjection.h"
#include <algorithm>

namespace cufort::cufft {

namespace {

/// What \p call() returns; CUFFT_ALLOC_FAILED where there is no memory.
template <typename Call> cufftResult catching(Call call) {
  cufftResult result = CUFFT_ALLOC_FAILED;
  catchExhaustion([&] {
    result = call();
    return cudaSuccess;
  });
  return result;
}

template <typename Size>
Layout layout(int rank, const Size *embed, ptrdiff_t stride,
              ptrdiff_t distance) {
  Layout result;
  result.embedded = embed;
  for (int i = 0; embed && i < rank && i < 3; ++i)
    result.embed[i] = embed[i];
  result.stride = stride;
  result.distance = distance;
  return result;
}

template <typename Size>
Request request(int rank, const Size *n, const Size *inembed, Size istride,
                Size idist, const Size *onembed, Size ostride, Size odist,
                cufftType type, Size batch) {
  Request result{type,
                 n ? rank : 0,
                 {},
                 layout(rank, inembed, istride, idist),
                 layout(rank, onembed, ostride, odist),
                 batch};
  for (int i = 0; n && i < rank && i < 3; ++i)
    result.sizes[i] = n[i];
  return result;
}

Request packed(std::initializer_list<int> sizes, cufftType type, int batch) {
  Request result{type, static_cast<int>(sizes.size()), {}, {}, {}, batch};
  std::copy(sizes.begin(), sizes.end(), result.sizes);
  return result;
}

cufftResult makeNew(cufftHandle *handle, const Request &request) {
  if (!handle)
    return CUFFT_INVALID_VALUE;
  return catching([&] {
    auto plan = std::make_shared<Plan>();
    const cufftResult result = plan->make(request);
    if (result == CUFFT_SUCCESS)
      *handle = enter(std::move(plan));
    return result;
  });
}

cufftResult make(cufftHandle handle, const Request &request, size_t *bytes) {
  return catching([&] {
    auto plan = find(handle);
    if (!plan || plan->made())
      return CUFFT_INVALID_PLAN;
    if (!bytes)
      return CUFFT_INVALID_VALUE;
    // One for each device.
    std::fill_n(bytes, std::max<size_t>(1, plan->devices.size()), 0);
    return plan->make(request);
  });
}

cufftResult estimate(const Request &request, size_t *bytes) {
  if (!bytes)
    return CUFFT_INVALID_VALUE;
  *bytes = 0;
  return check(request);
}

cufftResult sizeOf(cufftHandle handle, const Request &request, size_t *bytes) {
  return find(handle) ? estimate(request, bytes) : CUFFT_INVALID_PLAN;
}

cufftResult execute(cufftHandle handle, cufftType type, void *input,
                    void *output, int sign) {
  return catching([&] {
    auto plan = find(handle);
    if (!plan || !plan->made())
      return CUFFT_INVALID_PLAN;
    if (plan->request().type != type)
      return CUFFT_INVALID_TYPE;
    if (sign != CUFFT_FORWARD && sign != CUFFT_INVERSE)
      return CUFFT_INVALID_VALUE;
    return Plan::execute(plan, input, output, sign);
  });
}

/// The transform between two types of data, in the precision of \p execution.
cufftResult typeOf(cudaDataType input, cudaDataType output,
                   cudaDataType execution, cufftType *type) {
  const auto are = [&](cudaDataType a, cudaDataType b, cudaDataType c) {
    return input == a && output == b && execution == c;
  };
  if (are(CUDA_C_32F, CUDA_C_32F, CUDA_C_32F))
    *type = CUFFT_C2C;
  else if (are(CUDA_R_32F, CUDA_C_32F, CUDA_C_32F))
    *type = CUFFT_R2C;
  else if (are(CUDA_C_32F, CUDA_R_32F, CUDA_C_32F))
    *type = CUFFT_C2R;
  else if (are(CUDA_C_64F, CUDA_C_64F, CUDA_C_64F))
    *type = CUFFT_Z2Z;
  else if (are(CUDA_R_64F, CUDA_C_64F, CUDA_C_64F))
    *type = CUFFT_D2Z;
  else if (are(CUDA_C_64F, CUDA_R_64F, CUDA_C_64F))
    *type = CUFFT_Z2D;
  else
    return CUFFT_NOT_SUPPORTED;
  return CUFFT_SUCCESS;
}

} // namespace

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch) {
  return makeNew(plan, packed({nx}, type, batch));
}
cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type) {
  return makeNew(plan, packed({nx, ny}, type, 1));
}
cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz,
                        cufftType type) {
  return makeNew(plan, packed({nx, ny, nz}, type, 1));
}
cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed,
                          int istride, int idist, int *onembed, int ostride,
                          int odist, cufftType type, int batch) {
  return makeNew(plan, request<int>(rank, n, inembed, istride, idist, onembed,
                                    ostride, odist, type, batch));
}

cufftResult cufftCreate(cufftHandle *plan) {
  if (!plan)
    return CUFFT_INVALID_VALUE;
  return catching([&] {
    *plan = enter(std::make_shared<Plan>());
    return CUFFT_SUCCESS;
  });
}
cufftResult cufftDestroy(cufftHandle plan) {
  return remove(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch,
                            size_t *worksize) {
  return make(plan, packed({nx}, type, batch), worksize);
}
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type,
                            size_t *worksize) {
  return make(plan, packed({nx, ny}, type, 1), worksize);
}
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz,
                            cufftType type, size_t *worksize) {
  return make(plan, packed({nx, ny, nz}, type, 1), worksize);
}
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int *n, int *inembed,
                              int istride, int idist, int *onembed, int ostride,
                              int odist, cufftType type, int batch,
                              size_t *worksize) {
  return make(plan,
              request<int>(rank, n, inembed, istride, idist, onembed, ostride,
                           odist, type, batch),
              worksize);
}
cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long *n,
                                long long *inembed, long long istride,
                                long long idist, long long *onembed,
                                long long ostride, long long odist,
                                cufftType type, long long batch,
                                size_t *worksize) {
  return make(plan,
              request<long long>(rank, n, inembed, istride, idist, onembed,
                                 ostride, odist, type, batch),
              worksize);
}
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long *n,
                                long long *inembed, long long istride,
                                long long idist, cudaDataType inputtype,
                                long long *onembed, long long ostride,
                                long long odist, cudaDataType outputtype,
                                long long batch, size_t *worksize,
                                cudaDataType executiontype) {
  if (!find(plan))
    return CUFFT_INVALID_PLAN;
  cufftType type;
  if (cufftResult wrong = typeOf(inputtype, outputtype, executiontype, &type);
      wrong != CUFFT_SUCCESS)
    return wrong;
  return cufft::cufftMakePlanMany64(plan, rank, n, inembed, istride, idist,
                                    onembed, ostride, odist, type, batch,
                                    worksize);
}

//===----------------------------------------------------------------------===//
// Work areas
//===----------------------------------------------------------------------===//

cufftResult cufftEstimate1d(int nx, cufftType type, int batch,
                            size_t *worksize) {
  return estimate(packed({nx}, type, batch), worksize);
}
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t *worksize) {
  return estimate(packed({nx, ny}, type, 1), worksize);
}
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type,
                            size_t *worksize) {
  return estimate(packed({nx, ny, nz}, type, 1), worksize);
}
cufftResult cufftEstimateMany(int rank, int *n, int *inembed, int istride,
                              int idist, int *onembed, int ostride, int odist,
                              cufftType type, int batch, size_t *worksize) {
  return estimate(request<int>(rank, n, inembed, istride, idist, onembed,
                               ostride, odist, type, batch),
                  worksize);
}
cufftResult cufftGetSize1d(cufftHandle plan, int nx, cufftType type, int batch,
                           size_t *worksize) {
  return sizeOf(plan, packed({nx}, type, batch), worksize);
}
cufftResult cufftGetSize2d(cufftHandle plan, int nx, int ny, cufftType type,
                           size_t *worksize) {
  return sizeOf(plan, packed({nx, ny}, type, 1), worksize);
}
cufftResult cufftGetSize3d(cufftHandle plan, int nx, int ny, int nz,
                           cufftType type, size_t *worksize) {
  return sizeOf(plan, packed({nx, ny, nz}, type, 1), worksize);
}
cufftResult cufftGetSizeMany(cufftHandle plan, int rank, int *n, int *inembed,
                             int istride, int idist, int *onembed, int ostride,
                             int odist, cufftType type, int batch,
                             size_t *worksize) {
  return sizeOf(plan,
                request<int>(rank, n, inembed, istride, idist, onembed, ostride,
                             odist, type, batch),
                worksize);
}
cufftResult cufftGetSizeMany64(cufftHandle plan, int rank, long long *n,
                               long long *inembed, long long istride,
                               long long idist, long long *onembed,
                               long long ostride, long long odist,
                               cufftType type, long long batch,
                               size_t *worksize) {
  return sizeOf(plan,
                request<long long>(rank, n, inembed, istride, idist, onembed,
                                   ostride, odist, type, batch),
                worksize);
}
cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long *n,
                               long long *inembed, long long istride,
                               long long idist, cudaDataType inputtype,
                               long long *onembed, long long ostride,
                               long long odist, cudaDataType outputtype,
                               long long batch, size_t *worksize,
                               cudaDataType executiontype) {
  if (!find(plan))
    return CUFFT_INVALID_PLAN;
  cufftType type;
  if (cufftResult wrong = typeOf(inputtype, outputtype, executiontype, &type);
      wrong != CUFFT_SUCCESS)
    return wrong;
  return cufft::cufftGetSizeMany64(plan, rank, n, inembed, istride, idist,
                                   onembed, ostride, odist, type, batch,
                                   worksize);
}
cufftResult cufftGetSize(cufftHandle handle, size_t *worksize) {
  auto plan = find(handle);
  if (!plan || !plan->made())
    return CUFFT_INVALID_PLAN;
  if (!worksize)
    return CUFFT_INVALID_VALUE;
  std::fill_n(worksize, std::max<size_t>(1, plan->devices.size()), 0);
  return CUFFT_SUCCESS;
}
cufftResult cufftSetAutoAllocation(cufftHandle plan, int) {
  return find(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetWorkArea(cufftHandle plan, void *) {
  return find(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

//===----------------------------------------------------------------------===//
// Settings
//===----------------------------------------------------------------------===//

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  auto plan = find(handle);
  if (!plan)
    return CUFFT_INVALID_PLAN;
  plan->stream = stream;
  return CUFFT_SUCCESS;
}

cufftResult cufftGetVersion(int *version) {
  if (!version)
    return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}
cufftResult cufftGetProperty(libraryPropertyType type, int *value) {
  if (!value)
    return CUFFT_INVALID_VALUE;
  switch (type) {
  case MAJOR_VERSION:
    *value = CUFFT_VER_MAJOR;
    return CUFFT_SUCCESS;
  case MINOR_VERSION:
    *value = CUFFT_VER_MINOR;
    return CUFFT_SUCCESS;
  case PATCH_LEVEL:
    *value = CUFFT_VER_PATCH;
    return CUFFT_SUCCESS;
  }
  return CUFFT_INVALID_VALUE;
}

// How NVIDIA's library compiles its kernels; there are none here.
cufftResult cufftSetPlanPropertyInt64(cufftHandle plan, cufftProperty,
                                      long long) {
  return find(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftGetPlanPropertyInt64(cufftHandle plan, cufftProperty,
                                      long long *value) {
  if (!find(plan))
    return CUFFT_INVALID_PLAN;
  if (!value)
    return CUFFT_INVALID_VALUE;
  *value = 0;
  return CUFFT_SUCCESS;
}
cufftResult cufftResetPlanProperty(cufftHandle plan, cufftProperty) {
  return find(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

//===----------------------------------------------------------------------===//
// Transforms
//===----------------------------------------------------------------------===//

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *idata,
                         cufftComplex *odata, int direction) {
  return execute(plan, CUFFT_C2C, idata, odata, direction);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal *idata,
                         cufftComplex *odata) {
  return execute(plan, CUFFT_R2C, idata, odata, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *idata,
                         cufftReal *odata) {
  return execute(plan, CUFFT_C2R, idata, odata, CUFFT_INVERSE);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *idata,
                         cufftDoubleComplex *odata, int direction) {
  return execute(plan, CUFFT_Z2Z, idata, odata, direction);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *idata,
                         cufftDoubleComplex *odata) {
  return execute(plan, CUFFT_D2Z, idata, odata, CUFFT_FORWARD);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *idata,
                         cufftDoubleReal *odata) {
  return execute(plan, CUFFT_Z2D, idata, odata, CUFFT_INVERSE);
}
cufftResult cufftXtExec(cufftHandle handle, void *input, void *output,
                        int direction) {
  auto plan = find(handle);
  if (!plan || !plan->made())
    return CUFFT_INVALID_PLAN;
  const cufftType type = plan->request().type;
  // Of a real transform the types say the direction.
  if (type == CUFFT_R2C || type == CUFFT_D2Z)
    direction = CUFFT_FORWARD;
  else if (type == CUFFT_C2R || type == CUFFT_Z2D)
    direction = CUFFT_INVERSE;
  return execute(handle, type, input, output, direction);
}

} // namespace cufort::cufft
