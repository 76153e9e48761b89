//===- ThreadIndices.cpp - the size of a block is read first --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/ThreadIndices.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace {

bool isIndexOfBlock(const IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    return true;
  default:
    return false;
  }
}

bool isSizeOfBlock(const IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    return true;
  default:
    return false;
  }
}

struct ReadBlockSizesFirst : PassInfoMixin<ReadBlockSizesFirst> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    bool changed = false;
    for (BasicBlock &block : function) {
      IntrinsicInst *first = nullptr;
      for (Instruction &instruction : make_early_inc_range(block)) {
        auto *call = dyn_cast<IntrinsicInst>(&instruction);
        if (!call)
          continue;
        if (!first && isIndexOfBlock(*call))
          first = call;
        if (first && isSizeOfBlock(*call)) {
          call->moveBefore(first->getIterator());
          changed = true;
        }
      }
    }
    if (!changed)
      return PreservedAnalyses::all();
    PreservedAnalyses preserved;
    preserved.preserveSet<CFGAnalyses>();
    return preserved;
  }
};

} // namespace

void cufort::readBlockSizesFirst(PassBuilder &builder) {
  builder.registerOptimizerLastEPCallback([](ModulePassManager &passes,
                                             OptimizationLevel,
                                             ThinOrFullLTOPhase) {
    passes.addPass(createModuleToFunctionPassAdaptor(ReadBlockSizesFirst()));
  });
}
