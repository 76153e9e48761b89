//===- HostFunctions.cpp - what the host does for kernels -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/import/HostFunctions.h"
#include "compiler/cpu/import/CProcedures.h"
#include "compiler/cpu/import/ComplexMath.h"
#include "compiler/cpu/import/KernelOutput.h"
#include "compiler/cpu/import/Reflect.h"
#include "compiler/cpu/simd/WarpOperations.h"

using namespace llvm;

namespace cufort::cpu {

Error useHostFunctions(Module &module, const CpuOptions &options) {
  answerReflect(module);
  keepWarpProcedures(module);
  takeCProceduresFromRuntime(module);
  takeComplexFunctionsFromLibm(module, options.fastMath);
  takeFunctionsFromRuntime(module);
  continueAfterStops(module);
  return Error::success();
}

} // namespace cufort::cpu
