//===- StrengthReduction.cpp - addresses from iteration to iteration ------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/loops/StrengthReduction.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace {

/// \p value in 64 bits, through all additions and multiplications that are
/// known not to overflow where they are used: LLVM's analysis stops there,
/// since elsewhere they might.
const SCEV *extended(Value *value, Type *wide, ScalarEvolution &evolution) {
  if (auto *sum = dyn_cast<PossiblyDisjointInst>(value);
      sum && sum->isDisjoint())
    return evolution.getAddExpr(extended(sum->getOperand(0), wide, evolution),
                                extended(sum->getOperand(1), wide, evolution));
  if (auto *sure = dyn_cast<OverflowingBinaryOperator>(value);
      sure && sure->hasNoSignedWrap()) {
    auto side = [&](unsigned i) {
      return extended(sure->getOperand(i), wide, evolution);
    };
    if (sure->getOpcode() == Instruction::Add)
      return evolution.getAddExpr(side(0), side(1));
    if (sure->getOpcode() == Instruction::Mul)
      return evolution.getMulExpr(side(0), side(1));
  }
  return evolution.getNoopOrSignExtend(evolution.getSCEV(value), wide);
}

/// An address in the loop, computed in one place or more, and how far from
/// Row::base it is.
struct Address {
  SmallVector<GetElementPtrInst *, 2> places;
  const SCEVAddRecExpr *distance;
};

/// The addresses that lie one step after the other, and the next iteration's
/// after those of this one.
struct Row {
  Value *base;
  SmallVector<Address> addresses;
};

const SCEVAddRecExpr *distanceOf(GetElementPtrInst &place, const Loop &loop,
                                 ScalarEvolution &evolution) {
  unsigned space = place.getPointerAddressSpace();
  if ((space != NVPTXAS::ADDRESS_SPACE_GLOBAL &&
       space != NVPTXAS::ADDRESS_SPACE_GENERIC) ||
      place.getNumIndices() != 1 || place.getType()->isVectorTy() ||
      !loop.isLoopInvariant(place.getPointerOperand()))
    return nullptr;
  Type *wide = Type::getInt64Ty(place.getContext());
  Value *index = place.getOperand(1);
  if (auto *extension = dyn_cast<CastInst>(index);
      extension && (isa<SExtInst>(extension) ||
                    (isa<ZExtInst>(extension) && extension->hasNonNeg())))
    index = extension->getOperand(0);
  if (index->getType()->getIntegerBitWidth() > 64)
    return nullptr;
  uint64_t size =
      place.getDataLayout().getTypeAllocSize(place.getSourceElementType());
  auto *distance = dyn_cast<SCEVAddRecExpr>(evolution.getMulExpr(
      extended(index, wide, evolution), evolution.getConstant(wide, size)));
  if (!distance || distance->getLoop() != &loop || !distance->isAffine())
    return nullptr;
  return distance;
}

/// Where an access to \p pointer leaves the constant distances behind.
GetElementPtrInst *placeOf(Value *pointer) {
  auto *place = dyn_cast<GetElementPtrInst>(pointer);
  while (place && place->hasAllConstantIndices())
    place = dyn_cast<GetElementPtrInst>(place->getPointerOperand());
  return place;
}

SmallVector<Row> rowsOf(const Loop &loop, ScalarEvolution &evolution) {
  SmallVector<Row> rows;
  SmallPtrSet<GetElementPtrInst *, 16> seen;
  for (Instruction &instruction : *loop.getHeader()) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    auto *place = load ? placeOf(load->getPointerOperand()) : nullptr;
    if (!place || place->getParent() != loop.getHeader() ||
        !seen.insert(place).second)
      continue;
    const SCEVAddRecExpr *distance = distanceOf(*place, loop, evolution);
    if (!distance)
      continue;
    const SCEV *step = distance->getStepRecurrence(evolution);
    Row *row = find_if(rows, [&](const Row &other) {
      return other.base == place->getPointerOperand() &&
             other.addresses[0].distance->getStepRecurrence(evolution) == step;
    });
    if (row == rows.end())
      row = &rows.emplace_back(Row{place->getPointerOperand(), {}});
    Address *address = find_if(row->addresses, [&](const Address &other) {
      return other.distance == distance;
    });
    if (address == row->addresses.end())
      row->addresses.push_back({{place}, distance});
    else
      address->places.push_back(place);
  }
  return rows;
}

