//===- KernelLoopResults.cpp - read after the loop ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel loop leaves in a scalar matters only if something reads it
// before it is assigned anew: the same names serve as temporaries of one loop
// after the other.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/loops/KernelLoopFlow.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace cufort::lower {

namespace {

class LaterUses {
public:
  explicit LaterUses(hlfir::DeclareOp declare) : declare(declare) {
    // Launches of loops that are kernels by now use the memory itself.
    for (Value address :
         {declare.getResult(0), declare.getResult(1), declare.getMemref()})
      for (OpOperand &use : address.getUses())
        if (use.getOwner() != declare &&
            !use.getOwner()->hasAttr(PrivateValueAttribute))
          note(use);
  }

  LaterUse run(cuf::KernelOp kernel) {
    switch (after(kernel)) {
    case Reads:
      return LaterUse::Read;
    case Assigns:
      return LaterUse::None;
    case Neither:
      // Dummy arguments and variables of modules outlive the procedure.
      return declare.getMemref().getDefiningOp<fir::AllocaOp>()
                 ? LaterUse::None
                 : LaterUse::Unknown;
    }
    llvm_unreachable("all outcomes are above");
  }

private:
  enum Outcome { Neither, Assigns, Reads };

  /// An operation may do both; the read comes first.
  void note(OpOperand &use) {
    Operation *user = use.getOwner();
    auto assign = dyn_cast<hlfir::AssignOp>(user);
    bool writes = (assign && use.getOperandNumber() == 1) ||
                  (isa<fir::StoreOp>(user) && use.getOperandNumber() == 1);
    Outcome &outcome = uses[user];
    outcome = writes ? std::max(outcome, Assigns) : Reads;
  }

  Outcome scan(Operation &op) {
    if (auto it = uses.find(&op); it != uses.end())
      return it->second;
    if (auto branch = dyn_cast<fir::IfOp>(op)) {
      Outcome then = scan(branch.getThenRegion()),
              otherwise = scan(branch.getElseRegion());
      if (then == Reads || otherwise == Reads)
        return Reads;
      return std::min(then, otherwise);
    }
    // What another kernel loop assigns itself serves it as a temporary.
    if (isa<cuf::KernelOp>(op)) {
      bool assigns = false, reads = false;
      op.walk([&](Operation *inside) {
        auto it = uses.find(inside);
        assigns |= it != uses.end() && it->second == Assigns;
        reads |= it != uses.end() && it->second == Reads;
      });
      return reads && !assigns ? Reads : Neither;
    }
    // Loops may have no iteration.
    for (Region &region : op.getRegions())
      if (scan(region) == Reads)
        return Reads;
    return Neither;
  }

  Outcome scan(Block &block, Block::iterator from) {
    for (auto it = from; it != block.end(); ++it)
      if (Outcome outcome = scan(*it))
        return outcome;
    return Neither;
  }

  Outcome scan(Region &region) {
    if (region.empty())
      return Neither;
    llvm::SmallPtrSet<Block *, 8> seen;
    return scan(region.front(), region.front().begin(), seen);
  }

  /// From there to the end of the region, on all paths.
  Outcome scan(Block &block, Block::iterator from,
               llvm::SmallPtrSetImpl<Block *> &seen) {
    if (Outcome outcome = scan(block, from))
      return outcome;
    if (block.getNumSuccessors() == 0)
      return Neither;
    Outcome least = Assigns;
    for (Block *next : block.getSuccessors()) {
      if (!seen.insert(next).second) {
        // What lies ahead is judged where it was first come to.
        least = Neither;
        continue;
      }
      Outcome outcome = scan(*next, next->begin(), seen);
      if (outcome == Reads)
        return Reads;
      least = std::min(least, outcome);
    }
    return least;
  }

  /// After \p op, and in further iterations of the loops that it is in.
  Outcome after(Operation *op) {
    llvm::SmallPtrSet<Block *, 8> seen;
    if (Outcome outcome =
            scan(*op->getBlock(), std::next(op->getIterator()), seen))
      return outcome;
    Operation *parent = op->getParentOp();
    if (!parent || isa<func::FuncOp>(parent))
      return Neither;
    if (!isa<fir::IfOp>(parent) && scan(*op->getParentRegion()) == Reads)
      return Reads;
    return after(parent);
  }

  hlfir::DeclareOp declare;
  llvm::DenseMap<Operation *, Outcome> uses;
};

} // namespace

LaterUse useAfter(cuf::KernelOp kernel, hlfir::DeclareOp declare) {
  // A component's own variable goes back to the component, which outlives it.
  if (declare.getUniqName().strref().contains('%'))
    return LaterUse::Unknown;
  return LaterUses(declare).run(kernel);
}

} // namespace cufort::lower
