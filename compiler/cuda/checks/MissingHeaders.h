//===- MissingHeaders.h - where libraries' headers come from ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CUDA_CHECKS_MISSINGHEADERS_H
#define CUFORT_COMPILER_CUDA_CHECKS_MISSINGHEADERS_H

namespace clang {
class CompilerInstance;
} // namespace clang

namespace cufort::cuda {

/// Needs a preprocessor. Where a header of Thrust, CUB or libcu++ is not found
/// a note after Clang's error says what to install, or which option names the
/// folder.
void nameMissingHeaders(clang::CompilerInstance &instance);

} // namespace cufort::cuda

#endif // CUFORT_COMPILER_CUDA_CHECKS_MISSINGHEADERS_H
