//===- WaitLoops.cpp - loops that wait for other threads ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/block/WaitLoops.h"
#include "compiler/cpu/analysis/BlockUniformity.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/analysis/WaitFacts.h"
#include "compiler/cpu/simd/WarpOperations.h"
#include "image/Image.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cufort::cpu {

bool isYield(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  return call && call->getCalledFunction() &&
         call->getCalledFunction()->getName() == image::YieldFunction;
}

bool waitsInLoops(Function &entry) {
  return any_of(instructions(entry), isYield);
}

const Value *lookedAt(const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return load->isVolatile() || load->isAtomic() ? load->getPointerOperand()
                                                  : nullptr;
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return exchange->getCompareOperand() == exchange->getNewValOperand()
               ? exchange->getPointerOperand()
               : nullptr;
  auto *atomic = dyn_cast<AtomicRMWInst>(&instruction);
  if (!atomic)
    return nullptr;
  const Value *operand = atomic->getValOperand();
  switch (atomic->getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::UMax:
    return match(operand, m_Zero()) ? atomic->getPointerOperand() : nullptr;
  case AtomicRMWInst::And:
  case AtomicRMWInst::UMin:
    return match(operand, m_AllOnes()) ? atomic->getPointerOperand() : nullptr;
  default:
    return nullptr;
  }
}

/// The phis whose values say which edge of \p terminator was taken: one may be
/// a variable that says whether to go on.
static void addPhisBehind(Instruction &terminator, const Loop &loop,
                          SmallVectorImpl<Instruction *> &phis) {
  for (BasicBlock *next : successors(&terminator))
    for (BasicBlock *block : {next, next->getSingleSuccessor()})
      if (block && block != loop.getHeader())
        for (PHINode &phi : block->phis())
          phis.push_back(&phi);
}

bool decidesOnExit(Instruction &instruction, const Loop &loop) {
  SmallVector<Instruction *> work{&instruction};
  SmallPtrSet<Instruction *, 16> seen;
  while (!work.empty()) {
    Instruction *found = work.pop_back_val();
    if (!loop.contains(found) || !seen.insert(found).second)
      continue;
    if (found->isTerminator()) {
      if (loop.isLoopExiting(found->getParent()))
        return true;
      addPhisBehind(*found, loop, work);
    }
    for (User *user : found->users())
      work.push_back(cast<Instruction>(user));
  }
  return false;
}

namespace {

/// How far the operands of a loop's condition are followed: a flag that is
/// waited for is compared with something, perhaps after a mask or a conversion.
constexpr unsigned DeepestCondition = 8;

/// A place where a loop asks again and again.
struct Wait {
  Instruction *ask;
  const Value *pointer;
  Loop *loop;
  /// What it finds is what nobody else finds then: it has a lock.
  bool takes;
};

/// Whether \p value is the same in all iterations of \p loop, so far as the
/// loop itself goes.
bool isSameEachIteration(const Value *value, const Loop &loop,
                         unsigned depth = 0) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || !loop.contains(instruction))
    return true;
  if (threadIndexDimension(instruction) >= 0)
    return true;
  auto *load = dyn_cast<LoadInst>(instruction);
  if (isa<PHINode>(instruction) || depth > DeepestCondition ||
      (load ? load->isVolatile() || load->isAtomic()
            : instruction->mayReadOrWriteMemory()))
    return false;
  return all_of(instruction->operands(), [&](const Use &operand) {
    return isSameEachIteration(operand, loop, depth + 1);
  });
}

/// Whether an iteration of \p loop may leave \p phi of its header as it is.
bool mayStay(const PHINode &phi, const Loop &loop) {
  SmallVector<const Value *> work;
  for (auto [value, block] : zip(phi.incoming_values(), phi.blocks()))
    if (loop.contains(block))
      work.push_back(value);
  SmallPtrSet<const Value *, 16> seen;
  while (!work.empty()) {
    const Value *value = work.pop_back_val();
    if (value == &phi)
      return true;
    if (!seen.insert(value).second)
      continue;
    if (auto *choice = dyn_cast<SelectInst>(value))
      append_range(work, ArrayRef<const Value *>{choice->getTrueValue(),
                                                 choice->getFalseValue()});
    if (auto *merge = dyn_cast<PHINode>(value);
        merge && loop.contains(merge) && merge->getParent() != loop.getHeader())
      append_range(work, merge->incoming_values());
  }
  return false;
}

