//===- LaunchLists.h - lists as arguments of a launch -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CUDA_LAUNCHLISTS_H
#define CUFORT_COMPILER_CUDA_LAUNCHLISTS_H

namespace clang {
class CompilerInstance;
}

namespace cufort::cuda {

/// Lets launches give their grid and block, the bytes of shared memory and the
/// stream as lists, as with nvcc:
///
///     kernel<<<blocks, {32, 4}, 0, {}>>>(...);
///
/// Clang's grammar has only expressions there, so the text of the main file and
/// of headers, where it is such a list, gets the type's name before. Needs a
/// preprocessor that has not begun.
void nameLaunchLists(clang::CompilerInstance &instance);

} // namespace cufort::cuda

#endif // CUFORT_COMPILER_CUDA_LAUNCHLISTS_H
