//===- Tables.cpp - modules with and without checks -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/check/Describer.h"
#include "compiler/check/Instrument.h"
#include "image/Check.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace cufort::check {

void declareTable(Module &device) {
  constexpr unsigned Global = 1;
  Type *i64 = Type::getInt64Ty(device.getContext());
  if (!device.getGlobalVariable(image::CheckTableName))
    new GlobalVariable(device, i64, /*isConstant=*/false,
                       GlobalValue::ExternalLinkage, ConstantInt::get(i64, 0),
                       image::CheckTableName, nullptr,
                       GlobalValue::NotThreadLocal, Global);
}

void removeChecks(Function &function) {
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    instruction.setMetadata(NumberMetadata, nullptr);
    if (auto *call = dyn_cast<CallInst>(&instruction))
      if (Function *callee = call->getCalledFunction();
          callee && callee->getName().starts_with(image::CheckPrefix))
        call->eraseFromParent();
  }
}

void removeChecks(Module &module) {
  for (Function &function : module)
    removeChecks(function);
  for (Function &function : make_early_inc_range(module))
    if (function.getName().starts_with(image::CheckPrefix) &&
        function.use_empty())
      function.eraseFromParent();
}

} // namespace cufort::check
