//===- AddressSpaces.cpp - which memory an access is of -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/AddressSpaces.h"
#include "compiler/gpu/InstructionPass.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

using namespace llvm;

namespace {

/// The host has no other memory of the device to name.
struct PlaceParameters : PassInfoMixin<PlaceParameters> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    if (function.getCallingConv() != CallingConv::PTX_Kernel)
      return PreservedAnalyses::all();
    BasicBlock &entry = function.getEntryBlock();
    IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
    for (Argument &argument : function.args()) {
      if (!argument.getType()->isPointerTy() || argument.hasByValAttr() ||
          argument.use_empty() ||
          argument.getType()->getPointerAddressSpace() !=
              NVPTXAS::ADDRESS_SPACE_GENERIC)
        continue;
      auto *global = cast<Instruction>(builder.CreateAddrSpaceCast(
          &argument, builder.getPtrTy(NVPTXAS::ADDRESS_SPACE_GLOBAL)));
      Value *generic = builder.CreateAddrSpaceCast(global, argument.getType());
      argument.replaceUsesWithIf(
          generic, [&](Use &use) { return use.getUser() != global; });
    }
    PreservedAnalyses preserved;
    preserved.preserveSet<CFGAnalyses>();
    return preserved;
  }
};

/// How private arrays are aligned is known of their generic addresses only; a
/// cast hides it.
struct StateAlignment : PassInfoMixin<StateAlignment> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &manager) {
    SmallVector<AddrSpaceCastInst *> casts;
    for (Instruction &instruction : instructions(function))
      if (auto *cast = dyn_cast<AddrSpaceCastInst>(&instruction);
          cast && isa<AllocaInst>(cast->getPointerOperand()))
        casts.push_back(cast);
    for (AddrSpaceCastInst *cast : casts) {
      auto *array = llvm::cast<AllocaInst>(cast->getPointerOperand());
      IRBuilder<> builder(cast->getNextNode());
      CallInst *assume = builder.CreateAlignmentAssumption(
          function.getDataLayout(), cast, array->getAlign().value());
      manager.getResult<AssumptionAnalysis>(function).registerAssumption(
          llvm::cast<AssumeInst>(assume));
    }
    return casts.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
  }
};

/// Takes back what StateAlignment has stated.
bool forgetAlignment(Instruction &instruction) {
  auto *assume = dyn_cast<AssumeInst>(&instruction);
  if (!assume || !assume->hasOperandBundles() ||
      !isa<AddrSpaceCastInst>(assume->getOperandBundleAt(0).Inputs[0]))
    return false;
  assume->eraseFromParent();
  return true;
}

/// Addresses of shared memory have 32 bits, and programs count back with
/// unsigned indices, `end[~i]`: by the rules of C++ such an index leads out of
/// the array, but on the GPU it leads back.
bool letIndexWrap(Instruction &instruction) {
  auto *address = dyn_cast<GetElementPtrInst>(&instruction);
  if (!address || address->getAddressSpace() != NVPTXAS::ADDRESS_SPACE_SHARED ||
      address->getNoWrapFlags() == GEPNoWrapFlags::none())
    return false;
  address->setNoWrapFlags(GEPNoWrapFlags::none());
  return true;
}

} // namespace

void cufort::inferMemory(PassBuilder &builder) {
  builder.registerPipelineStartEPCallback(
      [](ModulePassManager &passes, OptimizationLevel) {
        passes.addPass(createModuleToFunctionPassAdaptor(PlaceParameters()));
      });
  // Not before: private arrays become registers under their generic addresses
  // only. What aliases, the target says of these too.
  builder.registerOptimizerLastEPCallback(
      [](ModulePassManager &passes, OptimizationLevel, ThinOrFullLTOPhase) {
        FunctionPassManager functions;
        functions.addPass(InferAddressSpacesPass());
        functions.addPass(StateAlignment());
        functions.addPass(InferAlignmentPass());
        functions.addPass(LoadStoreVectorizerPass());
        functions.addPass(InstructionPass<forgetAlignment>());
        functions.addPass(InstructionPass<letIndexWrap>());
        passes.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
      });
}
