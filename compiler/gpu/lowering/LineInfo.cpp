//===- LineInfo.cpp - debug information that ptxas takes ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/lowering/LineInfo.h"
#include "compiler/gpu/lowering/DebugArrays.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

static DICompileUnit *linesOf(const DICompileUnit &unit) {
  return DICompileUnit::getDistinct(
      unit.getContext(), unit.getSourceLanguage(), unit.getFile(),
      unit.getProducer(), unit.isOptimized(), unit.getFlags(),
      unit.getRuntimeVersion(), unit.getSplitDebugFilename(),
      DICompileUnit::DebugDirectivesOnly, nullptr, nullptr, nullptr, nullptr,
      nullptr, unit.getDWOId(), unit.getSplitDebugInlining(),
      unit.getDebugInfoForProfiling(), unit.getNameTableKind(),
      unit.getRangesBaseAddress(), unit.getSysRoot(), unit.getSDK());
}

static DICompileUnit *withoutNames(const DICompileUnit &unit) {
  return DICompileUnit::getDistinct(
      unit.getContext(), unit.getSourceLanguage(), unit.getFile(),
      unit.getProducer(), unit.isOptimized(), unit.getFlags(),
      unit.getRuntimeVersion(), unit.getSplitDebugFilename(),
      unit.getEmissionKind(), unit.getEnumTypes(), unit.getRetainedTypes(),
      unit.getGlobalVariables(), unit.getImportedEntities(), unit.getMacros(),
      unit.getDWOId(), unit.getSplitDebugInlining(),
      unit.getDebugInfoForProfiling(), DICompileUnit::DebugNameTableKind::None,
      unit.getRangesBaseAddress(), unit.getSysRoot(), unit.getSDK());
}

/// What lies behind a pointer, as a dummy argument does, may be in any memory.
/// LLVM says of a location that is a register with the address, and no more,
/// that it is in a register, and debuggers show zeros then. Of one with an
/// operation behind it does not say so, and cuda-gdb takes a generic address.
static void describePointers(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      for (DbgVariableRecord &record :
           filterDbgVars(instruction.getDbgRecordRange()))
        if (record.isDbgDeclare() && record.getAddress() &&
            !isa<AllocaInst>(record.getAddress()->stripPointerCasts()))
          record.setExpression(
              DIExpression::append(record.getExpression(),
                                   {dwarf::DW_OP_constu, 0, dwarf::DW_OP_or}));
}

std::unique_ptr<Module> cufort::copyForDebugger(const Module &module) {
  ValueToValueMapTy copies;
  SmallVector<DICompileUnit *> units;
  for (const DICompileUnit *unit : module.debug_compile_units()) {
    units.push_back(withoutNames(*unit));
    copies.MD()[unit].reset(units.back());
  }
  std::unique_ptr<Module> copy = CloneModule(module, copies);
  // What a unit lists has its unit as scope.
  for (DICompileUnit *unit : units)
    for (unsigned i = 0; i != unit->getNumOperands(); ++i)
      if (Metadata *list = unit->getOperand(i))
        unit->replaceOperandWith(i, MapMetadata(list, copies));
  describeArrays(*copy);
  describePointers(*copy);
  return copy;
}

void cufort::keepLineDirectives(Module &module) {
  stripNonLineTableDebugInfo(module);
  NamedMDNode *units = module.getNamedMetadata("llvm.dbg.cu");
  if (!units)
    return;
  DenseMap<DICompileUnit *, DICompileUnit *> reduced;
  for (unsigned i = 0; i != units->getNumOperands(); ++i) {
    auto *unit = cast<DICompileUnit>(units->getOperand(i));
    DICompileUnit *&copy = reduced[unit];
    copy = linesOf(*unit);
    units->setOperand(i, copy);
  }
  DebugInfoFinder finder;
  finder.processModule(module);
  for (DISubprogram *subprogram : finder.subprograms())
    if (DICompileUnit *copy = reduced.lookup(subprogram->getUnit()))
      subprogram->replaceUnit(copy);
}
