//===- Fission.cpp - one region between barriers, one loop over threads ---===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/fission/Fission.h"
#include "compiler/cpu/Pipeline.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/ThreadLoops.h"
#include "compiler/cpu/fission/Barriers.h"
#include "compiler/cpu/fission/Dispatch.h"
#include "compiler/cpu/fission/RegionLoops.h"
#include "compiler/cpu/fission/Regions.h"
#include "compiler/cpu/partition/LoopRows.h"
#include "compiler/cpu/partition/StrideLoops.h"
#include "compiler/cpu/simd/VectorReport.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace cufort::cpu {

/// A kernel without barriers: its threads run one after the other.
void runThreadsInTurn(Function &entry) {
  SmallVector<BasicBlock *> body;
  for (BasicBlock &block : drop_begin(entry))
    body.push_back(&block);
  BlockShape shape(entry);
  ThreadLoops loops(entry, shape, "thread");
  IRBuilder<> b(loops.begin->getTerminator());
  // The prologue's variables are one thread's at a time.
  for (Instruction &instruction : entry.getEntryBlock())
    if (auto *alloca = dyn_cast<AllocaInst>(&instruction))
      b.CreateLifetimeStart(alloca);
  loops.begin->getTerminator()->setSuccessor(0, body.front());
  loops.replaceThreadIndex(body);
  setLocationOfLoop(*loops.latch->getTerminator(), body);
  for (BasicBlock *block : body)
    if (auto *back = dyn_cast<ReturnInst>(block->getTerminator())) {
      b.SetInsertPoint(back);
      b.CreateBr(loops.latch);
      back->eraseFromParent();
    }
  loops.markParallel(body);
  endOfPrologue(entry)->setSuccessor(0, loops.before);
  if (!loops.keepWarpsTogether(body))
    loops.boundByGuard();
  b.SetInsertPoint(loops.after);
  b.CreateRetVoid();
}

static Error fission(Function &entry, const CpuOptions &options) {
  SmallVector<CallInst *> barriers = barriersOf(entry);
  SmallVector<BasicBlock *> uniformLoops = loopRows(entry);
  append_range(uniformLoops, strideLoops(entry));
  // Loops without barriers are regions' business only if that is possible.
  bool byRegions = !options.passes.isDisabled(RegionsStep);
  std::optional<Regions> regions;
  if (byRegions && !uniformLoops.empty())
    regions = divideIntoRegions(entry, uniformLoops);
  if (byRegions && !regions && !barriers.empty())
    regions = divideIntoRegions(entry, {});
  if (regions) {
    loopOverRegions(entry, *regions);
    return Error::success();
  }
  if (barriers.empty()) {
    runThreadsInTurn(entry);
    return Error::success();
  }
  dispatchAtBarriers(entry);
  return Error::success();
}

Error fissionAtBarriers(Module &module, const CpuOptions &options) {
  for (Function *entry : entries(module, "block"))
    if (Error error = fission(*entry, options))
      return error;
  for (StringRef mark : {BarrierMark, VoteMark, ThreadExitMark, ThreadRankMark})
    if (Function *function = module.getFunction(mark))
      if (function->use_empty())
        function->eraseFromParent();
  return Error::success();
}

} // namespace cufort::cpu
