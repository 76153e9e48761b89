//===- VectorDivisions.cpp - divisions of integers in vectors -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers a and b of 32 bits are exact in real(8). If b divides a the quotient
// is exact, too; else it is at least 1/b away from the next integer, which is
// more than it is rounded by: a/b has at most 32 bits before the point and an
// error of 2^-53 of it. Cut off, it is the integers' quotient.
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/simd/VectorDivisions.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/ThreadLoops.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

bool isDivision(const Instruction &instruction) {
  return instruction.isIntDivRem() &&
         instruction.getType()->getScalarSizeInBits() <= 32 &&
         !isa<Constant>(instruction.getOperand(1));
}

/// Whether \p loop is one over threads that may yet become vectors.
bool mayBeLanes(const Loop *loop) {
  return loop && loop->isInnermost() && loop->getLoopLatch() &&
         isThreadLoop(*loop->getLoopLatch()->getTerminator(), 0);
}

/// The quotients of one basic block: a remainder often follows with the same
/// operands.
class Quotients {
public:
  explicit Quotients(const DataLayout &layout) : layout(layout) {}

  void replace(BinaryOperator &division) {
    IRBuilder<> b(&division);
    Value *left = division.getOperand(0), *right = division.getOperand(1);
    bool isSigned = division.getOpcode() == Instruction::SDiv ||
                    division.getOpcode() == Instruction::SRem;
    bool isRemainder = division.getOpcode() == Instruction::SRem ||
                       division.getOpcode() == Instruction::URem;
    Value *&quotient = known[{left, right, unsigned(isSigned)}];
    if (!quotient)
      quotient = divide(b, left, right, isSigned);
    Value *result = isRemainder
                        ? b.CreateSub(left, b.CreateMul(quotient, right))
                        : quotient;
    division.replaceAllUsesWith(result);
    division.eraseFromParent();
  }

private:
  Value *divide(IRBuilder<> &b, Value *left, Value *right, bool isSigned) {
    Type *type = left->getType();
    Type *reals = type->getWithNewType(b.getDoubleTy());
    // Conversions with a sign are single instructions everywhere.
    isSigned |=
        isKnownNonNegative(left, layout) && isKnownNonNegative(right, layout);
    if (isSigned)
      return b.CreateFPToSI(b.CreateFDiv(b.CreateSIToFP(left, reals),
                                         b.CreateSIToFP(right, reals)),
                            type);
    return b.CreateFPToUI(
        b.CreateFDiv(b.CreateUIToFP(left, reals), b.CreateUIToFP(right, reals)),
        type);
  }

  const DataLayout &layout;
  DenseMap<std::tuple<Value *, Value *, unsigned>, Value *> known;
};

} // namespace

Error divideVectors(Module &module, const CpuOptions &options) {
  if (options.optLevel < 2)
    return Error::success();
  for (Function *entry : entries(module, "block")) {
    DominatorTree dominators(*entry);
    LoopInfo loops(dominators);
    for (BasicBlock &block : *entry) {
      Quotients quotients(entry->getDataLayout());
      bool becomesLanes = mayBeLanes(loops.getLoopFor(&block));
      for (Instruction &instruction : make_early_inc_range(block))
        if (isDivision(instruction) &&
            (becomesLanes || instruction.getType()->isVectorTy()))
          quotients.replace(cast<BinaryOperator>(instruction));
    }
  }
  return Error::success();
}

} // namespace cufort::cpu
