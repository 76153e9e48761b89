//===- PureFunctions.cpp - pure virtual functions -------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/lowering/PureFunctions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

void cufort::definePureFunctions(Module &module) {
  for (StringRef name : {"__cxa_pure_virtual", "__cxa_deleted_virtual"}) {
    Function *function = module.getFunction(name);
    if (!function || !function->isDeclaration())
      continue;
    function->setLinkage(GlobalValue::InternalLinkage);
    IRBuilder<> b(BasicBlock::Create(module.getContext(), "", function));
    b.CreateIntrinsic(Intrinsic::trap, {});
    b.CreateUnreachable();
  }
}
