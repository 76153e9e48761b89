//===- LoadOrder.cpp - in which order a block loads -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/LoadOrder.h"
#include "compiler/gpu/ExactDivision.h"
#include "compiler/gpu/InstructionPass.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;
using namespace cufort;

namespace {

/// Instructions that an address is computed by between two loads.
constexpr unsigned MostMoved = 8;

LoadInst *asGlobalLoad(Instruction &instruction) {
  auto *load = dyn_cast<LoadInst>(&instruction);
  return load && load->isSimple() &&
                 load->getPointerAddressSpace() == NVPTXAS::ADDRESS_SPACE_GLOBAL
             ? load
             : nullptr;
}

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
/// moves no load.
bool isLongDivision(const Instruction &instruction) {
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

struct LoadsBeforeDivisions : PassInfoMixin<LoadsBeforeDivisions> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    bool changed = false;
    for (BasicBlock &block : function) {
      SmallVector<Instruction *> divisions;
      unsigned moved = 0;
      for (Instruction &instruction : make_early_inc_range(block)) {
        auto *load = dyn_cast<LoadInst>(&instruction);
        if (load && mayWait(*load)) {
          if (moved == MostLoadsAhead ||
              none_of(divisions, [&](Instruction *division) {
                return moveBefore(*load, *division);
              }))
            continue;
          ++moved;
          changed = true;
        } else if (instruction.mayHaveSideEffects()) {
          divisions.clear();
          moved = 0;
        } else if (isLongDivision(instruction)) {
          divisions.push_back(&instruction);
        }
      }
    }
    return afterInstructions(changed);
  }
};

struct LoadOrder : PassInfoMixin<LoadOrder> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &manager) {
    auto &uniformity = manager.getResult<UniformityInfoAnalysis>(function);
    bool changed = false;
    for (BasicBlock &block : function) {
      LoadInst *own = nullptr;
      for (Instruction &instruction : make_early_inc_range(block)) {
        LoadInst *load = asGlobalLoad(instruction);
        if (load && uniformity.isDivergent(load->getPointerOperand())) {
          own = load;
        } else if (load && own) {
          changed |= moveBefore(*load, *own);
          own = nullptr;
        } else if (instruction.mayHaveSideEffects()) {
          own = nullptr;
        }
      }
    }
    return afterInstructions(changed);
  }
};

} // namespace

void cufort::orderLoads(PassBuilder &builder) {
  runLast<LoadsBeforeDivisions>(builder);
  runLast<LoadOrder>(builder);
}
