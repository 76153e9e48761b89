//===- ActiveMasks.cpp - warp operations without a mask -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/lowering/ActiveMasks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// The intrinsic that does with a mask what the one called \p name does:
/// "llvm.nvvm.shfl.sync.idx.i32" for "llvm.nvvm.shfl.idx.i32",
/// "llvm.nvvm.vote.all.sync" for "llvm.nvvm.vote.all".
static Intrinsic::ID withMask(StringRef name) {
  if (name.contains(".sync"))
    return Intrinsic::not_intrinsic;
  if (name.consume_front("llvm.nvvm.shfl."))
    return Intrinsic::lookupIntrinsicID(("llvm.nvvm.shfl.sync." + name).str());
  if (name.starts_with("llvm.nvvm.vote."))
    return Intrinsic::lookupIntrinsicID((name + ".sync").str());
  return Intrinsic::not_intrinsic;
}

void cufort::nameActiveLanes(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    if (!function.isIntrinsic())
      continue;
    Intrinsic::ID replacement = withMask(function.getName());
    if (replacement == Intrinsic::not_intrinsic)
      continue;
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = cast<CallInst>(user);
      IRBuilder<> builder(call);
      SmallVector<Value *> operands(call->args());
      operands.insert(operands.begin(),
                      builder.CreateIntrinsic(Intrinsic::nvvm_activemask, {}));
      call->replaceAllUsesWith(builder.CreateIntrinsic(replacement, operands));
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}
