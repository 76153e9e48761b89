//===- Strips.cpp - loops over threads as vector code ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/simd/Strips.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/ThreadBody.h"
#include "compiler/cpu/block/ThreadLoops.h"
#include "compiler/cpu/fission/PrivateArrays.h"
#include "compiler/cpu/optimise/HostTarget.h"
#include "compiler/cpu/optimise/LoopPrefetch.h"
#include "compiler/cpu/partition/UniformConditions.h"
#include "compiler/cpu/simd/ChosenLoads.h"
#include "compiler/cpu/simd/LaneCode.h"
#include "compiler/cpu/simd/StripGains.h"
#include "compiler/cpu/simd/VectorReport.h"
#include "image/Image.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// Vectors that may live in a loop of a strip, of 32 registers.
constexpr unsigned LiveVectors = 16;
/// Rows of a strip, as far as it is known that there are so many. Without
/// AVX-512 a vector fills two of 16 registers, and more rows would live in
/// memory: a tiled product of matrices takes twice the time with 16.
constexpr unsigned MostRows = 16, MostRowsBeforeAvx512 = 4;

class StripMaker {
public:
  StripMaker(Function &entry, BodyPasses &passes, unsigned mostRows)
      : entry(entry), passes(passes), mostRows(mostRows),
        b(entry.getContext()) {}
  void run();
  bool hasManyRows = false; ///< more than processors without AVX-512 should

private:
  void vectorise(Instruction *latch);
  std::string tryStrip(Loop &loop, Loop *rowLoop);
  void makeStrips(Loop &loop, LaneCode &code, unsigned lanes);
  void makeRowStrips(Loop &loop, Loop &rowLoop, LaneCode &code, unsigned lanes,
                     unsigned rows);

  Function &entry;
  BodyPasses &passes;
  const unsigned mostRows;
  IRBuilder<> b;
  DominatorTree dominators;
  LoopInfo loops;
};

//===----------------------------------------------------------------------===//
// The loops
//===----------------------------------------------------------------------===//

/// The loop over y around \p loop if it does nothing else and goes through all
/// rows.
Loop *rowsAround(Loop &loop) {
  Loop *around = loop.getParentLoop();
  if (!around || !around->getLoopLatch() ||
      !isThreadLoop(*around->getLoopLatch()->getTerminator(), 1) ||
      around->getNumBlocks() != loop.getNumBlocks() + 2 ||
      around->getHeader()->getSingleSuccessor() != loop.getHeader())
    return nullptr;
  return around;
}

/// Before \p loop, which starts at first:
///
///   strips:  for (x = first; extent - x >= lanes; x += lanes) the code
///   the loop itself, from x, if x < extent
void StripMaker::makeStrips(Loop &loop, LaneCode &code, unsigned lanes) {
  LLVMContext &context = entry.getContext();
  BasicBlock *header = loop.getHeader();
  BasicBlock *before = loop.getLoopPredecessor(), *exit = loop.getExitBlock();
  Value *end = threadExtent(loop);
  Value *first = threadCounter(loop)->getIncomingValueForBlock(before);
  auto block = [&](const Twine &name) {
    return BasicBlock::Create(context, name, &entry, header);
  };
  BasicBlock *head = block("strip"), *next = block("strip.next"),
             *rest = block("strip.rest"), *enter = block("strip.rest.enter");
  before->getTerminator()->replaceSuccessorWith(header, head);
  b.SetInsertPoint(head);
  PHINode *x = b.CreatePHI(b.getInt32Ty(), 2, "strip.x");
  x->addIncoming(first, before);
  BasicBlock *work = code.emit({.x = x}, next);
  b.SetInsertPoint(head);
  b.CreateCondBr(b.CreateICmpUGE(b.CreateSub(end, x), b.getInt32(lanes)), work,
                 rest);
  b.SetInsertPoint(next);
  x->addIncoming(b.CreateAdd(x, b.getInt32(lanes), "", true, true), next);
  b.CreateBr(head);
  b.SetInsertPoint(rest);
  b.CreateCondBr(b.CreateICmpULT(x, end), enter, exit);
  b.SetInsertPoint(enter);
  b.CreateBr(header);
  threadCounter(loop)->setIncomingBlock(
      threadCounter(loop)->getBasicBlockIndex(before), enter);
  threadCounter(loop)->setIncomingValueForBlock(enter, x);
}

