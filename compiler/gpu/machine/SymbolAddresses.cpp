//===- SymbolAddresses.cpp - addresses of variables where used ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/machine/SymbolAddresses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachinePostDominators.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace {

/// Whether \p instruction does nothing but put a variable's address into a
/// virtual register.
bool isAddressOfVariable(const MachineInstr &instruction) {
  return instruction.getNumOperands() == 2 &&
         instruction.getOperand(0).isReg() &&
         instruction.getOperand(0).isDef() &&
         instruction.getOperand(0).getReg().isVirtual() &&
         instruction.getOperand(1).isGlobal() &&
         !instruction.mayLoadOrStore() &&
         !instruction.hasUnmodeledSideEffects();
}

/// Whether ptxas moves no load up past \p instruction.
bool isBarrier(const MachineInstr &instruction) {
  return instruction.isCall() || instruction.isConvergent() ||
         instruction.isInlineAsm();
}

/// Whether \p block loads from global memory what the kernel only reads, before
/// any barrier. Such loads have nothing but their name to tell them by.
bool beginsWithLoad(const MachineBasicBlock &block) {
  const TargetInstrInfo &names =
      *block.getParent()->getSubtarget().getInstrInfo();
  for (const MachineInstr &instruction : block) {
    if (isBarrier(instruction))
      return false;
    if (names.getName(instruction.getOpcode()).contains("_GLOBAL_NC_"))
      return true;
  }
  return false;
}

/// Whether there is no barrier from \p first on to \p block, to which all that
/// leads comes from there.
bool isBeforeBarriers(const MachineInstr &first,
                      const MachineBasicBlock &block) {
  const MachineBasicBlock *start = first.getParent();
  if (any_of(make_range(MachineBasicBlock::const_iterator(first), start->end()),
             isBarrier))
    return false;
  SmallVector<const MachineBasicBlock *> open(block.predecessors());
  SmallPtrSet<const MachineBasicBlock *, 8> seen = {start, &block};
  while (!open.empty()) {
    const MachineBasicBlock *each = open.pop_back_val();
    if (!seen.insert(each).second)
      continue;
    if (any_of(*each, isBarrier))
      return false;
    append_range(open, each->predecessors());
  }
  return true;
}

class SymbolAddresses : public MachineFunctionPass {
public:
  static char id;
  SymbolAddresses() : MachineFunctionPass(id) {}

  bool runOnMachineFunction(MachineFunction &function) override {
    SmallVector<MachineInstr *> addresses;
    for (MachineBasicBlock &block : function)
      for (MachineInstr &instruction : block)
        if (isAddressOfVariable(instruction))
          addresses.push_back(&instruction);
    bool changed = false;
    for (MachineInstr *address : addresses)
      changed |= repeatWhereUsed(*address);
    return changed;
  }

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.addRequired<MachineDominatorTreeWrapperPass>();
    usage.addRequired<MachineLoopInfoWrapperPass>();
    usage.addRequired<MachinePostDominatorTreeWrapperPass>();
    usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

private:
  /// The block in which \p address would have to be for \p use, or null if it
  /// would have to be in a loop.
  MachineBasicBlock *placeFor(const MachineOperand &use,
                              const MachineInstr &address) {
    const MachineInstr &user = *use.getParent();
    const auto *block = user.isPHI()
                            ? user.getOperand(use.getOperandNo() + 1).getMBB()
                            : user.getParent();
    auto &loops = getAnalysis<MachineLoopInfoWrapperPass>().getLI();
    while (block) {
      const MachineLoop *loop = loops.getLoopFor(block);
      if (!loop || loop->contains(address.getParent()))
        break;
      block = loop->getLoopPreheader();
    }
    return const_cast<MachineBasicBlock *>(block);
  }

  bool repeatWhereUsed(MachineInstr &address) {
    auto &dominators =
        getAnalysis<MachineDominatorTreeWrapperPass>().getDomTree();
    MachineRegisterInfo &registers = address.getMF()->getRegInfo();
    const Register whole = address.getOperand(0).getReg();
    if (!registers.hasOneDef(whole))
      return false;
    MapVector<MachineBasicBlock *, SmallVector<MachineOperand *>> uses;
    for (MachineOperand &use : registers.use_nodbg_operands(whole)) {
      MachineBasicBlock *place = placeFor(use, address);
      if (!place || place == address.getParent())
        return false;
      uses[place].push_back(&use);
    }
    auto placeBefore = [&](MachineBasicBlock *place) {
      for (auto &[other, ignored] : uses)
        if (dominators.dominates(other, place))
          place = other;
      return place;
    };
    MapVector<MachineBasicBlock *, SmallVector<MachineOperand *>> places;
    for (auto &[place, each] : uses)
      append_range(places[placeBefore(place)], each);
    // LLVM moves it itself where one place will do.
    auto &postDominators =
        getAnalysis<MachinePostDominatorTreeWrapperPass>().getPostDomTree();
    if (places.size() < 2 || none_of(places, [&](const auto &each) {
          return postDominators.dominates(each.first, address.getParent()) &&
                 beginsWithLoad(*each.first) &&
                 isBeforeBarriers(address, *each.first);
        }))
      return false;

    for (auto &[place, each] : places) {
      auto before = find_if(*place, [&](const MachineInstr &user) {
        return !user.isPHI() && !user.isDebugInstr() &&
               user.readsVirtualRegister(whole);
      });
      if (before == place->end() || before->isTerminator())
        before = place->getFirstTerminator();
      const Register copy = registers.cloneVirtualRegister(whole);
      MachineInstr *instruction = address.getMF()->CloneMachineInstr(&address);
      instruction->getOperand(0).setReg(copy);
      place->insert(before, instruction);
      for (MachineOperand *use : each) {
        use->setReg(copy);
        use->setIsKill(false);
      }
    }
    registers.markUsesInDebugValueAsUndef(whole);
    address.eraseFromParent();
    return true;
  }
};

char SymbolAddresses::id;

} // namespace

FunctionPass *cufort::createSymbolAddressesPass() {
  return new SymbolAddresses;
}
