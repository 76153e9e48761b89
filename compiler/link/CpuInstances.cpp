//===- CpuInstances.cpp - CPU code for several devices --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/link/CpuInstances.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;
using namespace cufort;

static StringSet<> managedVariables(const Module &device) {
  StringSet<> names;
  const NamedMDNode *annotations = device.getNamedMetadata("nvvm.annotations");
  if (!annotations)
    return names;
  for (const MDNode *node : annotations->operands()) {
    if (node->getNumOperands() < 2)
      continue;
    const auto *variable =
        mdconst::dyn_extract_or_null<GlobalVariable>(node->getOperand(0));
    const auto *what = dyn_cast_or_null<MDString>(node->getOperand(1));
    if (variable && what && what->getString() == "managed")
      names.insert(variable->getName());
  }
  return names;
}

/// Makes all code that refers to \p value load its address from \p slot.
static void reachThrough(GlobalVariable &slot, GlobalValue &value) {
  convertUsersOfConstantsToInstructions({&value});
  SmallVector<Use *> uses;
  for (Use &use : value.uses())
    if (isa<Instruction>(use.getUser()))
      uses.push_back(&use);
  DenseMap<Function *, Value *> addresses;
  for (Use *use : uses) {
    auto *user = cast<Instruction>(use->getUser());
    const auto load = [&](BasicBlock::iterator where) {
      auto *address = new LoadInst(slot.getValueType(), &slot,
                                   value.getName() + ".address", where);
      address->setMetadata(LLVMContext::MD_invariant_load,
                           MDNode::get(value.getContext(), {}));
      return address;
    };
    // A call is rare beside what is around it; data are used in loops.
    if (auto *call = dyn_cast<CallBase>(user); call && call->isCallee(use)) {
      const auto *callee = dyn_cast<Function>(&value);
      if (callee && callee->doesNotThrow())
        call->setDoesNotThrow();
      use->set(load(user->getIterator()));
      continue;
    }
    Value *&address = addresses[user->getFunction()];
    if (!address)
      address =
          load(user->getFunction()->getEntryBlock().getFirstInsertionPt());
    use->set(address);
  }
}

std::vector<GlobalValue *> cufort::shareAmongInstances(const Module &device,
                                                       Module &cpu) {
  const StringSet<> managed = managedVariables(device);
  std::vector<GlobalValue *> shared;
  for (GlobalVariable &variable : cpu.globals())
    if (!variable.isDeclaration() && managed.contains(variable.getName()))
      shared.push_back(&variable);
  // What only computes may as well run in an instance of its own.
  for (Function &function : cpu)
    if (function.isDeclaration() && !function.isIntrinsic() &&
        !function.use_empty() && !function.doesNotAccessMemory())
      shared.push_back(&function);
  for (GlobalValue *value : shared) {
    // Not constant: nobody may see through the pointer.
    auto *slot = new GlobalVariable(cpu, value->getType(), /*isConstant=*/false,
                                    GlobalValue::InternalLinkage, value,
                                    value->getName() + ".shared");
    slot->setExternallyInitialized(true);
    reachThrough(*slot, *value);
  }
  return shared;
}
