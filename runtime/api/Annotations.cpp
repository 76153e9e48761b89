//===- Annotations.cpp - NVTX without a profiler --------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the library libnvToolsExt does where no profiler listens. A program that
// links the real one has that: these are weak.
//
//===----------------------------------------------------------------------===//

#include "include/nvtx3/nvToolsExt.h"

#define CUFORT_ANNOTATION                                                      \
  extern "C" __attribute__((weak, visibility("default")))

CUFORT_ANNOTATION void nvtxInitialize(const void *) {}
CUFORT_ANNOTATION void nvtxMarkEx(const nvtxEventAttributes_t *) {}
CUFORT_ANNOTATION void nvtxMarkA(const char *) {}
CUFORT_ANNOTATION void nvtxMarkW(const wchar_t *) {}
CUFORT_ANNOTATION nvtxRangeId_t
nvtxRangeStartEx(const nvtxEventAttributes_t *) {
  return 0;
}
CUFORT_ANNOTATION nvtxRangeId_t nvtxRangeStartA(const char *) { return 0; }
CUFORT_ANNOTATION nvtxRangeId_t nvtxRangeStartW(const wchar_t *) { return 0; }
CUFORT_ANNOTATION void nvtxRangeEnd(nvtxRangeId_t) {}
CUFORT_ANNOTATION int nvtxRangePushEx(const nvtxEventAttributes_t *) {
  return NVTX_NO_PUSH_POP_TRACKING;
}
CUFORT_ANNOTATION int nvtxRangePushA(const char *) {
  return NVTX_NO_PUSH_POP_TRACKING;
}
CUFORT_ANNOTATION int nvtxRangePushW(const wchar_t *) {
  return NVTX_NO_PUSH_POP_TRACKING;
}
CUFORT_ANNOTATION int nvtxRangePop() { return NVTX_NO_PUSH_POP_TRACKING; }
CUFORT_ANNOTATION void nvtxNameCategoryA(uint32_t, const char *) {}
CUFORT_ANNOTATION void nvtxNameCategoryW(uint32_t, const wchar_t *) {}
CUFORT_ANNOTATION void nvtxNameOsThreadA(uint32_t, const char *) {}
CUFORT_ANNOTATION void nvtxNameOsThreadW(uint32_t, const wchar_t *) {}
CUFORT_ANNOTATION nvtxDomainHandle_t nvtxDomainCreateA(const char *) {
  return nullptr;
}
CUFORT_ANNOTATION nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t *) {
  return nullptr;
}
CUFORT_ANNOTATION void nvtxDomainDestroy(nvtxDomainHandle_t) {}
CUFORT_ANNOTATION void nvtxDomainMarkEx(nvtxDomainHandle_t,
                                        const nvtxEventAttributes_t *) {}
CUFORT_ANNOTATION nvtxRangeId_t
nvtxDomainRangeStartEx(nvtxDomainHandle_t, const nvtxEventAttributes_t *) {
  return 0;
}
CUFORT_ANNOTATION void nvtxDomainRangeEnd(nvtxDomainHandle_t, nvtxRangeId_t) {}
CUFORT_ANNOTATION int nvtxDomainRangePushEx(nvtxDomainHandle_t,
                                            const nvtxEventAttributes_t *) {
  return NVTX_NO_PUSH_POP_TRACKING;
}
CUFORT_ANNOTATION int nvtxDomainRangePop(nvtxDomainHandle_t) {
  return NVTX_NO_PUSH_POP_TRACKING;
}
CUFORT_ANNOTATION void nvtxDomainNameCategoryA(nvtxDomainHandle_t, uint32_t,
                                               const char *) {}
CUFORT_ANNOTATION nvtxStringHandle_t
nvtxDomainRegisterStringA(nvtxDomainHandle_t, const char *) {
  return nullptr;
}
CUFORT_ANNOTATION void nvtxDomainNameCategoryW(nvtxDomainHandle_t, uint32_t,
                                               const wchar_t *) {}
CUFORT_ANNOTATION nvtxStringHandle_t
nvtxDomainRegisterStringW(nvtxDomainHandle_t, const wchar_t *) {
  return nullptr;
}

// Names for objects of CUDA, which are numbers or addresses.
#define CUFORT_NAMED(Object, Type)                                             \
  CUFORT_ANNOTATION void nvtxName##Object##A(Type, const char *) {}            \
  CUFORT_ANNOTATION void nvtxName##Object##W(Type, const wchar_t *) {}
CUFORT_NAMED(CudaDevice, int)
CUFORT_NAMED(CudaStream, void *)
CUFORT_NAMED(CudaEvent, void *)
CUFORT_NAMED(CuDevice, int)
CUFORT_NAMED(CuContext, void *)
CUFORT_NAMED(CuStream, void *)
CUFORT_NAMED(CuEvent, void *)
