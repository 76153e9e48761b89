//===- Regions.cpp - the stretches between barriers -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/fission/Regions.h"
#include "compiler/cpu/analysis/BlockUniformity.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/fission/Barriers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/IteratedDominanceFrontier.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

using BlockSet = SmallSetVector<BasicBlock *, 16>; // in a fixed order

class Division {
public:
  Division(Function &entry, ArrayRef<BasicBlock *> uniformLoops)
      : entry(entry) {
    for (CallInst *barrier : barriersOf(entry))
      barriers.insert(barrier->getParent());
    wanted = barriers;
    wanted.insert_range(uniformLoops);
  }
  std::optional<Regions> divide();

private:
  bool everyBlockGetsToTheEnd();
  void findDecisions();
  bool splitEdges();
  void splitNodes();
  bool collect(Regions &found, BasicBlock *start);

  Function &entry;
  BlockSet barriers;
  BlockSet wanted;    ///< blocks whose being reached is everybody's business
  BlockSet decisions; ///< blocks whose terminators decide about those
  BlockSet joins;     ///< blocks where paths from different nodes meet
};

/// In a loop that threads leave only one by one, through marks, everything
/// decides about everything; so it is with loops without an end.
bool Division::everyBlockGetsToTheEnd() {
  SmallPtrSet<BasicBlock *, 32> reaching;
  SmallVector<BasicBlock *> work;
  for (BasicBlock &block : entry)
    if (succ_empty(&block)) {
      reaching.insert(&block);
      work.push_back(&block);
    }
  while (!work.empty())
    for (BasicBlock *before : predecessors(work.pop_back_val()))
      if (reaching.insert(before).second)
        work.push_back(before);
  return reaching.size() == entry.size();
}

/// Iterates: what decides about a barrier or a join is a decision; where the
/// paths after barriers and decisions meet is a join.
void Division::findDecisions() {
  for (;;) {
    PostDominatorTree postDominators(entry);
    ReverseIDFCalculator deciding(postDominators);
    SmallPtrSet<BasicBlock *, 16> defining(wanted.begin(), wanted.end());
    deciding.setDefiningBlocks(defining);
    SmallVector<BasicBlock *> found;
    deciding.calculate(found);
    decisions.clear();
    decisions.insert_range(found);

    if (splitEdges())
      continue;
    DominatorTree dominators(entry);
    SmallPtrSet<BasicBlock *, 16> starts;
    starts.insert(entry.getEntryBlock().getNextNode());
    for (const BlockSet *nodes : {&barriers, &decisions})
      for (BasicBlock *node : *nodes)
        starts.insert_range(successors(node));
    ForwardIDFCalculator meeting(dominators);
    meeting.setDefiningBlocks(starts);
    found.clear();
    meeting.calculate(found);
    joins.clear();
    joins.insert_range(found);
    size_t before = wanted.size();
    wanted.insert_range(joins);
    if (wanted.size() == before)
      return;
  }
}

/// Gives the edge to successor \p i of \p node a block of its own, unless the
/// successor is one.
static bool splitEdge(BasicBlock *node, unsigned i) {
  Instruction *terminator = node->getTerminator();
  BasicBlock *target = terminator->getSuccessor(i);
  if (target->getSinglePredecessor() &&
      !is_contained(drop_begin(successors(node), i + 1), target))
    return false;
  BasicBlock *edge =
      BasicBlock::Create(node->getContext(), "edge", node->getParent(), target);
  IRBuilder<>(edge).CreateBr(target);
  terminator->setSuccessor(i, edge);
  for (PHINode &phi : target->phis())
    phi.setIncomingBlock(phi.getBasicBlockIndex(node), edge);
  return true;
}

/// Does so for every edge out of a barrier or a decision.
bool Division::splitEdges() {
  bool changed = false;
  for (const BlockSet *nodes : {&barriers, &decisions})
    for (BasicBlock *node : *nodes)
      for (unsigned i = 0; i < node->getTerminator()->getNumSuccessors(); ++i)
        changed |= splitEdge(node, i);
  return changed;
}

