//===- RegisteredAnalyses.cpp - what LLVM's pass managers ask -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/common/RegisteredAnalyses.h"
#include "llvm/Passes/PassBuilder.h"

void cufort::RegisteredAnalyses::registerAnalyses(llvm::PassBuilder &builder) {
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
}
