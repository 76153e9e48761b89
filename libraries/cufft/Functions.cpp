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

#include "libraries/common/Catching.h"
#include "libraries/cufft/Plan.h"
#include <algorithm>

namespace cufort::cufft {

namespace {

template <typename Call> cufftResult catching(Call call) {
  return libraries::catching(CUFFT_ALLOC_FAILED, call);
}
/// What is transformed, and in which precision, the plan alone says, as with
/// NVIDIA's library; the call has the direction.
cufftResult execute(cufftHandle handle, void *input, void *output, int sign) {
  return catching([&] {
    auto plan = find(handle);
    if (!plan || !plan->made())
      return CUFFT_INVALID_PLAN;
    if (plan->direction() && plan->direction() != sign)
      return CUFFT_INVALID_VALUE;
    if (sign != CUFFT_FORWARD && sign != CUFFT_INVERSE)
      return CUFFT_INVALID_VALUE;
    return Plan::execute(plan, input, output, sign);
  });
}

/// The transform between two types of data, in the precision of \p execution;
/// what is wrong with these.
cufftResult typeOf(cudaDataType input, cudaDataType output,
                   cudaDataType execution, cufftType *type) {
  for (cudaDataType narrow : {CUDA_R_16F, CUDA_C_16F, CUDA_R_16BF, CUDA_C_16BF})
    if (input == narrow || output == narrow)
      return CUFFT_NOT_SUPPORTED;
  // A type of real numbers says the precision as well.
  const auto are = [&](cudaDataType a, cudaDataType b, cudaDataType c) {
    return input == a && output == b &&
           (execution == c ||
            execution == (c == CUDA_C_32F ? CUDA_R_32F : CUDA_R_64F));
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
    return CUFFT_INVALID_TYPE;
  return CUFFT_SUCCESS;
}

} // namespace

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

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

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long *n,
                                long long *inembed, long long istride,
                                long long idist, cudaDataType inputtype,
                                long long *onembed, long long ostride,
                                long long odist, cudaDataType outputtype,
                                long long batch, size_t *worksize,
                                cudaDataType executiontype) {
  auto found = find(plan);
  if (!found)
    return CUFFT_INVALID_PLAN;
  if (!worksize || !n || rank < 1 || rank > 3)
    return CUFFT_INVALID_VALUE;
  if (found->made())
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

cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long *n,
                               long long *inembed, long long istride,
                               long long idist, cudaDataType inputtype,
                               long long *onembed, long long ostride,
                               long long odist, cudaDataType outputtype,
                               long long batch, size_t *worksize,
                               cudaDataType executiontype) {
  // The layout is looked at before the types are.
  cufftType type = CUFFT_C2C;
  const cufftResult types = typeOf(inputtype, outputtype, executiontype, &type);
  const cufftResult rest =
      cufft::cufftGetSizeMany64(plan, rank, n, inembed, istride, idist, onembed,
                                ostride, odist, type, batch, worksize);
  return rest == CUFFT_SUCCESS ? types : rest;
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
  if (version)
    *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}
cufftResult cufftGetProperty(libraryPropertyType type, int *value) {
  // By libraryPropertyType.
  static constexpr int Version[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR,
                                    CUFFT_VER_PATCH};
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL)
    return CUFFT_INVALID_VALUE;
  *value = Version[type];
  return CUFFT_SUCCESS;
}

// How NVIDIA's library compiles its kernels; there are none here.
static cufftResult checkProperty(cufftProperty property) {
  switch (property) {
  case NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT:
    return CUFFT_SUCCESS;
  case NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS:
    return CUFFT_NOT_SUPPORTED;
  }
  return CUFFT_INVALID_VALUE;
}
static cufftResult changeProperty(cufftHandle handle, cufftProperty property) {
  auto plan = find(handle);
  if (!plan)
    return CUFFT_INVALID_PLAN;
  return plan->made() ? CUFFT_NOT_SUPPORTED : checkProperty(property);
}
cufftResult cufftSetPlanPropertyInt64(cufftHandle plan, cufftProperty property,
                                      long long) {
  return changeProperty(plan, property);
}
cufftResult cufftGetPlanPropertyInt64(cufftHandle plan, cufftProperty property,
                                      long long *value) {
  if (!find(plan))
    return CUFFT_INVALID_PLAN;
  if (!value)
    return CUFFT_INVALID_VALUE;
  if (cufftResult wrong = checkProperty(property); wrong != CUFFT_SUCCESS)
    return wrong;
  *value = 0;
  return CUFFT_SUCCESS;
}
cufftResult cufftResetPlanProperty(cufftHandle plan, cufftProperty property) {
  return changeProperty(plan, property);
}

//===----------------------------------------------------------------------===//
// Callbacks
//===----------------------------------------------------------------------===//

/// Calls \p set(Callback &) for the plan's of \p type.
template <typename Set>
static cufftResult setCallback(cufftHandle handle, cufftXtCallbackType type,
                               Set set) {
  auto plan = find(handle);
  if (!plan || !plan->made())
    return CUFFT_INVALID_PLAN;
  if (plan->devices.size() > 1)
    return CUFFT_NOT_SUPPORTED;
  Callback *callback = nullptr;
  const cufftResult result =
      callbackOf(plan->callbacks, type, plan->request().type, &callback);
  return result == CUFFT_SUCCESS ? set(*callback) : result;
}

cufftResult cufftXtSetCallback(cufftHandle plan, void **callback_routine,
                               cufftXtCallbackType cbType, void **caller_info) {
  return setCallback(plan, cbType, [&](Callback &callback) {
    if (!callback_routine || !*callback_routine)
      return CUFFT_INVALID_VALUE;
    callback.function = *callback_routine;
    callback.info = caller_info ? *caller_info : nullptr;
    return CUFFT_SUCCESS;
  });
}
cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType cbType) {
  return setCallback(plan, cbType, [](Callback &callback) {
    callback = {};
    return CUFFT_SUCCESS;
  });
}
cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan,
                                         cufftXtCallbackType cbType,
                                         size_t sharedSize) {
  constexpr size_t Most = 16 * 1024;
  return setCallback(plan, cbType, [&](Callback &callback) {
    if (sharedSize > Most)
      return CUFFT_INVALID_VALUE;
    callback.sharedBytes = sharedSize;
    return CUFFT_SUCCESS;
  });
}

//===----------------------------------------------------------------------===//
// Transforms
//===----------------------------------------------------------------------===//

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *idata,
                         cufftComplex *odata, int direction) {
  return execute(plan, idata, odata, direction);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal *idata,
                         cufftComplex *odata) {
  return execute(plan, idata, odata, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *idata,
                         cufftReal *odata) {
  return execute(plan, idata, odata, CUFFT_INVERSE);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *idata,
                         cufftDoubleComplex *odata, int direction) {
  return execute(plan, idata, odata, direction);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *idata,
                         cufftDoubleComplex *odata) {
  return execute(plan, idata, odata, CUFFT_FORWARD);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *idata,
                         cufftDoubleReal *odata) {
  return execute(plan, idata, odata, CUFFT_INVERSE);
}
cufftResult cufftXtExec(cufftHandle handle, void *input, void *output,
                        int direction) {
  return execute(handle, input, output, direction);
}

} // namespace cufort::cufft
