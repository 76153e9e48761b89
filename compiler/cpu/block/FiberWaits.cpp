//===- FiberWaits.cpp - how a thread on a fiber waits for others ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/block/FiberWaits.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/WaitLoops.h"
#include "compiler/cpu/fission/Barriers.h"
#include "compiler/cpu/simd/WarpOperations.h"
#include "image/Image.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

void lowerMarks(Function &thread, function_ref<Value *()> voteCounters,
                uint32_t firstPlace) {
  Module &module = *thread.getParent();
  LLVMContext &context = thread.getContext();
  SmallVector<CallInst *> votes, barriers;
  for (Instruction &instruction : instructions(thread)) {
    if (CallInst *vote = asMark(&instruction, VoteMark))
      votes.push_back(vote);
    else if (CallInst *barrier = asMark(&instruction, BarrierMark))
      barriers.push_back(barrier);
  }
  FunctionCallee block = module.getOrInsertFunction(image::BlockBarrierFunction,
                                                    Type::getVoidTy(context),
                                                    Type::getInt32Ty(context));
  cast<Function>(block.getCallee())->setConvergent();
  uint32_t statement = firstPlace << 16;
  // What the counters are used for is ordered, and nobody's variable.
  MDNode *own = MDNode::get(context, {});
  auto load = [&](IRBuilder<> &b, Value *counter) {
    LoadInst *made = b.CreateLoad(b.getInt32Ty(), counter);
    made->setMetadata(LLVMContext::MD_nosanitize, own);
    return made;
  };
  auto store = [&](IRBuilder<> &b, Value *value, Value *counter) {
    b.CreateStore(value, counter)->setMetadata(LLVMContext::MD_nosanitize, own);
  };
  auto wait = [&](IRBuilder<> &b, bool forOneStatement) {
    b.CreateCall(block, {b.getInt32(forOneStatement ? ++statement : 0)});
  };

  Value *forCount = nullptr, *againstCount = nullptr;
  if (!votes.empty()) {
    forCount = voteCounters();
    IRBuilder<> b(thread.getEntryBlock().getTerminator());
    againstCount = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), forCount, 4);
  }
  for (CallInst *vote : votes) {
    // All fibers of a block run on one worker, one after the other: plain
    // counters do, cleared by everyone between two barriers.
    IRBuilder<> b(vote);
    const bool forOne = !vote->getAttributes().hasFnAttr(AnyStatementAttribute);
    wait(b, forOne);
    store(b, b.getInt32(0), forCount);
    store(b, b.getInt32(0), againstCount);
    wait(b, forOne);
    Value *ballot = b.CreateZExt(vote->getArgOperand(0), b.getInt32Ty());
    Value *against = b.CreateXor(ballot, 1);
    store(b, b.CreateAdd(load(b, forCount), ballot), forCount);
    store(b, b.CreateAdd(load(b, againstCount), against), againstCount);
    vote->eraseFromParent();
  }
  for (CallInst *barrier : barriers) {
    IRBuilder<> b(barrier);
    BarrierKind kind = kindOfBarrier(*barrier);
    if (joinsBlocks(kind))
      b.CreateCall(barrierOfBlocks(module, kind));
    else
      wait(b, isForOneStatement(*barrier));
    if (!barrier->use_empty()) {
      Value *result =
          barrierResult(b, kind, load(b, forCount), load(b, againstCount));
      barrier->replaceAllUsesWith(result);
    }
    barrier->eraseFromParent();
  }
}

//===----------------------------------------------------------------------===//
// Warp operations
//===----------------------------------------------------------------------===//

/// What the lower half of a word holds, beside the mask's upper one.
constexpr uint32_t MostPlaces = 0xffff;

/// Numbers for the places of \p thread that grow along its paths, those within
/// a loop before those behind it: lanes that have parted meet again if those at
/// the lowest place always go first.
DenseMap<BasicBlock *, uint32_t> numberBlocks(Function &thread, LoopInfo &loops,
                                              uint32_t first) {
  DenseMap<BasicBlock *, uint32_t> numbers;
  SmallPtrSet<BasicBlock *, 32> seen;
  SmallVector<BasicBlock *> finished; // the last one first
  auto nextOf = [&](BasicBlock *block) -> BasicBlock * {
    // What is visited first comes last: exits of the loop.
    BasicBlock *next = nullptr;
    for (BasicBlock *successor : successors(block))
      if (!seen.contains(successor) &&
          (!next || loops.getLoopDepth(successor) < loops.getLoopDepth(next)))
        next = successor;
    return next;
  };
  SmallVector<BasicBlock *> path{&thread.getEntryBlock()};
  seen.insert(path.back());
  while (!path.empty()) {
    if (BasicBlock *next = nextOf(path.back())) {
      seen.insert(next);
      path.push_back(next);
      continue;
    }
    finished.push_back(path.pop_back_val());
  }
  for (auto [number, block] : enumerate(reverse(finished)))
    numbers[block] = std::min<uint32_t>(first + number, MostPlaces);
  return numbers;
}

/// Where a thread is on its way, in numbers that come in the order in which
/// lanes that have parted are to go on: for each of the outer three loops the
/// loop's number and the iteration, then the block's. They are the value (four
/// numbers of 16 bits) and the b of an operation without a mask.
class Position {
public:
  Position(LoopInfo &loops, const DenseMap<BasicBlock *, uint32_t> &numbers)
      : loops(loops), numbers(numbers) {}

