//===- BlockIterations.cpp - loops in step --------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/analysis/BlockIterations.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/fission/Recompute.h"
#include "compiler/cpu/simd/WarpOperations.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/IteratedDominanceFrontier.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cufort::cpu {

/// How far operands are followed: sums and products of an index, with some
/// room.
static constexpr unsigned DeepestExpression = 16;

/// What threads carry from iteration to iteration has to be loaded and stored
/// in each.
static constexpr unsigned MostCarried = 4;
/// More than that, and what is gained at the loop does not matter.
static constexpr unsigned MostInstructions = 200;
/// Blocks that are known to be narrower gain nothing.
static constexpr unsigned FewestThreads = 32;
/// Loops of which so few iterations are known are short enough for a strip.
static constexpr unsigned FewIterations = 16;
/// What lies closer together from iteration to iteration, in bytes, is in the
/// first cache when a strip comes back to it.
static constexpr unsigned ShortStep = 256;

BlockIterations::BlockIterations(Function &entry, DominatorTree &dominators,
                                 LoopInfo &loops)
    : entry(entry), dominators(dominators), loops(loops), postDominators(entry),
      ofBlock(entry), ofRow(entry, BlockUniformity::Threads::OfOneRow) {}

/// By how many bytes or units \p value grows from a thread to its neighbour in
/// x, so far as it can be told; as for LaneShapes, indices are expected not to
/// wrap around.
std::optional<int64_t> BlockIterations::stepInX(Value *value, unsigned depth) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || ofRow.isUniform(*value))
    return 0;
  if (threadIndexDimension(value) == 0 ||
      threadIndexDimension(value) == RankDimension)
    return 1;
  if (depth > DeepestExpression)
    return std::nullopt;
  auto of = [&](Value *part) { return stepInX(part, depth + 1); };
  Value *left, *right;
  const APInt *number;
  if (auto *phi = dyn_cast<PHINode>(value)) {
    // Of a loop: what it starts from.
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
      if ((match(phi->getIncomingValue(i),
                 m_c_Add(m_Specific(phi), m_Value(right))) ||
           match(phi->getIncomingValue(i),
                 m_Sub(m_Specific(phi), m_Value(right)))) &&
          ofRow.isUniform(*right) && phi->getNumIncomingValues() == 2)
        return of(phi->getIncomingValue(1 - i));
    return std::nullopt;
  }
  if (match(value, m_ZExtOrSExt(m_Value(left))) ||
      match(value, m_Freeze(m_Value(left))))
    return of(left);
  if (match(value, m_Add(m_Value(left), m_Value(right))) ||
      match(value, m_DisjointOr(m_Value(left), m_Value(right)))) {
    std::optional<int64_t> a = of(left), b = of(right);
    return a && b ? std::optional(*a + *b) : std::nullopt;
  }
  if (match(value, m_Sub(m_Value(left), m_Value(right)))) {
    std::optional<int64_t> a = of(left), b = of(right);
    return a && b ? std::optional(*a - *b) : std::nullopt;
  }
  // Within a row of which they are the number and the column.
  if (match(value, m_IDiv(m_Value(left), m_Value(right))) ||
      match(value, m_IRem(m_Value(left), m_Value(right)))) {
    if (of(left) != 1 || !ofBlock.isUniform(*right))
      return std::nullopt;
    return instruction->getOpcode() == Instruction::SRem ||
           instruction->getOpcode() == Instruction::URem;
  }
  if (match(value, m_Mul(m_Value(left), m_APInt(number))) &&
      number->getSignificantBits() <= 32) {
    std::optional<int64_t> a = of(left);
    return a ? std::optional(*a * number->getSExtValue()) : std::nullopt;
  }
  if (match(value, m_Shl(m_Value(left), m_APInt(number))) && number->ult(32)) {
    std::optional<int64_t> a = of(left);
    return a ? std::optional(*a << number->getZExtValue()) : std::nullopt;
  }
  if (auto *address = dyn_cast<GetElementPtrInst>(value)) {
    std::optional<int64_t> step = of(address->getPointerOperand());
    SmallMapVector<Value *, APInt, 4> variable;
    APInt constant(64, 0);
    if (!step || !address->collectOffset(address->getDataLayout(), 64, variable,
                                         constant))
      return std::nullopt;
    for (auto &[index, size] : variable) {
      std::optional<int64_t> part = of(index);
      if (!part)
        return std::nullopt;
      *step += *part * size.getSExtValue();
    }
    return step;
  }
  return std::nullopt;
}

SmallVector<BasicBlock *> BlockIterations::divergentBranches(Loop &loop) {
  BasicBlock *exiting = loop.getExitingBlock();
  ReverseIDFCalculator deciding(postDominators);
  SmallPtrSet<BasicBlock *, 4> defining{exiting};
  deciding.setDefiningBlocks(defining);
  SmallVector<BasicBlock *> found;
  deciding.calculate(found);
  erase_if(found, [&](BasicBlock *block) {
    return block == exiting || ofBlock.branchesUniformly(*block);
  });
  return found;
}

/// Whether \p access, a load or store, finds neighbouring elements for
/// neighbours in x.
bool BlockIterations::isRow(Instruction &access) {
  Value *address = getLoadStorePointerOperand(&access);
  return address &&
         stepInX(address) == int64_t(entry.getDataLayout().getTypeStoreSize(
                                 getLoadStoreType(&access)));
}

