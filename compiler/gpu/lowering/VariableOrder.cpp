//===- VariableOrder.cpp - variables before those that hold them ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/lowering/VariableOrder.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace cufort;

namespace {
class Order {
public:
  void add(GlobalVariable &variable) {
    if (!visited.insert(&variable).second)
      return;
    if (variable.hasInitializer())
      addHeldBy(variable.getInitializer());
    variables.push_back(&variable);
  }

  SmallVector<GlobalVariable *> variables;

private:
  /// Adds those whose addresses \p value holds.
  void addHeldBy(Value *value) {
    if (auto *variable = dyn_cast<GlobalVariable>(value))
      return add(*variable);
    auto *constant = dyn_cast<Constant>(value);
    if (!constant || isa<GlobalValue>(constant) ||
        !visited.insert(constant).second)
      return;
    for (Value *part : constant->operands())
      addHeldBy(part);
  }

  SmallPtrSet<Constant *, 32> visited;
};
} // namespace

PreservedAnalyses cufort::orderVariables(Module &module,
                                         ModuleAnalysisManager &,
                                         const GpuOptions &) {
  Order order;
  for (GlobalVariable &variable : module.globals())
    order.add(variable);
  for (GlobalVariable *variable : order.variables) {
    module.removeGlobalVariable(variable);
    module.insertGlobalVariable(variable);
  }
  return PreservedAnalyses::all();
}
