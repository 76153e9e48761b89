//===- NvccWarnings.h - Clang's errors that nvcc warns of -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CUDA_CHECKS_NVCCWARNINGS_H
#define CUFORT_COMPILER_CUDA_CHECKS_NVCCWARNINGS_H

#include "llvm/ADT/StringRef.h"

namespace clang {
class CompilerInstance;
class DiagnosticsEngine;
} // namespace clang

namespace cufort::cuda {

/// Needs a main file that has been entered. Makes warnings of what Clang has
/// errors for and nvcc warnings, where Clang goes on as if the text were not
/// there: "#pragma unroll" before what is no loop, twice before one, and with a
/// number that is none, or zero or less.
void allowAsNvcc(clang::CompilerInstance &instance);

/// A warning of our own, which -w, -Werror and -Wno-cuda-compat reach as they
/// do Clang's.
unsigned warningWith(clang::DiagnosticsEngine &diagnostics,
                     llvm::StringRef text);

} // namespace cufort::cuda

#endif // CUFORT_COMPILER_CUDA_CHECKS_NVCCWARNINGS_H
