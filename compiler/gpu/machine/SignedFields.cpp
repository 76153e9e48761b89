//===- SignedFields.cpp - fields of words with their sign -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/machine/SignedFields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace {

class SignedFields : public MachineFunctionPass {
public:
  static char id;
  SignedFields() : MachineFunctionPass(id) {}

  StringRef getPassName() const override { return "signed bit fields"; }

  bool runOnMachineFunction(MachineFunction &function) override {
    const TargetInstrInfo &names = *function.getSubtarget().getInstrInfo();
    // LLVM's headers do not have the target's instructions.
    auto opcode = [&](StringRef name) {
      const auto all = seq(0u, names.getNumOpcodes());
      const auto found = find_if(
          all, [&](unsigned each) { return names.getName(each) == name; });
      return found == all.end() ? 0 : *found;
    };
    SmallVector<MachineInstr *> fields;
    for (MachineBasicBlock &block : function)
      for (MachineInstr &instruction : block)
        if (names.getName(instruction.getOpcode()) == "BFE_S64rii")
          fields.push_back(&instruction);
    if (fields.empty())
      return false;
    const unsigned left = opcode("SHL64_ri"), right = opcode("SRA64_ri");
    if (!left || !right)
      return false;
    MachineRegisterInfo &registers = function.getRegInfo();
    for (MachineInstr *field : fields) {
      const Register result = field->getOperand(0).getReg();
      const Register word = field->getOperand(1).getReg();
      const int64_t start = field->getOperand(2).getImm();
      const int64_t length = field->getOperand(3).getImm();
      if (start < 0 || length <= 0 || start + length > 64)
        continue;
      MachineBasicBlock &block = *field->getParent();
      Register top = word;
      if (start + length < 64) {
        top = registers.cloneVirtualRegister(result);
        BuildMI(block, field, field->getDebugLoc(), names.get(left), top)
            .addReg(word)
            .addImm(64 - start - length);
      }
      BuildMI(block, field, field->getDebugLoc(), names.get(right), result)
          .addReg(top)
          .addImm(64 - length);
      // The word may be needed behind what was its last use.
      registers.clearKillFlags(word);
      field->eraseFromParent();
    }
    return true;
  }
};

char SignedFields::id;

} // namespace

FunctionPass *cufort::createSignedFieldsPass() { return new SignedFields; }
