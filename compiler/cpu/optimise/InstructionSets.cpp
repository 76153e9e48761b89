//===- InstructionSets.cpp - a copy for each level ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/optimise/InstructionSets.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/optimise/HostTarget.h"
#include "compiler/cpu/simd/VectorMath.h"
#include "image/Image.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace cufort::cpu {

static bool callsVectorMath(Function &entry) {
  return any_of(instructions(entry), [](Instruction &instruction) {
    auto *call = dyn_cast<CallInst>(&instruction);
    return call && isVectorMath(*call);
  });
}

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
static Expected<SmallVector<Processor>> processors(const CpuOptions &options) {
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
static void cloneForLevels(Module &module, ArrayRef<Processor> targets) {
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

Error copyForInstructionSets(Module &module, const CpuOptions &options) {
  auto targets = processors(options);
  if (!targets)
    return targets.takeError();
  cloneForLevels(module, *targets);
  if (options.optLevel >= 2)
    for (unsigned n = 0; n < image::CpuLevelCount; ++n)
      for (Function *entry : entries(module, ("block" + Twine(n)).str())) {
        unsigned instructions = std::min<unsigned>(n, image::X86_64_V4);
        lowerVectorMath(*entry, instructions);
        nameVectorFunctions(*entry, instructions);
      }
  return Error::success();
}

} // namespace cufort::cpu
