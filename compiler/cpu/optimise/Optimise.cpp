//===- Optimise.cpp - simplified, cloned per level, vectorised ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/optimise/Optimise.h"
#include "compiler/common/OptimisationLevel.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/DebugVariables.h"
#include "compiler/cpu/block/ThreadLoops.h"
#include "compiler/cpu/optimise/HostTarget.h"
#include "compiler/cpu/simd/JoinedLoads.h"
#include "compiler/cpu/simd/LaneIterations.h"
#include "compiler/cpu/simd/VectorMath.h"
#include "compiler/cpu/simd/VectorReport.h"
#include "image/Image.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/AggressiveInstCombine/AggressiveInstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/FunctionComparator.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cufort::cpu {
namespace {

/// LLVM's standard passes with the host's costs and glibc's vector functions.
class Pipelines {
public:
  explicit Pipelines(const CpuOptions &options)
      : machine(makeHostMachine(cpuOfLevel(0))), tuning(tune(options)),
        builder(machine.get(), tuning), library(Triple(HostTriple)) {
    functionAnalyses.registerPass(
        [this] { return TargetLibraryAnalysis(library); });
    builder.registerModuleAnalyses(moduleAnalyses);
    builder.registerCGSCCAnalyses(callGraphAnalyses);
    builder.registerFunctionAnalyses(functionAnalyses);
    builder.registerLoopAnalyses(loopAnalyses);
    builder.crossRegisterProxies(loopAnalyses, functionAnalyses,
                                 callGraphAnalyses, moduleAnalyses);
  }

  void run(ModulePassManager passes, Module &module) {
    passes.run(module, moduleAnalyses);
    moduleAnalyses.invalidate(module, PreservedAnalyses::none());
  }

private:
  static PipelineTuningOptions tune(const CpuOptions &options) {
    PipelineTuningOptions tuning;
    tuning.LoopVectorization = options.optLevel >= 2;
    tuning.SLPVectorization = options.optLevel >= 2;
    tuning.LoopInterleaving = options.optLevel >= 2;
    return tuning;
  }

