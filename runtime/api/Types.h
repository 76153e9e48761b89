//===- Types.h - types of the CUDA runtime API ------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Structures have the layout of CUDA 13, so that code compiled against either
// header agrees. What the public headers have in the same form comes from them.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_API_TYPES_H
#define CUFORT_RUNTIME_API_TYPES_H

#include "include/cufort/device_types.h"
#include "runtime/core/engine/Engine.h"
#include <cstddef>

#define CUFORT_API extern "C" __attribute__((visibility("default")))

using cudaError_t = cufort::Error;
using cudaStream_t = void *;
using cudaEvent_t = void *;
using cudaMemcpyKind = cufort::CopyKind;
using cudaStreamCallback_t = void (*)(cudaStream_t, cudaError_t, void *);
using cudaArray_t = void *;
using cudaArray_const_t = const void *;
using cudaMemPool_t = void *;
using cudaGraph_t = void *;
using cudaGraphExec_t = void *;
using cudaGraphNode_t = void *;
using cudaLibrary_t = struct CUlib_st *;
using cudaIpcMemHandle_t = cufort::IpcHandle;
using cudaIpcEventHandle_t = cufort::IpcHandle;

struct cudaChannelFormatDesc {
  int x, y, z, w, f;
};

struct dim3 {
  unsigned x, y, z;
};

// The public header, after the names it needs.
#include "include/cufort/runtime/parameter_types.h"

struct cudaMemcpy3DParms {
  cudaArray_t srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  cudaArray_t dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  cudaExtent extent;
  cudaMemcpyKind kind;
};

struct cudaMemLocation {
  int type, id;
};

struct cudaMemPoolProps {
  int allocType, handleTypes;
  cudaMemLocation location;
  void *win32SecurityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
};

struct cudaGraphExecUpdateResultInfo {
  int result;
  cudaGraphNode_t errorNode, errorFromNode;
};

struct cudaPointerAttributes {
  int type;
  int device;
  void *devicePointer;
  void *hostPointer;
  long reserved[8];
};

namespace cufort {
/// What an array of these arguments is like, or what is wrong with them.
cudaError_t shapeOf(const cudaChannelFormatDesc &format,
                    const cudaExtent &extent, unsigned flags,
                    ArrayShape *shape);
} // namespace cufort

/// The version of the API that these functions follow.
inline constexpr int RuntimeVersion = 13000;

#endif // CUFORT_RUNTIME_API_TYPES_H
