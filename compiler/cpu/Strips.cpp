//===- Strips.cpp - loops over threads as vector code ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/Strips.h"
#include "compiler/cpu/Kernel.h"
#include "compiler/cpu/LaneCode.h"
#include "compiler/cpu/Prefetch.h"
#include "compiler/cpu/PrivateArrays.h"
#include "compiler/cpu/ThreadBody.h"
#include "compiler/cpu/ThreadLoops.h"
#include "compiler/cpu/VectorMath.h"
#include "compiler/cpu/VectorReport.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// The width of the widest vectors, in bytes; shorter ones are halves of it.
constexpr unsigned VectorBytes = 64;
/// Vectors that may live in a loop of a strip, of 32 registers.
constexpr unsigned LiveVectors = 16;

/// What it costs to bring a line into the cache for one element, in simple
/// instructions.
constexpr unsigned CostOfLine = 8;

class StripMaker {
public:
  StripMaker(Function &entry, BodyPasses &passes)
      : entry(entry), passes(passes), b(entry.getContext()) {}
  void run();

private:
  void vectorise(Instruction *latch);
  std::string tryStrip(Loop &loop, Loop *rowLoop);
  void makeStrips(Loop &loop, LaneCode &code, unsigned lanes);
  void makeRowStrips(Loop &loop, Loop &rowLoop, LaneCode &code, unsigned lanes,
                     unsigned rows);

  Function &entry;
  BodyPasses &passes;
  IRBuilder<> b;
  DominatorTree dominators;
  LoopInfo loops;
};

//===----------------------------------------------------------------------===//
// What pays
//===----------------------------------------------------------------------===//

bool hasLoops(Function &body) {
  DominatorTree dominators(body);
  return !LoopInfo(dominators).empty();
}

/// Whether threads print or stop in \p block. Kernels do so where something is
/// wrong, or one thread for all: seldom.
bool isSeldom(const BasicBlock &block) {
  return any_of(block, [](const Instruction &instruction) {
    auto *call = dyn_cast<CallInst>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && (callee->getName().starts_with("__cufort_cpu_output_") ||
                      callee->getName() == "__cufort_cpu_kernel_stop");
  });
}

bool isDivergent(Function &body) {
  BlockUniformity uniformity(body, BlockUniformity::Threads::All);
  return any_of(body, [&](BasicBlock &block) {
    return !uniformity.branchesUniformly(block);
  });
}

/// What follows from the thread index in \p dimension.
SmallPtrSet<Value *, 32> following(Function &body, int dimension) {
  SmallPtrSet<Value *, 32> found;
  SmallVector<Value *> work;
  for (Instruction &instruction : instructions(body))
    if (threadIndexDimension(&instruction) == dimension)
      work.push_back(&instruction);
  while (!work.empty()) {
    Value *value = work.pop_back_val();
    if (found.insert(value).second)
      append_range(work, value->users());
  }
  return found;
}

/// Whether rows share what they read in loops: some of it depends on x only,
/// and some on y only.
bool rowsShare(Function &body) {
  SmallPtrSet<Value *, 32> withX = following(body, 0),
                           withY = following(body, 1);
  DominatorTree dominators(body);
  LoopInfo loops(dominators);
  bool onlyX = false, onlyY = false;
  for (Instruction &instruction : instructions(body))
    if (isa<LoadInst>(instruction) &&
        loops.getLoopFor(instruction.getParent())) {
      bool x = withX.contains(&instruction), y = withY.contains(&instruction);
      onlyX |= x && !y;
      onlyY |= y && !x;
    }
  return onlyX && onlyY;
}

/// Of a loop that is unrolled so that rows share what they read.
constexpr unsigned MostUnrolled = 512; // instructions

