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

/// Gives a block of the device's heap private memory instead where its size is
/// a small constant and its address goes nowhere but into loads, stores, copies
/// and free: the result of a function whose length is an argument, say, once
/// the function is inlined. The heap is a queue for all threads of the device.
/// Runs before SROA, which makes registers of it.
llvm::PreservedAnalyses
keepArraysPrivate(llvm::Function &function,
                  llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOWERING_AUTOMATICARRAYS_H
