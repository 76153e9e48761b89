//===- DeclarationAttributes.h - attributes at declarations only *- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CUDA_SOURCE_DECLARATIONATTRIBUTES_H
#define CUFORT_COMPILER_CUDA_SOURCE_DECLARATIONATTRIBUTES_H

namespace clang {
class CompilerInstance;
}

namespace cufort::cuda {

/// Definitions of functions that say nothing of where they run get the
/// attributes of their declarations, which came before, with a warning:
///
///     __host__ __device__ float f(float);
///     float f(float x) { return 2 * x; }
///
/// To Clang the second one is a function of the host. Looks at the tokens that
/// the parser takes and puts the attributes behind the parameters; where
/// functions of one name and number of parameters differ in this, they are left
/// to Clang. Needs a preprocessor that has not begun.
void attributeDefinitions(clang::CompilerInstance &instance);

} // namespace cufort::cuda

#endif // CUFORT_COMPILER_CUDA_SOURCE_DECLARATIONATTRIBUTES_H
