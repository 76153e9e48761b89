/*===- cudaEGL.h - frames and images of EGL -------------------------------===*\
|*
|* Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* On a GPU the driver's; on the CPU CUDA_ERROR_NOT_SUPPORTED.
|*
\*===----------------------------------------------------------------------===*/

#ifndef CUDAEGL_H
#define CUDAEGL_H

#include "cuda.h"
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "cufort/egl_types.h"

#if defined(__cplusplus)
extern "C" {
#endif

CUresult cuGraphicsEGLRegisterImage(CUgraphicsResource *resource,
                                    EGLImageKHR image, unsigned int flags);
CUresult cuEGLStreamConsumerConnect(CUeglStreamConnection *connection,
                                    EGLStreamKHR stream);
CUresult cuEGLStreamConsumerConnectWithFlags(CUeglStreamConnection *connection,
                                             EGLStreamKHR stream,
                                             unsigned int flags);
CUresult cuEGLStreamConsumerDisconnect(CUeglStreamConnection *connection);
CUresult cuEGLStreamConsumerAcquireFrame(CUeglStreamConnection *connection,
                                         CUgraphicsResource *resource,
                                         CUstream *stream,
                                         unsigned int timeout);
CUresult cuEGLStreamConsumerReleaseFrame(CUeglStreamConnection *connection,
                                         CUgraphicsResource resource,
                                         CUstream *stream);
CUresult cuEGLStreamProducerConnect(CUeglStreamConnection *connection,
                                    EGLStreamKHR stream, EGLint width,
                                    EGLint height);
CUresult cuEGLStreamProducerDisconnect(CUeglStreamConnection *connection);
CUresult cuEGLStreamProducerPresentFrame(CUeglStreamConnection *connection,
                                         CUeglFrame frame, CUstream *stream);
CUresult cuEGLStreamProducerReturnFrame(CUeglStreamConnection *connection,
                                        CUeglFrame *frame, CUstream *stream);
CUresult cuGraphicsResourceGetMappedEglFrame(CUeglFrame *frame,
                                             CUgraphicsResource resource,
                                             unsigned int index,
                                             unsigned int level);
CUresult cuEventCreateFromEGLSync(CUevent *event, EGLSyncKHR sync,
                                  unsigned int flags);

#if defined(__cplusplus)
}
#endif

#endif /* CUDAEGL_H */
