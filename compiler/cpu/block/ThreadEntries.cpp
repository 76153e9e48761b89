//===- ThreadEntries.cpp - kernels as they were written -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/block/ThreadEntries.h"
#include "compiler/check/Proofs.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/FiberWaits.h"
#include "image/Image.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

Function *cloneWithThread(Function &block) {
  LLVMContext &context = block.getContext();
  Type *pointer = PointerType::get(context, 0);
  auto *type =
      FunctionType::get(Type::getVoidTy(context),
                        {pointer, pointer, pointer, pointer, pointer}, false);
  Function *thread =
      Function::Create(type, GlobalValue::ExternalLinkage,
                       block.getName() + ".thread", block.getParent());
  ValueToValueMapTy values;
  for (unsigned i = 0; i < 5; ++i)
    values[block.getArg(i)] = i == FurtherArgument
                                  ? PoisonValue::get(block.getArg(i)->getType())
                                  : static_cast<Value *>(thread->getArg(i));
  SmallVector<ReturnInst *> returns;
  CloneFunctionInto(thread, &block, values,
                    CloneFunctionChangeType::LocalChangesOnly, returns);
  thread->setAttributes({});
  for (Attribute attribute : block.getAttributes().getFnAttrs())
    thread->addFnAttr(attribute);
  thread->addFnAttr(EntryAttribute, "thread");
  return thread;
}

void readThreadIndex(Function &thread) {
  IRBuilder<> b(thread.getEntryBlock().getTerminator());
  Value *indices[3] = {};
  for (Instruction &instruction : make_early_inc_range(instructions(thread))) {
    int dimension = threadIndexDimension(&instruction);
    if (dimension < 0)
      continue;
    if (!indices[dimension])
      indices[dimension] = b.CreateAlignedLoad(
          b.getInt32Ty(),
          b.CreateConstInBoundsGEP1_64(
              b.getInt8Ty(), thread.getArg(ThreadArgument), 4 * dimension),
          Align(4));
    instruction.replaceAllUsesWith(indices[dimension]);
    instruction.eraseFromParent();
  }
}

void lowerWaits(Function &thread) {
  auto voteCounters = [&]() -> Value * {
    IRBuilder<> b(endOfPrologue(thread));
    Value *shared =
        b.CreateAlignedLoad(b.getPtrTy(),
                            b.CreateConstInBoundsGEP1_64(
                                b.getInt8Ty(), thread.getArg(WorkspaceArgument),
                                offsetof(image::CpuWorkspace, shared)),
                            Align(8));
    return b.CreateConstInBoundsGEP1_64(
        b.getInt8Ty(), shared, attributeNumber(thread, VoteCountersAttribute));
  };
  waitOnFiber(thread, voteCounters,
              thread.hasFnAttribute(FibersAttribute) ? FirstKernelPlace : 0);
}

} // namespace

Error makeThreadEntries(Module &module, const CpuOptions &options) {
  for (Function *block : entries(module, "block")) {
    if (!options.threadEntries && !block->hasFnAttribute(FibersAttribute))
      continue;
    // Its threads run as they are checked (Pipeline.cpp).
    if (block->hasFnAttribute(check::ProofAttribute))
      continue;
    Function *thread = cloneWithThread(*block);
    lowerWaits(*thread);
    readThreadIndex(*thread);
  }
  eraseBlocksOnFibers(module);
  return Error::success();
}

Error runOnFibers(Function &block, const Instruction *at, const Twine &why) {
  Module &module = *block.getParent();
  Function *thread = nullptr;
  for (Function *entry : entries(module, "thread"))
    if (kernelName(*entry) == kernelName(block))
      thread = entry;
  if (!thread)
    return refuse(block, at,
                  why + " is not supported on the CPU without the "
                        "code that runs one fiber for each thread");
  thread->addFnAttr(FibersAttribute, why.str());
  for (Function *entry : entries(module, "block"))
    if (kernelName(*entry) == kernelName(*thread))
      entry->addFnAttr(FibersAttribute, why.str());
  return Error::success();
}

void eraseBlocksOnFibers(Module &module) {
  for (Function *entry : entries(module, "block"))
    if (entry->hasFnAttribute(FibersAttribute))
      entry->eraseFromParent();
}

} // namespace cufort::cpu