/// What lies between two neighbours of \p row, and between the last one and
/// the next iteration's first one; nothing if that is not always the same.
const SCEV *gapOf(const Row &row, ScalarEvolution &evolution) {
  ArrayRef<Address> all = row.addresses;
  const SCEV *step = all[0].distance->getStepRecurrence(evolution);
  if (all.size() == 1)
    return step;
  const SCEV *gap = evolution.getMinusSCEV(all[1].distance, all[0].distance);
  for (unsigned i = 2; i < all.size(); ++i)
    if (evolution.getMinusSCEV(all[i].distance, all[i - 1].distance) != gap)
      return nullptr;
  const SCEV *whole = evolution.getMulExpr(
      gap, evolution.getConstant(gap->getType(), all.size()));
  return whole == step ? gap : nullptr;
}

/// Whether \p loop does nothing in memory but load from \p row, more than once
/// in each iteration.
bool isAll(const Row &row, const Loop &loop) {
  unsigned loads = 0;
  for (Instruction &instruction : *loop.getHeader()) {
    if (!instruction.mayReadOrWriteMemory())
      continue;
    auto *load = dyn_cast<LoadInst>(&instruction);
    if (!load || row.addresses.size() != 1 ||
        !is_contained(row.addresses[0].places,
                      placeOf(load->getPointerOperand())))
      return false;
    ++loads;
  }
  return loads > 1;
}

bool carry(Loop &loop, ScalarEvolution &evolution) {
  BasicBlock *before = loop.getLoopPreheader(), *block = loop.getHeader();
  if (!before || loop.getNumBlocks() != 1)
    return false;
  bool changed = false;
  SCEVExpander expander(evolution, "carried");
  for (Row &row : rowsOf(loop, evolution)) {
    const SCEV *gap = gapOf(row, evolution);
    const SCEV *start = row.addresses[0].distance->getStart();
    if (!gap || (isa<SCEVConstant>(gap) && !isAll(row, loop)) ||
        !expander.isSafeToExpandAt(gap, before->getTerminator()) ||
        !expander.isSafeToExpandAt(start, before->getTerminator()))
      continue;
    Type *wide = start->getType();
    Instruction *end = before->getTerminator();
    IRBuilder<> b(end);
    Value *first =
        b.CreatePtrAdd(row.base, expander.expandCodeFor(start, wide, end));
    Value *distance = expander.expandCodeFor(gap, wide, end);
    b.SetInsertPoint(block, block->begin());
    PHINode *carried = b.CreatePHI(first->getType(), 2, "carried");
    b.SetInsertPoint(block, block->getFirstInsertionPt());
    Value *address = carried;
    for (Address &each : row.addresses) {
      for (GetElementPtrInst *place : each.places)
        place->replaceAllUsesWith(address);
      // Of a known step ptxas makes one address for all copies of the
      // iteration.
      if (&each == &row.addresses.back() && isa<Constant>(distance))
        b.SetInsertPoint(block->getTerminator());
      address = b.CreatePtrAdd(address, distance);
    }
    carried->addIncoming(first, before);
    carried->addIncoming(address, block);
    for (Address &each : row.addresses)
      for (GetElementPtrInst *place : each.places)
        RecursivelyDeleteTriviallyDeadInstructions(place);
    changed = true;
  }
  if (changed)
    evolution.forgetLoop(&loop);
  return changed;
}

} // namespace

PreservedAnalyses cufort::reduceStrength(Function &function,
                                         FunctionAnalysisManager &manager) {
  auto &evolution = manager.getResult<ScalarEvolutionAnalysis>(function);
  bool changed = false;
  for (Loop *loop :
       manager.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    changed |= carry(*loop, evolution);
  return cufort::afterInstructions(changed);
}
