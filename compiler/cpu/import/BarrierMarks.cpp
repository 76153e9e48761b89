//===- BarrierMarks.cpp - barriers and warp operations, marked ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/import/BarrierMarks.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/fission/Barriers.h"
#include "compiler/cpu/simd/WarpOperations.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

std::optional<BarrierKind> barrierKind(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::nvvm_barrier_cta_sync_all:
  case Intrinsic::nvvm_barrier_cta_sync_aligned_all:
    return BarrierKind::Plain;
  case Intrinsic::nvvm_barrier_cta_red_popc_all:
  case Intrinsic::nvvm_barrier_cta_red_popc_aligned_all:
    return BarrierKind::Count;
  case Intrinsic::nvvm_barrier_cta_red_and_all:
  case Intrinsic::nvvm_barrier_cta_red_and_aligned_all:
    return BarrierKind::And;
  case Intrinsic::nvvm_barrier_cta_red_or_all:
  case Intrinsic::nvvm_barrier_cta_red_or_aligned_all:
    return BarrierKind::Or;
  case Intrinsic::nvvm_barrier_cluster_wait:
  case Intrinsic::nvvm_barrier_cluster_wait_aligned:
    return BarrierKind::Cluster;
  default:
    return std::nullopt;
  }
}

/// PTX's barriers that are not ".aligned".
bool isForAnyStatement(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::nvvm_barrier_cta_sync_all:
  case Intrinsic::nvvm_barrier_cta_red_popc_all:
  case Intrinsic::nvvm_barrier_cta_red_and_all:
  case Intrinsic::nvvm_barrier_cta_red_or_all:
    return true;
  default:
    return false;
  }
}

/// Puts the marks of a barrier before \p call and returns the value that stands
/// for its result.
Value *markBarrier(IRBuilder<> &b, BarrierKind kind, CallInst &call) {
  Module &module = *call.getModule();
  auto barrier =
      module.getOrInsertFunction(BarrierMark, b.getInt32Ty(), b.getInt32Ty());
  auto vote =
      module.getOrInsertFunction(VoteMark, b.getVoidTy(), b.getInt1Ty());
  for (Value *callee : {barrier.getCallee(), vote.getCallee()}) {
    auto *function = cast<Function>(callee);
    function->setConvergent();
    function->setDoesNotThrow();
    function->addFnAttr(Attribute::NoDuplicate);
  }
  auto mark = [&](FunctionCallee callee, Value *operand) {
    CallInst *made = b.CreateCall(callee, {operand});
    if (isForAnyStatement(call.getIntrinsicID()))
      made->addFnAttr(Attribute::get(call.getContext(), AnyStatementAttribute));
    return made;
  };
  if (kind != BarrierKind::Plain && kind != BarrierKind::Grid &&
      kind != BarrierKind::Cluster)
    mark(vote, call.getArgOperand(1));
  CallInst *result = mark(barrier, b.getInt32(static_cast<uint32_t>(kind)));
  if (call.getType()->isVoidTy())
    return nullptr;
  return call.getType()->isIntegerTy(1)
             ? b.CreateICmpNE(result, b.getInt32(0))
             : b.CreateZExtOrTrunc(result, call.getType());
}

} // namespace

bool lowerCollective(CallInst &call) {
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return false;
  IRBuilder<> b(&call);
  std::optional<BarrierKind> kind = barrierKind(callee->getIntrinsicID());
  if (callee->getName() == GridBarrierProcedure)
    kind = BarrierKind::Grid;
  std::optional<Value *> result;
  if (kind)
    result = markBarrier(b, *kind, call);
  else
    result = lowerToWarpMarks(b, call);
  if (!result)
    return false;
  if (*result)
    call.replaceAllUsesWith(*result);
  call.eraseFromParent();
  return true;
}

bool lowerPartBarrier(CallInst &call) {
  bool waits;
  switch (call.getCalledFunction()->getIntrinsicID()) {
  case Intrinsic::nvvm_barrier_cta_sync_count:
  case Intrinsic::nvvm_barrier_cta_sync_aligned_count:
    waits = true;
    break;
  case Intrinsic::nvvm_barrier_cta_arrive_count:
  case Intrinsic::nvvm_barrier_cta_arrive_aligned_count:
    waits = false;
    break;
  default:
    return false;
  }
  Function &kernel = *call.getFunction();
  if (!kernel.hasFnAttribute(KernelAttribute))
    return false;
  IRBuilder<> b(&call);
  FunctionCallee barrier = call.getModule()->getOrInsertFunction(
      PartBarrierFunction, b.getVoidTy(), b.getInt32Ty(), b.getInt32Ty(),
      b.getInt32Ty());
  cast<Function>(barrier.getCallee())->setConvergent();
  b.CreateCall(barrier, {call.getArgOperand(0), call.getArgOperand(1),
                         b.getInt32(waits)});
  call.eraseFromParent();
  kernel.addFnAttr(FibersAttribute, "a barrier of part of a block");
  return true;
}

} // namespace cufort::cpu