  std::unique_ptr<TargetMachine> machine;
  PipelineTuningOptions tuning;

public:
  PassBuilder builder;

private:
  TargetLibraryInfoImpl library;
  LoopAnalysisManager loopAnalyses;
  FunctionAnalysisManager functionAnalyses;
  CGSCCAnalysisManager callGraphAnalyses;
  ModuleAnalysisManager moduleAnalyses;
};

bool callsVectorMath(Function &entry) {
  return any_of(instructions(entry), [](Instruction &instruction) {
    auto *call = dyn_cast<CallInst>(&instruction);
    return call && isVectorMath(*call);
  });
}

/// Says what \p entry is compiled for, and how wide LLVM's vectorisers should
/// make vectors (cpu-strips has chosen its own): 512 bits where they hold
/// arguments of vector functions. Other loops wait for memory, where it depends
/// on the processor.
void setProcessor(Function &entry, const Processor &processor) {
  bool isLevel = processor.name == cpuOfLevel(processor.level);
  entry.addFnAttr("target-cpu", processor.name);
  entry.addFnAttr("tune-cpu", isLevel ? "generic" : processor.name);
  if (!processor.features.empty())
    entry.addFnAttr("target-features", processor.features);
  if (processor.level >= image::X86_64_V4)
    entry.addFnAttr(
        "prefer-vector-width",
        processor.prefersWideVectors || callsVectorMath(entry) ? "512" : "256");
}

/// What to compile for: a processor for each level.
Expected<SmallVector<Processor>> processors(const CpuOptions &options) {
  SmallVector<Processor> found;
  if (!options.processor.empty()) {
    auto only = findProcessor(options.processor);
    if (!only)
      return only.takeError();
    found.push_back(std::move(*only));
    return found;
  }
  for (unsigned level = 0; level < image::CpuLevelCount; ++level) {
    bool isWide = level == image::X86_64_V4_WIDE;
    if (options.levels & (1u << level))
      found.push_back({cpuOfLevel(level).str(), "", level, isWide});
  }
  return found;
}

/// Makes a copy of every block entry for each level.
void cloneForLevels(Module &module, ArrayRef<Processor> targets) {
  for (Function *entry : entries(module, "block")) {
    uint32_t only = attributeNumber(*entry, LevelsAttribute);
    for (const Processor &target : targets) {
      unsigned level = target.level;
      if (only && !(only & 1u << level))
        continue;
      bool isWide = level == image::X86_64_V4_WIDE;
      if (isWide && callsVectorMath(*entry))
        continue; // has wide vectors in any case
      ValueToValueMapTy values;
      Function *copy = CloneFunction(entry, values);
      copy->setName(isWide ? entry->getName() + ".v4.wide"
                           : entry->getName() + ".v" + Twine(level + 2));
      copy->addFnAttr(EntryAttribute, ("block" + Twine(level)).str());
      setProcessor(*copy, target);
    }
    entry->eraseFromParent();
  }
}

/// Drops the copies for wide vectors that are what the others are: in strips
/// and warps LLVM had nothing to choose.
void eraseNeedlessWideCopies(Module &module) {
  GlobalNumberState numbers;
  for (Function *wide :
       entries(module, ("block" + Twine(image::X86_64_V4_WIDE)).str())) {
    StringRef name = wide->getName();
    if (!name.consume_back(".wide"))
      continue;
    Function *other = module.getFunction(name);
    if (!other)
      continue;
    AttributeList attributes = wide->getAttributes();
    wide->setAttributes(other->getAttributes());
    if (FunctionComparator(wide, other, &numbers).compare() == 0)
      wide->eraseFromParent();
    else
      wide->setAttributes(attributes);
  }
}

/// The block entries of the highest instruction set that there is.
SmallVector<Function *> highestEntries(Module &module) {
  SmallVector<Function *> highest;
  for (unsigned n = 0; n <= image::X86_64_V4; ++n)
    if (auto found = entries(module, ("block" + Twine(n)).str());
        !found.empty())
      highest = std::move(found);
  return highest;
}

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

Error optimise(Module &module, const CpuOptions &options) {
  lowerCounts(module);
  relaxSharedAtomics(module);
  auto targets = processors(options);
  if (!targets)
    return targets.takeError();
  Pipelines pipelines(options);
  PassBuilder &builder = pipelines.builder;
  OptimizationLevel level = optimisationLevel(options.optLevel);

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

  if (options.optLevel == 0) {
    cloneForLevels(module, *targets);
    pipelines.run(builder.buildO0DefaultPipeline(level), module);
  } else {
    allowUnrolling(module, false);
    unrollLaneIterations(builder);
    pipelines.run(builder.buildModuleSimplificationPipeline(
                      level, ThinOrFullLTOPhase::None),
                  module);
    joinBytes(pipelines, module);
    allowUnrolling(module, true);
    for (Function *entry : kernels(module)) {
      keepIterationsRolled(*entry);
      freezeJoinedLoads(*entry);
    }
    cloneForLevels(module, *targets);
    if (options.optLevel >= 2)
      for (unsigned n = 0; n < image::CpuLevelCount; ++n)
        for (Function *entry : entries(module, ("block" + Twine(n)).str())) {
          unsigned instructions = std::min<unsigned>(n, image::X86_64_V4);
          lowerVectorMath(*entry, instructions);
          nameVectorFunctions(*entry, instructions);
        }
    std::optional<VectoriserNotes> notes;
    if (options.vectorNotes)
      notes.emplace(highestEntries(module));
    pipelines.run(builder.buildModuleOptimizationPipeline(
                      level, ThinOrFullLTOPhase::None),
                  module);
    eraseNeedlessWideCopies(module);
  }
  dropVectorFunctions(module);
  return Error::success();
}

} // namespace cufort::cpu
