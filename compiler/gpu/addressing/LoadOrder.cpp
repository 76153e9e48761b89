//===- LoadOrder.cpp - in which order a block loads -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/addressing/LoadOrder.h"
#include "compiler/gpu/GpuPass.h"
#include "compiler/gpu/analysis/ExactDivision.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace cufort;

namespace {

/// Instructions that an address is computed by between two loads.
constexpr unsigned MostMoved = 8;

/// Moves \p load, and what its address is computed from, before \p place in the
/// same block, unless that takes more than arithmetic.
bool moveBefore(LoadInst &load, Instruction &place) {
  SmallPtrSet<Instruction *, MostMoved> needed = {&load};
  SmallVector<Instruction *, MostMoved> order;
  for (Instruction *each = &load; each != &place; each = each->getPrevNode()) {
    if (!needed.contains(each))
      continue;
    if (each != &load && (isa<PHINode>(each) || each->mayReadOrWriteMemory() ||
                          !isSafeToSpeculativelyExecute(each)))
      return false;
    order.push_back(each);
    if (order.size() > MostMoved)
      return false;
    for (Value *operand : each->operands())
      if (auto *before = dyn_cast<Instruction>(operand);
          before && before->getParent() == load.getParent())
        needed.insert(before);
  }
  if (needed.contains(&place))
    return false;
  for (Instruction *each : reverse(order))
    each->moveBefore(place.getIterator());
  return true;
}

/// Loads that wait for no division while others are computed: each holds its
/// register for that long.
constexpr unsigned MostLoadsAhead = 4;

/// Whether ptxas makes branches or a call of \p instruction, across which it
/// moves no load. The reciprocal of a float is short besides its call, and a
/// register held across it may cost other warps theirs.
bool isLongDivision(const Instruction &instruction) {
  if (instruction.getType()->isFloatTy() &&
      match(&instruction, m_FDiv(m_FPOne(), m_Value())))
    return false;
  switch (instruction.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return instruction.getType()->isIntegerTy(64) &&
           !isa<Constant>(instruction.getOperand(1));
  default:
    return isExactDivision(instruction);
  }
}

bool mayWait(const LoadInst &load) {
  switch (load.getPointerAddressSpace()) {
  case NVPTXAS::ADDRESS_SPACE_GENERIC:
  case NVPTXAS::ADDRESS_SPACE_GLOBAL:
  case NVPTXAS::ADDRESS_SPACE_SHARED:
    return load.isSimple();
  default:
    return false;
  }
}

/// Distance in bytes of what memory delivers together.
constexpr int64_t Sector = 32;

/// Of what a block has loaded: where from, in bytes behind what.
using Places = SmallVector<std::pair<const Value *, int64_t>>;

std::pair<const Value *, int64_t> placeOf(const LoadInst &load) {
  const Value *pointer = load.getPointerOperand();
  APInt distance(
      load.getDataLayout().getIndexTypeSizeInBits(pointer->getType()), 0);
  pointer = pointer->stripAndAccumulateConstantOffsets(
      load.getDataLayout(), distance, /*AllowNonInbounds=*/true);
  return {pointer, distance.getSExtValue()};
}

/// Whether \p load is of what another load, of \p loaded, most likely brings
/// into the cache, and no other load waits for it. It then does not wait for
/// memory behind the division, and before it would ask for the same again.
bool comesWithAnother(const LoadInst &load, const Places &loaded) {
  auto [base, distance] = placeOf(load);
  return any_of(loaded,
                [&](const auto &other) {
                  return other.first == base &&
                         std::abs(other.second - distance) < Sector;
                }) &&
         none_of(load.users(), [](const User *user) {
           return isa<GetElementPtrInst, LoadInst, CastInst>(user);
         });
}

} // namespace

PreservedAnalyses cufort::hoistLoadsBeforeDivisions(Function &function,
                                                    FunctionAnalysisManager &) {
  bool changed = false;
  for (BasicBlock &block : function) {
    SmallVector<Instruction *> divisions;
    Places loaded;
    unsigned moved = 0;
    for (Instruction &instruction : make_early_inc_range(block)) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      if (load && mayWait(*load)) {
        if (divisions.empty()) {
          loaded.push_back(placeOf(*load));
        } else if (moved < MostLoadsAhead && !comesWithAnother(*load, loaded) &&
                   any_of(
                       divisions,
                       [&](Instruction *division) {
                         return moveBefore(*load, *division);
                       })) {
          ++moved;
          changed = true;
        }
      } else if (instruction.mayHaveSideEffects()) {
        divisions.clear();
        loaded.clear();
        moved = 0;
      } else if (isLongDivision(instruction)) {
        divisions.push_back(&instruction);
      }
    }
  }
  return afterInstructions(changed);
}
