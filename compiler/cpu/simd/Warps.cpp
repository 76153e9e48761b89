//===- Warps.cpp - loops over warps ---------------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/simd/Warps.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/ThreadBody.h"
#include "compiler/cpu/block/ThreadEntries.h"
#include "compiler/cpu/block/ThreadLoops.h"
#include "compiler/cpu/block/WaitLoops.h"
#include "compiler/cpu/fission/PrivateArrays.h"
#include "compiler/cpu/optimise/LoopPrefetch.h"
#include "compiler/cpu/simd/LaneCode.h"
#include "compiler/cpu/simd/WarpOperations.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// How many instructions a thread's work may have to be there for part of a
/// warp in a row, too.
constexpr unsigned MostInThreeCopies = 120;

class WarpMaker {
public:
  WarpMaker(Function &entry, BodyPasses &passes)
      : entry(entry), passes(passes), b(entry.getContext()) {}
  Error run();

private:
  Error vectorise(Instruction *latch);
  void prepare(ThreadBody &body);
  /// The loop over warps by rank: where it begins, and the first rank of all.
  struct Ranks {
    BasicBlock *start;
    PHINode *first;
    bool takePartOfWarp = false;
  };
  void loopInRows(Loop &loop, LaneCode &code, const Ranks &ranks);
  Ranks loopByRank(Loop &loop, LaneCode &code);
  BasicBlock *block(const Twine &name, BasicBlock *before) {
    return BasicBlock::Create(entry.getContext(), name, &entry, before);
  }
  /// <32 x i1>: the lanes below \p count (i32).
  Value *lanesBelow(Value *count);

  Function &entry;
  BodyPasses &passes;
  IRBuilder<> b;
};

/// A lock taken by one lane while others of its warp wait for it would never be
/// given back, nor a flag be set: lanes that have left a loop wait for those
/// still in it.
bool waitsForLock(Function &body) {
  BlockUniformity uniformity(body, BlockUniformity::Threads::OfOneWarp);
  DominatorTree dominators(body);
  LoopInfo loops(dominators);
  auto isWritten = [&](Loop &loop, const Value *object) {
    return any_of(instructions(body), [&](Instruction &instruction) {
      if (loop.contains(&instruction))
        return false;
      const Value *pointer = getLoadStorePointerOperand(&instruction);
      if (isa<LoadInst>(instruction))
        pointer = nullptr;
      if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
        pointer = atomic->getPointerOperand();
      return pointer && getUnderlyingObject(pointer, 0) == object;
    });
  };
  for (Loop *loop : loops.getLoopsInPreorder()) {
    if (none_of(loop->blocks(), [&](BasicBlock *block) {
          return loop->isLoopExiting(block) &&
                 !uniformity.branchesUniformly(*block);
        }))
      continue;
    for (BasicBlock *block : loop->blocks())
      for (Instruction &instruction : *block) {
        const Value *pointer = lookedAt(instruction);
        if (pointer && (instruction.hasMetadata(OtherBlocksMetadata) ||
                        !decidesOnExit(instruction, *loop)))
          pointer = nullptr;
        // What retries with the value that it has found is an update without a
        // lock: each iteration of the loop lets one lane through.
        if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
            exchange && loop->isLoopInvariant(exchange->getCompareOperand()))
          pointer = exchange->getPointerOperand();
        else if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction);
                 atomic && atomic->getOperation() == AtomicRMWInst::Xchg)
          pointer = atomic->getPointerOperand();
        if (pointer && isWritten(*loop, getUnderlyingObject(pointer, 0)))
          return true;
      }
  }
  return false;
}

void WarpMaker::prepare(ThreadBody &body) {
  passes.simplify(*body.function);
  passes.structure(*body.function);
  prefetchAhead(*body.function);
  placeInStrip(*body.function, WarpSize);
}

Value *WarpMaker::lanesBelow(Value *count) {
  SmallVector<Constant *> numbers;
  for (unsigned i = 0; i < WarpSize; ++i)
    numbers.push_back(b.getInt32(i));
  return b.CreateICmpULT(ConstantVector::get(numbers),
                         b.CreateVectorSplat(WarpSize, count));
}

