//===- Dispatch.cpp - fission for any placement of barriers ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/fission/Dispatch.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/Arena.h"
#include "compiler/cpu/fission/Barriers.h"
#include "compiler/cpu/fission/Recompute.h"
#include "compiler/cpu/simd/VectorReport.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// Values that some path carries from before a barrier to after it.
SetVector<Instruction *> liveAcross(ArrayRef<CallInst *> barriers,
                                    ArrayRef<BasicBlock *> body) {
  SmallPtrSet<BasicBlock *, 16> barrierBlocks;
  for (CallInst *barrier : barriers)
    barrierBlocks.insert(barrier->getParent());
  SetVector<Instruction *> live;
  for (BasicBlock *block : body)
    for (Instruction &value : *block) {
      SmallPtrSet<BasicBlock *, 16> liveIn;
      SmallVector<BasicBlock *> work;
      auto reach = [&](BasicBlock *at) {
        if (at != block && liveIn.insert(at).second)
          work.push_back(at);
      };
      for (Use &use : value.uses()) {
        auto *user = cast<Instruction>(use.getUser());
        if (auto *phi = dyn_cast<PHINode>(user))
          // At the end of the edge's source; a value of that very block needs
          // nothing, one of another block is live into it.
          reach(phi->getIncomingBlock(use));
        else
          reach(user->getParent());
        // A use in the block itself, above the definition, comes around a loop:
        // then the definition is a phi's operand and was counted above.
      }
      while (!work.empty()) {
        BasicBlock *at = work.pop_back_val();
        if (barrierBlocks.contains(at)) {
          live.insert(&value);
          break;
        }
        for (BasicBlock *before : predecessors(at))
          reach(before);
      }
    }
  return live;
}

class Dispatch {
public:
  explicit Dispatch(Function &entry)
      : entry(entry), body(blocksOf(entry)), shape(entry), arena(entry, shape),
        loops(entry, shape, "thread") {}
  void run();

private:
  static SmallVector<BasicBlock *> blocksOf(Function &entry);
  AllocaInst *counter(const Twine &name);
  void compareStatements(uint32_t forOne);
  void countVotes();
  void hoist(Instruction &value);
  void demote(Instruction &value);
  void keepLiveValues();
  void stopAt(BasicBlock *block, uint32_t number);
  void splitAtBarriers();
  void stopAtReturns();
  void beginPhases(BasicBlock *phase);
  void resetCounters(BasicBlock *phase);
  void endPhase(BasicBlock *phase, BasicBlock *end);
  /// The number, as in place, of a thread that has ended.
  uint32_t ended() const { return barriers.size() + 1; }

  Function &entry;
  SmallVector<BasicBlock *> body; ///< the kernel's own, without the prologue
  BlockShape shape;
  Arena arena;
  ThreadLoops loops;
  SmallVector<CallInst *> barriers; ///< erased by splitAtBarriers
  /// Where each thread continues: 0 at the start, then the number of the
  /// barrier that it has reached, one more than its index.
  Arena::Slot place;
  AllocaInst *arrived = nullptr; ///< whether any thread has, in this phase
  /// The same of a barrier that other blocks come to, too: its kind.
  AllocaInst *arrivedAtOthers = nullptr;
  SmallSetVector<BarrierKind, 2> kindsOfOthers;
  /// Votes of the phase that runs, and of the one before, whose barrier has
  /// been passed.
  AllocaInst *castFor = nullptr, *castAgainst = nullptr;
  AllocaInst *settledFor = nullptr, *settledAgainst = nullptr;
};

SmallVector<BasicBlock *> Dispatch::blocksOf(Function &entry) {
  SmallVector<BasicBlock *> blocks;
  for (BasicBlock &block : drop_begin(entry))
    blocks.push_back(&block);
  return blocks;
}

AllocaInst *Dispatch::counter(const Twine &name) {
  Type *i32 = Type::getInt32Ty(entry.getContext());
  return makeBlockVariable(entry, i32, ConstantInt::get(i32, 0), name);
}

/// Behind a phase: the runtime looks, if it is asked to, whether the threads at
/// the first \p forOne barriers are all at the same one. What it reads is
/// nothing that the kernel's own code can see, so that the call keeps no value
/// from staying in a register.
void Dispatch::compareStatements(uint32_t forOne) {
  IRBuilder<> b(loops.after);
  FunctionCallee compare = entry.getParent()->getOrInsertFunction(
      "__cufort_cpu_compare_statements", b.getVoidTy(), b.getPtrTy(),
      b.getPtrTy(), b.getPtrTy(), b.getInt32Ty(), b.getInt32Ty(),
      b.getInt32Ty());
  cast<Function>(compare.getCallee())
      ->setMemoryEffects(MemoryEffects::argMemOnly(ModRefInfo::Ref) |
                         MemoryEffects::inaccessibleMemOnly());
  b.CreateCall(compare,
               {entry.getArg(LaunchArgument), entry.getArg(BlockArgument),
                place.base, b.getInt32(attributeNumber(entry, AlongAttribute)),
                b.getInt32(forOne), b.getInt32(ended())});
}

