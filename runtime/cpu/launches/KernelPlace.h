//===- KernelPlace.h - where in a kernel something happened -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_LAUNCHES_KERNELPLACE_H
#define CUFORT_RUNTIME_CPU_LAUNCHES_KERNELPLACE_H

#include "image/Image.h"

namespace cufort::cpu {

/// What a thread of the host executes of a kernel. Which thread of the block is
/// known where each is a fiber.
struct KernelPlace {
  const char *kernel = nullptr; ///< its symbol; null: no kernel
  bool hasThread = false;
  /// The kernel's threads have no other code (-g).
  bool onFibersOnly = false;
  image::Dim3 block{}, thread{};
  const void *instruction = nullptr; ///< null: not known
};

/// The place of the calling thread, also in a signal's handler.
KernelPlace currentPlace(const void *instruction = nullptr);

/// Writes on standard error where \p what happened: file and line (those given,
/// else of the instruction), kernel, block and thread, and the statement.
void reportAt(const KernelPlace &place, const char *what,
              const char *file = nullptr, unsigned line = 0);

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_LAUNCHES_KERNELPLACE_H
