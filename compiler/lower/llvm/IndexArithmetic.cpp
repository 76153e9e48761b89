//===- IndexArithmetic.cpp - what Flang says of sums of subscripts --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where Flang puts RESHAPE, CSHIFT and others in line, it adds the lower bound
// less one to subscripts that count from one, and says that the sum does not
// overflow as an unsigned number. With a lower bound below one it does, and
// LLVM takes all that depends on it for impossible.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/Lower.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

void cufort::lower::allowUnsignedOverflow(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (isa<OverflowingBinaryOperator>(instruction))
        instruction.setHasNoUnsignedWrap(false);
}
