//===- StripGains.cpp - which loops over threads gain by vectors ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/simd/StripGains.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/ThreadLoops.h"
#include "compiler/cpu/simd/VectorMath.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace cufort::cpu {

/// The width of the widest vectors, in bytes; shorter ones are halves of it.
static constexpr unsigned VectorBytes = 64;
/// What it costs to bring a line into the cache for one element, in simple
/// instructions.
static constexpr unsigned CostOfLine = 8;

bool hasLoops(Function &body) {
  DominatorTree dominators(body);
  return !LoopInfo(dominators).empty();
}

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
static SmallPtrSet<Value *, 32> following(Function &body, int dimension) {
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
static constexpr unsigned MostUnrolled = 512; // instructions

/// Whether most of what a row reads is what the row before it has read with
/// other instructions, as in a stencil of which all terms are written out. If
/// it has read it in an earlier iteration of a loop, the loop is added to \p
/// rolled.
static bool rowsOverlap(Function &body, SmallPtrSetImpl<BasicBlock *> &rolled) {
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
    auto *inIterations = dyn_cast<SCEVAddRecExpr>(address);
    if (read.contains(there)) {
      ++again;
    } else if (inIterations &&
               inIterations->getPostIncExpr(evolution) == there) {
      const Loop *loop = inIterations->getLoop();
      unsigned size = 0;
      for (BasicBlock *block : loop->blocks())
        size += block->size();
      unsigned iterations = evolution.getSmallConstantTripCount(loop);
      if (iterations && loop->isInnermost() &&
          size * iterations <= MostUnrolled) {
        rolled.insert(loop->getLoopLatch());
        ++again;
      }
    }
  }
  return 2 * again > differing;
}

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
static bool wastesLines(LoadInst &load, Loop &loop, LaneShapes &shapes,
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

/// Whether \p instruction counts along with the iterations of \p loop or does
/// not change in it: of indices and addresses nothing is left in an iteration
/// but the step, one thread at a time or together.
static bool isStepped(Instruction &instruction, Loop &loop,
                      ScalarEvolution &evolution) {
  if (!evolution.isSCEVable(instruction.getType()) ||
      isa<LoadInst, CallBase>(instruction))
    return false;
  const SCEV *value = evolution.getSCEV(&instruction);
  if (evolution.isLoopInvariant(value, &loop))
    return true;
  auto *recurrence = dyn_cast<SCEVAddRecExpr>(value);
  return recurrence && recurrence->getLoop() == &loop && recurrence->isAffine();
}

bool isFaster(Function &body, LaneShapes &shapes, unsigned lanes) {
  DominatorTree dominators(body);
  LoopInfo loops(dominators);
  const DataLayout &layout = body.getDataLayout();
  TargetLibraryInfoImpl libraryImpl(
      Triple(body.getParent()->getTargetTriple()));
  TargetLibraryInfo library(libraryImpl);
  AssumptionCache assumptions(body);
  ScalarEvolution evolution(body, library, assumptions, dominators, loops);
  double inIteration = 0, together = 0;
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
      if (isa<PHINode>(instruction) || instruction.isTerminator() ||
          (loop && isStepped(instruction, *loop, evolution)))
        continue;
      double cost = 1;
      if (auto *load = dyn_cast<LoadInst>(&instruction);
          load && loop && wastesLines(*load, *loop, shapes, evolution))
        inIteration += weight * lanes * CostOfLine;
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
      inIteration += weight * lanes;
      together += weight * cost * (waits ? 2 : 1);
    }
  }
  return inIteration > 1.3 * together;
}

/// Whether what \p instruction finds may depend on what other threads do at the
/// same time. Updates whose results nobody reads may not.
static bool isObservation(const Instruction &instruction) {
  return (instruction.isAtomic() && !instruction.use_empty()) ||
         (instruction.isVolatile() && instruction.mayReadFromMemory());
}

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
                 "at different iterations";
  }
  return "";
}

} // namespace cufort::cpu
