//===- Simplify.cpp - once for all instruction sets -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/optimise/Simplify.h"
#include "compiler/common/OptimisationLevel.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/DebugVariables.h"
#include "compiler/cpu/block/ThreadLoops.h"
#include "compiler/cpu/optimise/InstructionSets.h"
#include "compiler/cpu/optimise/LlvmPipelines.h"
#include "compiler/cpu/simd/JoinedLoads.h"
#include "compiler/cpu/simd/LaneIterations.h"
#include "image/Image.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/AggressiveInstCombine/AggressiveInstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cufort::cpu {
namespace {

/// Whether loops over threads may be unrolled. Not before they are vectorised:
/// with a constant block shape LLVM would take them for short loops.
void allowUnrolling(Module &module, bool allowed) {
  LLVMContext &context = module.getContext();
  static constexpr StringRef marks[] = {ThreadLoopMark, "cufort.threads.y",
                                        "cufort.threads.z"};
  MDNode *forbidden = MDNode::get(
      context, {MDString::get(context, "llvm.loop.unroll.disable")});
  for (Function *entry : kernels(module))
    for (BasicBlock &block : *entry) {
      Instruction *latch = block.getTerminator();
      MDNode *loop = latch->getMetadata(LLVMContext::MD_loop);
      if (!loop || none_of(marks, [&](StringRef mark) {
            return findOptionMDForLoopID(loop, mark);
          }))
        continue;
      SmallVector<Metadata *> properties{nullptr};
      for (const MDOperand &property : drop_begin(loop->operands()))
        if (property != forbidden)
          properties.push_back(property);
      if (!allowed)
        properties.push_back(forbidden);
      MDNode *changed = MDNode::getDistinct(context, properties);
      changed->replaceOperandWith(0, changed);
      latch->setMetadata(LLVMContext::MD_loop, changed);
    }
}

/// The rows of \p entry that are to be unrolled are innermost loops. Where the
/// loops over y and z around them have one iteration and went, SimplifyCFG
/// leaves the number to the loop around those: sixteen copies of the iterations
/// of a kernel gain nothing, and cost twice the time where a processor
/// foretells by an instruction's address which store a load waits for.
void keepIterationsRolled(Function &entry) {
  static constexpr StringRef count = "llvm.loop.unroll.count";
  DominatorTree dominators(entry);
  LoopInfo loops(dominators);
  for (Loop *loop : loops.getLoopsInPreorder())
    if (MDNode *properties = loop->getLoopID();
        properties && !loop->isInnermost() &&
        findOptionMDForLoopID(properties, count))
      loop->setLoopID(makePostTransformationMetadata(entry.getContext(),
                                                     properties, {count}, {}));
}

/// Whether \p value is put together of something and a byte, or the like.
bool isWord(Instruction &value) {
  auto byte = m_OneUse(m_ZExt(m_OneUse(m_Load(m_Value()))));
  return match(&value, m_c_Or(m_Value(), m_OneUse(m_Shl(byte, m_Value()))));
}

/// Makes one load of bytes that code puts together, and before the vectorisers
/// make vectors of them; the loops over the bytes are gone by now, and what
/// freezes a load (freezeJoinedLoads) would hide it. LLVM asks of the word,
/// too, that it has one use: meanwhile a freeze has it.
void joinBytes(Pipelines &pipelines, Module &module) {
  SmallVector<Instruction *> words;
  for (Function *entry : entries(module, "block"))
    for (Instruction &instruction : instructions(*entry))
      if (isWord(instruction))
        words.push_back(&instruction);
  if (words.empty())
    return;
  SmallVector<WeakVH> uses;
  for (Instruction *word : words) {
    if (word->hasOneUse())
      continue;
    auto *use = new FreezeInst(word, "", std::next(word->getIterator()));
    word->replaceUsesWithIf(use,
                            [&](Use &each) { return each.getUser() != use; });
    uses.push_back(use);
  }
  FunctionPassManager passes;
  passes.addPass(EarlyCSEPass());
  passes.addPass(AggressiveInstCombinePass());
  ModulePassManager joining;
  joining.addPass(createModuleToFunctionPassAdaptor(std::move(passes)));
  pipelines.run(std::move(joining), module);
  for (Value *use : uses)
    if (auto *made = cast_or_null<Instruction>(use)) {
      made->replaceAllUsesWith(made->getOperand(0));
      made->eraseFromParent();
    }
}

/// -gpu=fastmath and -gpu=nofma, as in GPU code: approximate operations in
/// single precision, but neither reassociation nor the absence of infinities
/// and NaNs. Flang's and Clang's operations allow contraction.
void setFloatingPoint(Function &entry, const CpuOptions &options) {
  if (!options.fastMath && options.contract)
    return;
  for (Instruction &instruction : instructions(entry)) {
    if (!isa<FPMathOperator>(instruction))
      continue;
    if (options.fastMath &&
        instruction.getType()->getScalarType()->isFloatTy()) {
      instruction.setHasApproxFunc(true);
      instruction.setHasAllowReciprocal(true);
    }
    if (!options.contract)
      instruction.setHasAllowContract(false);
  }
}

} // namespace

Error simplify(Module &module, const CpuOptions &options) {
  lowerCounts(module);
  relaxSharedAtomics(module);
  for (Function *entry : kernels(module)) {
    entry->removeFnAttr(Attribute::NoInline);
    entry->removeFnAttr(Attribute::OptimizeNone);
    setFloatingPoint(*entry, options);
    setProcessor(*entry, {cpuOfLevel(0).str(), "", image::X86_64_V2, false});
  }
  // Naive threads are not worth the time; they also stay so more surely naive.
  // Those without a block entry are the code that runs.
  for (Function *entry : entries(module, "thread")) {
    if (entry->hasFnAttribute(FibersAttribute) && !options.debug)
      continue;
    entry->addFnAttr(Attribute::OptimizeNone);
    entry->addFnAttr(Attribute::NoInline);
  }
  if (options.debug)
    for (Function &function : module)
      if (!function.isDeclaration() && staysForDebugger(function)) {
        function.addFnAttr(Attribute::OptimizeNone);
        function.addFnAttr(Attribute::NoInline);
      }

  if (options.optLevel == 0)
    return Error::success();
  allowUnrolling(module, false);
  Pipelines pipelines(options);
  unrollLaneIterations(pipelines.builder);
  pipelines.run(
      pipelines.builder.buildModuleSimplificationPipeline(
          optimisationLevel(options.optLevel), ThinOrFullLTOPhase::None),
      module);
  joinBytes(pipelines, module);
  allowUnrolling(module, true);
  for (Function *entry : kernels(module)) {
    keepIterationsRolled(*entry);
    freezeJoinedLoads(*entry);
  }
  return Error::success();
}

} // namespace cufort::cpu