/// Before \p rowLoop, which starts at 0:
///
///   for (y = 0; extent of x is a multiple of lanes, extent of y - y >= rows;
///        y += rows)
///     for (x = 0; x < extent of x; x += lanes) the code
///   the loop itself, from y, if y < extent of y
void StripMaker::makeRowStrips(Loop &loop, Loop &rowLoop, LaneCode &code,
                               unsigned lanes, unsigned rows) {
  LLVMContext &context = entry.getContext();
  BasicBlock *header = rowLoop.getHeader();
  BasicBlock *before = rowLoop.getLoopPredecessor();
  BasicBlock *exit = rowLoop.getExitBlock();
  Value *endOfX = threadExtent(loop), *endOfY = threadExtent(rowLoop);
  auto block = [&](const Twine &name) {
    return BasicBlock::Create(context, name, &entry, header);
  };
  BasicBlock *head = block("rows"), *start = block("rows.start"),
             *next = block("rows.x.next"), *done = block("rows.next"),
             *rest = block("rows.rest"), *enter = block("rows.rest.enter");
  before->getTerminator()->replaceSuccessorWith(header, head);
  b.SetInsertPoint(before->getTerminator());
  Value *isWhole =
      b.CreateICmpEQ(b.CreateAnd(endOfX, b.getInt32(lanes - 1)), b.getInt32(0));
  b.SetInsertPoint(head);
  PHINode *y = b.CreatePHI(b.getInt32Ty(), 2, "rows.y");
  y->addIncoming(b.getInt32(0), before);
  b.CreateCondBr(b.CreateAnd(isWhole, b.CreateICmpUGE(b.CreateSub(endOfY, y),
                                                      b.getInt32(rows))),
                 start, rest);
  b.SetInsertPoint(start);
  PHINode *x = b.CreatePHI(b.getInt32Ty(), 2, "rows.x");
  x->addIncoming(b.getInt32(0), head);
  BasicBlock *work = code.emit({.x = x, .y = y}, next);
  b.SetInsertPoint(start);
  b.CreateBr(work);
  b.SetInsertPoint(next);
  Value *following = b.CreateAdd(x, b.getInt32(lanes), "", true, true);
  x->addIncoming(following, next);
  b.CreateCondBr(b.CreateICmpULT(following, endOfX), start, done);
  b.SetInsertPoint(done);
  y->addIncoming(b.CreateAdd(y, b.getInt32(rows), "", true, true), done);
  b.CreateBr(head);
  b.SetInsertPoint(rest);
  b.CreateCondBr(b.CreateICmpULT(y, endOfY), enter, exit);
  b.SetInsertPoint(enter);
  b.CreateBr(header);
  PHINode *ys = threadCounter(rowLoop);
  ys->setIncomingBlock(ys->getBasicBlockIndex(before), enter);
  ys->setIncomingValueForBlock(enter, y);
}

/// Makes strips of \p loop; says why not if it cannot or should not.
std::string StripMaker::tryStrip(Loop &loop, Loop *rowLoop) {
  std::string why;
  SmallVector<Loop *> around;
  if (rowLoop)
    around.push_back(rowLoop);
  std::unique_ptr<ThreadBody> body = ThreadBody::copy(loop, around, why);
  if (!body)
    return why;
  passes.simplify(*body->function);
  bool overlap = rowLoop && makeRowsOverlap(*body->function, passes);
  bool chosen =
      !rowLoop &&
      separateChosenLoads(*body->function, BlockUniformity::Threads::OfOneRow,
                          /*limits=*/!hasLoops(*body->function));
  if (!hasLoops(*body->function) && none_of(*body->function, isSeldom) &&
      !overlap && !chosen && loop.getSubLoops().empty())
    return ""; // LLVM's vectoriser does as well, where no loop went.
  if (rowLoop && !overlap && !rowsShare(*body->function))
    return "rows have nothing in common";
  if (isDivergent(*body->function)) {
    if (rowLoop)
      return "threads take different branches";
    passes.structure(*body->function);
    separateUniformConditions(*body->function);
  }
  prefetchAhead(*body->function);
  unsigned lanes = lanesFor(*body->function);
  if (auto *constant = dyn_cast<ConstantInt>(threadExtent(loop)))
    while (lanes > constant->getZExtValue())
      lanes /= 2;
  if (lanes < 4)
    return "the block is not wide enough in x";
  if (!rowLoop)
    placeInStrip(*body->function, lanes);

  auto threads = rowLoop ? BlockUniformity::Threads::All
                         : BlockUniformity::Threads::OfOneRow;
  LaneShapes shapes(*body->function, threads);
  if (why = waitsForOthers(*body->function, shapes); !why.empty())
    return why;
  if (!isFaster(*body->function, shapes, lanes))
    return "vectors would not be faster: most of the work is on scattered "
           "elements or one thread at a time";
  unsigned rows = 1;
  if (rowLoop) {
    unsigned live = std::max(1u, liveVectors(*body->function, shapes));
    rows = 4;
    if (auto *constant = dyn_cast<ConstantInt>(threadExtent(*rowLoop)))
      for (rows = 1;
           rows < mostRows && constant->getZExtValue() % (2 * rows) == 0;)
        rows *= 2;
    // What rows read again is to be kept in registers meanwhile.
    if (overlap)
      rows = std::min(rows, 4u);
    while (rows * live > LiveVectors)
      rows /= 2;
    if (rows < 2)
      return "too many values have to be kept for more than one row";
  }
  LaneCode code(*body, shapes, lanes, rows, entry);
  if (why = code.obstacle(); !why.empty())
    return why;
  hasManyRows |= rows > MostRowsBeforeAvx512;
  if (rowLoop)
    makeRowStrips(loop, *rowLoop, code, lanes, rows);
  else
    makeStrips(loop, code, lanes);
  reportVectorised(entry, locationOfLoop(*loop.getLoopLatch()->getTerminator()),
                   lanes);
  return "";
}

