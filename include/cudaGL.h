/*===- cudaGL.h - buffers and images of OpenGL ----------------------------===*\
|*
|* Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* On a GPU the driver's; on the CPU CUDA_ERROR_NOT_SUPPORTED.
|*
\*===----------------------------------------------------------------------===*/

#ifndef CUDAGL_H
#define CUDAGL_H

#include "cuda.h"
#include <GL/gl.h>

typedef enum CUGLDeviceList_enum {
  CU_GL_DEVICE_LIST_ALL = 1,
  CU_GL_DEVICE_LIST_CURRENT_FRAME = 2,
  CU_GL_DEVICE_LIST_NEXT_FRAME = 3
} CUGLDeviceList;
typedef enum CUGLmap_flags_enum {
  CU_GL_MAP_RESOURCE_FLAGS_NONE = 0,
  CU_GL_MAP_RESOURCE_FLAGS_READ_ONLY = 1,
  CU_GL_MAP_RESOURCE_FLAGS_WRITE_DISCARD = 2
} CUGLmap_flags;

#define cuGLGetDevices cuGLGetDevices_v2
#define cuGLCtxCreate cuGLCtxCreate_v2
#define cuGLMapBufferObject cuGLMapBufferObject_v2
#define cuGLMapBufferObjectAsync cuGLMapBufferObjectAsync_v2

#if defined(__cplusplus)
extern "C" {
#endif

CUresult cuGLGetDevices(unsigned int *count, CUdevice *devices,
                        unsigned int most, CUGLDeviceList list);
CUresult cuGraphicsGLRegisterBuffer(CUgraphicsResource *resource, GLuint buffer,
                                    unsigned int flags);
CUresult cuGraphicsGLRegisterImage(CUgraphicsResource *resource, GLuint image,
                                   GLenum target, unsigned int flags);

/* What CUDA 3 has replaced by resources; not on a GPU either. */
CUresult cuGLCtxCreate(CUcontext *context, unsigned int flags, CUdevice device);
CUresult cuGLInit(void);
CUresult cuGLRegisterBufferObject(GLuint buffer);
CUresult cuGLMapBufferObject(CUdeviceptr *address, size_t *bytes,
                             GLuint buffer);
CUresult cuGLUnmapBufferObject(GLuint buffer);
CUresult cuGLUnregisterBufferObject(GLuint buffer);
CUresult cuGLSetBufferObjectMapFlags(GLuint buffer, unsigned int flags);
CUresult cuGLMapBufferObjectAsync(CUdeviceptr *address, size_t *bytes,
                                  GLuint buffer, CUstream stream);
CUresult cuGLUnmapBufferObjectAsync(GLuint buffer, CUstream stream);

#if defined(__cplusplus)
}
#endif

#endif /* CUDAGL_H */
