//===- LineInfo.cpp - debug information that ptxas takes ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/lowering/LineInfo.h"
#include "compiler/gpu/lowering/DebugArrays.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallSet.h"
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

static bool isFortran(const DICompileUnit &unit) {
  switch (unit.getSourceLanguage().getName()) {
  case dwarf::DW_LANG_Fortran77:
  case dwarf::DW_LANG_Fortran90:
  case dwarf::DW_LANG_Fortran95:
  case dwarf::DW_LANG_Fortran03:
  case dwarf::DW_LANG_Fortran08:
  case dwarf::DW_LANG_Fortran18:
    return true;
  default:
    return false;
  }
}

/// cuda-gdb stops at a procedure's second line. Declarations are no place to
/// stop at: arguments and arrays cannot be shown yet, and those of threadidx
/// and the like stand in a file of the compiler's. What they do belongs to the
/// procedure's own line, and so does what comes before the first statement and
/// has no line.
static void placePrologue(Function &procedure) {
  DISubprogram *subprogram = procedure.getSubprogram();
  if (procedure.isDeclaration() || !subprogram ||
      !isFortran(*subprogram->getUnit()))
    return;
  SmallSet<unsigned, 16> declarations;
  for (Instruction &instruction : instructions(procedure))
    for (const DbgVariableRecord &record :
         filterDbgVars(instruction.getDbgRecordRange()))
      if (record.getVariable()->getFile() == subprogram->getFile())
        declarations.insert(record.getVariable()->getLine());
  // Names that nothing declares have the line of their first use.
  unsigned firstStatement = ~0u;
  for (const Instruction &instruction : instructions(procedure))
    if (const DILocation *place = instruction.getDebugLoc().get();
        place && place->getFile() == subprogram->getFile() &&
        place->getLine() > subprogram->getLine() &&
        !declarations.contains(place->getLine()))
      firstStatement = std::min(firstStatement, place->getLine());
  const DebugLoc start(DILocation::get(procedure.getContext(),
                                       subprogram->getLine(), 0, subprogram));
  bool hasStatement = false;
  for (Instruction &instruction : instructions(procedure)) {
    const DILocation *place = instruction.getDebugLoc().get();
    if (place && place->getInlinedAt())
      continue;
    const bool hasLine = place && place->getLine();
    if (hasLine ? place->getFile() != subprogram->getFile() ||
                      place->getLine() < firstStatement
                : !hasStatement)
      instruction.setDebugLoc(start);
    else
      hasStatement |= hasLine;
  }
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
  for (Function &procedure : *copy)
    placePrologue(procedure);
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
