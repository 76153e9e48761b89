//===- AutomaticArrays.h - arrays of the heap become private ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOWERING_AUTOMATICARRAYS_H
#define CUFORT_COMPILER_GPU_LOWERING_AUTOMATICARRAYS_H

#include "llvm/IR/PassManager.h"

namespace cufort {

/// Replaces an allocation from the device's heap by an alloca where its size is
/// a small constant and its address does not escape: it goes into loads,
/// stores, copies and free alone. The result of a function whose length is an
/// argument is such, say, once the function is inlined. The heap is a queue for
/// all threads of the device. To run before SROA, which makes registers of it;
/// leaves other allocations.
llvm::PreservedAnalyses
keepArraysPrivate(llvm::Function &function,
                  llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOWERING_AUTOMATICARRAYS_H
