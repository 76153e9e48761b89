/*===- cudaVDPAU.h - surfaces of VDPAU ------------------------------------===*\
|*
|* Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* On a GPU the driver's; on the CPU CUDA_ERROR_NOT_SUPPORTED. VDPAU's own
header,
|* vdpau/vdpau.h, is the program's to include.
|*
\*===----------------------------------------------------------------------===*/

#ifndef CUDAVDPAU_H
#define CUDAVDPAU_H

#include "cuda.h"

#define cuVDPAUCtxCreate cuVDPAUCtxCreate_v2

#if defined(__cplusplus)
extern "C" {
#endif

CUresult cuVDPAUGetDevice(CUdevice *device, VdpDevice vdpau,
                          VdpGetProcAddress *function);
CUresult cuVDPAUCtxCreate(CUcontext *context, unsigned int flags,
                          CUdevice device, VdpDevice vdpau,
                          VdpGetProcAddress *function);
CUresult cuGraphicsVDPAURegisterVideoSurface(CUgraphicsResource *resource,
                                             VdpVideoSurface surface,
                                             unsigned int flags);
CUresult cuGraphicsVDPAURegisterOutputSurface(CUgraphicsResource *resource,
                                              VdpOutputSurface surface,
                                              unsigned int flags);

#if defined(__cplusplus)
}
#endif

#endif /* CUDAVDPAU_H */
