//===- StridedKernel.h - strided copies on an NVIDIA device -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CUDA_STRIDEDKERNEL_H
#define CUFORT_RUNTIME_CUDA_STRIDEDKERNEL_H

#include "runtime/core/Strided.h"
#include "runtime/cuda/Driver.h"
#include <mutex>

namespace cufort::cuda {

/// One context's copy of the kernel that copies between any two views in memory
/// that the device reaches (StridedKernel.c).
class StridedKernel {
public:
  /// Starts the copy in the default stream, with the device's context current.
  CUresult copy(const Driver &driver, const StridedView &to,
                const StridedView &from);
  /// Forgets the kernel: its context is gone.
  void reset();

private:
  std::mutex mutex;
  CUmodule module = nullptr;
};

} // namespace cufort::cuda

#endif // CUFORT_RUNTIME_CUDA_STRIDEDKERNEL_H
