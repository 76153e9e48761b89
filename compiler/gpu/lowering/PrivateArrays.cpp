//===- PrivateArrays.cpp - private arrays on a GPU ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/lowering/PrivateArrays.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

/// The widest access of a thread.
static constexpr uint64_t WidestAccess = 16;

void cufort::alignPrivateArrays(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      auto *array = dyn_cast<AllocaInst>(&instruction);
      if (!array || !array->isStaticAlloca())
        continue;
      std::optional<TypeSize> size =
          array->getAllocationSize(module.getDataLayout());
      if (!size || size->isScalable() || size->isZero())
        continue;
      array->setAlignment(
          std::max(array->getAlign(), commonAlignment(Align(WidestAccess),
                                                      size->getFixedValue())));
    }
}