/// Whether most of what a row reads is what the row before it has read with
/// other instructions, as in a stencil of which all terms are written out. If
/// it has read it in an earlier turn of a loop, the loop is added to \p rolled.
bool rowsOverlap(Function &body, SmallPtrSetImpl<BasicBlock *> &rolled) {
  DominatorTree dominators(body);
  LoopInfo loops(dominators);
  TargetLibraryInfoImpl libraryImpl(
      Triple(body.getParent()->getTargetTriple()));
  TargetLibraryInfo library(libraryImpl);
  AssumptionCache assumptions(body);
  ScalarEvolution evolution(body, library, assumptions, dominators, loops);
  ValueToSCEVMapTy nextRow;
  SmallPtrSet<const SCEV *, 32> read;
  for (Instruction &instruction : instructions(body)) {
    if (threadIndexDimension(&instruction) == 1)
      nextRow[&instruction] = evolution.getAddExpr(
          evolution.getSCEV(&instruction),
          evolution.getOne(instruction.getType()),
          ScalarEvolution::setFlags(SCEV::FlagNUW, SCEV::FlagNSW));
    if (auto *load = dyn_cast<LoadInst>(&instruction); load && load->isSimple())
      read.insert(evolution.getSCEV(load->getPointerOperand()));
  }
  unsigned differing = 0, again = 0;
  for (const SCEV *address : read) {
    const SCEV *there =
        SCEVParameterRewriter::rewrite(address, evolution, nextRow);
    if (there == address)
      continue;
    ++differing;
    auto *inTurns = dyn_cast<SCEVAddRecExpr>(address);
    if (read.contains(there)) {
      ++again;
    } else if (inTurns && inTurns->getPostIncExpr(evolution) == there) {
      const Loop *loop = inTurns->getLoop();
      unsigned size = 0;
      for (BasicBlock *block : loop->blocks())
        size += block->size();
      unsigned turns = evolution.getSmallConstantTripCount(loop);
      if (turns && loop->isInnermost() && size * turns <= MostUnrolled) {
        rolled.insert(loop->getLoopLatch());
        ++again;
      }
    }
  }
  return 2 * again > differing;
}

/// Whether most of what a row reads is what the row before it has read; loops
/// that stand in the way are unrolled.
bool makeRowsOverlap(Function &body, BodyPasses &passes) {
  SmallPtrSet<BasicBlock *, 4> rolled;
  if (!rowsOverlap(body, rolled))
    return false;
  if (rolled.empty())
    return true;
  for (BasicBlock *latch : rolled)
    addLoopProperty(*latch->getTerminator(), "llvm.loop.unroll.full");
  passes.simplify(body);
  rolled.clear();
  return rowsOverlap(body, rolled) && rolled.empty();
}

unsigned lanesFor(Function &body) {
  uint64_t widest = 4;
  for (Instruction &instruction : instructions(body))
    if (instruction.getType()->isDoubleTy())
      widest = 8;
  return VectorBytes / widest;
}

/// How many vectors a thread's values fill that go around a loop.
unsigned liveVectors(Function &body, LaneShapes &shapes) {
  unsigned count = 0;
  for (BasicBlock &block : body)
    for (PHINode &phi : block.phis())
      count += !shapes.isUniform(&phi);
  return count;
}

/// Whether a thread that goes through its loop alone uses a whole line of the
/// cache for each element that \p load reads: what follows in memory belongs to
/// its neighbours, and its own next element lies elsewhere.
bool wastesLines(LoadInst &load, Loop &loop, LaneShapes &shapes,
                 ScalarEvolution &evolution) {
  if (shapes.stride(load.getPointerOperand()).value_or(0) == 0)
    return false;
  const SCEV *address = evolution.getSCEV(load.getPointerOperand());
  if (evolution.isLoopInvariant(address, &loop))
    return false;
  auto *recurrence = dyn_cast<SCEVAddRecExpr>(address);
  auto *step =
      recurrence
          ? dyn_cast<SCEVConstant>(recurrence->getStepRecurrence(evolution))
          : nullptr;
  return !step || step->getAPInt().abs().ugt(16);
}

/// Compares the work of a strip one thread after the other with that of its
/// vectors, in units of simple instructions.
bool isFaster(Function &body, LaneShapes &shapes, unsigned lanes) {
  DominatorTree dominators(body);
  LoopInfo loops(dominators);
  const DataLayout &layout = body.getDataLayout();
  TargetLibraryInfoImpl libraryImpl(
      Triple(body.getParent()->getTargetTriple()));
  TargetLibraryInfo library(libraryImpl);
  AssumptionCache assumptions(body);
  ScalarEvolution evolution(body, library, assumptions, dominators, loops);
  double inTurn = 0, together = 0;
  for (BasicBlock &block : body) {
    if (isSeldom(block))
      continue;
    Loop *loop = loops.getLoopFor(&block);
    double weight = 1;
    for (unsigned depth = 0; loop && depth < loop->getLoopDepth(); ++depth)
      weight *= 16;
    // Some lanes wait for others.
    bool waits = false;
    for (Loop *around = loop; around; around = around->getParentLoop())
      for (BasicBlock *inner : around->blocks())
        waits |=
            around->isLoopExiting(inner) && !shapes.branchesUniformly(*inner);
    for (Instruction &instruction : block) {
      if (isa<PHINode>(instruction) || instruction.isTerminator())
        continue;
      double cost = 1;
      if (auto *load = dyn_cast<LoadInst>(&instruction);
          load && loop && wastesLines(*load, *loop, shapes, evolution))
        inTurn += weight * lanes * CostOfLine;
      if (isa<LoadInst, StoreInst>(instruction)) {
        Type *type = getLoadStoreType(&instruction);
        std::optional<int64_t> step =
            shapes.stride(getLoadStorePointerOperand(&instruction));
        if (shapes.bound(getLoadStorePointerOperand(&instruction)) ==
                int64_t(layout.getTypeAllocSize(type)) &&
            isa<LoadInst>(instruction))
          cost = 4; // the ends are asked for
        else if (!step || (*step != 0 &&
                           *step != int64_t(layout.getTypeAllocSize(type))))
          cost = 3 * lanes; // address, access, place in the vector
      } else if (auto *call = dyn_cast<CallInst>(&instruction)) {
        if (!isVectorMath(*call) && !isa<IntrinsicInst>(call) &&
            threadIndexDimension(call) < 0)
          cost = 3 * lanes;
      } else if (instruction.isAtomic()) {
        cost = 3 * lanes;
      }
      inTurn += weight * lanes;
      together += weight * cost * (waits ? 2 : 1);
    }
  }
  return inTurn > 1.3 * together;
}

