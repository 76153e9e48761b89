//===- MathCalls.cpp - math that is called more often than needed ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/math/MathCalls.h"
#include "compiler/common/RegisteredAnalyses.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/FunctionAttrs.h"
#include "llvm/Transforms/IPO/Inliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace {

/// What is shorter LLVM understands better by its body: an absolute value, a
/// minimum, one instruction of the GPU.
constexpr unsigned LeastInstructions = 12;

/// Whether \p function has many instructions, or calls what may have.
bool isLong(const Function &function) {
  return function.getInstructionCount() >= LeastInstructions ||
         any_of(instructions(function), [](const Instruction &instruction) {
           auto *call = dyn_cast<CallBase>(&instruction);
           const Function *called = call ? call->getCalledFunction() : nullptr;
           return called && !called->isDeclaration();
         });
}

/// The math functions that are worth it, which are to stay calls for a while.
SmallVector<Function *> longFunctions(Module &module) {
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (!function.isDeclaration() && function.getName().starts_with("__nv_") &&
        function.doesNotAccessMemory() && function.willReturn() &&
        isLong(function) && !function.hasFnAttribute(Attribute::NoInline) &&
        !function.use_empty())
      functions.push_back(&function);
  return functions;
}

/// CUDA's front end says of every call that threads may have to make it
/// together; of a function that only computes that cannot be.
void callAlone(Function &function) {
  function.setNotConvergent();
  for (User *user : function.users())
    if (auto *call = dyn_cast<CallBase>(user);
        call && call->getCalledFunction() == &function)
      call->setNotConvergent();
}

/// The function of LLVM's that a math function is and of which LLVM knows the
/// value at constants, if any.
Intrinsic::ID knownFunction(StringRef name) {
  name.consume_front("__nv_");
  name.consume_back("f");
  return StringSwitch<Intrinsic::ID>(name)
      .Case("cos", Intrinsic::cos)
      .Case("exp", Intrinsic::exp)
      .Case("exp10", Intrinsic::exp10)
      .Case("exp2", Intrinsic::exp2)
      .Case("log", Intrinsic::log)
      .Case("log10", Intrinsic::log10)
      .Case("log2", Intrinsic::log2)
      .Case("pow", Intrinsic::pow)
      .Case("sin", Intrinsic::sin)
      .Default(Intrinsic::not_intrinsic);
}

/// Calls of \p function with constants are computed now.
void computeAtConstants(Function &function) {
  Intrinsic::ID known = knownFunction(function.getName());
  if (known == Intrinsic::not_intrinsic)
    return;
  Function *intrinsic = Intrinsic::getOrInsertDeclaration(
      function.getParent(), known, function.getReturnType());
  for (User *user : make_early_inc_range(function.users())) {
    auto *call = dyn_cast<CallInst>(user);
    if (!call || call->getCalledFunction() != &function)
      continue;
    SmallVector<Constant *, 2> arguments;
    for (Value *argument : call->args())
      if (auto *constant = dyn_cast<ConstantFP>(argument))
        arguments.push_back(constant);
    if (arguments.size() != call->arg_size())
      continue;
    if (Constant *value = ConstantFoldCall(call, intrinsic, arguments)) {
      call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
  }
  if (intrinsic->use_empty())
    intrinsic->eraseFromParent();
}

/// Makes blocks one that are one after the other, as before and behind a call
/// that has been inlined. InstCombine moves what is used in another block
/// there, last things first.
struct JoinedBlocks : PassInfoMixin<JoinedBlocks> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    bool changed = false;
    for (BasicBlock &block : make_early_inc_range(function))
      changed |= MergeBlockIntoPredecessor(&block);
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

/// The inliner, and what finds out that two arguments are the same.
ModulePassManager passes() {
  ModuleInlinerWrapperPass inliner(
      getInlineParams(/*OptLevel=*/3, /*SizeOptLevel=*/0));
  inliner.getPM().addPass(PostOrderFunctionAttrsPass());
  FunctionPassManager each;
  each.addPass(SROAPass(SROAOptions::ModifyCFG));
  each.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  each.addPass(JoinedBlocks());
  each.addPass(InstCombinePass());
  each.addPass(SimplifyCFGPass());
  inliner.getPM().addPass(createCGSCCToFunctionPassAdaptor(std::move(each)));
  FunctionPassManager whole;
  // What a loop does in each iteration is known where it tests at its end.
  whole.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass()));
  whole.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                                /*UseMemorySSA=*/true));
  whole.addPass(GVNPass(GVNOptions().setPRE(false).setLoadPRE(false)));
  ModulePassManager all;
  all.addPass(std::move(inliner));
  all.addPass(createModuleToFunctionPassAdaptor(std::move(whole)));
  return all;
}

} // namespace

void cufort::shareMathCalls(Module &module, TargetMachine &machine) {
  SmallVector<Function *> functions = longFunctions(module);
  if (functions.empty())
    return;
  // NVIDIA's say that they always are.
  SmallPtrSet<const Function *, 16> alwaysInlined;
  for (Function *function : functions) {
    callAlone(*function);
    if (function->hasFnAttribute(Attribute::AlwaysInline))
      alwaysInlined.insert(function);
    function->removeFnAttr(Attribute::AlwaysInline);
    function->addFnAttr(Attribute::NoInline);
  }
  RegisteredAnalyses analyses;
  PassBuilder builder(&machine);
  analyses.registerAnalyses(builder);
  passes().run(module, analyses.modules);
  // The inliner has removed those that are no longer called.
  for (Function &function : module)
    if (is_contained(functions, &function)) {
      function.removeFnAttr(Attribute::NoInline);
      if (alwaysInlined.contains(&function))
        function.addFnAttr(Attribute::AlwaysInline);
      computeAtConstants(function);
    }
}
