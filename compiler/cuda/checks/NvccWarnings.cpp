//===- NvccWarnings.cpp - Clang's errors that nvcc warns of ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cuda/checks/NvccWarnings.h"
#include "clang/Basic/DiagnosticCategories.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"

using namespace clang;

void cufort::cuda::allowAsNvcc(CompilerInstance &instance) {
  constexpr unsigned Errors[] = {diag::err_pragma_loop_precedes_nonloop,
                                 diag::err_requires_positive_value,
                                 diag::err_pragma_loop_compatibility};
  const SourceManager &sources = instance.getSourceManager();
  // As a pragma would: what has no place does not lower errors.
  const SourceLocation place =
      sources.getLocForStartOfFile(sources.getMainFileID());
  for (const unsigned each : Errors)
    instance.getDiagnostics().setSeverity(each, diag::Severity::Warning, place);
}

unsigned cufort::cuda::warningWith(DiagnosticsEngine &diagnostics,
                                   llvm::StringRef text) {
  return diagnostics.getDiagnosticIDs()->getCustomDiagID(
      DiagnosticIDs::CustomDiagDesc(
          diag::Severity::Warning, text.str(), DiagnosticIDs::CLASS_WARNING,
          /*ShowInSystemHeader=*/false, /*ShowInSystemMacro=*/false,
          diag::Group::CudaCompat));
}
