//===- DefinitionAttributes.h - attributes at definitions only --*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CUDA_SOURCE_DEFINITIONATTRIBUTES_H
#define CUFORT_COMPILER_CUDA_SOURCE_DEFINITIONATTRIBUTES_H

#include "clang/AST/ASTConsumer.h"
#include <memory>

namespace clang {
class Preprocessor;
}

namespace cufort::cuda {

/// Hands what is parsed on to \p next; member functions whose class says
/// nothing of where they run get the attributes of their definitions, which
/// come later in the file or in the main one:
///
///     class Lock { void acquire(); };
///     __device__ void Lock::acquire() { ... }
///
/// To Clang these are two functions, and the class has only one of them. Looks
/// at the text, since nothing is parsed yet; where the definitions of one name
/// differ in this, they are left to Clang.
std::unique_ptr<clang::ASTConsumer>
attributeMembers(std::unique_ptr<clang::ASTConsumer> next,
                 clang::Preprocessor &preprocessor);

} // namespace cufort::cuda

#endif // CUFORT_COMPILER_CUDA_SOURCE_DEFINITIONATTRIBUTES_H
