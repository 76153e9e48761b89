//===- SourceEdits.cpp - what Clang does not read as nvcc does ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cuda/source/SourceEdits.h"
#include "compiler/cuda/checks/NvccWarnings.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>

using namespace clang;
using llvm::StringRef;
using namespace cufort::cuda;

static std::string edited(StringRef text,
                          const std::vector<SourceEdit> &edits) {
  std::string result;
  size_t done = 0;
  for (const SourceEdit &edit : edits) {
    result += text.slice(done, edit.place);
    result += edit.text;
    done = edit.place + edit.length;
  }
  result += text.substr(done);
  return result;
}

namespace {

/// What is warned of in a file, and where.
struct Leniency {
  size_t place;
  StringRef warning;
};

} // namespace

/// Whether \p file has any of \p forms.
static bool rewrite(SourceManager &sources, const LangOptions &options,
                    llvm::ArrayRef<const SourceForm *> forms, FileEntryRef file,
                    std::vector<Leniency> &leniencies) {
  auto buffer = sources.getMemoryBufferForFileOrNone(file);
  if (!buffer)
    return false;
  StringRef text = buffer->getBuffer();
  std::string latest;
  bool isEdited = false;
  for (const SourceForm *form : forms) {
    if (!text.contains(form->sign))
      continue;
    std::vector<SourceEdit> edits = form->edits(text, options);
    if (edits.empty())
      continue;
    if (!form->warning.empty())
      leniencies.push_back({edits.front().place, form->warning});
    latest = edited(text, edits);
    text = latest;
    isEdited = true;
  }
  if (isEdited)
    sources.overrideFileContents(file,
                                 llvm::MemoryBuffer::getMemBufferCopy(
                                     text, buffer->getBufferIdentifier()));
  return isEdited;
}

static void warn(CompilerInstance &instance, FileID file,
                 llvm::ArrayRef<Leniency> leniencies) {
  DiagnosticsEngine &diagnostics = instance.getDiagnostics();
  const SourceLocation begin =
      instance.getSourceManager().getLocForStartOfFile(file);
  for (const Leniency &each : leniencies)
    diagnostics.Report(begin.getLocWithOffset(static_cast<int>(each.place)),
                       cufort::cuda::warningWith(diagnostics, each.warning));
}

namespace {

/// Headers, before they are entered.
class Headers : public PPCallbacks {
public:
  Headers(CompilerInstance &instance, llvm::ArrayRef<const SourceForm *> forms)
      : instance(instance), forms(forms) {}

  void InclusionDirective(SourceLocation, const Token &, StringRef, bool,
                          CharSourceRange, OptionalFileEntryRef file, StringRef,
                          StringRef, const clang::Module *, bool,
                          SrcMgr::CharacteristicKind kind) override {
    std::vector<Leniency> leniencies;
    SourceManager &sources = instance.getSourceManager();
    if (file && !SrcMgr::isSystem(kind) &&
        rewrite(sources, instance.getLangOpts(), forms, *file, leniencies) &&
        !leniencies.empty())
      warn(instance, sources.getOrCreateFileID(*file, kind), leniencies);
  }

private:
  CompilerInstance &instance;
  llvm::ArrayRef<const SourceForm *> forms;
};

} // namespace

void cufort::cuda::editSources(CompilerInstance &instance,
                               llvm::ArrayRef<const SourceForm *> forms) {
  SourceManager &sources = instance.getSourceManager();
  // Places in the file are numbered by its size when it was entered.
  std::vector<Leniency> leniencies;
  if (auto file = sources.getFileEntryRefForID(sources.getMainFileID());
      file &&
      rewrite(sources, instance.getLangOpts(), forms, *file, leniencies)) {
    sources.setMainFileID(
        sources.createFileID(*file, SourceLocation(), SrcMgr::C_User));
    warn(instance, sources.getMainFileID(), leniencies);
  }
  instance.getPreprocessor().addPPCallbacks(
      std::make_unique<Headers>(instance, forms));
}