  std::pair<Value *, Value *> at(Instruction &place) {
    IRBuilder<> b(&place);
    Value *fields[6];
    llvm::fill(fields, b.getInt64(0));
    SmallVector<Loop *> around;
    for (Loop *loop = loops.getLoopFor(place.getParent()); loop;
         loop = loop->getParentLoop())
      around.insert(around.begin(), loop);
    unsigned next = 0;
    for (Loop *loop : around) {
      if (next >= 6)
        break;
      fields[next++] = number(b, loop->getHeader());
      fields[next++] = b.CreateZExt(iteration(*loop), b.getInt64Ty());
    }
    if (next < 6)
      fields[next] = number(b, place.getParent());
    Value *value = fields[0];
    for (unsigned i = 1; i < 4; ++i)
      value = b.CreateOr(b.CreateShl(value, 16), fields[i]);
    Value *rest = b.CreateOr(b.CreateShl(fields[4], 16), fields[5]);
    return {value, b.CreateTrunc(rest, b.getInt32Ty())};
  }

private:
  Value *number(IRBuilder<> &b, BasicBlock *block) {
    return b.getInt64(numbers.lookup(block));
  }

  /// How often the thread has come back to the head of \p loop.
  Value *iteration(Loop &loop) {
    PHINode *&count = iterations[&loop];
    if (count)
      return count;
    BasicBlock *header = loop.getHeader();
    IRBuilder<> b(header, header->begin());
    count = b.CreatePHI(b.getInt32Ty(), 2, "iteration");
    b.SetInsertPoint(header, header->getFirstInsertionPt());
    Value *next = b.CreateBinaryIntrinsic(Intrinsic::umin,
                                          b.CreateAdd(count, b.getInt32(1)),
                                          b.getInt32(MostPlaces));
    for (BasicBlock *before : predecessors(header))
      count->addIncoming(loop.contains(before) ? next : b.getInt32(0), before);
    return count;
  }

  LoopInfo &loops;
  const DenseMap<BasicBlock *, uint32_t> &numbers;
  DenseMap<Loop *, PHINode *> iterations;
};

/// Whether \p instruction may ask again and again for what another lane does
/// only when it can go on: gives a lock back, or sets a flag.
bool mayAskAgain(const Instruction &instruction, const LoopInfo &loops) {
  return instruction.isAtomic() && instruction.mayReadFromMemory() &&
         !isa<FenceInst>(instruction) && !instruction.use_empty() &&
         loops.getLoopFor(instruction.getParent());
}

/// Whether a thread lets others go on before it executes \p instruction.
bool letsOthersGoOn(const Instruction &instruction, const LoopInfo &loops) {
  return instruction.isVolatile() || mayAskAgain(instruction, loops);
}

/// Loops that wait at accesses need not do so once more at their ends.
void eraseNeedlessYields(Function &thread, const LoopInfo &loops) {
  for (Instruction &yield : make_early_inc_range(instructions(thread)))
    if (Loop *loop = loops.getLoopFor(yield.getParent());
        loop && isYield(yield) && any_of(loop->blocks(), [&](BasicBlock *b) {
          return any_of(*b, [&](Instruction &instruction) {
            return letsOthersGoOn(instruction, loops);
          });
        }))
      yield.eraseFromParent();
}

/// Makes warp operations calls of the runtime, and lanes go to volatile
/// accesses in step, as old programs without barriers in a warp expect it. They
/// also let others go on before they ask what those have done.
uint32_t lowerWarpOperations(Function &thread, uint32_t firstPlace) {
  LLVMContext &context = thread.getContext();
  Type *i32 = Type::getInt32Ty(context), *i64 = Type::getInt64Ty(context);
  FunctionCallee operate = thread.getParent()->getOrInsertFunction(
      image::WarpOperationFunction,
      FunctionType::get(i64, {i32, i32, i64, i32, i32, i32}, false));
  cast<Function>(operate.getCallee())->setConvergent();
  DominatorTree dominators(thread);
  LoopInfo loops(dominators);
  DenseMap<BasicBlock *, uint32_t> numbers =
      numberBlocks(thread, loops, firstPlace);
  Position position(loops, numbers);
  SmallVector<std::pair<Instruction *, uint32_t>> places;
  eraseNeedlessYields(thread, loops);
  for (BasicBlock &block : thread)
    for (auto [i, instruction] : enumerate(block))
      if (isWarpOperation(instruction) || letsOthersGoOn(instruction, loops))
        places.push_back({&instruction, numbers.lookup(&block) << 16 |
                                            std::min<uint32_t>(i, 0xffff)});
  for (auto [at, place] : places) {
    IRBuilder<> b(at);
    auto operation =
        warpOperation(*at).value_or(image::CpuWarpOperation::VolatileAccess);
    SmallVector<Value *, 4> operands = {b.getInt32(~0u), b.getInt64(0),
                                        b.getInt32(0), b.getInt32(0)};
    auto *call = dyn_cast<CallInst>(at);
    if (isWarpOperation(*at))
      for (auto [i, operand] : enumerate(call->args()))
        operands[i] = i == 1 ? b.CreateZExt(operand, i64) : operand.get();
    if (operation == image::CpuWarpOperation::ActiveMask ||
        operation == image::CpuWarpOperation::VolatileAccess)
      std::tie(operands[1], operands[2]) = position.at(*at);
    CallInst *result = b.CreateCall(
        operate, {b.getInt32(static_cast<uint32_t>(operation)), operands[0],
                  operands[1], operands[2], operands[3], b.getInt32(place)});
    if (!isWarpOperation(*at))
      continue;
    if (!call->getType()->isVoidTy())
      call->replaceAllUsesWith(b.CreateTrunc(result, call->getType()));
    call->eraseFromParent();
  }
  return firstPlace + numbers.size();
}

} // namespace

uint32_t waitOnFiber(Function &function, function_ref<Value *()> voteCounters,
                     uint32_t firstPlace) {
  lowerMarks(function, voteCounters, firstPlace);
  return lowerWarpOperations(function, firstPlace);
}

} // namespace cufort::cpu