/// Whether each iteration of \p loop computes \p value again, inner loops of \p
/// loop among what does so, from what is the same in all of its iterations, or,
/// if
/// \p staying, from what an iteration may leave as it is.
bool isComputedAgain(const Value *value, const Loop &loop, bool staying) {
  SmallVector<const Value *> work{value};
  SmallPtrSet<const Value *, 16> seen;
  while (!work.empty()) {
    auto *found = dyn_cast<Instruction>(work.pop_back_val());
    if (!found || !loop.contains(found) || !seen.insert(found).second ||
        threadIndexDimension(found) >= 0)
      continue;
    auto *load = dyn_cast<LoadInst>(found);
    const bool isPlain =
        load ? !load->isVolatile() && !load->isAtomic()
             : !found->mayReadOrWriteMemory() || isWarpOperation(*found);
    if (!isPlain)
      return false;
    if (auto *phi = dyn_cast<PHINode>(found);
        phi && phi->getParent() == loop.getHeader()) {
      if (!staying || !mayStay(*phi, loop))
        return false;
      continue;
    }
    append_range(work, found->operand_values());
  }
  return true;
}

class WaitFinder {
public:
  explicit WaitFinder(Function &entry)
      : entry(entry), dominators(entry), loops(dominators) {}
  void run();

private:
  bool find(Instruction &instruction, Loop &loop, bool hasFence);
  void findSweep(Loop &loop);
  bool asksForOthers(Instruction &ask, Loop &loop, bool staying);
  bool isAsked(const Instruction &instruction) const {
    return any_of(waits,
                  [&](const Wait &wait) { return wait.ask == &instruction; });
  }
  bool doesNothingElse(const Wait &wait);
  bool hasLock(const Instruction &writer, const Value *pointer);
  bool mayWaitForLater(const Wait &wait);
  bool waitsForOtherBlocks(const Wait &wait);
  void letOthersGoOn();
  /// Computed when they are needed first.
  WaitFacts &facts() {
    return known ? *known : known.emplace(entry, dominators);
  }

  Function &entry;
  DominatorTree dominators;
  LoopInfo loops;
  SmallVector<Wait> waits;
  SmallVector<Loop *> sweeps;
  /// Those in which all threads of the block meet in each iteration.
  SmallVector<Loop *> meetings;
  std::optional<WaitFacts> known;
};

bool WaitFinder::find(Instruction &instruction, Loop &loop, bool hasFence) {
  const Value *pointer = lookedAt(instruction);
  bool takes = false;
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    if (hasFence)
      pointer = load->getPointerOperand();
  } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    // What retries with the value that it has found waits for nobody.
    if (!pointer && isSameEachIteration(exchange->getCompareOperand(), loop)) {
      pointer = exchange->getPointerOperand();
      takes = true;
    }
  } else if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction);
             atomic && atomic->getOperation() == AtomicRMWInst::Xchg &&
             isSameEachIteration(atomic->getValOperand(), loop)) {
    pointer = atomic->getPointerOperand();
    takes = true;
  }
  if (!pointer || isa<AllocaInst>(getUnderlyingObject(pointer, 0)) ||
      !isSameEachIteration(pointer, loop) || !decidesOnExit(instruction, loop))
    return false;
  waits.push_back({&instruction, pointer, &loop, takes});
  return true;
}

/// Whether the loop of \p wait only waits.
bool WaitFinder::doesNothingElse(const Wait &wait) {
  return all_of(wait.loop->blocks(), [&](BasicBlock *block) {
    return all_of(*block, [&](Instruction &instruction) {
      if (!instruction.mayWriteToMemory() || isa<LoadInst>(instruction) ||
          isa<FenceInst>(instruction) || isWarpOperation(instruction) ||
          isAsked(instruction))
        return true;
      if (auto *store = dyn_cast<StoreInst>(&instruction))
        return isa<AllocaInst>(
            getUnderlyingObject(store->getPointerOperand(), 0));
      auto *call = dyn_cast<CallBase>(&instruction);
      return call && !asMark(call, BarrierMark) && !asMark(call, VoteMark) &&
             (call->onlyAccessesInaccessibleMemory() ||
              (isa<IntrinsicInst>(call) &&
               cast<IntrinsicInst>(call)->isAssumeLikeIntrinsic()));
    });
  });
}