bool BlockIterations::bodyAllows(Loop &loop) {
  unsigned count = 0;
  bool hasRow = false;
  bool isUniform = ofBlock.branchesUniformly(*loop.getExitingBlock());
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      if (++count > MostInstructions || instruction.isVolatile() ||
          isa<FenceInst>(instruction) || isWarpOperation(instruction) ||
          instruction.mayThrow())
        return false;
      // The header of a loop that is split is passed once more.
      if (!isUniform && block == loop.getHeader() &&
          !isa<PHINode>(instruction) && !instruction.isTerminator() &&
          !isPureArithmetic(instruction))
        return false;
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (!isa<IntrinsicInst>(call) && !call->doesNotAccessMemory())
          return false;
      hasRow |= isRow(instruction);
    }
  return hasRow || dividesIndex(loop);
}

/// Counts what differs between threads and goes around the loop. An index that
/// grows by the same for all costs nothing where the loop is split.
bool BlockIterations::carriesLittle(Loop &loop) {
  bool isUniform = ofBlock.branchesUniformly(*loop.getExitingBlock());
  unsigned carried = 0;
  for (PHINode &phi : loop.getHeader()->phis()) {
    Value *next = phi.getIncomingValueForBlock(loop.getLoopLatch());
    Value *step;
    bool isIndex = !isUniform && phi.getType()->isIntegerTy() &&
                   (match(next, m_Sub(m_Specific(&phi), m_Value(step))) ||
                    match(next, m_c_Add(m_Specific(&phi), m_Value(step)))) &&
                   ofBlock.isUniform(*step);
    carried += !isIndex && !ofBlock.isUniform(phi);
  }
  return carried <= MostCarried;
}

/// Whether rows and columns are made of an index in each iteration of \p loop:
/// iteration by iteration cpu-quotient-pieces spares the divisions, and what
/// lies in rows is accessed by rows.
bool BlockIterations::dividesIndex(Loop &loop) {
  return any_of(loop.blocks(), [&](BasicBlock *block) {
    return any_of(*block, [&](Instruction &instruction) {
      return instruction.isIntDivRem() &&
             !isa<Constant>(instruction.getOperand(1)) &&
             stepInX(&instruction).has_value();
    });
  });
}

bool BlockIterations::couldBeShared(Loop &loop) {
  if ((!loop.isInnermost() && !dividesIndex(loop)) || !loop.getLoopLatch() ||
      !loop.getExitingBlock() || !loop.getExitBlock())
    return false;
  std::array<uint32_t, 3> known = blockShape(entry);
  if (known[0] && known[0] < FewestThreads)
    return false;
  return bodyAllows(loop) && carriesLittle(loop);
}

/// Whether \p value depends on y or z, so far as it can be told.
bool BlockIterations::isOfRow(Value *value, SmallPtrSetImpl<Value *> &seen) {
  if (ofBlock.isUniform(*value))
    return false;
  if (ofRow.isUniform(*value))
    return true;
  auto *instruction = dyn_cast<Instruction>(value);
  return instruction && seen.insert(value).second &&
         any_of(instruction->operands(),
                [&](Use &operand) { return isOfRow(operand, seen); });
}

/// Whether no two rows of a block read the same in an iteration of \p loop, and
/// no row a single element: those that do are better off as strips.
bool BlockIterations::rowsAreApart(Loop &loop) {
  std::array<uint32_t, 3> known = blockShape(entry);
  if (known[0] && known[1] * known[2] == 1)
    return true;
  bool dependsOnRows = any_of(loop.blocks(), [&](BasicBlock *block) {
    return any_of(*block, [&](Instruction &instruction) {
      return any_of(instruction.operands(), [&](Use &operand) {
        return ofRow.isUniform(*operand) && !ofBlock.isUniform(*operand);
      });
    });
  });
  if (!dependsOnRows)
    return true;
  return all_of(loop.blocks(), [&](BasicBlock *block) {
    return all_of(*block, [&](Instruction &instruction) {
      if (!isa<LoadInst>(instruction))
        return true;
      Value *address = getLoadStorePointerOperand(&instruction);
      SmallPtrSet<Value *, 16> seen;
      return ofBlock.isUniform(*address) ||
             (isRow(instruction) && isOfRow(address, seen));
    });
  });
}

bool BlockIterations::readsRows(Loop &loop) {
  if (!loop.isInnermost() || !rowsAreApart(loop))
    return false;
  TargetLibraryInfoImpl libraryImpl(
      Triple(entry.getParent()->getTargetTriple()));
  TargetLibraryInfo library(libraryImpl);
  AssumptionCache assumptions(entry);
  ScalarEvolution evolution(entry, library, assumptions, dominators, loops);
  unsigned iterations = evolution.getSmallConstantMaxTripCount(&loop);
  if (iterations && iterations <= FewIterations)
    return false;
  auto goesOn = [&](Value *address) {
    const SCEV *where = evolution.getSCEV(address);
    if (evolution.isLoopInvariant(where, &loop))
      return false;
    auto *line = dyn_cast<SCEVAddRecExpr>(where);
    auto *step =
        line ? dyn_cast<SCEVConstant>(line->getStepRecurrence(evolution))
             : nullptr;
    return !step || step->getAPInt().abs().uge(ShortStep);
  };
  return any_of(loop.blocks(), [&](BasicBlock *block) {
    return any_of(*block, [&](Instruction &instruction) {
      return isa<LoadInst>(instruction) &&
             dominators.dominates(block, loop.getLoopLatch()) &&
             isRow(instruction) &&
             !isSharedMemory(*getLoadStorePointerOperand(&instruction)) &&
             goesOn(getLoadStorePointerOperand(&instruction));
    });
  });
}

} // namespace cufort::cpu
