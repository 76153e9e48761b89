//===- LoopLayout.cpp - loops that begin with their beginning -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/machine/LoopLayout.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;
using namespace cufort;

namespace {

/// Whether the threads have to be together at the end of \p loop.
bool endsTogether(const MachineLoop &loop) {
  const MachineBasicBlock *latch = loop.getLoopLatch();
  return latch && any_of(*latch, [](const MachineInstr &each) {
           return each.isConvergent() && !each.isCall();
         });
}

/// Whether \p loop has one other directly within.
bool isAroundOne(const MachineLoop &loop) {
  return loop.getSubLoops().size() == 1;
}

class LoopLayout : public MachineFunctionPass {
public:
  static char ID;
  LoopLayout() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "layout of loops"; }

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.addRequired<MachineLoopInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override {
    auto &loops = getAnalysis<MachineLoopInfoWrapperPass>().getLI();
    bool changed = false;
    for (MachineLoop *loop : loops.getLoopsInPreorder())
      if (endsTogether(*loop) || isAroundOne(*loop))
        changed |= iteration(*loop, function);
    return changed;
  }

private:
  /// Moves what stands before the header of \p loop behind its other blocks.
  static bool iteration(MachineLoop &loop, MachineFunction &function) {
    MachineFunction::iterator top = loop.getTopBlock()->getIterator();
    MachineFunction::iterator header = loop.getHeader()->getIterator();
    MachineFunction::iterator end = loop.getBottomBlock()->getIterator();
    ++end;
    if (top == header || top == function.begin() ||
        !all_of(make_range(top, end), [&](const MachineBasicBlock &block) {
          return loop.contains(&block);
        }))
      return false;
    // Jumps that cannot be turned round stay right only where they are.
    const TargetInstrInfo &instructions =
        *function.getSubtarget().getInstrInfo();
    DenseMap<MachineBasicBlock *, MachineBasicBlock *> next;
    for (MachineBasicBlock &block : make_range(std::prev(top), end)) {
      MachineBasicBlock *taken = nullptr, *other = nullptr;
      SmallVector<MachineOperand> condition;
      if (instructions.analyzeBranch(block, taken, other, condition))
        return false;
      auto after = std::next(block.getIterator());
      next[&block] = after == function.end() ? nullptr : &*after;
    }
    function.splice(end, top, header);
    for (auto [block, successor] : next)
      block->updateTerminator(successor);
    return true;
  }
};

} // namespace

char LoopLayout::ID = 0;

FunctionPass *cufort::createLoopLayoutPass() { return new LoopLayout; }
