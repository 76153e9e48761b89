//===- FrontEnd.cpp - Fortran source to HLFIR -----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/FrontEnd.h"
#include "compiler/fortran/checks/DeviceComponents.h"
#include "compiler/fortran/loops/ComponentReductions.h"
#include "compiler/lower/PassGroups.h"
#include "flang/Frontend/CompilerInvocation.h"
#include "flang/Lower/Bridge.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "flang/Optimizer/Passes/Pipelines.h"
#include "flang/Optimizer/Support/Utils.h"
#include "flang/Parser/parsing.h"
#include "flang/Semantics/semantics.h"
#include "flang/Tools/CrossToolHelpers.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/SourceMgr.h"

using namespace Fortran;

namespace cufort {

static bool isEnabled(frontend::CompilerInvocation &invocation,
                      common::LanguageFeature feature) {
  return invocation.getFrontendOpts().features.IsEnabled(feature);
}

namespace {

/// Shows line and caret for what Flang's lowering reports, which has a handler
/// of its own that does not, and says where in its source it gave up.
class LoweringDiagnostics : public mlir::SourceMgrDiagnosticHandler {
public:
  explicit LoweringDiagnostics(mlir::MLIRContext &context)
      : SourceMgrDiagnosticHandler(sources, &context, llvm::errs()) {
    setHandler([this](mlir::Diagnostic &diagnostic) {
      const std::string text = diagnostic.str();
      static constexpr llvm::StringRef mark = "ot yet implemented: ";
      const size_t at = llvm::StringRef(text).find(mark);
      if (at == llvm::StringRef::npos || at == 0)
        return emitDiagnostic(diagnostic);
      const llvm::StringRef what =
          llvm::StringRef(text).drop_front(at + mark.size());
      emitDiagnostic(diagnostic.getLocation(),
                     what.starts_with("Multi-image")
                         ? "images and coarrays are not supported"
                         : "not supported: " + what,
                     diagnostic.getSeverity());
    });
  }

private:
  llvm::SourceMgr sources;
};

} // namespace

static mlir::OwningOpRef<mlir::ModuleOp>
crossBridge(frontend::CompilerInstance &instance, mlir::MLIRContext &context) {
  frontend::CompilerInvocation &invocation = instance.getInvocation();
  semantics::SemanticsContext &semantics = instance.getSemanticsContext();
  fir::KindMapping kinds(&context,
                         llvm::ArrayRef<fir::KindTy>{
                             fir::fromDefaultKinds(semantics.defaultKinds())});
  Fortran::lower::LoweringBridge bridge =
      Fortran::lower::LoweringBridge::create(
          context, semantics, semantics.defaultKinds(), semantics.intrinsics(),
          semantics.targetCharacteristics(), instance.getAllCookedSources(),
          invocation.getTargetOpts().triple, kinds,
          invocation.getLoweringOpts(),
          invocation.getFrontendOpts().envDefaults,
          invocation.getFrontendOpts().features, instance.getTargetMachine(),
          invocation.getTargetOpts(), invocation.getCodeGenOpts());
  if (isEnabled(invocation, common::LanguageFeature::OpenMP)) {
    setOffloadModuleInterfaceAttributes(
        bridge.getModule(), OffloadModuleOpts(invocation.getLangOpts()));
    setOpenMPVersionAttribute(bridge.getModule(),
                              invocation.getLangOpts().OpenMPVersion);
  }
  LoweringDiagnostics diagnostics(context);
  bridge.lower(*instance.getParsing().parseTree(), semantics);
  return bridge.getModuleAndRelease();
}

mlir::OwningOpRef<mlir::ModuleOp>
lowerToHlfir(frontend::CompilerInstance &instance, mlir::MLIRContext &context,
             lower::PassGroups &groups) {
  frontend::CompilerInvocation &invocation = instance.getInvocation();
  mlir::OwningOpRef<mlir::ModuleOp> module = crossBridge(instance, context);
  if (!module)
    return nullptr;

  // OpenMP's passes have to come first of all.
  bool isOpenMP = isEnabled(invocation, common::LanguageFeature::OpenMP);
  if (isOpenMP || invocation.getLangOpts().OpenMPSimd) {
    fir::OpenMPFIRPassPipelineOpts options;
    options.isTargetDevice = false;
    options.doConcurrentMappingKind =
        invocation.getCodeGenOpts().getDoConcurrentMapping();
    if (!groups.run(*module, [&](mlir::PassManager &passes) {
          fir::createOpenMPFIRPassPipeline(passes, options);
        }))
      return nullptr;
  }
  if (isEnabled(invocation, common::LanguageFeature::CUDA)) {
    noteDeviceComponents(instance.getSemanticsContext(), *module);
    noteComponentReductions(*instance.getParsing().parseTree(),
                            instance.getAllCookedSources(), *module);
    for (lower::Stage stage :
         {lower::Stage::PrivateVariables, lower::Stage::Restrictions,
          lower::Stage::DeviceData, lower::Stage::HostAccess})
      groups.run(*module, stage);
  } else {
    groups.run(*module, lower::Stage::PlainFortran);
  }
  if (!groups.anyFailed() && !groups.run(*module, lower::Stage::Verification))
    return nullptr;
  return module;
}

} // namespace cufort