/// Where \p instruction writes, if it does; null for what only looks.
const Value *writtenBy(const Instruction &instruction) {
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return store->getPointerOperand();
  if (lookedAt(instruction))
    return nullptr;
  if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
    return atomic->getPointerOperand();
  auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
  return exchange ? exchange->getPointerOperand() : nullptr;
}

/// Whether what \p ask finds is compared with a number that the thread has
/// drawn: others that draw later come later.
bool comparesWithTicket(const Instruction &ask) {
  SmallVector<const Value *> work{&ask};
  SmallPtrSet<const Value *, 8> seen;
  while (!work.empty()) {
    const Value *value = work.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (const User *user : value->users()) {
      if (isa<CastInst, PHINode>(user))
        work.push_back(user);
      if (!isa<ICmpInst>(user))
        continue;
      for (const Value *operand : user->operands()) {
        while (auto *cast = dyn_cast<CastInst>(operand))
          operand = cast->getOperand(0);
        auto *drawn = dyn_cast<AtomicRMWInst>(operand);
        if (drawn && drawn != &ask && !lookedAt(*drawn))
          return true;
      }
    }
  }
  return false;
}

/// Whether \p other, where it takes something, takes what \p ask wants to: then
/// it lets that one's thread not go on.
bool takesTheSame(const Instruction &other, const Instruction &ask) {
  constexpr unsigned Pointer = 0; // the operand
  if (!other.isSameOperationAs(&ask))
    return false;
  for (unsigned i = Pointer + 1; i < ask.getNumOperands(); ++i)
    if (other.getOperand(i) != ask.getOperand(i))
      return false;
  return isa<AtomicCmpXchgInst>(ask);
}

/// Whether \p wait is for a lock or for the thread's iteration.
bool isLock(const Wait &wait) {
  return wait.takes || comparesWithTicket(*wait.ask);
}

/// Whether only a thread that has the lock at \p pointer comes to \p writer.
bool WaitFinder::hasLock(const Instruction &writer, const Value *pointer) {
  return any_of(waits, [&](const Wait &wait) {
    return isLock(wait) && dominators.dominates(wait.ask, &writer) &&
           facts().isOneAddress(wait.pointer, pointer);
  });
}

/// Whether a thread may wait at \p wait for a later one of its block, if one
/// does all that it can before the next begins.
bool WaitFinder::mayWaitForLater(const Wait &wait) {
  SmallVector<Instruction *> writers, givers;
  for (Instruction &instruction : instructions(entry)) {
    const Value *pointer = writtenBy(instruction);
    if (!pointer || wait.loop->contains(&instruction) ||
        takesTheSame(instruction, *wait.ask) ||
        isa<AllocaInst>(getUnderlyingObject(pointer, 0)) ||
        !facts().mayBeOneElement(instruction, *wait.ask) ||
        !facts().isInOneStretch(instruction, *wait.ask))
      continue;
    const bool gives = isLock(wait) &&
                       facts().isOneAddress(pointer, wait.pointer) &&
                       hasLock(instruction, pointer);
    (gives ? givers : writers).push_back(&instruction);
  }
  // A lock is given back before a later thread of the block asks for it.
  if (none_of(givers, [&](Instruction *giver) {
        return facts().comesTo(*wait.ask, *giver);
      }))
    writers.append(givers);
  const bool inWarps = any_of(wait.loop->blocks(), [](BasicBlock *block) {
    return any_of(*block, isWarpOperation);
  });
  return any_of(writers, [&](Instruction *writer) {
    if (facts().isOneThread(*writer, *wait.ask) ||
        facts().isOwnElement(*writer, *wait.ask) ||
        (facts().isFirstThread(*writer) &&
         !facts().comesTo(*wait.ask, *writer)))
      return false;
    return !inWarps || !facts().isOneWarp(*writer, *wait.ask);
  });
}

/// Whether no other thread of the block writes what \p wait is for.
bool WaitFinder::waitsForOtherBlocks(const Wait &wait) {
  return !isLock(wait) && lookedAt(*wait.ask) &&
         all_of(instructions(entry), [&](Instruction &instruction) {
           const Value *pointer = writtenBy(instruction);
           return !pointer ||
                  isa<AllocaInst>(getUnderlyingObject(pointer, 0)) ||
                  !facts().mayBeOneElement(instruction, *wait.ask) ||
                  facts().isOwnElement(instruction, *wait.ask);
         });
}

