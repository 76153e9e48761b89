//===- LineInfo.cpp - debug information for profilers ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/lowering/LineInfo.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

void cufort::keepLineDirectives(Module &module) {
  stripNonLineTableDebugInfo(module);
  NamedMDNode *units = module.getNamedMetadata("llvm.dbg.cu");
  if (!units)
    return;
  DenseMap<DICompileUnit *, DICompileUnit *> reduced;
  for (unsigned i = 0; i != units->getNumOperands(); ++i) {
    auto *unit = cast<DICompileUnit>(units->getOperand(i));
    DICompileUnit *&copy = reduced[unit];
    copy = DICompileUnit::getDistinct(
        module.getContext(), unit->getSourceLanguage(), unit->getFile(),
        unit->getProducer(), unit->isOptimized(), unit->getFlags(),
        unit->getRuntimeVersion(), unit->getSplitDebugFilename(),
        DICompileUnit::DebugDirectivesOnly, nullptr, nullptr, nullptr, nullptr,
        nullptr, unit->getDWOId(), unit->getSplitDebugInlining(),
        unit->getDebugInfoForProfiling(), unit->getNameTableKind(),
        unit->getRangesBaseAddress(), unit->getSysRoot(), unit->getSDK());
    units->setOperand(i, copy);
  }
  DebugInfoFinder finder;
  finder.processModule(module);
  for (DISubprogram *subprogram : finder.subprograms())
    if (DICompileUnit *copy = reduced.lookup(subprogram->getUnit()))
      subprogram->replaceUnit(copy);
}
