//===- KernelOutput.cpp - print and stop in kernels on the CPU ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/import/KernelOutput.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "image/DeviceLaunches.h"
#include "image/KernelOutput.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace cufort::cpu {

static void takeOutputFromRuntime(Module &module) {
  static constexpr std::pair<StringRef, StringRef> functions[] = {
#define FUNCTION(device, host) {#device, #host},
      CUFORT_OUTPUT_FUNCTIONS(FUNCTION)
#undef FUNCTION
  };
  for (auto [device, host] : functions) {
    Function *function = module.getFunction(device);
    if (!function)
      continue;
    function->deleteBody();
    function->setName(host);
    function->setDoesNotThrow();
    // What they read is the arguments', or what a descriptor leads to; nothing
    // that a kernel can see changes.
    function->setMemoryEffects(MemoryEffects::readOnly() |
                               MemoryEffects::inaccessibleMemOnly());
  }
}

static void takeLaunchesFromRuntime(Module &module) {
  static constexpr std::pair<StringRef, StringRef> functions[] = {
#define FUNCTION(device, host) {#device, #host},
      CUFORT_LAUNCH_FUNCTIONS(FUNCTION)
#undef FUNCTION
  };
  for (auto [device, host] : functions)
    if (Function *function = module.getFunction(device)) {
      function->deleteBody();
      function->setName(host);
      function->setDoesNotThrow();
    }
}

void takeFunctionsFromRuntime(Module &module) {
  if (Function *barrier = module.getFunction(GridBarrierProcedure))
    barrier->deleteBody();
  takeOutputFromRuntime(module);
  takeLaunchesFromRuntime(module);
}

/// Whether \p block ends where a call does not return.
static bool endsWithStop(const BasicBlock &block) {
  const Instruction *end = block.getTerminator();
  const Instruction *before = end->getPrevNode();
  return isa<UnreachableInst>(end) && isa_and_nonnull<CallInst>(before);
}

/// The first of the blocks that a branch decides for and that all lead to
/// \p end.
static BasicBlock *beginningOf(BasicBlock *end) {
  BasicBlock *before = end->getSinglePredecessor();
  return before && before->getSingleSuccessor() ? beginningOf(before) : end;
}

/// Lets \p end, a block that ends with a stop, go on where its threads would
/// have gone without it; \p beginnings are those of all such blocks.
static void goOn(BasicBlock &end, BasicBlock *beginning,
                 const SmallPtrSetImpl<BasicBlock *> &beginnings) {
  BasicBlock *deciding = beginning->getSinglePredecessor();
  BasicBlock *other = nullptr;
  if (deciding)
    for (BasicBlock *successor : successors(deciding))
      if (!beginnings.contains(successor)) {
        other = successor;
        break;
      }
  Instruction *terminator = end.getTerminator();
  IRBuilder<> b(terminator);
  if (other) {
    b.CreateBr(other);
    for (PHINode &phi : other->phis())
      phi.addIncoming(phi.getIncomingValueForBlock(deciding), &end);
  } else if (Type *type = end.getParent()->getReturnType(); type->isVoidTy()) {
    b.CreateRetVoid();
  } else {
    b.CreateRet(Constant::getNullValue(type));
  }
  terminator->eraseFromParent();
}

void continueAfterStops(Module &module) {
  for (Function &function : module) {
    function.removeFnAttr(Attribute::NoReturn);
    MapVector<BasicBlock *, BasicBlock *> stops;
    SmallPtrSet<BasicBlock *, 8> beginnings;
    for (BasicBlock &block : function)
      if (endsWithStop(block)) {
        stops[&block] = beginningOf(&block);
        beginnings.insert(stops[&block]);
      }
    for (auto [end, beginning] : stops)
      goOn(*end, beginning, beginnings);
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction);
          call && !call->getIntrinsicID())
        call->removeFnAttr(Attribute::NoReturn);
  }
}

} // namespace cufort::cpu
