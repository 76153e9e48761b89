//===- FunctionOptions.cpp - options as attributes ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/lowering/FunctionOptions.h"
#include "compiler/gpu/CompileForGpu.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace cufort;

Error cufort::applyOptions(Module &module, const GpuOptions &options,
                           TargetMachine &) {
  if (options.flushDenormals)
    module.addModuleFlag(Module::Override, "nvvm-reflect-ftz", 1);
  for (Function &function : module) {
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
    if (function.isDeclaration())
      continue;
    if (options.flushDenormals)
      function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
    if (options.maxRegisters &&
        function.getCallingConv() == CallingConv::PTX_Kernel)
      function.addFnAttr("nvvm.maxnreg", std::to_string(options.maxRegisters));
    if (!options.fastMath && options.contract)
      continue;
    for (Instruction &instruction : instructions(function)) {
      if (!isa<FPMathOperator>(instruction))
        continue;
      // What nvcc's --use_fast_math allows: approximate operations in single
      // precision, but neither reassociation nor the absence of infinities and
      // NaNs.
      if (options.fastMath && instruction.getType()->isFloatTy()) {
        instruction.setHasApproxFunc(true);
        instruction.setHasAllowReciprocal(true);
      }
      if (!options.contract)
        instruction.setHasAllowContract(false);
    }
  }
  return Error::success();
}
