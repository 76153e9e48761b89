//===- LoopDependences.cpp - loops that write what they load --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/analysis/LoopDependences.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

bool cufort::storesWhatItLoads(const Loop &loop, AAResults &aliases,
                               const DominatorTree *dominators) {
  const BasicBlock *latch = loop.getLoopLatch();
  auto isInEachIteration = [&](const BasicBlock *block) {
    return !dominators || !latch || dominators->dominates(block, latch);
  };
  auto everywhere = [](const Value *address) {
    return MemoryLocation::getBeforeOrAfter(getUnderlyingObject(address));
  };
  SmallVector<MemoryLocation> loaded, stored;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      if (auto *store = dyn_cast<StoreInst>(&instruction);
          store && store->isSimple()) {
        if (isInEachIteration(block) &&
            !isa<AllocaInst>(getUnderlyingObject(store->getPointerOperand())))
          stored.push_back(everywhere(store->getPointerOperand()));
      } else if (instruction.mayWriteToMemory()) {
        return true;
      } else if (auto *load = dyn_cast<LoadInst>(&instruction)) {
        loaded.push_back(everywhere(load->getPointerOperand()));
      } else if (instruction.mayReadFromMemory()) {
        loaded.emplace_back();
      }
    }
  return any_of(stored, [&](const MemoryLocation &place) {
    return any_of(loaded, [&](const MemoryLocation &from) {
      return !from.Ptr || !aliases.isNoAlias(place, from);
    });
  });
}
