//===- MissingHeaders.cpp - where libraries' headers come from ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cuda/checks/MissingHeaders.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace {

struct Library {
  StringRef folder, name, package;
};
constexpr Library Libraries[] = {
    {"thrust/", "Thrust", "libthrust-dev"},
    {"cub/", "CUB", "libcub-dev"},
    {"cuda/", "this part of libcu++", "libcu++-dev"},
};

class Notes : public PPCallbacks {
public:
  explicit Notes(DiagnosticsEngine &diagnostics)
      : diagnostics(diagnostics),
        note(diagnostics.getCustomDiagID(
            DiagnosticsEngine::Note,
            "cufort does not contain %0: install it (Debian's package %1), or "
            "name a folder with the headers of CCCL "
            "(github.com/NVIDIA/cccl) by '--cccl-path=' or by "
            "CUFORT_CCCL_PATH in the environment")) {}

  void InclusionDirective(SourceLocation, const Token &, StringRef name, bool,
                          CharSourceRange range, OptionalFileEntryRef file,
                          StringRef, StringRef, const Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    if (file)
      return;
    for (const Library &each : Libraries)
      if (name.starts_with(each.folder))
        diagnostics.Report(range.getBegin(), note) << each.name << each.package;
  }

private:
  DiagnosticsEngine &diagnostics;
  const unsigned note;
};

} // namespace

void cufort::cuda::nameMissingHeaders(CompilerInstance &instance) {
  instance.getPreprocessor().addPPCallbacks(
      std::make_unique<Notes>(instance.getDiagnostics()));
}
