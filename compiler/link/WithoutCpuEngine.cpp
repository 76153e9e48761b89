//===- WithoutCpuEngine.cpp - a build that lacks compiler/cpu -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/CompileForCpu.h"

using namespace cufort;

llvm::Expected<CpuCode> cufort::compileForCpu(const llvm::Module &,
                                              const CpuOptions &) {
  return llvm::createStringError(
      "this build of cufort has no CPU engine; use --device=gpu");
}
