//===- RegionValues.cpp - values that pass from region to region ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/fission/RegionValues.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/fission/Recompute.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace cufort::cpu {

/// Of the steps from an index to the address made of it.
static constexpr unsigned MostSteps = 4;

//===----------------------------------------------------------------------===//
// Where things are
//===----------------------------------------------------------------------===//

Region *RegionValues::regionOf(const BasicBlock *block) {
  auto found = regions.of.find(const_cast<BasicBlock *>(block));
  return found == regions.of.end() ? nullptr : &regions.regions[found->second];
}

/// The region in whose loops \p instruction is executed, if any.
Region *RegionValues::bodyOf(const Instruction &instruction) {
  Region *region = regionOf(instruction.getParent());
  return region && region->start != instruction.getParent() ? region : nullptr;
}

Region *RegionValues::regionOfUse(Use &use) {
  auto *user = cast<Instruction>(use.getUser());
  if (auto *phi = dyn_cast<PHINode>(user))
    return regionOf(phi->getIncomingBlock(use));
  return regionOf(user->getParent());
}

bool RegionValues::isOutsideLoops(Value *value) {
  auto *instruction = dyn_cast<Instruction>(value);
  return !instruction || !bodyOf(*instruction);
}

/// Whether one scalar stands for what all threads compute. A value that is the
/// same for all in each iteration of a loop which they leave at different
/// iterations is not: behind the loop it differs, and so does what is computed
/// from it there.
bool RegionValues::isShared(Instruction &value) {
  return !fresh.contains(&value) && uniformity.isUniform(value) &&
         !uniformity.isLeftApart(*value.getParent());
}

/// Where \p value, which other regions need, is known for good: in a loop that
/// is the end of the region, so that it is not stored in every iteration.
IRBuilder<> RegionValues::behind(Instruction &value) {
  Region &home = *bodyOf(value);
  Loop *loop = loops.getLoopFor(value.getParent());
  if (loop && regionOf(loop->getHeader()) == &home && home.exit)
    return at(home.exit);
  return IRBuilder<>(isa<PHINode>(value)
                         ? &*value.getParent()->getFirstInsertionPt()
                         : value.getNextNode());
}

//===----------------------------------------------------------------------===//
// Values on their way
//===----------------------------------------------------------------------===//

/// Whether threads end within \p loop while others go on.
static bool endsThreads(const Loop *loop) {
  return loop && any_of(loop->blocks(), [](BasicBlock *block) {
           return any_of(*block, [](Instruction &instruction) {
             return asMark(&instruction, ThreadExitMark) != nullptr;
           });
         });
}

/// Makes every thread write the shared \p value to a variable of the block. In
/// a loop in which threads end, those that go on write it at the region's end:
/// one that ends in an earlier iteration has that iteration's value.
AllocaInst *RegionValues::scalarOf(Instruction &value) {
  AllocaInst *&scalar = scalars[&value];
  if (!scalar) {
    scalar = makeBlockVariable(entry, value.getType(), nullptr,
                               value.getName() + ".shared");
    IRBuilder<> b(isa<PHINode>(value)
                      ? &*value.getParent()->getFirstInsertionPt()
                      : value.getNextNode());
    Region *home = bodyOf(value);
    const Loop *outermost = loops.getLoopFor(value.getParent());
    while (outermost && outermost->getParentLoop())
      outermost = outermost->getParentLoop();
    if (home && home->exit && endsThreads(outermost) &&
        dominators.dominates(value.getParent(), home->exit))
      b.SetInsertPoint(home->exit->getTerminator());
    b.CreateStore(&value, scalar);
  }
  return scalar;
}

/// The shared \p value of another region, read before the loops of \p region.
Value *RegionValues::sharedIn(Instruction &value, Region &region) {
  Value *&read = scalarReads[{&value, &region}];
  if (!read) {
    AllocaInst *scalar = scalarOf(value);
    IRBuilder<> b(region.start, region.start->begin());
    read = b.CreateLoad(value.getType(), scalar, value.getName());
  }
  return read;
}

Value *RegionValues::recomputeIn(Value *value, Region &region,
                                 DenseMap<Value *, Value *> &made) {
  if (isOutsideLoops(value))
    return value;
  Value *&again = made[value];
  if (again)
    return again;
  auto &instruction = *cast<Instruction>(value);
  if (bodyOf(instruction) == &region)
    return again = value;
  if (threadIndexDimension(value) < 0 && isShared(instruction))
    return again = sharedIn(instruction, region);
  Instruction *copy = instruction.clone();
  for (Use &operand : copy->operands())
    if (isa<Instruction>(operand.get()))
      operand.set(recomputeIn(operand.get(), region, made));
  copy->insertBefore(region.body.front()->getTerminator()->getIterator());
  copy->setName(value->getName());
  fresh.insert(copy);
  return made[value] = copy;
}

