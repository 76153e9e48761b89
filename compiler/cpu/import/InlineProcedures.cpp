//===- InlineProcedures.cpp - kernels without calls -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/import/InlineProcedures.h"
#include "compiler/common/RegisteredAnalyses.h"
#include "compiler/common/SymbolName.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/DebugVariables.h"
#include "compiler/cpu/import/InlineBudget.h"
#include "image/Image.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// The procedures that kernels reach, by name or by a variable, and which of
/// them call themselves, directly or through others.
class Reachable {
public:
  SmallPtrSet<Function *, 32> functions, recursive;

  void visit(Function &function) {
    functions.insert(&function);
    const size_t number = ++last;
    numbers[&function] = lowest[&function] = number;
    path.push_back(&function);
    for (Instruction &instruction : instructions(function))
      for (Value *operand : instruction.operands())
        refer(function, operand);
    if (lowest[&function] != number)
      return;
    // All of the path from here on call each other.
    const bool isCycle = path.back() != &function;
    for (Function *member = nullptr; member != &function;) {
      member = path.pop_back_val();
      numbers[member] = Finished;
      if (isCycle)
        recursive.insert(member);
    }
  }

  /// What the host may read from \p variable and give to a kernel.
  void visitInitialValue(GlobalVariable &variable) {
    forFunctionsIn(&variable, [&](Function &function) {
      if (!numbers.contains(&function))
        visit(function);
    });
  }

private:
  /// A call or any other mention of a function: an address may be called.
  void refer(Function &from, Value *operand) {
    forFunctionsIn(operand, [&](Function &callee) {
      if (&callee == &from)
        recursive.insert(&callee);
      else if (!numbers.contains(&callee))
        visit(callee);
      else if (numbers[&callee] == Finished)
        return;
      lowest[&from] = std::min(lowest[&from], lowest[&callee]);
    });
  }

  static void forFunctionsIn(Value *operand,
                             function_ref<void(Function &)> take) {
    SmallVector<Value *> values{operand};
    SmallPtrSet<Value *, 8> seen;
    while (!values.empty()) {
      Value *value = values.pop_back_val();
      if (auto *callee = dyn_cast<Function>(value)) {
        if (!callee->isDeclaration())
          take(*callee);
      } else if (auto *constant = dyn_cast<Constant>(value)) {
        if (!seen.insert(constant).second)
          continue;
        for (Value *part : constant->operands())
          values.push_back(part);
      }
    }
  }

  /// The number of what is in no cycle that is still looked for.
  static constexpr size_t Finished = 0;
  size_t last = 0;
  DenseMap<Function *, size_t> numbers, lowest;
  SmallVector<Function *> path;
};

bool isIndirect(const CallBase &call) {
  return !call.isInlineAsm() &&
         !isa<Function>(call.getCalledOperand()->stripPointerCasts());
}

bool callsIndirectly(Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    return call && isIndirect(*call);
  });
}

/// Whether \p function is to be inlined somewhere, and can be.
bool isToBeInlined(Function &function) {
  return !function.isDeclaration() &&
         function.hasFnAttribute(Attribute::AlwaysInline) &&
         any_of(function.users(), [&](User *user) {
           auto *call = dyn_cast<CallBase>(user);
           return call && call->getCalledFunction() == &function;
         });
}

/// Inlines until nothing changes: a procedure passed as an argument is known
/// once the procedure that has the dummy argument is inlined.
void inlineAll(Module &module, bool simplifies) {
  RegisteredAnalyses analyses;
  PassBuilder builder;
  analyses.registerAnalyses(builder);
  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/true));
  passes.addPass(GlobalDCEPass());
  FunctionPassManager simplify;
  simplify.addPass(SROAPass(SROAOptions::PreserveCFG));
  simplify.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  // A chain of procedures passed on is as deep as a program nests them.
  constexpr int MostRounds = 16;
  for (int round = 0; round < MostRounds; ++round) {
    passes.run(module, analyses.modules);
    for (Function &function : module) {
      if (!simplifies || !callsIndirectly(function))
        continue;
      simplify.run(function, analyses.functions);
      analyses.functions.invalidate(function, PreservedAnalyses::none());
    }
    if (none_of(module, isToBeInlined))
      return;
  }
}

} // namespace

