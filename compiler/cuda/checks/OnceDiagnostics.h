//===- OnceDiagnostics.h - what two compilations say, said once -*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CUDA_CHECKS_ONCEDIAGNOSTICS_H
#define CUFORT_COMPILER_CUDA_CHECKS_ONCEDIAGNOSTICS_H

#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/ADT/StringSet.h"

namespace cufort::cuda {

/// Prints diagnostics as Clang does, but for those that are in \p said already.
/// A CUDA source is compiled twice, and most of its warnings are found twice.
class OnceDiagnostics : public clang::TextDiagnosticPrinter {
public:
  OnceDiagnostics(clang::DiagnosticOptions &options, llvm::StringSet<> &said);
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override;

private:
  llvm::StringSet<> &said;
  /// Notes belong to the diagnostic before them.
  bool silent = false;
};

} // namespace cufort::cuda

#endif // CUFORT_COMPILER_CUDA_CHECKS_ONCEDIAGNOSTICS_H
