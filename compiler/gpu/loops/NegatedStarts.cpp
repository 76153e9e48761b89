//===- NegatedStarts.cpp - loops from -r to r -----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/loops/NegatedStarts.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Pass.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// Whether \p counter, or what it is next, is compared with what is known at
/// run time only.
bool isCompared(const PHINode &counter, const Value &next) {
  auto compares = [](const Value &value) {
    return any_of(value.users(), [&](const User *user) {
      auto *comparison = dyn_cast<ICmpInst>(user);
      return comparison &&
             none_of(comparison->operands(),
                     [](const Value *each) { return isa<Constant>(each); });
    });
  };
  return compares(counter) || compares(next);
}

/// The operand by which \p phi gets its first value, if that is `-r` and it
/// goes on in constant steps to a limit.
Use *startOf(PHINode &phi) {
  if (!phi.getType()->isIntegerTy(32) && !phi.getType()->isIntegerTy(64))
    return nullptr;
  if (phi.getNumIncomingValues() != 2)
    return nullptr;
  for (unsigned incoming : {0, 1}) {
    Value *next = phi.getIncomingValue(1 - incoming);
    if (match(phi.getIncomingValue(incoming), m_Neg(m_Value())) &&
        match(next, m_c_Add(m_Specific(&phi), m_ConstantInt())) &&
        isCompared(phi, *next))
      return &phi.getOperandUse(incoming);
  }
  return nullptr;
}

struct NegatedStarts : FunctionPass {
  static char id;
  NegatedStarts() : FunctionPass(id) {}

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
  }

  bool runOnFunction(Function &function) override {
    bool changed = false;
    for (BasicBlock &block : function)
      for (PHINode &phi : block.phis())
        if (Use *start = startOf(phi)) {
          auto *negation = cast<Instruction>(start->get());
          IRBuilder<> b(negation);
          const bool isWide = phi.getType()->isIntegerTy(64);
          start->set(b.CreateCall(
              InlineAsm::get(
                  FunctionType::get(phi.getType(), phi.getType(), false),
                  isWide ? "{.reg .b64 t; not.b64 t, $1; add.s64 $0, t, 1;}"
                         : "{.reg .b32 t; not.b32 t, $1; add.s32 $0, t, 1;}",
                  isWide ? "=l,l" : "=r,r", /*hasSideEffects=*/false),
              negation->getOperand(1)));
          changed = true;
        }
    return changed;
  }
};

char NegatedStarts::id;

} // namespace

FunctionPass *cufort::createNegatedStartsPass() { return new NegatedStarts; }