/// In place of \p loop, which starts at 0:
///
///   for (x = 0; x < extent; x += 32)
///     the code, for all lanes or for those below extent - x
///
/// A long piece of code is there for all lanes only: a last warp that has fewer
/// is the last one by rank, too.
void WarpMaker::loopInRows(Loop &loop, LaneCode &code, const Ranks &ranks) {
  BasicBlock *header = loop.getHeader(), *exit = loop.getExitBlock();
  BasicBlock *before = loop.getLoopPredecessor();
  Value *end = threadExtent(loop);
  BasicBlock *head = block("warp", header), *part = block("warp.part", header),
             *next = block("warp.next", header);
  before->getTerminator()->replaceSuccessorWith(header, head);
  threadCounter(loop)->removeIncomingValue(before, /*DeletePHIIfEmpty=*/false);
  b.SetInsertPoint(head);
  PHINode *x = b.CreatePHI(b.getInt32Ty(), 2, "warp.x");
  x->addIncoming(b.getInt32(0), before);
  Value *left = b.CreateSub(end, x);
  BasicBlock *all = code.emit({.x = x}, next);
  b.SetInsertPoint(part);
  if (ranks.takePartOfWarp) {
    b.CreateBr(ranks.start);
    ranks.first->addIncoming(x, part);
  } else {
    Value *mask = lanesBelow(left);
    BasicBlock *some = code.emit({.x = x, .mask = mask}, next);
    b.SetInsertPoint(part);
    b.CreateBr(some);
  }
  b.SetInsertPoint(head);
  b.CreateCondBr(b.CreateICmpUGE(left, b.getInt32(WarpSize)), all, part);
  b.SetInsertPoint(next);
  Value *following = b.CreateAdd(x, b.getInt32(WarpSize), "", true, true);
  x->addIncoming(following, next);
  b.CreateCondBr(b.CreateICmpULT(following, end), head, exit);
}

/// Beside the nest around \p loop, for blocks whose warps do not lie in rows:
///
///   for (rank = 0; rank < threads; rank += 32)
///     the code, for the lanes below threads - rank
WarpMaker::Ranks WarpMaker::loopByRank(Loop &loop, LaneCode &code) {
  Loop &outer = *loop.getParentLoop()->getParentLoop();
  BasicBlock *before = outer.getLoopPredecessor();
  BasicBlock *header = outer.getHeader(), *exit = outer.getExitBlock();
  Value *nx = threadExtent(loop), *ny = threadExtent(*loop.getParentLoop()),
        *nz = threadExtent(outer);
  BasicBlock *start = block("ranks.start", header),
             *head = block("ranks", header),
             *next = block("ranks.next", header);
  b.SetInsertPoint(before->getTerminator());
  Value *isRow = b.CreateICmpEQ(b.CreateMul(ny, nz), b.getInt32(1));
  Value *isWhole =
      b.CreateICmpEQ(b.CreateAnd(nx, b.getInt32(WarpSize - 1)), b.getInt32(0));
  b.CreateCondBr(b.CreateOr(isRow, isWhole), header, start);
  before->getTerminator()->eraseFromParent();

  b.SetInsertPoint(start);
  PHINode *first = b.CreatePHI(b.getInt32Ty(), 2, "ranks.first");
  first->addIncoming(b.getInt32(0), before);
  Value *threads = b.CreateMul(b.CreateMul(nx, ny), nz);
  // Division of a number below 1024 by one that is not above it: exact with the
  // reciprocal's 20 binary places, rounded up.
  auto reciprocal = [&](Value *divisor) {
    Value *raised = b.CreateAdd(divisor, b.getInt32((1 << 20) - 1));
    return b.CreateVectorSplat(WarpSize, b.CreateUDiv(raised, divisor));
  };
  Value *overX = reciprocal(nx), *overY = reciprocal(ny);
  b.CreateBr(head);
  b.SetInsertPoint(head);
  PHINode *rank = b.CreatePHI(b.getInt32Ty(), 2, "warp.rank");
  rank->addIncoming(first, start);
  SmallVector<Constant *> numbers;
  for (unsigned i = 0; i < WarpSize; ++i)
    numbers.push_back(b.getInt32(i));
  Value *number = b.CreateAdd(b.CreateVectorSplat(WarpSize, rank),
                              ConstantVector::get(numbers));
  auto splat = [&](Value *value) {
    return b.CreateVectorSplat(WarpSize, value);
  };
  auto divide = [&](Value *value, Value *by) {
    return b.CreateLShr(b.CreateMul(value, by), splat(b.getInt32(20)));
  };
  Value *row = divide(number, overX), *z = divide(row, overY);
  StripIndex strip;
  strip.index[0] = b.CreateSub(number, b.CreateMul(row, splat(nx)));
  strip.index[1] = b.CreateSub(row, b.CreateMul(z, splat(ny)));
  strip.index[2] = z;
  strip.rank = b.CreateZExt(rank, b.getInt64Ty());
  strip.mask = lanesBelow(b.CreateSub(threads, rank));
  BasicBlock *work = code.emit(strip, next);
  b.SetInsertPoint(head);
  b.CreateBr(work);
  b.SetInsertPoint(next);
  Value *following = b.CreateAdd(rank, b.getInt32(WarpSize), "", true, true);
  rank->addIncoming(following, next);
  b.CreateCondBr(b.CreateICmpULT(following, threads), head, exit);
  return {start, first};
}

