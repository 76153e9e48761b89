/*===- cuda_vdpau_interop.h - surfaces of VDPAU ---------------------------===*\
|*
|* Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* On a GPU the driver's, but for the choice of VDPAU's device; on the CPU
|* cudaErrorNotSupported.
|*
\*===----------------------------------------------------------------------===*/

#ifndef __CUDA_VDPAU_INTEROP_H__
#define __CUDA_VDPAU_INTEROP_H__

#include "cuda_runtime_api.h"
#include <vdpau/vdpau.h>

#if defined(__cplusplus)
extern "C" {
#endif

cudaError_t cudaVDPAUGetDevice(int *device, VdpDevice vdpau,
                               VdpGetProcAddress *function);
cudaError_t cudaVDPAUSetVDPAUDevice(int device, VdpDevice vdpau,
                                    VdpGetProcAddress *function);
cudaError_t
cudaGraphicsVDPAURegisterVideoSurface(cudaGraphicsResource_t *resource,
                                      VdpVideoSurface surface,
                                      unsigned int flags);
cudaError_t
cudaGraphicsVDPAURegisterOutputSurface(cudaGraphicsResource_t *resource,
                                       VdpOutputSurface surface,
                                       unsigned int flags);

#if defined(__cplusplus)
}
#endif

#endif /* __CUDA_VDPAU_INTEROP_H__ */