void StripMaker::vectorise(Instruction *latch) {
  dominators.recalculate(entry);
  loops.releaseMemory();
  loops.analyze(dominators);
  Loop *loop = loops.getLoopFor(latch->getParent());
  if (!loop || !loop->getLoopPredecessor() || !loop->getExitBlock() ||
      (loop->getSubLoops().empty() && !mayHaveChosenLoads(*loop) &&
       none_of(loop->blocks(), [](BasicBlock *b) { return isSeldom(*b); })))
    return;
  if (Loop *rowLoop = rowsAround(*loop))
    tryStrip(*loop, rowLoop);
  dominators.recalculate(entry);
  loops.releaseMemory();
  loops.analyze(dominators);
  std::string why = tryStrip(*loops.getLoopFor(latch->getParent()), nullptr);
  if (!why.empty())
    reportNotVectorised(entry, locationOfLoop(*latch), why);
}

void StripMaker::run() {
  SmallVector<Instruction *> latches;
  for (BasicBlock &block : entry)
    if (isThreadLoop(*block.getTerminator(), 0))
      latches.push_back(block.getTerminator());
  for (Instruction *latch : latches)
    vectorise(latch);
}

constexpr unsigned Avx512Levels =
    1u << image::X86_64_V4 | 1u << image::X86_64_V4_WIDE;

/// Whether the loops over threads of \p entry may become strips of many rows.
bool mayHaveManyRows(const Function &entry) {
  unsigned rows = blockShape(entry)[1]; // 0: not known
  return rows && rows % (2 * MostRowsBeforeAvx512) == 0 &&
         any_of(entry, [](const BasicBlock &block) {
           return isThreadLoop(*block.getTerminator(), 1);
         });
}

} // namespace

Error vectoriseStrips(Module &module, const CpuOptions &options) {
  if (options.optLevel < 2)
    return Error::success();
  unsigned levels = options.levels;
  if (!options.processor.empty()) {
    auto processor = findProcessor(options.processor);
    if (!processor)
      return processor.takeError();
    levels = 1u << processor->level;
  }
  const unsigned older = levels & ~Avx512Levels, newer = levels & Avx512Levels;
  BodyPasses passes;
  for (Function *entry : entries(module, "block")) {
    Function *before = nullptr;
    if (older && newer && mayHaveManyRows(*entry)) {
      ValueToValueMapTy values;
      before = CloneFunction(entry, values);
    }
    StripMaker strips(*entry, passes, newer ? MostRows : MostRowsBeforeAvx512);
    strips.run();
    if (!before)
      continue;
    if (!strips.hasManyRows) {
      before->eraseFromParent();
      continue;
    }
    StripMaker(*before, passes, MostRowsBeforeAvx512).run();
    before->setName(entry->getName() + ".few");
    setAttributeNumber(*before, LevelsAttribute, older);
    setAttributeNumber(*entry, LevelsAttribute, newer);
  }
  return Error::success();
}

} // namespace cufort::cpu
