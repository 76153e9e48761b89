//===- ExtensionRematerialization.cpp - extend at the uses ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/addressing/ExtensionRematerialization.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Pass.h"

using namespace llvm;

namespace {

/// \p value as the extension of an integer of 32 bits to 64, or null.
CastInst *asExtension(Value *value) {
  auto *cast = dyn_cast<CastInst>(value);
  return cast && isa<ZExtInst, SExtInst>(cast) &&
                 cast->getSrcTy()->isIntegerTy(32) &&
                 cast->getType()->isIntegerTy(64)
             ? cast
             : nullptr;
}

/// LLVM also extends a value in each predecessor of a block and joins the
/// results.
bool joinBeforeExtending(PHINode &phi) {
  CastInst *first = asExtension(phi.getIncomingValue(0));
  if (!first)
    return false;
  for (Value *incoming : phi.incoming_values()) {
    CastInst *each = asExtension(incoming);
    if (!each || each->getOpcode() != first->getOpcode() ||
        each->getOperand(0) != first->getOperand(0))
      return false;
  }
  // It is known on all paths, so also here.
  Instruction *extension = first->clone();
  extension->dropPoisonGeneratingFlags();
  extension->insertBefore(phi.getParent()->getFirstInsertionPt());
  extension->setDebugLoc(phi.getDebugLoc());
  phi.replaceAllUsesWith(extension);
  phi.eraseFromParent();
  return true;
}

/// What instruction selection makes one with the extension.
bool takesIndex(const Instruction &user) {
  return isa<GetElementPtrInst>(user) ||
         (isa<BinaryOperator>(user) &&
          (user.getOpcode() == Instruction::Shl ||
           user.getOpcode() == Instruction::Mul) &&
          isa<ConstantInt>(user.getOperand(1)));
}

/// What takes \p extension as an index in other blocks.
SmallVector<Instruction *> usersElsewhere(const CastInst &extension) {
  SmallVector<Instruction *> users;
  for (User *user : const_cast<CastInst &>(extension).users())
    if (auto *instruction = cast<Instruction>(user);
        instruction->getParent() != extension.getParent() &&
        takesIndex(*instruction))
      users.push_back(instruction);
  return users;
}

/// Of indices that other blocks have extended, in a block.
constexpr unsigned FewIndices = 7;
using Taken = DenseMap<const BasicBlock *, unsigned>;

/// Whether the block of \p extension uses an address with that index.
bool isUsedAtOnce(const CastInst &extension) {
  auto isHere = [&](const User *user) {
    return cast<Instruction>(user)->getParent() == extension.getParent();
  };
  return any_of(extension.users(), [&](const User *user) {
    return isa<GetElementPtrInst>(user) && isHere(user) &&
           any_of(user->users(), isHere);
  });
}

/// Whether \p extension is compared in its own block, so that its upper half is
/// there anyway.
bool isCompared(const CastInst &extension) {
  return any_of(extension.users(), [&](const User *user) {
    return isa<ICmpInst>(user) &&
           cast<Instruction>(user)->getParent() == extension.getParent();
  });
}

/// Whether \p user, which takes an index, takes it by a shift.
bool takesShifted(const Instruction &user) {
  if (auto *address = dyn_cast<GetElementPtrInst>(&user))
    return isPowerOf2_64(
        user.getDataLayout().getTypeAllocSize(address->getSourceElementType()));
  return user.getOpcode() == Instruction::Shl ||
         cast<ConstantInt>(user.getOperand(1))->getValue().isPowerOf2();
}

/// Where a block takes more than a few indices, by \p taken, those that another
/// block has multiplied already stay wide and are shifted: ptxas would make
/// each multiplication again, and so many take iterations. The upper half of an
/// index with a sign would have to be computed for that.
bool repeatInBlocks(CastInst &extension, const Taken &taken) {
  bool mayShift = isa<ZExtInst>(extension) && isUsedAtOnce(extension);
  bool isWide = isa<ZExtInst>(extension) && isCompared(extension);
  SmallVector<Instruction *> users = usersElsewhere(extension);
  erase_if(users, [&](const Instruction *user) {
    return (mayShift && taken.lookup(user->getParent()) > FewIndices) ||
           (isWide && takesShifted(*user));
  });
  SmallDenseMap<BasicBlock *, Instruction *> copies;
  for (Instruction *user : users) {
    Instruction *&copy = copies[user->getParent()];
    if (!copy) {
      copy = extension.clone();
      copy->insertBefore(user->getParent()->getFirstInsertionPt());
    }
    user->replaceUsesOfWith(&extension, copy);
  }
  return !users.empty();
}

/// Of additions of one distance in a block.
constexpr unsigned FewAdditions = 3;

/// A distance that a block adds again and again, and another block has
/// computed, is shifted there: as a product with a wide result ptxas would make
/// it one with each addition, which then takes iterations with the block's own
/// products.
bool shiftInBlocks(CastInst &extension) {
  bool changed = false;
  SmallVector<User *> users(extension.users());
  for (User *user : users) {
    auto *distance = dyn_cast<BinaryOperator>(user);
    if (!distance || distance->getOpcode() != Instruction::Shl ||
        distance->getParent() != extension.getParent() ||
        !isa<ConstantInt>(distance->getOperand(1)))
      continue;
    MapVector<BasicBlock *, SmallVector<Instruction *>> additions;
    for (User *each : distance->users())
      if (auto *addition = dyn_cast<GetElementPtrInst>(each);
          addition && addition->getParent() != distance->getParent())
        additions[addition->getParent()].push_back(addition);
    for (auto &[block, each] : additions) {
      if (each.size() <= FewAdditions)
        continue;
      Instruction *copy = distance->clone();
      copy->insertBefore(block->getFirstInsertionPt());
      for (Instruction *addition : each)
        addition->replaceUsesOfWith(distance, copy);
      changed = true;
    }
  }
  return changed;
}

class WideIndices : public FunctionPass {
public:
  static char id;
  WideIndices() : FunctionPass(id) {}

  bool runOnFunction(Function &function) override {
    bool changed = false;
    for (BasicBlock &block : function)
      for (PHINode &phi : make_early_inc_range(block.phis()))
        changed |= joinBeforeExtending(phi);
    SmallVector<CastInst *> extensions;
    for (Instruction &instruction : instructions(function))
      if (CastInst *extension = asExtension(&instruction))
        extensions.push_back(extension);
    Taken taken;
    for (const CastInst *extension : extensions)
      for (const Instruction *user : usersElsewhere(*extension))
        ++taken[user->getParent()];
    for (CastInst *extension : extensions) {
      changed |= repeatInBlocks(*extension, taken);
      changed |= shiftInBlocks(*extension);
      if (extension->use_empty())
        extension->eraseFromParent();
    }
    return changed;
  }

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
  }
};

char WideIndices::id;

} // namespace

FunctionPass *cufort::createExtensionsPass() { return new WideIndices; }
