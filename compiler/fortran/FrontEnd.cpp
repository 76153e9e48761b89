//===- FrontEnd.cpp - Fortran source to HLFIR -----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/FrontEnd.h"
#include "compiler/fortran/ComponentReductions.h"
#include "compiler/fortran/DeviceComponents.h"
#include "compiler/lower/Passes.h"
#include "flang/Frontend/CompilerInvocation.h"
#include "flang/Lower/Bridge.h"
#include "flang/Lower/Support/Verifier.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "flang/Optimizer/Passes/Pipelines.h"
#include "flang/Optimizer/Support/Utils.h"
#include "flang/Parser/parsing.h"
#include "flang/Semantics/semantics.h"
#include "flang/Tools/CrossToolHelpers.h"
#include "mlir/Pass/PassManager.h"

using namespace Fortran;

namespace cufort {

static bool isEnabled(frontend::CompilerInvocation &invocation,
                      common::LanguageFeature feature) {
  return invocation.getFrontendOpts().features.IsEnabled(feature);
}

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
  bridge.lower(*instance.getParsing().parseTree(), semantics);
  return bridge.getModuleAndRelease();
}

mlir::OwningOpRef<mlir::ModuleOp>
lowerToHlfir(frontend::CompilerInstance &instance, mlir::MLIRContext &context) {
  frontend::CompilerInvocation &invocation = instance.getInvocation();
  mlir::OwningOpRef<mlir::ModuleOp> module = crossBridge(instance, context);
  if (!module)
    return nullptr;

  // OpenMP's passes have to come first of all.
  mlir::PassManager passes((*module)->getName(),
                           mlir::OpPassManager::Nesting::Implicit);
  bool isOpenMP = isEnabled(invocation, common::LanguageFeature::OpenMP);
  if (isOpenMP || invocation.getLangOpts().OpenMPSimd) {
    fir::OpenMPFIRPassPipelineOpts options;
    options.isTargetDevice = false;
    options.doConcurrentMappingKind =
        invocation.getCodeGenOpts().getDoConcurrentMapping();
    fir::createOpenMPFIRPassPipeline(passes, options);
  }
  if (isEnabled(invocation, common::LanguageFeature::CUDA)) {
    noteDeviceComponents(instance.getSemanticsContext(), *module);
    noteComponentReductions(*instance.getParsing().parseTree(),
                            instance.getAllCookedSources(), *module);
    passes.addPass(lower::createPrivateVariables());
    passes.addPass(lower::createCheckRestrictions());
    passes.addPass(lower::createOrderedAssignments());
    passes.addPass(lower::createDeviceIntrinsics());
    passes.addPass(lower::createTransferExpressions());
    passes.addPass(lower::createRepairTransfers());
    passes.addPass(lower::createHostReads());
    passes.addPass(lower::createDeviceAssignments());
    passes.addPass(lower::createRepairAtomics());
    passes.addPass(lower::createRepairConstructors());
    passes.addPass(lower::createHostOutput());
    passes.addPass(lower::createHostAccess());
  }
  passes.addPass(std::make_unique<Fortran::lower::VerifierPass>());
  // What the repairs are for would not verify before them.
  passes.enableVerifier(false);
  if (mlir::failed(passes.run(*module)))
    return nullptr;
  return module;
}

} // namespace cufort