/// Makes nodes whole blocks: joins of phis, decisions of a terminator.
void Division::splitNodes() {
  BlockSet nodes = barriers;
  for (BasicBlock *join : joins) {
    BasicBlock *rest = SplitBlock(join, join->getFirstNonPHIIt());
    if (decisions.remove(join))
      decisions.insert(rest);
  }
  BlockSet branches;
  for (BasicBlock *decision : decisions)
    branches.insert(SplitBlock(decision, decision->getTerminator()));
  decisions = branches;
  SmallVector<BasicBlock *> returns;
  for (BasicBlock &block : entry)
    if (isa<ReturnInst>(block.getTerminator()))
      returns.push_back(&block);
  for (BasicBlock *block : returns)
    decisions.insert(SplitBlock(block, block->getTerminator()));
}

bool Division::collect(Regions &found, BasicBlock *first) {
  Region region;
  BasicBlock *node = first->getSinglePredecessor();
  if (!node || !first->phis().empty())
    return false;
  region.start =
      BasicBlock::Create(entry.getContext(), "region", &entry, first);
  BasicBlock *begin =
      BasicBlock::Create(entry.getContext(), "region.begin", &entry, first);
  IRBuilder<>(region.start).CreateBr(begin);
  IRBuilder<>(begin).CreateBr(first);
  node->getTerminator()->replaceSuccessorWith(first, region.start);

  unsigned number = found.regions.size();
  SetVector<BasicBlock *> body;
  body.insert(begin);
  SmallVector<BasicBlock *> leaving;
  for (unsigned i = 0; i < body.size(); ++i)
    for (BasicBlock *successor : successors(body[i])) {
      if (!found.nodes.contains(successor)) {
        body.insert(successor);
        continue;
      }
      if (region.next && region.next != successor)
        return false;
      region.next = successor;
      if (!is_contained(leaving, body[i]))
        leaving.push_back(body[i]);
    }
  for (BasicBlock *block : body)
    if (!found.of.insert({block, number}).second)
      return false;
  region.body.assign(body.begin(), body.end());
  if (region.next) {
    region.exit = SplitBlockPredecessors(region.next, leaving, ".exit");
    if (!region.exit)
      return false;
    found.of[region.exit] = number;
    region.body.push_back(region.exit);
  }
  found.of[region.start] = number;
  found.regions.push_back(std::move(region));
  return true;
}

std::optional<Regions> Division::divide() {
  if (!everyBlockGetsToTheEnd())
    return std::nullopt;
  findDecisions();
  BlockUniformity uniformity(entry);
  for (BasicBlock *decision : decisions)
    if (!uniformity.branchesUniformly(*decision))
      return std::nullopt;
  splitNodes();

  Regions found;
  for (const BlockSet *nodes : {&barriers, &decisions, &joins})
    found.nodes.insert_range(*nodes);
  SmallVector<BasicBlock *> starts{entry.getEntryBlock().getNextNode()};
  for (BasicBlock &block : drop_begin(entry))
    if (found.nodes.contains(&block))
      for (BasicBlock *successor : successors(&block))
        if (!found.nodes.contains(successor))
          starts.push_back(successor);
  for (BasicBlock *start : starts)
    if (!collect(found, start))
      return std::nullopt;
  for (BasicBlock &block : drop_begin(entry))
    if (!found.nodes.contains(&block) && !found.of.contains(&block))
      return std::nullopt;
  return found;
}

} // namespace

std::optional<Regions> divideIntoRegions(Function &entry,
                                         ArrayRef<BasicBlock *> uniformLoops) {
  {
    DominatorTree dominators(entry);
    LoopInfo loops(dominators);
    for (Loop *loop : loops)
      simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr,
                   /*PreserveLCSSA=*/false);
  }
  return Division(entry, uniformLoops).divide();
}

} // namespace cufort::cpu
