//===- Barriers.cpp - barriers in blocks of their own ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/fission/Barriers.h"
#include "image/Check.h"
#include "image/Image.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace cufort::cpu {

SmallVector<CallInst *> barriersOf(Function &entry) {
  SmallVector<CallInst *> found;
  for (Instruction &instruction : instructions(entry))
    if (CallInst *barrier = asMark(&instruction, BarrierMark))
      found.push_back(barrier);
  return found;
}

BarrierKind kindOfBarrier(const CallInst &barrier) {
  return static_cast<BarrierKind>(
      cast<ConstantInt>(barrier.getArgOperand(0))->getZExtValue());
}

bool isForOneStatement(const CallInst &barrier) {
  return !joinsBlocks(kindOfBarrier(barrier)) &&
         !barrier.getAttributes().hasFnAttr(AnyStatementAttribute);
}

bool joinsBlocks(BarrierKind kind) {
  return kind == BarrierKind::Grid || kind == BarrierKind::Cluster;
}

FunctionCallee barrierOfBlocks(Module &module, BarrierKind kind) {
  FunctionCallee wait = module.getOrInsertFunction(
      kind == BarrierKind::Grid ? image::GridBarrierFunction
                                : image::ClusterBarrierFunction,
      Type::getVoidTy(module.getContext()));
  cast<Function>(wait.getCallee())->setConvergent();
  return wait;
}

Value *barrierResult(IRBuilder<> &b, BarrierKind kind, Value *votesFor,
                     Value *votesAgainst) {
  switch (kind) {
  case BarrierKind::Plain:
  case BarrierKind::Count:
  case BarrierKind::Grid:
  case BarrierKind::Cluster:
    return votesFor;
  case BarrierKind::And:
    return b.CreateZExt(b.CreateIsNull(votesAgainst), b.getInt32Ty());
  case BarrierKind::Or:
    return b.CreateZExt(b.CreateIsNotNull(votesFor), b.getInt32Ty());
  }
  llvm_unreachable("all kinds are covered");
}

void lowerBarriers(Function &entry) {
  AllocaInst *votesFor = nullptr, *votesAgainst = nullptr;
  Type *i32 = Type::getInt32Ty(entry.getContext());
  Constant *zero = ConstantInt::get(i32, 0);
  for (Instruction &instruction : make_early_inc_range(instructions(entry))) {
    CallInst *vote = asMark(&instruction, VoteMark);
    if (!vote)
      continue;
    if (!votesFor) {
      votesFor = makeBlockVariable(entry, i32, zero, "votes.for");
      votesAgainst = makeBlockVariable(entry, i32, zero, "votes.against");
    }
    IRBuilder<> b(vote);
    FunctionCallee count = countMark(*entry.getParent());
    Value *ballot = b.CreateZExt(vote->getArgOperand(0), i32);
    b.CreateCall(count, {votesFor, ballot});
    b.CreateCall(count, {votesAgainst, b.CreateXor(ballot, 1)});
    vote->eraseFromParent();
  }
  // The checkers count the barriers of a block that they follow in loops.
  const bool isChecked =
      entry.getFnAttribute(EntryAttribute).getValueAsString() == "checked";
  FunctionCallee passed;
  if (isChecked)
    passed = entry.getParent()->getOrInsertFunction(
        (image::CheckPrefix + Twine("barrier")).str(),
        Type::getVoidTy(entry.getContext()));
  for (CallInst *barrier : barriersOf(entry)) {
    IRBuilder<> b(barrier);
    BarrierKind kind = kindOfBarrier(*barrier);
    if (joinsBlocks(kind)) {
      b.CreateCall(barrierOfBlocks(*entry.getParent(), kind));
    } else if (kind != BarrierKind::Plain) {
      Value *result = barrierResult(b, kind, b.CreateLoad(i32, votesFor),
                                    b.CreateLoad(i32, votesAgainst));
      b.CreateStore(zero, votesFor);
      b.CreateStore(zero, votesAgainst);
      barrier->replaceAllUsesWith(result);
    }
    if (isChecked)
      b.CreateCall(passed);
    barrier->eraseFromParent();
  }
}

void isolateBarriersOf(Function &entry) {
  removeUnreachableBlocks(entry);
  for (CallInst *barrier : barriersOf(entry)) {
    BasicBlock *block = barrier->getParent();
    BasicBlock *own = SplitBlock(block, barrier);
    SplitBlock(own, barrier->getNextNode());
    own->setName("barrier");
  }
}

Error isolateBarriers(Module &module, const CpuOptions &) {
  for (Function *entry : entries(module, "block"))
    isolateBarriersOf(*entry);
  return Error::success();
}

} // namespace cufort::cpu
