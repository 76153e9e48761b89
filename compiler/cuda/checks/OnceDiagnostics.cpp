//===- OnceDiagnostics.cpp - what two compilations say, said once ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cuda/checks/OnceDiagnostics.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/raw_ostream.h"

using namespace cufort::cuda;

OnceDiagnostics::OnceDiagnostics(clang::DiagnosticOptions &options,
                                 llvm::StringSet<> &said)
    : TextDiagnosticPrinter(llvm::errs(), options), said(said) {}

void OnceDiagnostics::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                       const clang::Diagnostic &diagnostic) {
  if (level != clang::DiagnosticsEngine::Note) {
    llvm::SmallString<128> text;
    llvm::raw_svector_ostream stream(text);
    if (diagnostic.hasSourceManager() && diagnostic.getLocation().isValid())
      diagnostic.getLocation().print(stream, diagnostic.getSourceManager());
    stream << ": ";
    llvm::SmallString<128> message;
    diagnostic.FormatDiagnostic(message);
    stream << message;
    silent = !said.insert(text).second;
  }
  if (!silent)
    TextDiagnosticPrinter::HandleDiagnostic(level, diagnostic);
  else // still counted: an error stays an error
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
}
