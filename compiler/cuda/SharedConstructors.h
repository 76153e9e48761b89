//===- SharedConstructors.h - shared objects of classes ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CUDA_SHAREDCONSTRUCTORS_H
#define CUFORT_COMPILER_CUDA_SHAREDCONSTRUCTORS_H

namespace clang {
class DiagnosticsEngine;
class VarDecl;
} // namespace clang

namespace cufort::cuda {

/// Shared variables of classes whose constructors do something: nvcc warns that
/// they do not run, and Clang has an error. The attribute cufort_shared, a part
/// of __shared__ (include/crt/host_defines.h), keeps Clang from making an
/// initial value: it marks the variable. Here the mark goes, with a warning,
/// for a \p variable of a type that is known. Needs to be called before code is
/// made of it.
void dropInitialValue(clang::VarDecl &variable,
                      clang::DiagnosticsEngine &diagnostics);

} // namespace cufort::cuda

#endif // CUFORT_COMPILER_CUDA_SHAREDCONSTRUCTORS_H