/// The thread's element of \p slot, read at the start of its iteration of \p
/// region.
Value *RegionValues::readIn(Region &region, const Arena::Slot &slot,
                            const Twine &name) {
  IRBuilder<> b = at(region.body.front());
  Value *value = arena.load(b, slot, rankIn(region));
  value->setName(name);
  // A logical value is a byte in the arena: two instructions are new.
  for (Value *part = value; part;
       part = isa<TruncInst>(part) ? cast<TruncInst>(part)->getOperand(0)
                                   : nullptr)
    fresh.insert(part);
  return value;
}

Value *RegionValues::rankIn(Region &region) {
  Value *&rank = ranks[&region];
  if (!rank) {
    BasicBlock *begin = region.body.front();
    IRBuilder<> b(begin, begin->begin());
    rank = b.CreateCall(threadRankMark(*entry.getParent()));
  }
  return rank;
}

//===----------------------------------------------------------------------===//
// The steps
//===----------------------------------------------------------------------===//

/// Moves arithmetic on what all threads share in front of the loops.
void RegionValues::hoistSharedValues() {
  auto isInvariant = [](Instruction &instruction) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    return load && load->isSimple() &&
           load->hasMetadata(LLVMContext::MD_invariant_load) &&
           isSafeToSpeculativelyExecute(load);
  };
  ReversePostOrderTraversal<Function *> order(&entry);
  for (BasicBlock *block : order)
    for (Instruction &instruction : make_early_inc_range(*block)) {
      Region *region = bodyOf(instruction);
      if (!region ||
          !(isPureArithmetic(instruction) || isInvariant(instruction)))
        continue;
      auto isElsewhere = [&](Value *operand) {
        if (isOutsideLoops(operand))
          return true;
        auto *other = cast<Instruction>(operand);
        return bodyOf(*other) != region && isShared(*other);
      };
      if (!all_of(instruction.operands(), isElsewhere))
        continue;
      // A divergent join's value lies outside the loops but is not shared.
      if (any_of(instruction.operands(), [&](Value *operand) {
            auto *phi = dyn_cast<PHINode>(operand);
            return phi && isOutsideLoops(phi) && !uniformity.isUniform(*phi);
          }))
        continue;
      instruction.moveBefore(region->start->getTerminator()->getIterator());
      for (Use &operand : instruction.operands())
        if (!isOutsideLoops(operand.get()))
          operand.set(sharedIn(*cast<Instruction>(operand.get()), *region));
    }
}

/// Finds an operand of the divergent join \p phi that may be stored in the
/// join's own array where it is computed, so that no loop need copy it later:
/// nothing reads the join between there and the next time it is passed.
Instruction *RegionValues::findSharer(PHINode &phi) {
  BasicBlock *join = phi.getParent();
  for (Value *operand : phi.incoming_values()) {
    auto *value = dyn_cast<Instruction>(operand);
    Region *home = value ? bodyOf(*value) : nullptr;
    // Another join's value, read at the start of the region, is none: stored
    // there it would be read again in place of this join's (a swap).
    if (!home || !home->next || isShared(*value) || fresh.contains(value))
      continue;
    if (any_of(value->uses(), [&](Use &use) {
          return use.getUser() != &phi && regionOfUse(use) != home;
        }))
      continue;
    SmallPtrSet<BasicBlock *, 16> passed;
    SmallVector<BasicBlock *> work{home->next};
    while (!work.empty()) {
      BasicBlock *block = work.pop_back_val();
      if (block != join && passed.insert(block).second)
        append_range(work, successors(block));
    }
    // Another operand that reaches the join first would be stored over it.
    bool isOverwritten = any_of(phi.blocks(), [&](BasicBlock *before) {
      return phi.getIncomingValueForBlock(before) != value &&
             (passed.contains(before) || regionOf(before) == home);
    });
    if (isOverwritten)
      continue;
    bool isRead = any_of(phi.uses(), [&](Use &use) {
      auto *user = cast<Instruction>(use.getUser());
      BasicBlock *where = user->getParent();
      if (auto *other = dyn_cast<PHINode>(user))
        where = other->getIncomingBlock(use);
      return passed.contains(where);
    });
    if (!isRead)
      return value;
  }
  return nullptr;
}

