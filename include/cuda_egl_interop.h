/*===- cuda_egl_interop.h - frames and images of EGL ----------------------===*\
|*
|* Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* On a GPU the driver's, but for the functions whose arguments are frames; on
the
|* CPU cudaErrorNotSupported.
|*
\*===----------------------------------------------------------------------===*/

#ifndef __CUDA_EGL_INTEROP_H__
#define __CUDA_EGL_INTEROP_H__

#include "cuda_runtime_api.h"
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "cufort/egl_runtime_formats.h"

#define CUDA_EGL_MAX_PLANES 3

typedef enum cudaEglFrameType_enum {
  cudaEglFrameTypeArray = 0,
  cudaEglFrameTypePitch = 1
} cudaEglFrameType;
typedef enum cudaEglResourceLocationFlags_enum {
  cudaEglResourceLocationSysmem = 0,
  cudaEglResourceLocationVidmem = 1
} cudaEglResourceLocationFlags;

typedef struct cudaEglPlaneDesc_st {
  unsigned int width, height, depth, pitch;
  unsigned int numChannels;
  struct cudaChannelFormatDesc channelDesc;
  unsigned int reserved[4];
} cudaEglPlaneDesc;
typedef struct cudaEglFrame_st {
  union {
    cudaArray_t pArray[CUDA_EGL_MAX_PLANES];
    struct cudaPitchedPtr pPitch[CUDA_EGL_MAX_PLANES];
  } frame;
  cudaEglPlaneDesc planeDesc[CUDA_EGL_MAX_PLANES];
  unsigned int planeCount;
  cudaEglFrameType frameType;
  cudaEglColorFormat eglColorFormat;
} cudaEglFrame;

typedef struct CUeglStreamConnection_st *cudaEglStreamConnection;

#if defined(__cplusplus)
extern "C" {
#endif

cudaError_t cudaGraphicsEGLRegisterImage(cudaGraphicsResource_t *resource,
                                         EGLImageKHR image, unsigned int flags);
cudaError_t cudaEGLStreamConsumerConnect(cudaEglStreamConnection *connection,
                                         EGLStreamKHR stream);
cudaError_t
cudaEGLStreamConsumerConnectWithFlags(cudaEglStreamConnection *connection,
                                      EGLStreamKHR stream, unsigned int flags);
cudaError_t
cudaEGLStreamConsumerDisconnect(cudaEglStreamConnection *connection);
cudaError_t
cudaEGLStreamConsumerAcquireFrame(cudaEglStreamConnection *connection,
                                  cudaGraphicsResource_t *resource,
                                  cudaStream_t *stream, unsigned int timeout);
cudaError_t
cudaEGLStreamConsumerReleaseFrame(cudaEglStreamConnection *connection,
                                  cudaGraphicsResource_t resource,
                                  cudaStream_t *stream);
cudaError_t cudaEGLStreamProducerConnect(cudaEglStreamConnection *connection,
                                         EGLStreamKHR stream, EGLint width,
                                         EGLint height);
cudaError_t
cudaEGLStreamProducerDisconnect(cudaEglStreamConnection *connection);
cudaError_t
cudaEGLStreamProducerPresentFrame(cudaEglStreamConnection *connection,
                                  cudaEglFrame frame, cudaStream_t *stream);
cudaError_t
cudaEGLStreamProducerReturnFrame(cudaEglStreamConnection *connection,
                                 cudaEglFrame *frame, cudaStream_t *stream);
cudaError_t
cudaGraphicsResourceGetMappedEglFrame(cudaEglFrame *frame,
                                      cudaGraphicsResource_t resource,
                                      unsigned int index, unsigned int level);
cudaError_t cudaEventCreateFromEGLSync(cudaEvent_t *event, EGLSyncKHR sync,
                                       unsigned int flags);

#if defined(__cplusplus)
}
#endif

#endif /* __CUDA_EGL_INTEROP_H__ */