/// Whether others write in this kernel what \p ask reads, at an address that \p
/// loop computes again each iteration, and its threads leave the loop because
/// of it.
bool WaitFinder::asksForOthers(Instruction &ask, Loop &loop, bool staying) {
  const Value *pointer = lookedAt(ask);
  return pointer && !isa<AllocaInst>(getUnderlyingObject(pointer, 0)) &&
         isComputedAgain(pointer, loop, staying) && decidesOnExit(ask, loop) &&
         any_of(instructions(entry), [&](Instruction &instruction) {
           return writtenBy(instruction) &&
                  facts().mayBeOneElement(instruction, ask);
         });
}

/// Notes \p loop if it goes over many elements until others have done what its
/// thread needs, and does what it can in between: iteration after iteration
/// over all of them, or from one to the next when it has found what it asks
/// for. A thread may so wait for any other one, of its block, too. Where all
/// threads meet in each iteration nobody waits for those that come later.
void WaitFinder::findSweep(Loop &loop) {
  bool meets = false, sweeps = false, stays = false;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      const bool isInner = loops.getLoopFor(block) != &loop;
      meets |= asMark(&instruction, BarrierMark) != nullptr;
      sweeps |= isInner && !sweeps && asksForOthers(instruction, loop, false);
      stays |= !isInner && !stays && !isAsked(instruction) &&
               asksForOthers(instruction, loop, true);
    }
  if (meets && stays)
    meetings.push_back(&loop);
  else if (!meets && (sweeps || stays))
    this->sweeps.push_back(&loop);
}

/// Puts calls of the runtime where the loops go back to their beginnings.
void WaitFinder::letOthersGoOn() {
  SmallSetVector<Loop *, 4> waiting(llvm::from_range, sweeps);
  waiting.insert_range(meetings);
  for (const Wait &wait : waits)
    waiting.insert(wait.loop);
  Module &module = *entry.getParent();
  FunctionCallee yield = module.getOrInsertFunction(
      image::YieldFunction, Type::getVoidTy(module.getContext()));
  cast<Function>(yield.getCallee())->setDoesNotThrow();
  for (Loop *loop : waiting) {
    SmallVector<BasicBlock *> latches;
    loop->getLoopLatches(latches);
    for (BasicBlock *latch : latches) {
      BasicBlock *back = latch;
      if (!latch->getSingleSuccessor())
        back = SplitEdge(latch, loop->getHeader(), &dominators, &loops);
      IRBuilder<> b(back->getTerminator());
      b.SetCurrentDebugLocation(latch->getTerminator()->getDebugLoc());
      b.CreateCall(yield);
    }
  }
}

void WaitFinder::run() {
  for (Loop *loop : loops.getLoopsInPreorder()) {
    const bool hasFence = any_of(loop->blocks(), [](BasicBlock *block) {
      return any_of(*block, [](Instruction &instruction) {
        return isa<FenceInst>(instruction);
      });
    });
    for (BasicBlock *block : loop->blocks())
      if (loops.getLoopFor(block) == loop)
        for (Instruction &instruction : *block)
          find(instruction, *loop, hasFence);
    findSweep(*loop);
  }
  if (waits.empty() && sweeps.empty() && meetings.empty())
    return;
  if (!sweeps.empty() && !entry.hasFnAttribute(FibersAttribute))
    entry.addFnAttr(FibersAttribute,
                    "a loop that a thread repeats until others have written "
                    "what it reads there");
  if (!entry.hasFnAttribute(FibersAttribute)) {
    if (any_of(waits, [&](const Wait &wait) {
          return doesNothingElse(wait) && mayWaitForLater(wait);
        }))
      entry.addFnAttr(FibersAttribute,
                      "a loop in which a thread may wait for a later one of "
                      "its block");
  }
  for (const Wait &wait : waits)
    if (waitsForOtherBlocks(wait))
      wait.ask->setMetadata(OtherBlocksMetadata,
                            MDNode::get(entry.getContext(), {}));
  letOthersGoOn();
}

} // namespace

Error findWaitLoops(Module &module, const CpuOptions &) {
  for (Function *entry : entries(module, "block"))
    WaitFinder(*entry).run();
  return Error::success();
}

} // namespace cufort::cpu