/// Takes the divergent join \p phi apart: an array that the regions before the
/// join write and those after it read.
void RegionValues::keepJoinValues(PHINode &phi) {
  if (uniformity.isUniform(phi)) {
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      auto *value = dyn_cast<Instruction>(phi.getIncomingValue(i));
      if (!value || isOutsideLoops(value))
        continue;
      Region *before = regionOf(phi.getIncomingBlock(i));
      settled[before].push_back({&phi, scalarOf(*value)});
      phi.setIncomingValue(i, PoisonValue::get(phi.getType()));
    }
    return;
  }
  Instruction *sharer = findSharer(phi);
  Arena::Slot slot = arena.make(phi.getType(), phi.getName() + ".kept");
  if (sharer) {
    IRBuilder<> b = behind(*sharer);
    arena.store(b, slot, rankIn(*bodyOf(*sharer)), sharer);
  }
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    Value *value = phi.getIncomingValue(i);
    if (value == sharer || isa<UndefValue>(value) || value == &phi)
      continue;
    Region *before = regionOf(phi.getIncomingBlock(i));
    IRBuilder<> b = at(before->exit);
    arena.store(b, slot, rankIn(*before), value);
  }
  SmallVector<Use *> uses;
  for (Use &use : phi.uses())
    uses.push_back(&use);
  DenseMap<Region *, Value *> reads;
  for (Use *use : uses) {
    if (use->getUser() == &phi)
      continue;
    Region *region = regionOfUse(*use);
    Value *&read = reads[region];
    if (!read)
      read = readIn(*region, slot, phi.getName());
    use->set(read);
  }
  phi.replaceAllUsesWith(PoisonValue::get(phi.getType()));
  phi.eraseFromParent();
}

/// The index of 32 bits or less that the address \p value is made of by
/// arithmetic on what other regions know as well; null if there is none. To
/// keep that takes half the memory, and vectors of it twice as many threads.
Instruction *RegionValues::indexOf(Instruction &value,
                                   function_ref<bool(Value *)> available) {
  if (!value.getType()->isPointerTy())
    return nullptr;
  Instruction *made = &value;
  for (unsigned steps = 0; steps < MostSteps; ++steps) {
    if (!isPureArithmetic(*made))
      return nullptr;
    Instruction *unknown = nullptr;
    for (Value *operand : made->operands()) {
      if (available(operand))
        continue;
      auto *other = cast<Instruction>(operand);
      if (unknown && unknown != other)
        return nullptr;
      unknown = other;
    }
    if (!unknown || bodyOf(*unknown) != bodyOf(value) ||
        loops.getLoopFor(unknown->getParent()) !=
            loops.getLoopFor(value.getParent()) ||
        fresh.contains(unknown))
      return nullptr;
    made = unknown;
    if (made->getType()->isIntegerTy() &&
        made->getType()->getIntegerBitWidth() <= 32 &&
        !made->getType()->isIntegerTy(1))
      return made;
  }
  return nullptr;
}

/// Where the threads keep \p value for other regions.
const Arena::Slot &RegionValues::slotOf(Instruction &value) {
  auto [found, isNew] = slots.try_emplace(&value);
  if (isNew) {
    found->second = arena.make(value.getType(), value.getName() + ".kept");
    IRBuilder<> b = behind(value);
    arena.store(b, found->second, rankIn(*bodyOf(value)), &value);
  }
  return found->second;
}

/// Brings \p value to the regions and nodes that use it outside its own.
void RegionValues::keep(Instruction &value) {
  Region *home = bodyOf(value);
  SmallVector<Use *> uses;
  for (Use &use : value.uses())
    if (regionOfUse(use) != home || !bodyOf(*cast<Instruction>(use.getUser())))
      uses.push_back(&use);
  if (uses.empty())
    return;

  auto available = [&](Value *operand) {
    return isOutsideLoops(operand) || threadIndexDimension(operand) >= 0 ||
           isShared(*cast<Instruction>(operand));
  };
  bool shared = threadIndexDimension(&value) < 0 && isShared(value);
  bool again = !shared && isRecomputable(&value, available);
  Instruction *index = shared || again ? nullptr : indexOf(value, available);
  Arena::Slot slot;
  if (!shared && !again)
    slot = slotOf(index ? *index : value);
  DenseMap<Region *, Value *> reads;
  for (Use *use : uses) {
    auto *user = cast<Instruction>(use->getUser());
    Region *region = regionOfUse(*use);
    if (regions.nodes.contains(user->getParent()) || !region) {
      // A decision; what decides is shared.
      IRBuilder<> b(user);
      use->set(b.CreateLoad(value.getType(), scalarOf(value)));
      continue;
    }
    Value *&read = reads[region];
    if (!read) {
      if (shared) {
        read = sharedIn(value, *region);
      } else if (again) {
        DenseMap<Value *, Value *> made;
        read = recomputeIn(&value, *region, made);
      } else if (index) {
        DenseMap<Value *, Value *> made;
        made[index] = readIn(*region, slot, index->getName());
        read = recomputeIn(&value, *region, made);
      } else {
        read = readIn(*region, slot, value.getName());
      }
    }
    use->set(read);
  }
}

void RegionValues::pass() {
  hoistSharedValues();
  SmallVector<PHINode *> joins;
  for (BasicBlock *node : regions.nodes)
    for (PHINode &phi : node->phis())
      joins.push_back(&phi);
  SmallVector<Instruction *> values;
  for (Region &region : regions.regions)
    for (BasicBlock *block : region.body)
      for (Instruction &instruction : *block)
        if (!instruction.getType()->isVoidTy())
          values.push_back(&instruction);
  for (PHINode *phi : joins)
    keepJoinValues(*phi);
  for (Instruction *value : values)
    keep(*value);
}

} // namespace cufort::cpu
