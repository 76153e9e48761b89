//===- DeviceMath.cpp - the math functions of device code -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/math/DeviceMath.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;
using namespace cufort;

/// A math function that is declared and used but not defined, or null.
static const Function *firstUndefined(const Module &module) {
  for (const Function &function : module)
    if (function.isDeclaration() && !function.use_empty() &&
        function.getName().starts_with("__nv_"))
      return &function;
  return nullptr;
}

/// What is to come from our own library though libdevice has it: its fmodf
/// makes zeros of denormal numbers.
static void leaveToOurs(Module &libdevice) {
  for (StringRef name : {"__nv_fmod", "__nv_fmodf"})
    if (Function *function = libdevice.getFunction(name))
      function->deleteBody();
}

/// What must not become part of a fused operation calls `__nv_fmul_rn` and its
/// like in libdevice, and what may is left to the compiler; nvcc does what the
/// program says for the program's own operations.
static void contract(Module &libdevice) {
  for (Function &function : libdevice)
    for (Instruction &instruction : instructions(function))
      if (isa<FPMathOperator>(instruction) && !isa<CallBase>(instruction))
        instruction.setHasAllowContract(true);
}

/// Its assembly comes to an end, of which LLVM is not told: what may be
/// executed only if all before it ends, a load, would not leave a loop with
/// such assembly in it.
static void letAssemblyReturn(Module &libdevice) {
  for (Function &function : libdevice)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction);
          call && call->isInlineAsm())
        call->addFnAttr(Attribute::WillReturn);
}

/// A function of numbers alone does nothing but return one, though its body has
/// arrays and tables: what the program computes twice, `sin(y) * sin(y)`, is
/// known to be the same before the bodies are there.
static void nameFunctionsOfNumbers(Module &library) {
  for (Function &function : library)
    if (function.getName().starts_with("__nv_") &&
        none_of(function.args(), [](const Argument &argument) {
          return argument.getType()->isPointerTy();
        })) {
      function.setDoesNotAccessMemory();
      function.setDoesNotThrow();
      function.setWillReturn();
    }
}

static Error linkNeeded(Module &module, const std::string &path,
                        bool isLibdevice, bool mayContract) {
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return createStringError("cannot read the device math library '" + path +
                             "': " + buffer.getError().message());
  auto library = parseBitcodeFile(**buffer, module.getContext());
  if (!library)
    return createStringError(
        "the device math library '" + path +
        "' is no LLVM bitcode: " + toString(library.takeError()));
  if (isLibdevice)
    leaveToOurs(**library);
  if (isLibdevice)
    letAssemblyReturn(**library);
  if (isLibdevice && mayContract)
    contract(**library);
  nameFunctionsOfNumbers(**library);
  // NVIDIA's names another triple and an older data layout; both describe the
  // same machine.
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  // What differs from the program's own functions would keep LLVM from
  // inlining; none of it matters on a target without library functions.
  for (Function &function : **library)
    for (StringRef attribute : {"target-cpu", "target-features", "no-builtins"})
      function.removeFnAttr(attribute);

  StringSet<> own;
  for (const GlobalValue &value : module.global_values())
    if (!value.isDeclaration())
      own.insert(value.getName());
  if (Linker::linkModules(module, std::move(*library), Linker::LinkOnlyNeeded))
    return createStringError("cannot link the device math library '" + path +
                             "'");
  internalizeModule(module, [&](const GlobalValue &value) {
    return own.contains(value.getName());
  });
  return Error::success();
}

/// LLVM answers __CUDA_ARCH and __CUDA_FTZ, and everything else with zero;
/// for the square root that means the approximate one.
static void answerReflect(Function *reflect, const GpuOptions &options) {
  if (!reflect)
    return;
  for (User *user : make_early_inc_range(reflect->users())) {
    auto *call = dyn_cast<CallBase>(user);
    if (!call || call->arg_size() != 1)
      continue;
    auto *name =
        dyn_cast<GlobalVariable>(call->getArgOperand(0)->stripPointerCasts());
    auto *text = name && name->hasInitializer()
                     ? dyn_cast<ConstantDataArray>(name->getInitializer())
                     : nullptr;
    if (!text || !text->isCString() ||
        text->getAsCString() != "__CUDA_PREC_SQRT")
      continue;
    call->replaceAllUsesWith(
        ConstantInt::get(call->getType(), options.fastMath ? 0 : 1));
    call->eraseFromParent();
  }
}

/// libdevice calls the instruction for an absolute value by a name of which
/// LLVM knows nothing: not that what was an integer is no NaN.
static void nameAbsoluteValues(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    if (function.getIntrinsicID() != Intrinsic::nvvm_fabs)
      continue;
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = cast<CallInst>(user);
      IRBuilder<> b(call);
      call->replaceAllUsesWith(
          b.CreateUnaryIntrinsic(Intrinsic::fabs, call->getArgOperand(0)));
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}

/// The GPU's own approximate functions instead of the accurate ones, as nvcc's
/// --use_fast_math takes them.
static void takeApproximateFunctions(Module &module) {
  for (StringRef name : {"sin", "cos", "tan", "sincos", "exp", "exp10", "log",
                         "log2", "log10", "pow", "tanh"}) {
    Function *accurate = module.getFunction(("__nv_" + name + "f").str());
    if (accurate && accurate->isDeclaration())
      accurate->replaceAllUsesWith(
          module
              .getOrInsertFunction(("__nv_fast_" + name + "f").str(),
                                   accurate->getFunctionType(),
                                   accurate->getAttributes())
              .getCallee());
  }
}

Error cufort::linkDeviceMath(Module &module, const GpuOptions &options) {
  if (!firstUndefined(module))
    return Error::success();
  if (options.fastMath)
    takeApproximateFunctions(module);
  // Our own functions beside NVIDIA's: a few names exist only here.
  for (const std::string &path :
       {options.libdevice, options.deviceFolder + "/math.bc"})
    if (!path.empty() && firstUndefined(module))
      if (Error failure = linkNeeded(module, path,
                                     /*isLibdevice=*/path == options.libdevice,
                                     options.contract))
        return failure;
  if (const Function *missing = firstUndefined(module))
    return createStringError("device code calls '" + missing->getName() +
                             "', which is not in the device math library");
  nameAbsoluteValues(module);
  for (StringRef question : {"__nvvm_reflect", "llvm.nvvm.reflect"})
    answerReflect(module.getFunction(question), options);
  return Error::success();
}