Error WarpMaker::vectorise(Instruction *latch) {
  DominatorTree dominators(entry);
  LoopInfo loops(dominators);
  Loop &loop = *loops.getLoopFor(latch->getParent());
  Loop *rows = loop.getParentLoop();
  Instruction *first = nullptr;
  for (BasicBlock *each : loop.blocks())
    for (Instruction &instruction : *each)
      if (!first && isWarpOperation(instruction))
        first = &instruction;
  const StringRef what = first ? describe(*warpOperation(*first))
                               : "volatile accesses of a warp in step";
  auto leftToFibers = [&](const std::string &why) {
    return runOnFibers(entry, first, what + " beside " + why);
  };
  std::string why;
  auto inRows = ThreadBody::copy(loop, {}, why);
  auto byRank = ThreadBody::copy(loop, {rows, rows->getParentLoop()}, why);
  if (!inRows || !byRank)
    return leftToFibers(why);
  prepare(*inRows);
  prepare(*byRank);
  if (waitsForLock(*inRows->function) || waitsForLock(*byRank->function))
    return leftToFibers("a lock or flag for which threads of a warp wait");
  LaneShapes rowShapes(*inRows->function, BlockUniformity::Threads::OfOneRow);
  LaneShapes rankShapes(*byRank->function, BlockUniformity::Threads::OfOneWarp);
  LaneCode rowCode(*inRows, rowShapes, WarpSize, 1, entry);
  LaneCode rankCode(*byRank, rankShapes, WarpSize, 1, entry);
  for (LaneCode *code : {&rowCode, &rankCode})
    if (why = code->obstacle(); !why.empty())
      return leftToFibers(why);
  Ranks ranks = loopByRank(loop, rankCode);
  ranks.takePartOfWarp =
      inRows->function->getInstructionCount() > MostInThreeCopies;
  loopInRows(loop, rowCode, ranks);
  removeUnreachableBlocks(entry);
  return Error::success();
}

Error WarpMaker::run() {
  SmallVector<Instruction *> latches;
  for (BasicBlock &each : entry)
    if (isWarpLoop(*each.getTerminator()))
      latches.push_back(each.getTerminator());
  for (Instruction *latch : latches) {
    if (entry.hasFnAttribute(FibersAttribute))
      break;
    if (Error error = vectorise(latch))
      return error;
  }
  return Error::success();
}

} // namespace

Error vectoriseWarps(Module &module, const CpuOptions &) {
  noteSharedAtomics(module);
  BodyPasses passes;
  for (Function *entry : entries(module, "block"))
    if (Error error = WarpMaker(*entry, passes).run())
      return error;
  eraseBlocksOnFibers(module);
  return Error::success();
}

} // namespace cufort::cpu
