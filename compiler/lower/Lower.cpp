//===- Lower.cpp - the whole way from FIR to host and device code ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pipeline as one list. Passes named create* without a namespace are ours
// (Passes.h); those of namespaces fir and cuf are Flang's.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/Lower.h"
#include "compiler/lower/PassGroups.h"
#include "compiler/lower/Passes.h"
#include "compiler/lower/llvm/DeviceModule.h"
#include "flang/Optimizer/CodeGen/CodeGen.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Passes/Pipelines.h"
#include "flang/Optimizer/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace cufort::lower {

/// The front end leaves HLFIR. Both halves are taken to FIR at -O3, whatever
/// the user's level: that inlines matmul, array assignments, reductions and
/// character comparison, which otherwise call the host's Fortran runtime.
static void addFrontEndPasses(PassManager &pm) {
  pm.addPass(createValueRecords());
  pm.addPass(createManagedArguments());
  pm.addPass(createSharedAsLocal());
  pm.addPass(createOverlappingAssignments());
  pm.addPass(createDefaultBounds());
  fir::createHLFIRToFIRPassPipeline(pm, fir::EnableOpenMP::None,
                                    llvm::OptimizationLevel::O3);
  pm.addPass(createLocalAsShared());
  pm.addPass(createOutputRecords());
}

static void addHostPasses(PassManager &pm) {
  pm.addPass(createOnDeviceIsFalse());
  pm.addPass(createLaunchToRuntime());
  pm.addPass(createHostRecords());
  pm.addPass(createHostAllocations());
  pm.addPass(fir::createCUFOpConversion());
  pm.addPass(createDeviceAddresses());
  pm.addPass(createSelectHostCode());
  pm.addPass(createLargeLocals());
}

/// Those that may refuse something.
static void addDeviceSelection(PassManager &pm) {
  pm.addPass(createOnDeviceIsTrue());
  pm.addPass(createSelectDeviceCode());
  pm.addPass(createThreadTemporaries());
  pm.addPass(createPredefinedVariables());
  pm.addPass(createSharedMemory());
}

static void addDevicePasses(PassManager &pm, bool check) {
  if (check)
    pm.addPass(createIndexChecks());
  pm.addPass(fir::createCUFOpConversion());

  // A thread's stack is small and PTX's has a fixed size: arrays whose size is
  // known at run time only come from the heap.
  pm.addNestedPass<func::FuncOp>(fir::createMemoryAllocationOpt(
      {/*dynamicArrayOnHeap=*/true, /*maxStackArraySize=*/~std::size_t{0}}));

  // Flang's own FIR optimiser: loops to control flow.
  MLIRToLLVMPassPipelineConfig config(llvm::OptimizationLevel::O3);
  config.AliasAnalysis = true;
  fir::createDefaultFIROptimizerPassPipeline(pm, config);

  // Flang's code-generation preparation.
  fir::addBoxedProcedurePass(pm);
  // What Fortran's rules say of dummy arguments: they do not overlap.
  pm.addPass(fir::createAddAliasTags());
  pm.addNestedPass<func::FuncOp>(fir::createAbstractResultOpt());
  fir::addCodeGenRewritePass(pm, /*preserveDeclare=*/false);
  fir::addExternalNameConversionPass(pm, /*appendUnderscore=*/true);
  fir::addCompilerGeneratedNamesConversionPass(pm);

  pm.addPass(createKernelParameters());
  fir::FunctionAttrOptions attributes;
  attributes.setNoCapture = true;
  attributes.setNoAlias = true;
  pm.addNestedPass<func::FuncOp>(fir::createFunctionAttr(attributes));
  pm.addPass(createDeviceToLlvm());
  // Lines, for diagnostics and -Minfo; the engines drop what they do not need.
  pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass());
}

/// Kernel loops that are refused have no kernel, and are not for what follows.
static void outlineKernelLoops(ModuleOp module, PassGroups &groups) {
  if (groups.run(module, [](PassManager &pm) {
        pm.addPass(createOutlineKernelLoops());
      }))
    return;
  SmallVector<cuf::KernelOp> refused;
  module.walk([&](cuf::KernelOp loop) { refused.push_back(loop); });
  for (cuf::KernelOp loop : refused)
    loop.erase();
}

std::unique_ptr<llvm::Module> lower(ModuleOp module, llvm::LLVMContext &context,
                                    PassGroups &groups) {
  const bool check = module->removeAttr(CheckAttribute) != nullptr;
  outlineKernelLoops(module, groups);
  if (!groups.run(module, addFrontEndPasses))
    return nullptr;
  groups.run(module,
             [](PassManager &pm) { pm.addPass(createCheckSupported()); });
  groups.run(module,
             [](PassManager &pm) { pm.addPass(createCharacterData()); });

  std::unique_ptr<llvm::Module> device;
  if (hasDeviceCode(module)) {
    const llvm::StringSet<> managed = managedVariables(module);
    OwningOpRef<ModuleOp> deviceModule = cloneForDevice(module);
    groups.run(*deviceModule, addDeviceSelection);
    if (groups.anyFailed() || !groups.run(*deviceModule, [&](PassManager &pm) {
          addDevicePasses(pm, check);
        }))
      return nullptr;
    device = translateDeviceModule(*deviceModule, context, managed);
    if (!device)
      return nullptr;
  }
  if (!groups.anyFailed())
    groups.run(module, addHostPasses);
  return device;
}

} // namespace cufort::lower
