//===- StrideLoops.cpp - loops that all threads go through ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   reach = how far the index may go for the thread that is nearest to the end;
//           -1 if that cannot be told (an index wraps around)
//   main:   for (offset = 0; offset <= reach; offset += step) body
//   the loop as it was, from where each thread is now
//
// Nothing has to be proved about the loop that follows: where the threads did
// make all these iterations, it starts with the values that they had then.
//
// A loop whose iterations are the same for all threads needs no splitting, only
// the mark.
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/partition/StrideLoops.h"
#include "compiler/cpu/analysis/BlockIterations.h"
#include "compiler/cpu/analysis/BlockUniformity.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/analysis/ThreadRange.h"
#include "compiler/cpu/block/Arena.h"
#include "compiler/cpu/block/ThreadLoops.h"
#include "compiler/cpu/fission/Recompute.h"
#include "compiler/cpu/partition/LoopRows.h"
#include "compiler/cpu/simd/WarpOperations.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cufort::cpu {
namespace {

class StrideLoop {
public:
  StrideLoop(Function &entry, Loop &loop, DominatorTree &dominators,
             BlockUniformity &uniformity)
      : entry(entry), loop(loop), dominators(dominators),
        uniformity(uniformity), b(entry.getContext()),
        range(b, [this](Value *value) { return known(value); }) {}

  /// Whether the loop, which the block may make together, has a condition by
  /// which it can be split.
  bool matches();
  /// Splits the loop if that is possible.
  void split(LoopInfo &loops);

private:
  bool findCondition();
  std::optional<ThreadRange::Bounds> known(Value *value);
  bool computeReach();
  void boundOffsets(Value *iterations);
  void makeMain();
  void copyBlocks();
  PHINode *countIterations();
  void addOffset(PHINode &phi);
  void markNonNegative();
  /// What the header's \p phi grows by in each iteration.
  struct Step {
    Value *size;
    bool isNegated;
  };
  std::optional<Step> stepOf(PHINode &phi);
  Value *stepBefore(PHINode &phi);

  Function &entry;
  Loop &loop;
  DominatorTree &dominators;
  BlockUniformity &uniformity;
  IRBuilder<> b;

  BasicBlock *header = nullptr, *latch = nullptr, *before = nullptr,
             *exit = nullptr, *body = nullptr;
  /// The loop goes on while this holds, for index and what is added to it, or
  /// what that is extended to.
  CmpInst::Predicate predicate = CmpInst::BAD_ICMP_PREDICATE;
  PHINode *index = nullptr;
  SmallVector<Value *> offsets;
  Value *compared = nullptr, *limit = nullptr;

  // Made before the loop:
  std::optional<BlockShape> shape;
  ThreadRange range;
  SmallPtrSet<PHINode *, 4> isExact; ///< what does not wrap around on its way
  Value *reach = nullptr, *stride = nullptr; ///< i64, both counted positive

