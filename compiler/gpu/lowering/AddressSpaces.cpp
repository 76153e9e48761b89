//===- AddressSpaces.cpp - which memory an access is of -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/lowering/AddressSpaces.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

using namespace llvm;
using namespace cufort;

namespace {

/// Neither does a pointer that lay in global memory when the kernel began point
/// to anything else: rows of a matrix, and what descriptors of Fortran's
/// allocatable variables and components hold.
struct PlaceLoadedPointers : PassInfoMixin<PlaceLoadedPointers> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &manager) {
    if (function.getCallingConv() != CallingConv::PTX_Kernel)
      return PreservedAnalyses::all();
    SmallVector<LoadInst *> pointers;
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
      for (Instruction &instruction : *block)
        if (auto *load = dyn_cast<LoadInst>(&instruction);
            load && load->isSimple() && load->getType()->isPointerTy() &&
            load->getType()->getPointerAddressSpace() ==
                NVPTXAS::ADDRESS_SPACE_GENERIC &&
            any_of(load->users(), accesses))
          pointers.push_back(load);
    if (pointers.empty())
      return PreservedAnalyses::all();
    MemorySSA &memory =
        manager.getResult<MemorySSAAnalysis>(function).getMSSA();
    SmallPtrSet<const Value *, 8> placed;
    for (LoadInst *load : pointers) {
      const Value *object = getUnderlyingObject(load->getPointerOperand());
      if ((isHostsMemory(object) || placed.contains(object)) &&
          memory.isLiveOnEntryDef(
              memory.getWalker()->getClobberingMemoryAccess(load)))
        placed.insert(load);
    }
    for (LoadInst *load : pointers) {
      if (!placed.contains(load))
        continue;
      IRBuilder<> builder(load->getNextNode());
      auto *global = cast<Instruction>(builder.CreateAddrSpaceCast(
          load, builder.getPtrTy(NVPTXAS::ADDRESS_SPACE_GLOBAL)));
      Value *generic = builder.CreateAddrSpaceCast(global, load->getType());
      load->replaceUsesWithIf(
          generic, [&](Use &use) { return use.getUser() != global; });
    }
    return afterInstructions(!placed.empty());
  }

private:
  static bool accesses(const User *user) {
    return isa<GetElementPtrInst>(user) ||
           getLoadStorePointerOperand(user) != nullptr;
  }

  /// Parameters are placed at the pipeline's start.
  static bool isHostsMemory(const Value *object) {
    if (auto *argument = dyn_cast<Argument>(object))
      return !argument->hasByValAttr();
    auto *variable = dyn_cast<GlobalVariable>(object);
    return variable &&
           (variable->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_GLOBAL ||
            variable->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST);
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

PreservedAnalyses cufort::inferMemory(Function &function,
                                      FunctionAnalysisManager &manager) {
  FunctionPassManager passes;
  passes.addPass(InferAddressSpacesPass());
  passes.addPass(PlaceLoadedPointers());
  passes.addPass(InferAddressSpacesPass());
  // Loads of generic pointers might have been of what was stored.
  passes.addPass(DSEPass());
  return passes.run(function, manager);
}

PreservedAnalyses cufort::vectoriseAccesses(Function &function,
                                            FunctionAnalysisManager &manager) {
  FunctionPassManager passes;
  passes.addPass(StateAlignment());
  passes.addPass(InferAlignmentPass());
  passes.addPass(LoadStoreVectorizerPass());
  PreservedAnalyses preserved = passes.run(function, manager);
  preserved.intersect(changeInstructions(function, forgetAlignment));
  preserved.intersect(changeInstructions(function, letIndexWrap));
  return preserved;
}
