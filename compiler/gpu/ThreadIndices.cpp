//===- ThreadIndices.cpp - the size of a block is read first --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/ThreadIndices.h"
#include "compiler/gpu/InstructionPass.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace {

bool isIndexOfBlock(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  switch (call ? call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    return true;
  default:
    return false;
  }
}

bool isSizeOfBlock(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  switch (call ? call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    return true;
  default:
    return false;
  }
}

bool readFirst(Instruction &instruction) {
  if (!isSizeOfBlock(instruction))
    return false;
  auto before =
      make_range(instruction.getParent()->begin(), instruction.getIterator());
  auto first = find_if(before, isIndexOfBlock);
  if (first == before.end())
    return false;
  instruction.moveBefore(first);
  return true;
}

} // namespace

void cufort::readBlockSizesFirst(PassBuilder &builder) {
  runLast<InstructionPass<readFirst>>(builder);
}
