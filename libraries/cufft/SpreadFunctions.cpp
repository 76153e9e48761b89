//===- SpreadFunctions.cpp - cufftXt's functions on the CPU ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/common/Handles.h"
#include "libraries/cufft/Spread.h"
#include "runtime/core/Device.h"
#include "runtime/core/process/FaultInjection.h"
#include <algorithm>

namespace cufort::cufft {

using libraries::handles;

namespace {

/// Calls \p call(plan) for a plan that is made.
template <typename Call> cufftResult withPlan(cufftHandle handle, Call call) {
  auto plan = find(handle);
  if (!plan || !plan->made())
    return CUFFT_INVALID_PLAN;
  cufftResult result = CUFFT_ALLOC_FAILED;
  catchExhaustion([&] {
    result = call(plan);
    return cudaSuccess;
  });
  return result;
}

/// \p type: what the function's name says; 0: any.
cufftResult execute(cufftHandle handle, const cudaLibXtDesc *input,
                    const cudaLibXtDesc *output, int type, int direction) {
  return withPlan(handle, [&](const std::shared_ptr<Plan> &plan) {
    const cufftType made = plan->request().type;
    if (type && made != type)
      return CUFFT_INVALID_TYPE;
    Spread *from = Spread::of(input), *to = Spread::of(output);
    if (!from || !to)
      return CUFFT_INVALID_VALUE;
    // Of a real transform the types say the direction.
    if (made == CUFFT_R2C || made == CUFFT_D2Z)
      direction = CUFFT_FORWARD;
    else if (made == CUFFT_C2R || made == CUFFT_Z2D)
      direction = CUFFT_INVERSE;
    if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE)
      return CUFFT_INVALID_VALUE;
    return Spread::execute(plan, *from, *to, direction);
  });
}

} // namespace

cufftResult cufftXtSetGPUs(cufftHandle handle, int nGPUs, int *whichGPUs) {
  constexpr int Most = 16;
  auto plan = find(handle);
  if (!plan)
    return CUFFT_INVALID_PLAN;
  if (!whichGPUs)
    return CUFFT_INVALID_VALUE;
  if (plan->made())
    return CUFFT_INVALID_PLAN;
  if (nGPUs < 2 || nGPUs > Most)
    return CUFFT_INVALID_VALUE;
  for (int i = 0; i != nGPUs; ++i)
    if (whichGPUs[i] < 0 || whichGPUs[i] >= deviceCount() ||
        std::find(whichGPUs, whichGPUs + i, whichGPUs[i]) != whichGPUs + i)
      return CUFFT_INVALID_DEVICE;
  plan->devices.assign(whichGPUs, whichGPUs + nGPUs);
  return CUFFT_SUCCESS;
}

cufftResult cufftXtMalloc(cufftHandle handle, cudaLibXtDesc **descriptor,
                          cufftXtSubFormat format) {
  return withPlan(handle, [&](const std::shared_ptr<Plan> &plan) {
    if (!descriptor)
      return CUFFT_INVALID_VALUE;
    Spread *made = handles<Spread>().make();
    const cufftResult result = made->allocate(*plan, format);
    if (result == CUFFT_SUCCESS)
      *descriptor = made->descriptor();
    else
      handles<Spread>().destroy(made);
    return result;
  });
}

cufftResult cufftXtFree(cudaLibXtDesc *descriptor) {
  // A null pointer is none, as for free.
  if (!descriptor)
    return CUFFT_SUCCESS;
  Spread *spread = Spread::of(descriptor);
  return spread && handles<Spread>().destroy(spread) ? CUFFT_SUCCESS
                                                     : CUFFT_INVALID_VALUE;
}

cufftResult cufftXtMemcpy(cufftHandle handle, void *dstPointer,
                          void *srcPointer, cufftXtCopyType type) {
  return withPlan(handle, [&](const std::shared_ptr<Plan> &plan) {
    if (!dstPointer || !srcPointer)
      return CUFFT_INVALID_VALUE;
    Spread *to = type == CUFFT_COPY_DEVICE_TO_HOST
                     ? nullptr
                     : Spread::of(static_cast<cudaLibXtDesc *>(dstPointer));
    Spread *from = type == CUFFT_COPY_HOST_TO_DEVICE
                       ? nullptr
                       : Spread::of(static_cast<cudaLibXtDesc *>(srcPointer));
    switch (type) {
    case CUFFT_COPY_HOST_TO_DEVICE:
      return to ? to->copy(*plan, srcPointer, false) : CUFFT_INVALID_VALUE;
    case CUFFT_COPY_DEVICE_TO_HOST:
      return from ? from->copy(*plan, dstPointer, true) : CUFFT_INVALID_VALUE;
    case CUFFT_COPY_DEVICE_TO_DEVICE:
      return to && from ? to->copyFrom(*plan, *from) : CUFFT_INVALID_VALUE;
    default:
      return CUFFT_INVALID_VALUE;
    }
  });
}

// FFTW's work areas are its own.
cufftResult cufftXtSetWorkArea(cufftHandle plan, void **workArea) {
  if (!find(plan))
    return CUFFT_INVALID_PLAN;
  return workArea ? CUFFT_SUCCESS : CUFFT_INVALID_VALUE;
}
cufftResult cufftXtSetWorkAreaPolicy(cufftHandle plan,
                                     cufftXtWorkAreaPolicy policy,
                                     size_t *workSize) {
  auto found = find(plan);
  // There are no policies for real transforms.
  if (!found || !found->made() || found->direction())
    return CUFFT_INVALID_PLAN;
  if (policy < CUFFT_WORKAREA_MINIMAL || policy > CUFFT_WORKAREA_PERFORMANCE)
    return CUFFT_INVALID_VALUE;
  if (workSize)
    *workSize = 0;
  return CUFFT_SUCCESS;
}

cufftResult cufftXtExecDescriptor(cufftHandle plan, cudaLibXtDesc *input,
                                  cudaLibXtDesc *output, int direction) {
  return execute(plan, input, output, 0, direction);
}
cufftResult cufftXtExecDescriptorC2C(cufftHandle plan, cudaLibXtDesc *input,
                                     cudaLibXtDesc *output, int direction) {
  return execute(plan, input, output, CUFFT_C2C, direction);
}
cufftResult cufftXtExecDescriptorZ2Z(cufftHandle plan, cudaLibXtDesc *input,
                                     cudaLibXtDesc *output, int direction) {
  return execute(plan, input, output, CUFFT_Z2Z, direction);
}
cufftResult cufftXtExecDescriptorR2C(cufftHandle plan, cudaLibXtDesc *input,
                                     cudaLibXtDesc *output) {
  return execute(plan, input, output, CUFFT_R2C, CUFFT_FORWARD);
}
cufftResult cufftXtExecDescriptorD2Z(cufftHandle plan, cudaLibXtDesc *input,
                                     cudaLibXtDesc *output) {
  return execute(plan, input, output, CUFFT_D2Z, CUFFT_FORWARD);
}
cufftResult cufftXtExecDescriptorC2R(cufftHandle plan, cudaLibXtDesc *input,
                                     cudaLibXtDesc *output) {
  return execute(plan, input, output, CUFFT_C2R, CUFFT_INVERSE);
}
cufftResult cufftXtExecDescriptorZ2D(cufftHandle plan, cudaLibXtDesc *input,
                                     cudaLibXtDesc *output) {
  return execute(plan, input, output, CUFFT_Z2D, CUFFT_INVERSE);
}

} // namespace cufort::cufft
