//===- SharedAlignment.h - where shared arrays begin ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CUDA_SHAREDALIGNMENT_H
#define CUFORT_COMPILER_CUDA_SHAREDALIGNMENT_H

#include "clang/AST/ASTConsumer.h"
#include <memory>

namespace cufort::cuda {

/// Hands what is parsed on to \p next, with every `__shared__` array aligned so
/// that 16 bytes of it are one access. Programs write `*(int4 *)&tile[...]`
/// where they have seen to that in their indices; Clang takes the alignment
/// from the array's declaration and would make eight accesses of two bytes.
std::unique_ptr<clang::ASTConsumer>
alignSharedArrays(std::unique_ptr<clang::ASTConsumer> next);

} // namespace cufort::cuda

#endif // CUFORT_COMPILER_CUDA_SHAREDALIGNMENT_H