  /// The loop's copy that the block goes through together, by the original's.
  ValueToValueMapTy copies;
  SmallVector<BasicBlock *> copiedBlocks;
  BasicBlock *main = nullptr, *mainBody = nullptr, *mainLatch = nullptr;
  BasicBlock::iterator startOfBody; ///< of mainBody, behind what is added
};

//===----------------------------------------------------------------------===//
// What is looked for
//===----------------------------------------------------------------------===//

bool StrideLoop::findCondition() {
  auto *branch = dyn_cast<BranchInst>(header->getTerminator());
  if (!branch || !branch->isConditional() ||
      uniformity.branchesUniformly(*header))
    return false;
  bool staysIfTrue = loop.contains(branch->getSuccessor(0));
  body = branch->getSuccessor(staysIfTrue ? 0 : 1);
  auto *compare = dyn_cast<ICmpInst>(branch->getCondition());
  if (!compare || body == header)
    return false;
  predicate =
      staysIfTrue ? compare->getPredicate() : compare->getInversePredicate();
  compared = compare->getOperand(0);
  limit = compare->getOperand(1);
  auto isIndex = [&](Value *value) {
    match(value, m_ZExtOrSExt(m_Value(value)));
    offsets.clear();
    Value *sum, *offset;
    while (match(value, m_Add(m_Value(sum), m_Value(offset))) &&
           offsets.size() < 4) {
      if (uniformity.isUniform(*sum))
        std::swap(sum, offset);
      if (!uniformity.isUniform(*offset))
        return false;
      offsets.push_back(offset);
      value = sum;
    }
    index = dyn_cast<PHINode>(value);
    return index && index->getParent() == header && stepOf(*index);
  };
  if (!isIndex(compared)) {
    std::swap(compared, limit);
    predicate = CmpInst::getSwappedPredicate(predicate);
    if (!isIndex(compared))
      return false;
  }
  unsigned width = compared->getType()->getIntegerBitWidth();
  return CmpInst::isRelational(predicate) && (width == 32 || width == 64);
}

std::optional<StrideLoop::Step> StrideLoop::stepOf(PHINode &phi) {
  Value *size = nullptr;
  Value *next = phi.getIncomingValueForBlock(latch);
  if (!phi.getType()->isIntegerTy())
    return std::nullopt;
  bool isNegated = match(next, m_Sub(m_Specific(&phi), m_Value(size)));
  if ((!isNegated && !match(next, m_c_Add(m_Specific(&phi), m_Value(size)))) ||
      !uniformity.isUniform(*size))
    return std::nullopt;
  return Step{size, isNegated};
}

bool StrideLoop::matches() {
  header = loop.getHeader();
  latch = loop.getLoopLatch();
  if (!latch || loop.getExitingBlock() != header || !loop.getExitBlock() ||
      latch == header)
    return false;
  exit = loop.getExitBlock();
  return findCondition();
}

//===----------------------------------------------------------------------===//
// What is made
//===----------------------------------------------------------------------===//

std::optional<ThreadRange::Bounds> StrideLoop::known(Value *value) {
  if (int dimension = threadIndexDimension(value); dimension >= 0) {
    if (dimension > 2)
      return std::nullopt;
    return ThreadRange::Bounds{
        b.getInt32(0), b.CreateSub(shape->extent[dimension], b.getInt32(1))};
  }
  if (isa<Argument>(value))
    return ThreadRange::Bounds{value, value};
  auto *instruction = dyn_cast<Instruction>(value);
  if (instruction && uniformity.isUniform(*instruction) &&
      !uniformity.isLeftApart(*instruction->getParent()) &&
      dominators.dominates(instruction, before->getTerminator()))
    return ThreadRange::Bounds{value, value};
  return std::nullopt;
}

/// The step of \p phi, known before the loop; null if it cannot be.
Value *StrideLoop::stepBefore(PHINode &phi) {
  std::optional<Step> step = stepOf(phi);
  if (!step)
    return nullptr;
  b.SetInsertPoint(before->getTerminator());
  std::optional<ThreadRange::Bounds> bounds = range.of(step->size);
  if (!bounds || !bounds->isOne())
    return nullptr;
  return step->isNegated ? b.CreateNeg(bounds->low) : bounds->low;
}

/// Computes in i64, whatever the index is, how far it may go.
bool StrideLoop::computeReach() {
  bool falls = predicate == CmpInst::ICMP_SGT ||
               predicate == CmpInst::ICMP_SGE ||
               predicate == CmpInst::ICMP_UGT || predicate == CmpInst::ICMP_UGE;
  bool isStrict = CmpInst::isStrictPredicate(predicate);
  bool isUnsigned = CmpInst::isUnsigned(predicate) || isa<ZExtInst>(compared);
  b.SetInsertPoint(before->getTerminator());
  auto start = range.of(index->getIncomingValueForBlock(before));
  auto end = range.of(limit);
  stride = stepBefore(*index);
  if (!start || !end || !stride)
    return false;
  for (Value *offset : offsets) {
    auto added = range.of(offset);
    if (!added)
      return false;
    start->low = range.add(start->low, added->low);
    start->high = range.add(start->high, added->high);
  }
  Type *i64 = b.getInt64Ty();
  auto widen = [&](Value *value) { return b.CreateSExt(value, i64); };
  Value *low = widen(start->low), *high = widen(start->high);
  Value *last = widen(falls ? end->high : end->low);
  Value *zero = b.getInt64(0), *one = b.getInt64(1);
  if (isUnsigned) // then signed arithmetic tells the truth
    for (Value *value : {low, widen(end->low)})
      range.require(b.CreateICmpSGE(value, zero));
  if (isStrict)
    last = falls ? range.add(last, one) : range.subtract(last, one);
  unsigned width = index->getType()->getIntegerBitWidth();
  if (width < 64) {
    // An index does not come farther than its type.
    Value *most = b.getInt64(falls ? minIntN(width) : maxIntN(width));
    last = b.CreateBinaryIntrinsic(falls ? Intrinsic::smax : Intrinsic::smin,
                                   last, most);
  }
  // The longest distance of any thread must fit into the index.
  Value *longest =
      falls ? range.subtract(high, last) : range.subtract(last, low);
  if (width < 64)
    range.require(b.CreateICmpSLE(longest, b.getInt64(maxIntN(width))));
  Value *shortest =
      falls ? range.subtract(low, last) : range.subtract(last, high);
  stride = widen(stride);
  if (falls)
    stride = range.subtract(zero, stride);
  range.require(b.CreateICmpSGT(stride, zero));
  range.add(longest, stride); // as far as it is added up
  if (offsets.empty())
    isExact.insert(index);
  if (match(stride, m_One()))
    boundOffsets(shortest);
  reach = b.CreateSelect(range.exact(), shortest, b.getInt64(-1), "reach");
  return true;
}

/// In a loop over the trip count the indices are others, of which the
/// program promises that they do not wrap around; nor shall the distances that
/// they go in \p iterations iterations.
void StrideLoop::boundOffsets(Value *iterations) {
  for (PHINode &phi : header->phis()) {
    auto *next = dyn_cast<OverflowingBinaryOperator>(
        phi.getIncomingValueForBlock(latch));
    if (&phi == index || uniformity.isUniform(phi) || !next ||
        !next->hasNoSignedWrap() || phi.getType()->getIntegerBitWidth() > 64)
      continue;
    Value *step = stepBefore(phi);
    if (!step)
      continue;
    Value *offset =
        range.multiply(iterations, b.CreateSExt(step, b.getInt64Ty()));
    Value *narrow = b.CreateTrunc(offset, phi.getType());
    range.require(b.CreateICmpEQ(b.CreateSExt(narrow, b.getInt64Ty()), offset));
    isExact.insert(&phi);
  }
}

void StrideLoop::copyBlocks() {
  for (BasicBlock *block : loop.blocks()) {
    BasicBlock *copy = CloneBasicBlock(block, copies, ".main", &entry);
    copy->moveBefore(header);
    copies[block] = copy;
    copiedBlocks.push_back(copy);
  }
  remapInstructionsInBlocks(copiedBlocks, copies);
  main = cast<BasicBlock>(copies[header]);
  mainBody = cast<BasicBlock>(copies[body]);
  mainLatch = cast<BasicBlock>(copies[latch]);
  before->getTerminator()->replaceSuccessorWith(header, main);
}

/// How far the main loop has gone, at the start of its iteration.
PHINode *StrideLoop::countIterations() {
  b.SetInsertPoint(main, main->begin());
  PHINode *gone = b.CreatePHI(b.getInt64Ty(), 2, "gone");
  gone->addIncoming(b.getInt64(0), before);
  b.SetInsertPoint(mainLatch->getTerminator());
  gone->addIncoming(b.CreateAdd(gone, stride, "", /*HasNUW=*/true,
                                /*HasNSW=*/true),
                    mainLatch);
  return gone;
}

/// What grows by the same for all is a start and a distance in the main loop.
void StrideLoop::addOffset(PHINode &phi) {
  auto *copy = cast<PHINode>(copies[&phi]);
  Value *start = phi.getIncomingValueForBlock(before);
  Value *step = uniformity.isUniform(phi) ? nullptr : stepBefore(phi);
  if (!step) {
    phi.setIncomingValueForBlock(before, copy);
    return;
  }
  Type *type = phi.getType();
  b.SetInsertPoint(main, main->begin());
  PHINode *offset = b.CreatePHI(type, 2, phi.getName() + ".offset");
  offset->addIncoming(ConstantInt::get(type, 0), before);
  b.SetInsertPoint(mainLatch->getTerminator());
  offset->addIncoming(b.CreateAdd(offset, step), mainLatch);
  b.SetInsertPoint(main, main->getFirstInsertionPt());
  Value *after = b.CreateAdd(start, offset, phi.getName());
  phi.setIncomingValueForBlock(before, after);
  // In the iterations of the main loop more may be known.
  Value *during = after;
  if (isExact.contains(&phi)) {
    IRBuilder<> inBody(mainBody, startOfBody);
    during = inBody.CreateAdd(range.copyExact(start, inBody), offset,
                              phi.getName(), /*HasNUW=*/false,
                              /*HasNSW=*/true);
  }
  copy->replaceUsesWithIf(during, [&](Use &use) {
    auto *user = cast<Instruction>(use.getUser());
    return user->getParent() != main;
  });
  copy->replaceAllUsesWith(after);
  copy->eraseFromParent();
  copies.erase(&phi);
}

/// An index that cannot be negative need not be told so again and again.
void StrideLoop::markNonNegative() {
  auto isIndex = [&](const Value *value) {
    auto *sum = dyn_cast<BinaryOperator>(value);
    auto *offset = sum ? dyn_cast<PHINode>(sum->getOperand(1)) : nullptr;
    return offset && sum->getParent() == mainBody &&
           sum->getOpcode() == Instruction::Add && sum->hasNoSignedWrap() &&
           offset->getParent() == main;
  };
  for (BasicBlock *block : copiedBlocks)
    for (Instruction &instruction : *block)
      if (auto *extended = dyn_cast<ZExtInst>(&instruction);
          extended && isIndex(extended->getOperand(0)))
        extended->setNonNeg();
}

void StrideLoop::makeMain() {
  copyBlocks();
  PHINode *gone = countIterations();
  startOfBody = mainBody->getFirstInsertionPt();
  for (PHINode &phi : header->phis())
    addOffset(phi);
  for (PHINode &phi : header->phis())
    phi.replaceIncomingBlockWith(before, main);

  // Neither the condition nor what belongs to it is needed.
  Instruction *branch = main->getTerminator();
  b.SetInsertPoint(branch);
  BranchInst *decision =
      b.CreateCondBr(b.CreateICmpSLE(gone, reach), mainBody, header);
  decision->setMetadata(StrideMetadata, MDNode::get(entry.getContext(), {}));
  decision->setDebugLoc(branch->getDebugLoc());
  branch->eraseFromParent();
  if (CmpInst::isUnsigned(predicate) || isa<ZExtInst>(compared))
    markNonNegative();
  for (BasicBlock *block : copiedBlocks)
    for (Instruction &instruction : make_early_inc_range(reverse(*block)))
      if (isInstructionTriviallyDead(&instruction))
        instruction.eraseFromParent();
}

void StrideLoop::split(LoopInfo &loops) {
  before = loop.getLoopPreheader();
  if (!before)
    before = InsertPreheaderForLoop(&loop, &dominators, &loops, nullptr,
                                    /*PreserveLCSSA=*/false);
  if (!before)
    return;
  shape.emplace(entry);
  if (computeReach())
    makeMain();
}

/// Looks at loops that are not in \p seen until one has been changed; whether
/// there was one.
bool splitOne(Function &entry, SmallPtrSetImpl<BasicBlock *> &seen) {
  DominatorTree dominators(entry);
  LoopInfo loops(dominators);
  if (loops.empty())
    return false;
  BlockIterations iterations(entry, dominators, loops);
  for (Loop *loop : loops.getLoopsInPreorder()) {
    if (!seen.insert(loop->getHeader()).second ||
        !iterations.mayBeShared(*loop))
      continue;
    BasicBlock *exiting = loop->getExitingBlock();
    if (exiting->getTerminator()->hasMetadata(LoopRowMetadata))
      continue;
    if (iterations.uniformity().branchesUniformly(*exiting)) {
      if (iterations.readsRows(*loop))
        exiting->getTerminator()->setMetadata(
            StrideMetadata, MDNode::get(entry.getContext(), {}));
      continue;
    }
    StrideLoop stride(entry, *loop, dominators, iterations.uniformity());
    if (!stride.matches())
      continue;
    stride.split(loops);
    return true;
  }
  return false;
}

} // namespace

SmallVector<BasicBlock *> strideLoops(Function &entry) {
  SmallVector<BasicBlock *> found;
  for (BasicBlock &block : entry)
    if (block.getTerminator()->hasMetadata(StrideMetadata))
      found.push_back(&block);
  return found;
}

Loop *strideLoopAround(Loop &threads) {
  Loop *loop = &threads;
  for (unsigned i = 0; i < 3 && loop; ++i)
    loop = loop->getParentLoop();
  BasicBlock *exiting = loop ? loop->getExitingBlock() : nullptr;
  return exiting && exiting->getTerminator()->hasMetadata(StrideMetadata)
             ? loop
             : nullptr;
}

Error splitStrideLoops(Module &module, const CpuOptions &options) {
  if (options.optLevel < 2)
    return Error::success();
  for (Function *entry : entries(module, "block")) {
    SmallPtrSet<BasicBlock *, 8> seen;
    // Between the iterations of the main loop all threads would share them.
    if (!hasPrivateVariables(*entry))
      while (splitOne(*entry, seen))
        ;
  }
  return Error::success();
}

} // namespace cufort::cpu