/// Whether what \p instruction finds may depend on what other threads do at the
/// same time. Updates whose results nobody reads may not.
bool isObservation(const Instruction &instruction) {
  return (instruction.isAtomic() && !instruction.use_empty()) ||
         (instruction.isVolatile() && instruction.mayReadFromMemory());
}

/// Why lanes must not wait for each other in the loops of \p body: one might
/// wait for what another does. Empty if they may.
std::string waitsForOthers(Function &body, LaneShapes &shapes) {
  DominatorTree dominators(body);
  LoopInfo loops(dominators);
  for (Loop *loop : loops.getLoopsInPreorder()) {
    if (none_of(loop->blocks(), [&](BasicBlock *block) {
          return loop->isLoopExiting(block) &&
                 !shapes.branchesUniformly(*block);
        }))
      continue;
    for (BasicBlock *block : loop->blocks())
      for (Instruction &instruction : *block)
        if (isObservation(instruction))
          return "a loop with atomic or volatile accesses that threads leave "
                 "at different turns";
  }
  return "";
}

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
  if (!hasLoops(*body->function) && none_of(*body->function, isSeldom) &&
      !overlap)
    return ""; // LLVM's vectoriser does as well.
  if (rowLoop && !overlap && !rowsShare(*body->function))
    return "rows have nothing in common";
  if (isDivergent(*body->function)) {
    if (rowLoop)
      return "threads take different ways";
    passes.structure(*body->function);
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
      for (rows = 1; rows < 16 && constant->getZExtValue() % (2 * rows) == 0;)
        rows *= 2;
    // What rows read again is to be kept in registers meanwhile.
    if (overlap)
      rows = std::min(rows, 4u);
    while (rows * live > LiveVectors)
      rows /= 2;
    if (rows < 2)
      return "too much is to be kept for more than one row";
  }
  LaneCode code(*body, shapes, lanes, rows, entry);
  if (why = code.obstacle(); !why.empty())
    return why;
  if (rowLoop)
    makeRowStrips(loop, *rowLoop, code, lanes, rows);
  else
    makeStrips(loop, code, lanes);
  reportVectorised(entry, placeOfLoop(*loop.getLoopLatch()->getTerminator()),
                   lanes);
  return "";
}

void StripMaker::vectorise(Instruction *latch) {
  dominators.recalculate(entry);
  loops.releaseMemory();
  loops.analyze(dominators);
  Loop *loop = loops.getLoopFor(latch->getParent());
  if (!loop || !loop->getLoopPredecessor() || !loop->getExitBlock() ||
      (loop->getSubLoops().empty() &&
       none_of(loop->blocks(), [](BasicBlock *b) { return isSeldom(*b); })))
    return;
  if (Loop *rowLoop = rowsAround(*loop))
    tryStrip(*loop, rowLoop);
  dominators.recalculate(entry);
  loops.releaseMemory();
  loops.analyze(dominators);
  std::string why = tryStrip(*loops.getLoopFor(latch->getParent()), nullptr);
  if (!why.empty())
    reportNotVectorised(entry, placeOfLoop(*latch), why);
}

void StripMaker::run() {
  SmallVector<Instruction *> latches;
  for (BasicBlock &block : entry)
    if (isThreadLoop(*block.getTerminator(), 0))
      latches.push_back(block.getTerminator());
  for (Instruction *latch : latches)
    vectorise(latch);
}

} // namespace

Error vectoriseStrips(Module &module, const CpuOptions &options) {
  if (options.optLevel < 2)
    return Error::success();
  BodyPasses passes;
  for (Function *entry : entries(module, "block"))
    StripMaker(*entry, passes).run();
  return Error::success();
}

} // namespace cufort::cpu