/// The device library's formatting of numbers says of itself that it is long
/// and not worth it; it has no barriers.
static bool isLong(const Function &function) {
  return function.hasFnAttribute(Attribute::NoInline) &&
         function.hasFnAttribute(Attribute::Cold) &&
         function.hasFnAttribute(Attribute::MinSize);
}

/// Whether \p call does what only kernels can do (LowerIntrinsics.cpp):
/// barriers of part of a block and what concerns clusters.
static bool isForKernels(const CallBase &call) {
  static constexpr StringRef words[] = {"bar.sync",  "bar.arrive", "bar.red",
                                        "barrier",   "cluster",    "mapa",
                                        "getctarank"};
  // So are special registers: procedures are given them before inline PTX is
  // understood.
  static constexpr StringRef registers[] = {"%tid",  "%ntid",   "%ctaid",
                                            "%ncta", "%laneid", "%lanemask",
                                            "%warp", "%grid"};
  if (auto *text = dyn_cast<InlineAsm>(call.getCalledOperand())) {
    auto isIn = [&](StringRef word) {
      return text->getAsmString().contains(word);
    };
    return any_of(words, isIn) || any_of(registers, isIn);
  }
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return false;
  StringRef name = callee->getName();
  return name == image::YieldFunction ||
         (name.consume_front("llvm.nvvm.") &&
          (name.contains(".count") || name.contains("arrive") ||
           any_of(ArrayRef(words).drop_front(4),
                  [&](StringRef word) { return name.contains(word); })));
}

/// The functions of \p module in which such a call is once what they call is
/// inlined.
static SmallPtrSet<Function *, 16> functionsForKernels(Module &module) {
  SmallPtrSet<Function *, 16> found;
  SmallVector<Function *> work;
  for (Function &function : module)
    if (any_of(instructions(function), [](const Instruction &instruction) {
          auto *call = dyn_cast<CallBase>(&instruction);
          return call && isForKernels(*call);
        })) {
      found.insert(&function);
      work.push_back(&function);
    }
  while (!work.empty())
    for (User *user : work.pop_back_val()->users())
      if (auto *call = dyn_cast<CallBase>(user);
          call && found.insert(call->getFunction()).second)
        work.push_back(call->getFunction());
  return found;
}

Error inlineProcedures(Module &module, const CpuOptions &options) {
  Reachable reachable;
  for (Function *kernel : kernels(module))
    reachable.visit(*kernel);
  for (GlobalVariable &variable : module.globals())
    if (variable.getAttributes()
            .getAttribute(VariableAttribute)
            .getValueAsString() == "device")
      reachable.visitInitialValue(variable);

  const SmallPtrSet<Function *, 4> tooLong =
      proceduresBeyondBudget(kernels(module), [&](Function &function) {
        return !function.hasFnAttribute(KernelAttribute) &&
               !reachable.recursive.contains(&function) && !isLong(function);
      });
  const SmallPtrSet<Function *, 16> forKernels =
      options.debug ? functionsForKernels(module)
                    : SmallPtrSet<Function *, 16>();
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (!reachable.functions.contains(&function)) {
      // Perhaps another dead procedure calls it; emptied now, erased below.
      function.deleteBody();
      continue;
    }
    const bool staysProcedure = isLong(function) ||
                                tooLong.contains(&function) ||
                                (options.debug && staysForDebugger(function) &&
                                 !forKernels.contains(&function));
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
    if (reachable.recursive.contains(&function) || staysProcedure) {
      function.removeFnAttr(Attribute::AlwaysInline);
      function.addFnAttr(Attribute::NoInline);
      continue;
    }
    function.addFnAttr(Attribute::AlwaysInline);
    for (User *user : function.users())
      if (auto *call = dyn_cast<CallBase>(user))
        call->removeFnAttr(Attribute::NoInline);
  }

  inlineAll(module, /*simplifies=*/!options.debug);

  for (Function &function : make_early_inc_range(module)) {
    placeAtCallers(function);
    if (function.hasFnAttribute(KernelAttribute))
      continue;
    if (function.use_empty()) {
      function.eraseFromParent();
      continue;
    }
    function.removeFnAttr(Attribute::AlwaysInline);
  }
  return Error::success();
}

} // namespace cufort::cpu
