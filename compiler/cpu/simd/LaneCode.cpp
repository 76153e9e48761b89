//===- LaneCode.cpp - control flow of vector code for many threads --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/simd/LaneCode.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace cufort::cpu {

LaneCode::LaneCode(ThreadBody &body, LaneShapes &shapes, unsigned lanes,
                   unsigned rows, Function &into)
    : body(body), shapes(shapes), lanes(lanes), rows(rows), into(into),
      layout(into.getDataLayout()), dominators(*body.function),
      postDominators(*body.function), loops(dominators), b(into.getContext()) {
  countLaneCopies();
}

//===----------------------------------------------------------------------===//
// What cannot be done
//===----------------------------------------------------------------------===//

bool LaneCode::isLatchOfDivergentLoop(BasicBlock &block) {
  Loop *loop = loops.getLoopFor(&block);
  return loop && loop->isLoopExiting(&block) &&
         !shapes.branchesUniformly(block);
}

BasicBlock *LaneCode::branchJoinedBy(BasicBlock &block) {
  auto *node = dominators.getNode(&block)->getIDom();
  if (!node)
    return nullptr;
  BasicBlock *branch = node->getBlock();
  if (shapes.branchesUniformly(*branch) || isLatchOfDivergentLoop(*branch) ||
      postDominators.getNode(branch)->getIDom()->getBlock() != &block)
    return nullptr;
  return branch;
}

std::string LaneCode::checkBranch(BasicBlock &block) {
  Loop *loop = loops.getLoopFor(&block);
  if (shapes.branchesUniformly(block))
    return "";
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  if (!branch || rows > 1)
    return "threads take different branches";
  if (loop && loop->isLoopExiting(&block)) {
    BasicBlock *exit = loop->getExitBlock();
    if (loop->getExitingBlock() != &block || loop->getLoopLatch() != &block ||
        !loop->getLoopPreheader() || !exit || !exit->getSinglePredecessor())
      return "a loop that threads leave at different iterations has several "
             "ends";
    return "";
  }
  auto *node = postDominators.getNode(&block)->getIDom();
  BasicBlock *join = node ? node->getBlock() : nullptr;
  BasicBlock *first = branch->getSuccessor(0),
             *second = branch->getSuccessor(1);
  BasicBlock *then = first == join ? second : first;
  if (!join || (first != join && second != join) || first == second ||
      then->getSinglePredecessor() != &block ||
      dominators.getNode(join)->getIDom()->getBlock() != &block ||
      pred_size(join) > 2)
    return "the branches that threads take are not nested";
  return "";
}