void Dispatch::countVotes() {
  SmallVector<CallInst *> votes;
  for (BasicBlock *block : body)
    for (Instruction &instruction : *block)
      if (CallInst *vote = asMark(&instruction, VoteMark))
        votes.push_back(vote);
  if (votes.empty())
    return;
  castFor = counter("votes.for");
  castAgainst = counter("votes.against");
  settledFor = counter("settled.for");
  settledAgainst = counter("settled.against");
  for (CallInst *vote : votes) {
    IRBuilder<> b(vote);
    Value *ballot = b.CreateZExt(vote->getArgOperand(0), b.getInt32Ty());
    Value *against = b.CreateXor(ballot, 1);
    FunctionCallee count = countMark(*entry.getParent());
    b.CreateCall(count, {castFor, ballot});
    b.CreateCall(count, {castAgainst, against});
    vote->eraseFromParent();
  }
  for (CallInst *barrier : barriers) {
    if (barrier->use_empty())
      continue;
    IRBuilder<> b(
        &*barrier->getParent()->getSingleSuccessor()->getFirstInsertionPt());
    Value *result = barrierResult(b, kindOfBarrier(*barrier),
                                  b.CreateLoad(b.getInt32Ty(), settledFor),
                                  b.CreateLoad(b.getInt32Ty(), settledAgainst));
    barrier->replaceAllUsesWith(result);
  }
}

/// Computes \p value at the start of a thread's iteration, where it reaches all
/// uses.
void Dispatch::hoist(Instruction &value) {
  BasicBlock *home = value.getParent();
  if (home == loops.begin || !is_contained(body, home))
    return;
  for (Value *operand : value.operands())
    if (auto *instruction = dyn_cast<Instruction>(operand))
      hoist(*instruction);
  value.moveBefore(loops.begin->getTerminator()->getIterator());
}

/// Moves \p value to the arena: stored where it is defined, loaded where it is
/// used.
void Dispatch::demote(Instruction &value) {
  Arena::Slot slot = arena.make(value.getType(), value.getName() + ".kept");
  Value *rank = loops.index[RankDimension];
  SmallVector<Use *> uses;
  for (Use &use : value.uses())
    uses.push_back(&use);
  DenseMap<std::pair<PHINode *, BasicBlock *>, Value *> perEdge;
  for (Use *use : uses) {
    auto *user = cast<Instruction>(use->getUser());
    if (auto *phi = dyn_cast<PHINode>(user)) {
      // One edge may occur several times in a phi; its values must agree.
      BasicBlock *from = phi->getIncomingBlock(*use);
      Value *&loaded = perEdge[{phi, from}];
      if (!loaded) {
        // A definition at the end of the source itself is stored below, before
        // this load.
        IRBuilder<> b(from->getTerminator());
        loaded = arena.load(b, slot, rank);
      }
      use->set(loaded);
    } else {
      IRBuilder<> b(user);
      use->set(arena.load(b, slot, rank));
    }
  }
  IRBuilder<> b(isa<PHINode>(value) ? &*value.getParent()->getFirstInsertionPt()
                                    : value.getNextNode());
  arena.store(b, slot, rank, &value);
}

/// Keeps what lives across a barrier: by computing it again, or in the arena.
void Dispatch::keepLiveValues() {
  auto available = [&](Value *value) {
    auto *instruction = dyn_cast<Instruction>(value);
    return instruction && !is_contained(body, instruction->getParent());
  };
  SetVector<Instruction *> live = liveAcross(barriers, body);
  SmallVector<Instruction *> kept;
  for (Instruction *value : live)
    if (isRecomputable(value, available))
      hoist(*value);
    else
      kept.push_back(value);
  for (Instruction *value : kept)
    demote(*value);
}

/// At the end of \p block, which has no terminator, notes that the thread
/// continues at \p number, and ends its part of the phase.
void Dispatch::stopAt(BasicBlock *block, uint32_t number) {
  IRBuilder<> b(block);
  arena.store(b, place, loops.index[RankDimension], b.getInt32(number));
  b.CreateBr(loops.latch);
}

/// A thread's part of a phase begins where it has stopped; each barrier ends
/// it.
void Dispatch::splitAtBarriers() {
  Instruction *toLatch = loops.begin->getTerminator();
  IRBuilder<> b(toLatch);
  SwitchInst *where =
      b.CreateSwitch(arena.load(b, place, loops.index[RankDimension]),
                     loops.latch, barriers.size() + 1);
  toLatch->eraseFromParent();
  where->addCase(b.getInt32(0), body.front());
  for (auto [number, barrier] : enumerate(barriers)) {
    BasicBlock *stop = barrier->getParent();
    where->addCase(b.getInt32(number + 1), stop->getSingleSuccessor());
    stop->getTerminator()->eraseFromParent();
    stopAt(stop, number + 1);
    b.SetInsertPoint(stop->getTerminator());
    b.CreateStore(b.getInt32(1), arrived);
    if (BarrierKind kind = kindOfBarrier(*barrier); joinsBlocks(kind)) {
      if (!arrivedAtOthers)
        arrivedAtOthers = counter("arrived.others");
      kindsOfOthers.insert(kind);
      b.CreateStore(b.getInt32(static_cast<uint32_t>(kind)), arrivedAtOthers);
    }
    barrier->eraseFromParent();
  }
}

