//===- CheckedBlocks.cpp - checked blocks as loops ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/fission/CheckedBlocks.h"
#include "compiler/check/Proofs.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/ThreadLoops.h"
#include "compiler/cpu/block/WaitLoops.h"
#include "compiler/cpu/fission/Barriers.h"
#include "compiler/cpu/fission/Fission.h"
#include "compiler/cpu/fission/PrivateArrays.h"
#include "compiler/cpu/fission/RegionLoops.h"
#include "compiler/cpu/fission/Regions.h"
#include "image/Check.h"
#include "image/Image.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// Whether threads of a warp are meant to go in step (cpu-racing-scalars).
bool goesInStep(Function &entry) {
  return any_of(instructions(entry), [](Instruction &instruction) {
    const Value *pointer = getLoadStorePointerOperand(&instruction);
    return pointer && instruction.isVolatile() && isSharedMemory(*pointer);
  });
}

/// What the calls of the checkers become where a worker runs all threads.
void nameThreads(Function &entry) {
  Module &module = *entry.getParent();
  LLVMContext &context = module.getContext();
  FunctionCallee current =
      module.getOrInsertFunction((image::CheckPrefix + Twine("current")).str(),
                                 PointerType::get(context, 0));
  Value *number = nullptr;
  for (Instruction &instruction : make_early_inc_range(instructions(entry))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    StringRef name = callee ? callee->getName() : "";
    if (!name.consume_front(image::CheckPrefix))
      continue;
    if (name == "wait") {
      // All come to it, and the checkers are told once (lowerBarriers).
      call->eraseFromParent();
    } else if (name == "proved" || name == "shared") {
      call->moveBefore(endOfPrologue(entry)->getIterator());
    } else if (name != "current") {
      if (!number)
        number = IRBuilder<>(endOfPrologue(entry)).CreateCall(current);
      IRBuilder<> b(call);
      Value *rank = b.CreateCall(threadRankMark(module));
      // Volatile: no optimiser knows who reads it.
      b.CreateStore(b.CreateTrunc(rank, b.getInt32Ty()), number,
                    /*isVolatile=*/true);
    }
  }
}

/// Addresses that come from the checkers hide from cpu-wait-loops which loops
/// ask again and again at one place: all that ask let others go on.
void letOthersGoOn(Function &entry) {
  DominatorTree dominators(entry);
  LoopInfo loops(dominators);
  SmallSetVector<BasicBlock *, 8> latches;
  for (Instruction &instruction : instructions(entry))
    if ((instruction.isAtomic() || instruction.isVolatile()) &&
        !instruction.use_empty())
      if (Loop *loop = loops.getLoopFor(instruction.getParent())) {
        SmallVector<BasicBlock *> its;
        loop->getLoopLatches(its);
        latches.insert_range(its);
      }
  FunctionCallee yield = entry.getParent()->getOrInsertFunction(
      image::YieldFunction, Type::getVoidTy(entry.getContext()));
  cast<Function>(yield.getCallee())->setDoesNotThrow();
  for (BasicBlock *latch : latches)
    if (none_of(*latch, isYield))
      IRBuilder<>(latch->getTerminator()).CreateCall(yield);
}

/// False: it cannot be done.
bool loopOverThreads(Function &entry) {
  nameThreads(entry);
  isolateBarriersOf(entry);
  if (placePrivateArraysOf(entry))
    return false;
  if (barriersOf(entry).empty()) {
    runThreadsInTurn(entry);
  } else {
    std::optional<Regions> regions = divideIntoRegions(entry, {});
    if (!regions)
      return false;
    loopOverRegions(entry, *regions);
  }
  return none_of(entry, [](BasicBlock &block) {
    return isWarpLoop(*block.getTerminator());
  });
}

} // namespace

Error checkInLoops(Module &module, const CpuOptions &options) {
  StringSet<> onFibers, waiting;
  for (Function *block : entries(module, "block"))
    if (block->hasFnAttribute(check::UncheckedAttribute)) {
      if (block->hasFnAttribute(FibersAttribute))
        onFibers.insert(kernelName(*block));
      else if (waitsInLoops(*block))
        waiting.insert(kernelName(*block));
      block->eraseFromParent();
    }
  for (Function *block : entries(module, "block")) {
    if (!block->hasFnAttribute(check::LoopsAttribute))
      continue;
    block->removeFnAttr(check::LoopsAttribute);
    if (onFibers.contains(kernelName(*block)) || goesInStep(*block) ||
        options.passes.isDisabled(RegionsStep))
      continue;
    ValueToValueMapTy values;
    Function *checked = CloneFunction(block, values);
    checked->setName(block->getName() + ".loops");
    checked->removeFnAttr(FibersAttribute);
    checked->addFnAttr(EntryAttribute, "checked");
    if (waiting.contains(kernelName(*block)))
      letOthersGoOn(*checked);
    if (!loopOverThreads(*checked))
      checked->eraseFromParent();
  }
  return Error::success();
}

} // namespace cufort::cpu
