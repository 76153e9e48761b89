//===- cudalibxt.h - arrays of libraries on several devices -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_CUDALIBXT_H
#define CUFORT_CUDALIBXT_H

#include "cuda_runtime_api.h"
#include <stddef.h>

#define CUDA_XT_DESCRIPTOR_VERSION 0x01000000 // with CUDART_VERSION added
#define MAX_CUDA_DESCRIPTOR_GPUS 64

typedef enum cudaXtCopyType_t {
  LIB_XT_COPY_HOST_TO_DEVICE,
  LIB_XT_COPY_DEVICE_TO_HOST,
  LIB_XT_COPY_DEVICE_TO_DEVICE
} cudaLibXtCopyType;

typedef enum libFormat_t {
  LIB_FORMAT_CUFFT = 0x0,
  LIB_FORMAT_UNDEFINED = 0x1
} libFormat;

/// What each device has.
typedef struct cudaXtDesc_t {
  int version;
  int nGPUs;
  int GPUs[MAX_CUDA_DESCRIPTOR_GPUS];
  void *data[MAX_CUDA_DESCRIPTOR_GPUS];
  size_t size[MAX_CUDA_DESCRIPTOR_GPUS]; ///< bytes
  void *cudaXtState;
} cudaXtDesc;

typedef struct cudaLibXtDesc_t {
  int version;
  cudaXtDesc *descriptor;
  libFormat library;
  int subFormat; ///< a cufftXtSubFormat
  void *libDescriptor;
} cudaLibXtDesc;

#endif // CUFORT_CUDALIBXT_H
