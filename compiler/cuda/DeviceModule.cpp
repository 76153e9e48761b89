//===- DeviceModule.cpp - Clang's device code as the engines want it ------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cuda/DeviceModule.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

/// Clang renames a static variable when it sees that host code uses it, so that
/// the variable can be linked across files, but not where device code before
/// that has used it already.
static void joinStaticVariables(Module &device) {
  for (GlobalVariable &renamed : device.globals()) {
    auto [name, unit] = renamed.getName().split("__static__");
    if (unit.empty() || renamed.isDeclaration())
      continue;
    GlobalVariable *used = device.getNamedGlobal(name);
    if (used && used->isDeclaration() &&
        used->getAddressSpace() == renamed.getAddressSpace())
      used->replaceAllUsesWith(&renamed);
  }
}

void cufort::cuda::adaptDeviceModule(Module &device) {
  joinStaticVariables(device);
  for (Function &function : device)
    for (StringRef attribute : {"target-cpu", "target-features", "tune-cpu",
                                "frame-pointer", "stack-protector-buffer-size",
                                "no-trapping-math", "uniform-work-group-size"})
      function.removeFnAttr(attribute);
  // Clang takes everything for convergent that it does not know.
  for (Function &function : device)
    if (function.isDeclaration() &&
        (function.getName().starts_with("__nv_") ||
         is_contained({"malloc", "free", "vprintf", "__assertfail"},
                      function.getName())))
      function.removeFnAttr(Attribute::Convergent);
  // Kernels and variables are kept by what they are.
  for (StringRef name : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *list = device.getNamedGlobal(name))
      list->eraseFromParent();
  // Flags of one front end that the other one's modules do not have, or have
  // with another value, would stop the device link.
  if (NamedMDNode *flags = device.getModuleFlagsMetadata()) {
    SmallVector<MDNode *> kept;
    for (MDNode *flag : flags->operands()) {
      auto *name = dyn_cast<MDString>(flag->getOperand(1));
      if (name && is_contained({"Debug Info Version", "Dwarf Version"},
                               name->getString()))
        kept.push_back(flag);
    }
    flags->clearOperands();
    for (MDNode *flag : kept)
      flags->addOperand(flag);
  }
}

bool cufort::cuda::hasDeviceCode(const Module &device) {
  return any_of(device.global_values(), [](const GlobalValue &value) {
    return !value.isDeclaration();
  });
}