/// A thread that ends is at no barrier from then on.
void Dispatch::stopAtReturns() {
  for (BasicBlock *block : body)
    for (Instruction &instruction : *block)
      if (CallInst *mark = asMark(&instruction, ThreadExitMark)) {
        block->getSingleSuccessor()->removePredecessor(block);
        block->getTerminator()->eraseFromParent();
        ReturnInst::Create(entry.getContext(), block);
        mark->eraseFromParent();
        break;
      }
  for (BasicBlock *block : body)
    if (auto *back = dyn_cast<ReturnInst>(block->getTerminator())) {
      back->eraseFromParent();
      stopAt(block, ended());
    }
}

/// In front of the first phase: all threads are at the start.
void Dispatch::beginPhases(BasicBlock *phase) {
  BasicBlock *begin =
      BasicBlock::Create(entry.getContext(), "begin", &entry, phase);
  IRBuilder<> b(begin);
  b.CreateMemSet(place.base, b.getInt8(0), b.CreateShl(shape.roundedThreads, 2),
                 Align(64));
  b.CreateBr(phase);
  endOfPrologue(entry)->setSuccessor(0, begin);
}

/// At the start of each phase: nobody has arrived, and the votes of the last
/// one are counted.
void Dispatch::resetCounters(BasicBlock *phase) {
  IRBuilder<> b(phase);
  b.CreateStore(b.getInt32(0), arrived);
  if (arrivedAtOthers)
    b.CreateStore(b.getInt32(0), arrivedAtOthers);
  if (castFor) {
    for (auto [from, to] : {std::pair(castFor, settledFor),
                            std::pair(castAgainst, settledAgainst)}) {
      b.CreateStore(b.CreateLoad(b.getInt32Ty(), from), to);
      b.CreateStore(b.getInt32(0), from);
    }
  }
  b.CreateBr(loops.before);
}

/// Behind a phase: waits for other blocks where the barrier is theirs, too;
/// another phase, as long as there are threads at a barrier.
void Dispatch::endPhase(BasicBlock *phase, BasicBlock *end) {
  IRBuilder<> b(loops.after);
  for (BarrierKind kind : kindsOfOthers) {
    BasicBlock *others =
        BasicBlock::Create(entry.getContext(), "others", &entry, end);
    BasicBlock *stay =
        BasicBlock::Create(entry.getContext(), "stay", &entry, others);
    b.CreateCondBr(b.CreateICmpEQ(b.CreateLoad(b.getInt32Ty(), arrivedAtOthers),
                                  b.getInt32(static_cast<uint32_t>(kind))),
                   others, stay);
    b.SetInsertPoint(others);
    b.CreateCall(barrierOfBlocks(*entry.getParent(), kind));
    b.CreateBr(phase);
    b.SetInsertPoint(stay);
  }
  b.CreateCondBr(b.CreateIsNotNull(b.CreateLoad(b.getInt32Ty(), arrived)),
                 phase, end);
  b.SetInsertPoint(end);
  b.CreateRetVoid();
}

void Dispatch::run() {
  BasicBlock *start = body.front();
  loops.replaceThreadIndex(body);
  setLocationOfLoop(*loops.latch->getTerminator(), body);
  SmallVector<CallInst *> forAny;
  for (CallInst *barrier : barriersOf(entry))
    (isForOneStatement(*barrier) ? barriers : forAny).push_back(barrier);
  const uint32_t forOne = barriers.size();
  append_range(barriers, forAny);
  countVotes();
  keepLiveValues();
  place = arena.make(Type::getInt32Ty(entry.getContext()), "place");
  arrived = counter("arrived");
  splitAtBarriers();
  stopAtReturns();

  BasicBlock *phase =
      BasicBlock::Create(entry.getContext(), "phase", &entry, start);
  beginPhases(phase);
  resetCounters(phase);
  BasicBlock *end = BasicBlock::Create(entry.getContext(), "end", &entry);
  if (forOne && barriers.size() > 1)
    compareStatements(forOne);
  endPhase(phase, end);
  // Lanes that come from different barriers go on under masks and are
  // together again where those meet.
  if (!loops.keepWarpsTogether(body))
    reportNotVectorised(entry, locationOfLoop(*loops.latch->getTerminator()),
                        "threads may reach a barrier by different branches");
}

} // namespace

void dispatchAtBarriers(Function &entry) { Dispatch(entry).run(); }

} // namespace cufort::cpu
