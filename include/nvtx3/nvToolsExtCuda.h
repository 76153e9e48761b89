//===- nvToolsExtCuda.h - names for objects of the driver API ---*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_NVTOOLSEXTCUDA_H
#define CUFORT_NVTOOLSEXTCUDA_H

#include "../cuda.h"
#include "nvToolsExt.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* What a profiler is to call them. */
void nvtxNameCuDeviceA(CUdevice device, const char *name);
void nvtxNameCuDeviceW(CUdevice device, const wchar_t *name);
void nvtxNameCuContextA(CUcontext context, const char *name);
void nvtxNameCuContextW(CUcontext context, const wchar_t *name);
void nvtxNameCuStreamA(CUstream stream, const char *name);
void nvtxNameCuStreamW(CUstream stream, const wchar_t *name);
void nvtxNameCuEventA(CUevent event, const char *name);
void nvtxNameCuEventW(CUevent event, const wchar_t *name);

#if defined(UNICODE)
#define nvtxNameCuDevice nvtxNameCuDeviceW
#define nvtxNameCuContext nvtxNameCuContextW
#define nvtxNameCuStream nvtxNameCuStreamW
#define nvtxNameCuEvent nvtxNameCuEventW
#else
#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCuEvent nvtxNameCuEventA
#endif

#if defined(__cplusplus)
}
#endif

#endif // CUFORT_NVTOOLSEXTCUDA_H
