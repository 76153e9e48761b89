//===- PtxRules.cpp - what inline PTX needs of a GPU ----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cuda/checks/PtxRules.h"
#include "compiler/common/PtxInstructions.h"
#include "compiler/cuda/checks/NvccWarnings.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include <string>

using namespace clang;
using cufort::PtxNeed;
using cufort::PtxStatement;

namespace {

class Rules {
public:
  Rules(CompilerInstance &instance, unsigned architecture, bool isNamed)
      : diagnostics(instance.getDiagnostics()),
        sources(instance.getSourceManager()), architecture(architecture),
        isNamed(isNamed) {
    unknown = diagnostics.getCustomDiagID(DiagnosticsEngine::Error,
                                          "PTX has no instruction '%0'");
    ofOneChip = diagnostics.getCustomDiagID(
        DiagnosticsEngine::Error,
        "the PTX instruction '%0' exists on sm_%1a only, for which cufort "
        "generates no code: its code has to run on all newer GPUs as well");
    tooNew = diagnostics.getCustomDiagID(
        DiagnosticsEngine::Error,
        "the PTX instruction '%0' needs a GPU sm_%1 or newer, and the file is "
        "compiled for sm_%2");
    raised = cufort::cuda::warningWith(
        diagnostics,
        "the PTX instruction '%0' needs a GPU sm_%1 or newer: the file is "
        "compiled for that in place of sm_%2, as no '-arch=' is given");
  }

  void check(const llvm::CallBase &call) {
    auto &assembly = *llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
    const llvm::StringRef text = assembly.getAsmString();
    cufort::forEachPtxStatement(text, [&](const PtxStatement &each) {
      const SourceLocation place =
          placeOf(call, text.take_front(each.offset).count('\n'));
      if (place.isInvalid() || sources.isInSystemHeader(place))
        return;
      if (!cufort::isPtxInstruction(each.instruction)) {
        diagnostics.Report(place, unknown) << each.instruction.split('.').first;
        return;
      }
      const PtxNeed need = cufort::ptxNeed(each);
      if (need.isOfOneChip)
        diagnostics.Report(place, ofOneChip)
            << each.instruction << need.architecture;
      else if (need.architecture > architecture && isNamed)
        diagnostics.Report(place, tooNew)
            << each.instruction << need.architecture << architecture;
      else if (need.architecture > std::max(architecture, wanted)) {
        wanted = need.architecture;
        wanting = each.instruction.str();
        wantedAt = place;
      }
    });
  }

  /// The architecture to compile for again, or 0.
  unsigned finish() {
    if (wanted && !diagnostics.hasErrorOccurred())
      diagnostics.Report(wantedAt, raised) << wanting << wanted << architecture;
    return wanted;
  }

private:
  /// Clang notes a place for each line of an assembly.
  static SourceLocation placeOf(const llvm::CallBase &call, unsigned line) {
    const llvm::MDNode *lines = call.getMetadata("srcloc");
    if (!lines || !lines->getNumOperands())
      return {};
    const auto *place = llvm::mdconst::dyn_extract<llvm::ConstantInt>(
        lines->getOperand(line < lines->getNumOperands() ? line : 0));
    return place ? SourceLocation::getFromRawEncoding(
                       static_cast<unsigned>(place->getZExtValue()))
                 : SourceLocation();
  }

  DiagnosticsEngine &diagnostics;
  const SourceManager &sources;
  const unsigned architecture;
  const bool isNamed;
  unsigned unknown, ofOneChip, tooNew, raised;
  unsigned wanted = 0;
  std::string wanting;
  SourceLocation wantedAt;
};

} // namespace

unsigned cufort::cuda::checkInlinePtx(CompilerInstance &instance,
                                      const llvm::Module &device,
                                      unsigned architecture, bool isNamed) {
  // The parts of the run that print its messages have ended.
  instance.getDiagnosticClient().BeginSourceFile(instance.getLangOpts());
  Rules rules(instance, architecture, isNamed);
  for (const llvm::Function &function : device)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
          call && call->isInlineAsm())
        rules.check(*call);
  const unsigned wanted = rules.finish();
  instance.getDiagnosticClient().EndSourceFile();
  return wanted;
}
