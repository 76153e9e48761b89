//===- Box.h - boxes as the driver API describes them -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_DRIVER_BOX_H
#define CUFORT_RUNTIME_DRIVER_BOX_H

#include "include/cuda.h"
#include "runtime/core/engine/Engine.h"

namespace cufort::driver {

/// The copy that \p p, which may be null, describes.
Error boxOf(const CUDA_MEMCPY3D *p, BoxCopy *box);
/// The other way round. Memory is unified: the copy finds out where it lies.
CUDA_MEMCPY3D descriptionOf(const BoxCopy &box);

} // namespace cufort::driver

#endif // CUFORT_RUNTIME_DRIVER_BOX_H
