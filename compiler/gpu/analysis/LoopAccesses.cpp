//===- LoopAccesses.cpp - what loops read and compute ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/analysis/LoopAccesses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace {

/// Whether \p loop loads from an object for which \p isSo holds.
template <typename IsSo> bool loadsFrom(const Loop &loop, IsSo isSo) {
  return any_of(loop.blocks(), [isSo](BasicBlock *block) {
    return any_of(*block, [isSo](Instruction &instruction) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      return load && isSo(getUnderlyingObject(load->getPointerOperand()));
    });
  });
}

/// Whether the address of \p object is global or generic.
bool isGlobal(const Value *object) {
  unsigned space = object->getType()->getPointerAddressSpace();
  return space == NVPTXAS::ADDRESS_SPACE_GENERIC ||
         space == NVPTXAS::ADDRESS_SPACE_GLOBAL;
}

} // namespace

bool cufort::divides(const Loop &loop) {
  return any_of(loop.blocks(), [](BasicBlock *block) {
    return any_of(*block, [](Instruction &instruction) {
      return instruction.getOpcode() == Instruction::FDiv &&
             !instruction.hasApproxFunc();
    });
  });
}

bool cufort::loadsFromGlobal(const Loop &loop) {
  return loadsFrom(loop, [](const Value *object) {
    return isGlobal(object) && !isa<AllocaInst>(object);
  });
}

bool cufort::loadsFromShared(const Loop &loop) {
  return loadsFrom(loop, [](const Value *object) {
    return object->getType()->getPointerAddressSpace() ==
           NVPTXAS::ADDRESS_SPACE_SHARED;
  });
}

bool cufort::loadsFromArray(const Loop &loop) {
  return loadsFrom(loop, [](const Value *object) {
    return isGlobal(object) && isa<AllocaInst>(object);
  });
}

bool cufort::loadsBetweenRoots(const Loop &loop) {
  bool loads = false, hasRoots = false;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      loads |= isa<LoadInst>(instruction);
      auto *call = dyn_cast<IntrinsicInst>(&instruction);
      Intrinsic::ID function = call ? call->getIntrinsicID() : Intrinsic::ID();
      hasRoots |= instruction.getOpcode() == Instruction::FDiv ||
                  function == Intrinsic::sqrt ||
                  function == Intrinsic::nvvm_sqrt_rn_f ||
                  function == Intrinsic::nvvm_sqrt_rn_d;
    }
  return loads && hasRoots;
}

bool cufort::readsParameters(const Loop &loop) {
  return loadsFrom(loop, [](const Value *object) {
    auto *parameter = dyn_cast<Argument>(object);
    return parameter && parameter->hasByValAttr();
  });
}

bool cufort::onlyStoresToGlobal(const Loop &loop) {
  bool stores = false;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      if (!instruction.mayReadOrWriteMemory())
        continue;
      auto *store = dyn_cast<StoreInst>(&instruction);
      if (!store || !store->isSimple())
        return false;
      const Value *object = getUnderlyingObject(store->getPointerOperand());
      unsigned space = object->getType()->getPointerAddressSpace();
      if (isa<AllocaInst>(object) || (space != NVPTXAS::ADDRESS_SPACE_GENERIC &&
                                      space != NVPTXAS::ADDRESS_SPACE_GLOBAL))
        return false;
      stores = true;
    }
  return stores;
}

bool cufort::followsRow(const Loop &loop) {
  const ICmpInst *end = loop.getLatchCmpInst();
  return end && any_of(end->operands(), [&](const Value *limit) {
           auto *load = dyn_cast<LoadInst>(limit);
           return load && !loop.contains(load);
         });
}

bool cufort::gathers(const Loop &loop) {
  auto isLoaded = [](const Value *index) {
    while (auto *wide = dyn_cast<CastInst>(index))
      index = wide->getOperand(0);
    return isa<LoadInst>(index);
  };
  return any_of(loop.blocks(), [&](const BasicBlock *block) {
    return any_of(*block, [&](const Instruction &instruction) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      auto *address =
          load ? dyn_cast<GetElementPtrInst>(load->getPointerOperand())
               : nullptr;
      return address && any_of(address->indices(), isLoaded);
    });
  });
}