std::string LaneCode::obstacle() {
  // What stands for the mask of each block.
  using Token = std::pair<BasicBlock *, BasicBlock *>;
  DenseMap<BasicBlock *, Token> tokens;
  ReversePostOrderTraversal<Function *> order(body.function);
  for (BasicBlock *block : order) {
    if (isa<ReturnInst>(block->getTerminator())
            ? !tokens.empty() && !postDominators.dominates(
                                     block, &body.function->getEntryBlock())
            : !isa<BranchInst, SwitchInst>(block->getTerminator()))
      return "threads may end at different places";
    if (std::string why = checkBranch(*block); !why.empty())
      return why;
    for (Instruction &instruction : *block)
      if (std::string why = checkInstruction(instruction); !why.empty())
        return why;

    Loop *loop = loops.getLoopFor(block);
    Token token{nullptr, nullptr};
    if (loop && loop->getHeader() == block && loop->getExitingBlock() &&
        isLatchOfDivergentLoop(*loop->getExitingBlock())) {
      token = {block, block};
    } else if (auto *node = dominators.getNode(block)->getIDom()) {
      BasicBlock *above = node->getBlock();
      token = tokens.lookup(above);
      if (isLatchOfDivergentLoop(*above))
        token = tokens.lookup(loops.getLoopFor(above)->getLoopPreheader());
      else if (!shapes.branchesUniformly(*above) &&
               branchJoinedBy(*block) != above)
        token = {above, block};
    }
    tokens[block] = token;
    // A loop that all leave together must not be left by some of them.
    if (loop && loop->isLoopExiting(block) &&
        shapes.branchesUniformly(*block) &&
        tokens.lookup(loop->getHeader()) != token)
      return "some threads leave a loop that others stay in";
    if (isLatchOfDivergentLoop(*block) &&
        tokens.lookup(loop->getHeader()) != token)
      return "the branches that threads take are not nested";
  }
  // All who come to a block have the mask that it takes itself to have.
  for (BasicBlock *block : order) {
    if (branchJoinedBy(*block))
      continue;
    for (BasicBlock *before : predecessors(block))
      if (shapes.branchesUniformly(*before) &&
          tokens.lookup(before) != tokens.lookup(block) &&
          !(loops.getLoopFor(block) &&
            loops.getLoopFor(block)->getHeader() == block))
        return "the branches that threads take are not nested";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Type *LaneCode::vectorType(Type *type) {
  if (auto *structure = dyn_cast<StructType>(type)) {
    SmallVector<Type *> elements;
    for (Type *element : structure->elements())
      elements.push_back(vectorType(element));
    return StructType::get(type->getContext(), elements);
  }
  return type->isVoidTy() ? type : FixedVectorType::get(type, lanes);
}

Constant *LaneCode::allLanes() {
  return ConstantInt::getTrue(vectorType(b.getInt1Ty()));
}

Value *LaneCode::splat(Value *value) {
  return b.CreateVectorSplat(lanes, value);
}

/// A vector whose lane 0 is \p first and that grows by \p step.
Value *LaneCode::lanesFrom(Value *first, int64_t step) {
  SmallVector<Constant *> distances;
  if (first->getType()->isPointerTy()) {
    for (unsigned i = 0; i < lanes; ++i)
      distances.push_back(b.getInt64(i * step));
    return b.CreateGEP(b.getInt8Ty(), first, ConstantVector::get(distances));
  }
  for (unsigned i = 0; i < lanes; ++i)
    distances.push_back(ConstantInt::get(first->getType(), i * step,
                                         /*IsSigned=*/true,
                                         /*ImplicitTrunc=*/true));
  return b.CreateAdd(splat(first), ConstantVector::get(distances));
}

/// The value of lane 0 in \p row; it must be even or uniform.
Value *LaneCode::scalar(Value *value, unsigned row) {
  if (auto *argument = dyn_cast<Argument>(value))
    return body.liveIns[argument->getArgNo()];
  if (!isa<Instruction>(value))
    return value;
  const Rows &found = scalars.find(value)->second;
  return found[found.size() == 1 ? 0 : row];
}

Value *LaneCode::vector(Value *value, unsigned row) {
  if (auto found = vectors.find(value); found != vectors.end())
    return found->second[row];
  if (auto *constant = dyn_cast<Constant>(value))
    return ConstantVector::getSplat(ElementCount::getFixed(lanes), constant);
  return splat(scalar(value, row));
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

Value *LaneCode::anyOf(Value *someMask) {
  Type *bits = b.getIntNTy(lanes);
  return b.CreateICmpNE(b.CreateBitCast(someMask, bits),
                        ConstantInt::get(bits, 0), "any");
}

/// The lanes that go from \p from to \p to at its divergent branch.
Value *LaneCode::lanesTaking(BasicBlock &from, BasicBlock *to) {
  auto *branch = cast<BranchInst>(from.getTerminator());
  Value *condition = vector(branch->getCondition(), 0);
  if (branch->getSuccessor(1) == to)
    condition = b.CreateNot(condition);
  return mask ? b.CreateLogicalAnd(mask, condition) : condition;
}

void LaneCode::emitMask(BasicBlock &block) {
  auto *node = dominators.getNode(&block)->getIDom();
  if (PHINode *alive = live.lookup(&block)) {
    masks[&block] = alive;
  } else if (!node) {
    masks[&block] = strip.mask;
  } else {
    BasicBlock *above = node->getBlock();
    if (isLatchOfDivergentLoop(*above))
      masks[&block] = masks.lookup(loops.getLoopFor(above)->getLoopPreheader());
    else if (shapes.branchesUniformly(*above) || branchJoinedBy(block) == above)
      masks[&block] = masks.lookup(above);
    else
      masks[&block] = takers.lookup(above);
  }
  mask = masks.lookup(&block);
}

void LaneCode::emitPhis(BasicBlock &block) {
  Loop *loop = loops.getLoopFor(&block);
  BasicBlock *latch =
      loop && loop->getHeader() == &block ? loop->getExitingBlock() : nullptr;
  if (latch && isLatchOfDivergentLoop(*latch)) {
    live[&block] = b.CreatePHI(vectorType(b.getInt1Ty()), 2, "live");
    for (PHINode &phi : loop->getExitBlock()->phis())
      if (!isUniform(&phi))
        kept[latch].push_back(
            {b.CreatePHI(vectorType(phi.getType()), 2, phi.getName() + ".last"),
             phi.getIncomingValueForBlock(latch)});
  }
  BasicBlock *before = block.getSinglePredecessor();
  if (before && isLatchOfDivergentLoop(*before) &&
      !loops.getLoopFor(before)->contains(&block)) {
    unsigned i = 0;
    for (PHINode &phi : block.phis())
      if (isUniform(&phi))
        scalars[&phi] = {scalar(phi.getIncomingValue(0), 0)};
      else
        vectors[&phi] = {kept[before][i++].latest};
    return;
  }
  for (PHINode &phi : block.phis()) {
    auto add = [&](unsigned row, bool isVector) {
      Type *type = isVector ? vectorType(phi.getType()) : phi.getType();
      PHINode *copy =
          b.CreatePHI(type, phi.getNumIncomingValues(), phi.getName());
      made.push_back({copy, &phi, row, isVector});
      (isVector ? vectors : scalars)[&phi].push_back(copy);
    };
    if (isUniform(&phi)) {
      add(0, false);
      continue;
    }
    std::optional<int64_t> step = shapes.stride(&phi);
    for (unsigned row = 0; step && row < rows; ++row)
      add(row, false);
    for (unsigned row = 0; step != 0 && row < rows; ++row)
      add(row, true);
  }
  // Where lanes meet again, those that did not take the branch keep their
  // values.
  if (BasicBlock *branch = branchJoinedBy(block))
    for (PHINode &phi : block.phis())
      if (auto found = vectors.find(&phi); found != vectors.end()) {
        Value *straight = phi.getIncomingValueForBlock(branch);
        if (!isa<UndefValue>(straight))
          found->second[0] =
              b.CreateSelect(takers.lookup(branch), found->second[0],
                             vector(straight, 0), phi.getName());
      }
}

void LaneCode::emitBranch(BasicBlock &block) {
  Instruction *terminator = block.getTerminator();
  ends[&block] = b.GetInsertBlock();
  if (isa<ReturnInst>(terminator)) {
    b.CreateBr(after);
    return;
  }
  if (shapes.branchesUniformly(block)) {
    Instruction *copy = terminator->clone();
    for (Use &operand : copy->operands())
      if (auto *target = dyn_cast<BasicBlock>(operand.get()))
        operand.set(begins[target]);
      else
        operand.set(scalar(operand.get(), 0));
    copy->setMetadata(LLVMContext::MD_loop, nullptr);
    b.Insert(copy);
    return;
  }
  auto *branch = cast<BranchInst>(terminator);
  if (isLatchOfDivergentLoop(block)) {
    BasicBlock *header = loops.getLoopFor(&block)->getHeader();
    BasicBlock *exit = loops.getLoopFor(&block)->getExitBlock();
    for (Kept &value : kept[&block])
      value.latest = b.CreateSelect(mask, vector(value.value, 0), value.phi);
    Value *staying = lanesTaking(block, header);
    takers[&block] = staying;
    b.CreateCondBr(anyOf(staying), begins[header], begins[exit]);
    return;
  }
  BasicBlock *join = postDominators.getNode(&block)->getIDom()->getBlock();
  BasicBlock *then = branch->getSuccessor(branch->getSuccessor(0) == join);
  Value *taking = lanesTaking(block, then);
  takers[&block] = taking;
  b.CreateCondBr(anyOf(taking), begins[then], begins[join]);
}

void LaneCode::fillPhis() {
  for (Made &phi : made)
    for (unsigned i = 0; i < phi.source->getNumIncomingValues(); ++i) {
      BasicBlock *before = phi.source->getIncomingBlock(i);
      Value *value = phi.source->getIncomingValue(i);
      b.SetInsertPoint(ends[before]->getTerminator());
      phi.phi->addIncoming(phi.isVector ? vector(value, phi.row)
                                        : scalar(value, phi.row),
                           ends[before]);
    }
  for (auto &[header, phi] : live) {
    Loop *loop = loops.getLoopFor(header);
    BasicBlock *before = loop->getLoopPreheader(),
               *latch = loop->getLoopLatch();
    Value *first = masks.lookup(before);
    phi->addIncoming(first ? first : allLanes(), ends[before]);
    phi->addIncoming(takers.lookup(latch), ends[latch]);
    for (Kept &value : kept[latch]) {
      value.phi->addIncoming(PoisonValue::get(value.phi->getType()),
                             ends[before]);
      value.phi->addIncoming(value.latest, ends[latch]);
    }
  }
}

BasicBlock *LaneCode::emit(const StripIndex &index, BasicBlock *behind) {
  strip = index;
  after = behind;
  begins.clear();
  ends.clear();
  masks.clear();
  takers.clear();
  scalars.clear();
  vectors.clear();
  made.clear();
  kept.clear();
  live.clear();
  ReversePostOrderTraversal<Function *> order(body.function);
  for (BasicBlock *block : order)
    begins[block] = BasicBlock::Create(
        into.getContext(), block->getName() + ".lanes", &into, after);
  for (BasicBlock *block : order) {
    b.SetInsertPoint(begins[block]);
    b.SetCurrentDebugLocation(DebugLoc());
    emitPhis(*block);
    emitMask(*block);
    for (auto at = block->getFirstNonPHIIt(); !at->isTerminator();) {
      if (mayShareLaneLoop(*at)) {
        at = emitInOneLoop(at);
        continue;
      }
      b.SetCurrentDebugLocation(at->getDebugLoc());
      emitInstruction(*at++);
    }
    b.SetCurrentDebugLocation(block->getTerminator()->getDebugLoc());
    emitBranch(*block);
  }
  fillPhis();
  return begins[&body.function->getEntryBlock()];
}

} // namespace cufort::cpu
