//===- PtxFlow.cpp - labels and branches of inline PTX --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The call of the assembly marks where the translation stands: it is always
// the first instruction that is not translated yet.
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/ptx/PtxFlow.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace cufort::cpu {

/// The name before a colon at the beginning, or nothing.
static StringRef labelOf(StringRef statement) {
  statement = statement.ltrim("{} \t\n\r");
  size_t end = statement.find(':');
  StringRef name = statement.substr(0, end);
  // The number that makes a label unique is "${:uid}" here.
  while (end != StringRef::npos && name.count('{') > name.count('}')) {
    end = statement.find(':', end + 1);
    name = statement.substr(0, end);
  }
  if (end == StringRef::npos || statement.substr(end).starts_with("::") ||
      name.find_first_of(" \t\n,[") != StringRef::npos)
    return "";
  return name;
}

/// What exit goes to; no label has a dot in the middle.
static constexpr StringLiteral ExitLabel = ".exit.";

bool PtxFlow::prepareFlow(ArrayRef<StringRef> statements) {
  const auto isExit = [](StringRef statement) {
    return statement.rtrim("{} \t\n\r").rsplit(' ').second == "exit" ||
           statement.trim("{} \t\n\r") == "exit";
  };
  if (any_of(statements, isExit)) {
    if (!call.getFunction()->getReturnType()->isVoidTy() ||
        !call.getFunction()->hasFnAttribute(KernelAttribute))
      return false;
    labels.try_emplace(ExitLabel, nullptr);
  }
  for (StringRef statement : statements)
    for (StringRef name; !(name = labelOf(statement)).empty();
         statement = statement.substr(statement.find(name) + name.size() + 1))
      labels.try_emplace(name, nullptr);
  if (labels.empty())
    return true;
  for (auto &label : labels)
    label.second = BasicBlock::Create(b.getContext(), "", call.getFunction());
  if (BasicBlock *exit = labels.lookup(ExitLabel))
    IRBuilder<>(exit).CreateRetVoid();
  for (StringRef statement : statements)
    for (StringRef name; statement = statement.ltrim("{} \t\n\r"), true;
         statement = statement.substr(statement.find(name) + name.size() + 1)) {
      name = labelOf(statement);
      if (!name.empty())
        continue;
      if (statement.consume_front(".reg") && !declare(statement))
        return false;
      break;
    }
  for (unsigned index = 0; index != outputs.size(); ++index) {
    Type *type = outputType(index);
    outputVariables.push_back(
        {createVariable(b.getIntNTy(type->getPrimitiveSizeInBits())), nullptr});
  }
  carryVariable.place = createVariable(b.getInt1Ty());
  return true;
}

AllocaInst *PtxFlow::createVariable(Type *type) {
  BasicBlock &entry = call.getFunction()->getEntryBlock();
  const DataLayout &layout = call.getModule()->getDataLayout();
  return new AllocaInst(type, layout.getAllocaAddrSpace(), nullptr, "",
                        entry.getFirstInsertionPt());
}

/// " .b32 a, %r<3>"
bool PtxFlow::declare(StringRef directive) {
  directive = directive.trim();
  auto space = directive.find_first_of(" \t");
  StringRef suffix = directive.substr(0, space);
  if (space == StringRef::npos || !suffix.consume_front("."))
    return false;
  Type *type = suffix == "pred" ? b.getInt1Ty() : typeOf(suffix);
  if (!type)
    return false;
  type = b.getIntNTy(type->getPrimitiveSizeInBits());
  for (StringRef name : split(directive.substr(space))) {
    auto [stem, count] = name.split('<');
    unsigned many = 0;
    if (!count.empty() && count.trim("> \t").getAsInteger(10, many))
      return false;
    if (count.empty())
      variables[name] = {createVariable(type), nullptr};
    for (unsigned i = 0; i < many; ++i)
      variables[(stem + Twine(i)).str()] = {createVariable(type), nullptr};
  }
  return true;
}

void PtxFlow::store(Variable &variable, Value *value) {
  if (value && value != variable.loaded)
    b.CreateStore(ptxBits(b, value, variable.place->getAllocatedType()),
                  variable.place);
}

/// At the end of a block, before the call.
void PtxFlow::storeAll() {
  for (auto &entry : variables)
    store(entry.second, registers.lookup(entry.first()));
  for (auto [variable, operand] : zip(outputVariables, outputs))
    store(variable, operands[operand]);
  store(carryVariable, carry);
}

/// At the beginning of a block, before the call.
void PtxFlow::loadAll() {
  auto load = [&](Variable &variable) {
    return variable.loaded =
               b.CreateLoad(variable.place->getAllocatedType(), variable.place);
  };
  for (auto &entry : variables)
    registers[entry.first()] = load(entry.second);
  for (auto [variable, operand] : zip(outputVariables, outputs))
    operands[operand] = load(variable);
  carry = load(carryVariable);
}

BasicBlock *PtxFlow::beginBlock() {
  storeAll();
  BasicBlock *before = call.getParent();
  before->splitBasicBlock(&call);
  b.SetInsertPoint(&call);
  loadAll();
  return before;
}

void PtxFlow::takeLabels(StringRef &statement) {
  for (StringRef name; !(name = labelOf(statement)).empty();
       statement = statement.substr(statement.find(name) + name.size() + 1)) {
    BasicBlock *before = beginBlock(), *label = labels.lookup(name);
    before->getTerminator()->setSuccessor(0, label);
    IRBuilder<>(label).CreateBr(call.getParent());
  }
}

bool PtxFlow::exit(Value *condition) { return branch(ExitLabel, condition); }

bool PtxFlow::branch(StringRef label, Value *condition) {
  BasicBlock *target = labels.lookup(label.trim());
  if (!target)
    return false;
  BasicBlock *before = beginBlock();
  Instruction *end = before->getTerminator();
  if (condition) {
    IRBuilder<>(end).CreateCondBr(condition, target, call.getParent());
    end->eraseFromParent();
  } else {
    end->setSuccessor(0, target);
  }
  return true;
}

void PtxFlow::endFlow(Function &function) {
  if (!hasLabels())
    return;
  SmallVector<AllocaInst *> places = {carryVariable.place};
  for (auto &entry : variables)
    places.push_back(entry.second.place);
  for (Variable &variable : outputVariables)
    places.push_back(variable.place);
  DominatorTree tree(function);
  PromoteMemToReg(places, tree);
}

} // namespace cufort::cpu
