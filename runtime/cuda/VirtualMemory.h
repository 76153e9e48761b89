//===- VirtualMemory.h - addresses of NVIDIA devices ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CUDA_VIRTUALMEMORY_H
#define CUFORT_RUNTIME_CUDA_VIRTUALMEMORY_H

#include "runtime/core/engine/VirtualMemory.h"
#include "runtime/cuda/Driver.h"

namespace cufort::cuda {

/// The driver's own, which needs no context for it.
class CudaVirtualMemory final : public VirtualMemory {
public:
  explicit CudaVirtualMemory(const Driver &driver) : driver(driver) {}

#define CUFORT_VIRTUAL_MEMORY(result, name, parameters)                        \
  result name parameters override;
#include "runtime/core/engine/VirtualMemory.def"

private:
  const Driver &driver;
};

} // namespace cufort::cuda

#endif // CUFORT_RUNTIME_CUDA_VIRTUALMEMORY_H
