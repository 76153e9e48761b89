//===- CompareRematerialization.cpp - conditions behind loops -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/machine/CompareRematerialization.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace {

/// With fewer there is one for each that a loop is likely to need.
constexpr unsigned FewestThroughLoop = 5;

/// Whether \p instruction computes one virtual register of virtual registers
/// and numbers, at most \p most of the former, and does nothing else.
bool isComputation(const MachineInstr &instruction, unsigned most) {
  if (instruction.isPHI() || instruction.isCopy() ||
      instruction.mayLoadOrStore() || instruction.hasUnmodeledSideEffects() ||
      instruction.isConvergent() || instruction.isInlineAsm() ||
      instruction.isCall() || instruction.getNumExplicitDefs() != 1 ||
      instruction.getNumImplicitOperands())
    return false;
  unsigned registers = 0;
  for (const MachineOperand &operand : instruction.operands()) {
    if (operand.isReg() ? !operand.getReg().isVirtual() : !operand.isImm())
      return false;
    registers += operand.isReg() && operand.isUse();
  }
  return registers && registers <= most;
}

using Loops = SmallVector<const MachineLoop *, 2>;

class LateConditions : public MachineFunctionPass {
public:
  static char id;
  LateConditions() : MachineFunctionPass(id) {}

  StringRef getPassName() const override { return "conditions behind loops"; }

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.addRequired<MachineLoopInfoWrapperPass>();
    usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override {
    registers = &function.getRegInfo();
    MapVector<MachineOperand *, Loops> uses;
    DenseMap<const MachineLoop *, SmallPtrSet<MachineInstr *, 8>> conditions;
    for (MachineBasicBlock &block : function)
      for (MachineInstr &instruction : block.terminators())
        for (MachineOperand &operand : instruction.uses())
          if (MachineInstr *comparison = comparisonOf(operand)) {
            uses[&operand] = loopsBetween(*comparison, block);
            for (const MachineLoop *loop : uses[&operand])
              conditions[loop].insert(comparison);
          }
    bool changed = false;
    for (auto &[use, through] : uses)
      if (any_of(through, [&](const MachineLoop *loop) {
            return conditions[loop].size() >= FewestThroughLoop;
          })) {
        compareAgain(*use);
        changed = true;
      }
    return changed;
  }

private:
  MachineRegisterInfo *registers = nullptr;

  /// The comparison whose result \p operand is, if it can be repeated. What
  /// conditions are combined to is none.
  MachineInstr *comparisonOf(const MachineOperand &operand) const {
    if (!operand.isReg() || !operand.getReg().isVirtual())
      return nullptr;
    MachineInstr *comparison = registers->getUniqueVRegDef(operand.getReg());
    auto isCondition = [&](const MachineOperand &compared) {
      return compared.isReg() && registers->getRegClass(compared.getReg()) ==
                                     registers->getRegClass(operand.getReg());
    };
    return comparison && isComputation(*comparison, 2) &&
                   none_of(comparison->uses(), isCondition)
               ? comparison
               : nullptr;
  }

  bool isUsedIn(const MachineLoop &loop, Register value) const {
    return any_of(registers->use_nodbg_instructions(value),
                  [&](const MachineInstr &user) {
                    return loop.contains(user.getParent());
                  });
  }

  /// The outermost loops on the paths from \p before to \p behind that are
  /// around neither and do not use what \p before computes; none if \p behind
  /// is in a loop of its own, each iteration of which would compare.
  Loops loopsBetween(const MachineInstr &before,
                     const MachineBasicBlock &behind) {
    auto &loops = getAnalysis<MachineLoopInfoWrapperPass>().getLI();
    Loops found;
    if (const MachineLoop *around = loops.getLoopFor(&behind);
        around && !around->contains(before.getParent()))
      return found;
    SmallPtrSet<const MachineBasicBlock *, 16> seen = {before.getParent()};
    SmallVector<const MachineBasicBlock *> open = {&behind};
    while (!open.empty()) {
      const MachineBasicBlock *block = open.pop_back_val();
      if (!seen.insert(block).second)
        continue;
      append_range(open, block->predecessors());
      const MachineLoop *outermost = nullptr;
      for (const MachineLoop *loop = loops.getLoopFor(block);
           loop && !loop->contains(&behind) &&
           !loop->contains(before.getParent());
           loop = loop->getParentLoop())
        outermost = loop;
      if (outermost && !is_contained(found, outermost) &&
          !isUsedIn(*outermost, before.getOperand(0).getReg()))
        found.push_back(outermost);
    }
    return found;
  }

  /// Puts a copy of what computes \p use before the instruction that has it.
  void compareAgain(MachineOperand &use) {
    MachineInstr &user = *use.getParent();
    MachineInstr *comparison = copyBefore(*comparisonOf(use), user);
    use.setReg(comparison->getOperand(0).getReg());
    use.setIsKill(false);
    for (MachineOperand &operand : comparison->uses())
      if (operand.isReg())
        if (MachineInstr *sum = registers->getUniqueVRegDef(operand.getReg());
            sum && isComputation(*sum, 1)) {
          sum = copyBefore(*sum, *comparison);
          operand.setReg(sum->getOperand(0).getReg());
        }
  }

  MachineInstr *copyBefore(const MachineInstr &original, MachineInstr &before) {
    MachineFunction &function = *before.getMF();
    MachineInstr *copy = function.CloneMachineInstr(&original);
    copy->getOperand(0).setReg(
        registers->cloneVirtualRegister(original.getOperand(0).getReg()));
    for (MachineOperand &operand : copy->uses())
      if (operand.isReg()) {
        operand.setIsKill(false);
        registers->clearKillFlags(operand.getReg());
      }
    before.getParent()->insert(before, copy);
    return copy;
  }
};

char LateConditions::id;

} // namespace

FunctionPass *cufort::createComparesPass() { return new LateConditions; }
