//===- BlockUniformity.cpp - what all threads of a block agree on ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/analysis/BlockUniformity.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/simd/WarpOperations.h"
#include "image/Check.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PassInstrumentation.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

bool isCheck(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->getName().starts_with(image::CheckPrefix);
}

/// A target whose lanes are the threads of a block. (NVPTX's own answers for a
/// warp: it would call threadIdx%y uniform in a block of 32 x 8.)
struct BlockTarget final : TargetTransformInfoImplCRTPBase<BlockTarget> {
  using Base = TargetTransformInfoImplCRTPBase<BlockTarget>;
  BlockTarget(const DataLayout &layout, BlockUniformity::Threads threads)
      : Base(layout), threads(threads) {}

  bool hasBranchDivergence(const Function *) const override { return true; }

  InstructionUniformity
  getInstructionUniformity(const Value *value) const override {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction)
      return InstructionUniformity::Default;
    if (asMark(const_cast<Instruction *>(instruction), BarrierMark))
      return InstructionUniformity::AlwaysUniform;
    if (int dimension = threadIndexDimension(instruction); dimension >= 0)
      return threads != BlockUniformity::Threads::OfOneRow || dimension == 0 ||
                     dimension == RankDimension || dimension == LaneDimension
                 ? InstructionUniformity::NeverUniform
                 : InstructionUniformity::Default;
    if (threads != BlockUniformity::Threads::All &&
        isWarpOperation(*instruction))
      return isWarpUniform(*cast<CallInst>(instruction))
                 ? InstructionUniformity::AlwaysUniform
                 : InstructionUniformity::NeverUniform;
    if (instruction->isAtomic() || instruction->isVolatile() ||
        isa<AllocaInst>(instruction))
      return InstructionUniformity::NeverUniform;
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(instruction))
      return intrinsic->doesNotAccessMemory()
                 ? InstructionUniformity::Default
                 : InstructionUniformity::NeverUniform;
    // The checkers return an address that they are handed.
    if (auto *call = dyn_cast<CallBase>(instruction))
      return call->doesNotAccessMemory() || isCheck(*call)
                 ? InstructionUniformity::Default
                 : InstructionUniformity::NeverUniform;
    return InstructionUniformity::Default;
  }

private:
  BlockUniformity::Threads threads;
};

} // namespace

TargetIRAnalysis blockTargetAnalysis(BlockUniformity::Threads threads) {
  return TargetIRAnalysis([threads](const Function &function) {
    return TargetTransformInfo(
        std::make_unique<BlockTarget>(function.getDataLayout(), threads));
  });
}

BlockUniformity::BlockUniformity(Function &entry, Threads threads) {
  analyses.registerPass([] { return PassInstrumentationAnalysis(); });
  analyses.registerPass([] { return DominatorTreeAnalysis(); });
  analyses.registerPass([] { return CycleAnalysis(); });
  analyses.registerPass([threads] { return blockTargetAnalysis(threads); });
  analyses.registerPass([] { return UniformityInfoAnalysis(); });
  info = &analyses.getResult<UniformityInfoAnalysis>(entry);
  cycles = &analyses.getResult<CycleAnalysis>(entry);
}

bool BlockUniformity::isLeftApart(const BasicBlock &block) const {
  for (const Cycle *cycle = cycles->getCycle(&block); cycle;
       cycle = cycle->getParentCycle()) {
    SmallVector<BasicBlock *> exiting;
    cycle->getExitingBlocks(exiting);
    if (any_of(exiting, [&](BasicBlock *block) {
          return info->hasDivergentTerminator(*block);
        }))
      return true;
  }
  return false;
}

} // namespace cufort::cpu
