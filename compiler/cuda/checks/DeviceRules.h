//===- DeviceRules.h - rules of CUDA that Clang lets pass -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CUDA_CHECKS_DEVICERULES_H
#define CUFORT_COMPILER_CUDA_CHECKS_DEVICERULES_H

namespace clang {
class CompilerInstance;
} // namespace clang

namespace cufort::cuda {

/// Needs a source that one of Clang's two runs has read. Says where host code
/// reads or writes device variables (a warning, as nvcc's: it touches their
/// namesakes on the host), where device code writes constant variables, and
/// where it launches kernels, which cufort does not have (errors).
void checkDeviceRules(clang::CompilerInstance &instance);

} // namespace cufort::cuda

#endif // CUFORT_COMPILER_CUDA_CHECKS_DEVICERULES_H
