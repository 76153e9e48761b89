//===- Vectorise.cpp - LLVM's vectorisers and what follows ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/optimise/Vectorise.h"
#include "compiler/common/OptimisationLevel.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/optimise/LlvmPipelines.h"
#include "compiler/cpu/simd/VectorMath.h"
#include "compiler/cpu/simd/VectorReport.h"
#include "image/Image.h"
#include "llvm/Transforms/Utils/FunctionComparator.h"

using namespace llvm;

namespace cufort::cpu {

/// Drops the copies for wide vectors that are what the others are: in strips
/// and warps LLVM had nothing to choose.
static void eraseNeedlessWideCopies(Module &module) {
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
static SmallVector<Function *> highestEntries(Module &module) {
  SmallVector<Function *> highest;
  for (unsigned n = 0; n <= image::X86_64_V4; ++n)
    if (auto found = entries(module, ("block" + Twine(n)).str());
        !found.empty())
      highest = std::move(found);
  return highest;
}

Error vectorise(Module &module, const CpuOptions &options) {
  Pipelines pipelines(options);
  PassBuilder &builder = pipelines.builder;
  OptimizationLevel level = optimisationLevel(options.optLevel);
  if (options.optLevel == 0) {
    pipelines.run(builder.buildO0DefaultPipeline(level), module);
  } else {
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
