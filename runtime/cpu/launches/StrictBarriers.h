//===- StrictBarriers.h - threads at different barriers ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUFORT_CPU_STRICT=1: all threads of a block that have not ended must come to
// the same barrier. On a GPU the behaviour is undefined otherwise; on the CPU
// threads at any barrier count.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_LAUNCHES_STRICTBARRIERS_H
#define CUFORT_RUNTIME_CPU_LAUNCHES_STRICTBARRIERS_H

#include "image/Image.h"

namespace cufort::cpu {

/// Ends the kernel that the calling thread runs, because the threads \p one and
/// \p other of block \p block wait at different barriers. All count from zero.
[[noreturn]] void failAtBarriers(const image::Dim3 &block,
                                 const image::Dim3 &one,
                                 const image::Dim3 &other);

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_LAUNCHES_STRICTBARRIERS_H
