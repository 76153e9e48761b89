//===- InlineProcedures.cpp - kernels without calls -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/InlineProcedures.h"
#include "compiler/common/SymbolName.h"
#include "compiler/cpu/CProcedures.h"
#include "compiler/cpu/Kernel.h"
#include "compiler/cpu/KernelOutput.h"
#include "compiler/cpu/WarpOperations.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// Walks the procedures that a kernel reaches and finds what cannot be inlined.
class Reachable {
public:
  SmallPtrSet<Function *, 32> functions;

  Error visit(Function &function) {
    State &state = states[&function];
    if (state == State::Finished)
      return Error::success();
    state = State::Open;
    functions.insert(&function);
    for (Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      if (!call || call->isInlineAsm())
        continue;
      auto *callee =
          dyn_cast<Function>(call->getCalledOperand()->stripPointerCasts());
      if (!callee)
        return refuse(function, call,
                      "a call through a procedure pointer is not supported in "
                      "device code on the CPU");
      if (callee->isDeclaration())
        continue;
      if (auto known = states.find(callee);
          known != states.end() && known->second == State::Open)
        return refuse(function, call,
                      "recursion is not supported in device code: '" +
                          userName(callee->getName()) + "' calls itself");
      if (Error error = visit(*callee))
        return error;
    }
    states[&function] = State::Finished;
    return Error::success();
  }

private:
  enum class State { New, Open, Finished };
  DenseMap<Function *, State> states;
};

} // namespace

Error inlineProcedures(Module &module, const CpuOptions &) {
  keepWarpProcedures(module);
  // What it does on a GPU is of no use here; cpu-intrinsics makes a mark of it.
  if (Function *barrier = module.getFunction(GridBarrierProcedure))
    barrier->deleteBody();
  takeCProceduresFromRuntime(module);
  takeOutputFromRuntime(module);
  continueAfterStops(module);

  Reachable reachable;
  for (Function *kernel : kernels(module))
    if (Error error = reachable.visit(*kernel))
      return error;

  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (!reachable.functions.contains(&function)) {
      // Perhaps another dead procedure calls it; emptied now, erased below.
      function.deleteBody();
      continue;
    }
    function.removeFnAttr(Attribute::NoInline);
    function.removeFnAttr(Attribute::OptimizeNone);
    function.removeFnAttr(Attribute::OptimizeForSize);
    function.removeFnAttr(Attribute::MinSize);
    function.setComdat(nullptr);
    if (function.hasFnAttribute(KernelAttribute)) {
      function.setLinkage(GlobalValue::ExternalLinkage);
      // A kernel that is called as a procedure is inlined like one.
      continue;
    }
    function.setLinkage(GlobalValue::InternalLinkage);
    function.addFnAttr(Attribute::AlwaysInline);
    for (User *user : function.users())
      if (auto *call = dyn_cast<CallBase>(user))
        call->removeFnAttr(Attribute::NoInline);
  }

  LoopAnalysisManager loopAnalyses;
  FunctionAnalysisManager functionAnalyses;
  CGSCCAnalysisManager callGraphAnalyses;
  ModuleAnalysisManager moduleAnalyses;
  PassBuilder builder;
  builder.registerModuleAnalyses(moduleAnalyses);
  builder.registerCGSCCAnalyses(callGraphAnalyses);
  builder.registerFunctionAnalyses(functionAnalyses);
  builder.registerLoopAnalyses(loopAnalyses);
  builder.crossRegisterProxies(loopAnalyses, functionAnalyses,
                               callGraphAnalyses, moduleAnalyses);
  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/true));
  passes.addPass(GlobalDCEPass());
  passes.run(module, moduleAnalyses);

  for (Function &function : make_early_inc_range(module)) {
    if (function.use_empty() && !function.hasFnAttribute(KernelAttribute)) {
      function.eraseFromParent();
      continue;
    }
    if (!function.isDeclaration() && !function.hasFnAttribute(KernelAttribute))
      for (User *user : function.users())
        if (auto *at = dyn_cast<Instruction>(user))
          return refuse(*at->getFunction(), at,
                        "the device procedure '" +
                            userName(function.getName()) +
                            "' cannot be inlined");
  }
  return Error::success();
}

} // namespace cufort::cpu
