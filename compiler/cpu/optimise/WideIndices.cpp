//===- WideIndices.cpp - sums that do not wrap, in 64 bits ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/optimise/WideIndices.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// A sum or difference that does not wrap around; null if it is something else.
BinaryOperator *exactSum(Value *value) {
  auto *sum = dyn_cast<BinaryOperator>(value);
  if (!sum || (sum->getOpcode() != Instruction::Add &&
               sum->getOpcode() != Instruction::Sub))
    return nullptr;
  return sum->hasNoSignedWrap() ? sum : nullptr;
}

/// Whether \p instruction extends a number to 64 bits with its sign.
bool extends(const Instruction &instruction) {
  if (!instruction.getType()->isIntegerTy(64))
    return false;
  return isa<SExtInst>(instruction) ||
         (isa<ZExtInst>(instruction) && instruction.hasNonNeg());
}

class Extension {
public:
  explicit Extension(Instruction &extended)
      : b(&extended), type(extended.getType()) {}

  Value *of(Value *value) {
    if (auto seen = made.find(value); seen != made.end())
      return seen->second;
    Value *wide;
    if (BinaryOperator *sum = exactSum(value)) {
      Value *left = of(sum->getOperand(0)), *right = of(sum->getOperand(1));
      wide = sum->getOpcode() == Instruction::Add
                 ? b.CreateNSWAdd(left, right, sum->getName())
                 : b.CreateNSWSub(left, right, sum->getName());
    } else {
      wide = b.CreateSExt(value, type);
    }
    made[value] = wide;
    return wide;
  }

private:
  IRBuilder<> b;
  Type *type;
  SmallDenseMap<Value *, Value *> made;
};

} // namespace

Error widenIndices(Module &module, const CpuOptions &options) {
  if (options.optLevel < 2)
    return Error::success();
  for (Function *entry : entries(module, "block")) {
    SmallVector<Instruction *> indices;
    for (Instruction &instruction : instructions(*entry))
      if (extends(instruction) && exactSum(instruction.getOperand(0)))
        indices.push_back(&instruction);
    for (Instruction *extended : indices) {
      Value *wide = Extension(*extended).of(extended->getOperand(0));
      extended->replaceAllUsesWith(wide);
      RecursivelyDeleteTriviallyDeadInstructions(extended);
    }
  }
  return Error::success();
}

} // namespace cufort::cpu
