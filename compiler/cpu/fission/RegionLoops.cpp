//===- RegionLoops.cpp - fission along uniform control flow ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/fission/RegionLoops.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/fission/Barriers.h"
#include "compiler/cpu/fission/RegionValues.h"
#include "compiler/cpu/simd/VectorReport.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

class RegionLoops {
public:
  RegionLoops(Function &entry, Regions &regions)
      : entry(entry), regions(regions), values(entry, regions) {}
  void run();

private:
  void makeLoop(Region &region, bool guarded);
  void endThreads(Region &region, ThreadLoops &loops);
  SmallPtrSet<Region *, 8> regionsAfterReturns();

  Function &entry;
  Regions &regions;
  RegionValues values;

  AllocaInst *living = nullptr; ///< how many threads have not returned
  Arena::Slot alive;            ///< i1: which ones; only if some return early
  BasicBlock *finished = nullptr;
};

/// Regions that a thread which has returned must skip.
SmallPtrSet<Region *, 8> RegionLoops::regionsAfterReturns() {
  SmallPtrSet<Region *, 8> after;
  SmallVector<BasicBlock *> work;
  for (Region &region : regions.regions)
    for (BasicBlock *block : region.body)
      for (Instruction &instruction : *block)
        if (asMark(&instruction, ThreadExitMark) && region.next)
          work.push_back(region.next);
  SmallPtrSet<BasicBlock *, 16> passed;
  while (!work.empty()) {
    BasicBlock *block = work.pop_back_val();
    if (!passed.insert(block).second)
      continue;
    if (Region *region = values.regionOf(block))
      after.insert(region);
    append_range(work, successors(block));
  }
  return after;
}

/// Ends the threads of \p region that reach a mark.
void RegionLoops::endThreads(Region &region, ThreadLoops &loops) {
  for (BasicBlock *block : region.body)
    for (Instruction &instruction : make_early_inc_range(*block)) {
      CallInst *mark = asMark(&instruction, ThreadExitMark);
      if (!mark)
        continue;
      IRBuilder<> b(mark);
      values.arena.store(b, alive, loops.index[RankDimension], b.getFalse());
      b.CreateCall(countMark(*entry.getParent()), {living, b.getInt32(-1)});
      BasicBlock *stay = block->getSingleSuccessor();
      stay->removePredecessor(block);
      block->getTerminator()->setSuccessor(0, loops.latch);
      mark->eraseFromParent();
      break;
    }
}

void RegionLoops::makeLoop(Region &region, bool guarded) {
  bool ends = false, works = false;
  for (BasicBlock *block : reverse(region.body))
    for (Instruction &instruction : make_early_inc_range(reverse(*block))) {
      if (isInstructionTriviallyDead(&instruction)) {
        instruction.eraseFromParent();
        continue;
      }
      ends |= asMark(&instruction, ThreadExitMark) != nullptr;
      works |= !isa<BranchInst>(instruction);
    }
  BasicBlock *last = region.start;
  if (!works && region.exit) {
    region.start->getTerminator()->setSuccessor(0, region.next);
  } else {
    ThreadLoops loops(entry, values.shape, region.start->getName());
    region.start->getTerminator()->setSuccessor(0, loops.before);
    BasicBlock *first = region.body.front();
    if (guarded) {
      IRBuilder<> b(loops.begin->getTerminator());
      Value *lives = values.arena.load(b, alive, loops.index[RankDimension]);
      b.CreateCondBr(lives, first, loops.latch);
      loops.begin->getTerminator()->eraseFromParent();
    } else {
      loops.begin->getTerminator()->setSuccessor(0, first);
    }
    if (ends)
      endThreads(region, loops);
    if (region.exit)
      region.exit->getTerminator()->setSuccessor(0, loops.latch);
    loops.replaceThreadIndex(region.body);
    setLocationOfLoop(*loops.latch->getTerminator(), region.body);
    SmallVector<BasicBlock *> blocks(region.body);
    blocks.push_back(loops.begin);
    loops.markParallel(blocks);
    if (!loops.keepWarpsTogether(blocks))
      loops.boundByGuard();

    last = loops.after;
    IRBuilder<> b(last);
    if (!region.next) {
      b.CreateUnreachable();
    } else if (ends) {
      Value *none = b.CreateIsNull(
          b.CreateLoad(Type::getInt32Ty(entry.getContext()), living));
      last = BasicBlock::Create(entry.getContext(), "living", &entry);
      b.CreateCondBr(none, finished, last);
      b.SetInsertPoint(last);
      b.CreateBr(region.next);
    } else {
      b.CreateBr(region.next);
    }
  }
  if (region.next) {
    IRBuilder<> b(last->getTerminator());
    for (PHINode &phi : region.next->phis())
      phi.replaceIncomingBlockWith(region.exit, last);
    for (auto &[phi, scalar] : values.settled[&region])
      phi->setIncomingValueForBlock(
          last, b.CreateLoad(phi->getType(), scalar, phi->getName()));
  }
  if (last == region.start) {
    for (BasicBlock *block : region.body)
      block->dropAllReferences();
    for (BasicBlock *block : region.body)
      block->eraseFromParent();
    region.body.clear();
  }
}

void RegionLoops::run() {
  lowerBarriers(entry);
  values.pass();

  SmallPtrSet<Region *, 8> guarded = regionsAfterReturns();
  if (any_of(instructions(entry), [](Instruction &instruction) {
        return asMark(&instruction, ThreadExitMark);
      })) {
    LLVMContext &context = entry.getContext();
    IRBuilder<> b(endOfPrologue(entry));
    Value *threads =
        b.CreateMul(b.CreateMul(values.shape.extent[0], values.shape.extent[1]),
                    values.shape.extent[2]);
    living = makeBlockVariable(entry, threads->getType(), threads, "living");
    alive = values.arena.make(Type::getInt1Ty(context), "alive");
    b.SetInsertPoint(endOfPrologue(entry));
    b.CreateMemSet(alive.base, b.getInt8(1), values.shape.roundedThreads,
                   Align(64));
    finished = BasicBlock::Create(context, "finished", &entry);
    ReturnInst::Create(context, finished);
  }
  for (Region &region : regions.regions)
    makeLoop(region, guarded.contains(&region));
}

} // namespace

void loopOverRegions(Function &entry, Regions &regions) {
  RegionLoops(entry, regions).run();
}

} // namespace cufort::cpu
