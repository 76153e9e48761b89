//===- Lower.cpp - the whole way from FIR to host and device code ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stages of the pipeline, whose passes Pipeline.cpp lists.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/Lower.h"
#include "compiler/lower/PassGroups.h"
#include "compiler/lower/llvm/DeviceModule.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace cufort::lower {

/// Kernel loops that are refused have no kernel, and are not for what follows.
static void outlineKernelLoops(ModuleOp module, PassGroups &groups) {
  if (groups.run(module, Stage::KernelLoops))
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
  const bool debug = module->removeAttr(DebugAttribute) != nullptr;
  const bool describe = module->removeAttr(DescribeAttribute) != nullptr;
  if (!groups.run(module, Stage::HlfirToFir))
    return nullptr;
  groups.run(module, Stage::Supported);
  groups.run(module, Stage::Characters);

  std::unique_ptr<llvm::Module> device;
  if (hasDeviceCode(module)) {
    const llvm::StringSet<> managed = managedVariables(module);
    OwningOpRef<ModuleOp> deviceModule = cloneForDevice(module);
    if (check || debug)
      (*deviceModule)
          ->setAttr(AllocationsAttribute, UnitAttr::get(module.getContext()));
    groups.run(*deviceModule, Stage::DeviceSelection);
    if (groups.anyFailed() ||
        (check && !groups.run(*deviceModule, Stage::DeviceChecks)) ||
        !groups.run(*deviceModule, Stage::DeviceCode) ||
        !groups.run(*deviceModule,
                    describe ? Stage::DeviceDebug : Stage::DeviceNames) ||
        !groups.run(*deviceModule, Stage::DeviceLlvm))
      return nullptr;
    device = translateDeviceModule(*deviceModule, context, managed);
    if (!device)
      return nullptr;
  }
  if (!groups.anyFailed())
    groups.run(module, Stage::HostCode);
  return device;
}

} // namespace cufort::lower
