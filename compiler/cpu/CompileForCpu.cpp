//===- CompileForCpu.cpp - device code to native code ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/CompileForCpu.h"
#include "compiler/check/Proofs.h"
#include "compiler/cpu/Pipeline.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/BlockShapes.h"
#include "compiler/cpu/block/DebugVariables.h"
#include "compiler/cpu/block/UniformVariables.h"
#include "compiler/cpu/block/WaitLoops.h"
#include "compiler/cpu/import/KernelOutput.h"
#include "compiler/cpu/import/LinkLibrary.h"
#include "compiler/cpu/import/Reflect.h"
#include "compiler/cpu/partition/BlockRows.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace cufort {
namespace {

std::vector<image::Parameter> parametersOf(const Function &entry) {
  std::vector<image::Parameter> parameters;
  SmallVector<StringRef> places;
  entry.getFnAttribute(cpu::ParametersAttribute)
      .getValueAsString()
      .split(places, ',', -1, /*KeepEmpty=*/false);
  for (StringRef place : places) {
    auto [offset, size] = place.split(':');
    image::Parameter parameter = {};
    offset.getAsInteger(10, parameter.offset);
    size.getAsInteger(10, parameter.size);
    parameters.push_back(parameter);
  }
  return parameters;
}

CpuVariant &variantFor(CpuKernel &kernel,
                       const std::array<uint32_t, 3> &shape) {
  for (CpuVariant &variant : kernel.variants)
    if (variant.shape == shape)
      return variant;
  kernel.variants.emplace_back().shape = shape;
  return kernel.variants.back();
}

std::vector<VectorNote> notesOf(ArrayRef<Function *> levels) {
  for (Function *entry : reverse(levels))
    if (entry)
      return cpu::vectorNotes(*entry);
  return {};
}

/// Whether \p entry reads what others may write while it runs: without that it
/// cannot find out how far another block has come. An atomic operation whose
/// result nobody looks at is no such reading.
bool readsOthersProgress(Function &entry) {
  return any_of(instructions(entry), [](const Instruction &instruction) {
    if (!instruction.mayReadFromMemory())
      return false;
    return instruction.isVolatile() ||
           (instruction.isAtomic() && !isa<FenceInst>(instruction) &&
            !instruction.use_empty());
  });
}

/// Whether \p entry may read so in a procedure that has stayed a function, if
/// any of them does.
bool callsProcedure(Function &entry) {
  return any_of(instructions(entry), [](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    return call && call->hasFnAttr(cpu::ProcedureAttribute);
  });
}

/// Collects what the passes have left as attributes.
void collect(CpuCode &code, const CpuOptions &options) {
  MapVector<StringRef, CpuKernel> kernels;
  const bool proceduresRead = any_of(*code.module, [](Function &function) {
    return function.hasFnAttribute(cpu::ProcedureAttribute) &&
           readsOthersProgress(function);
  });
  for (Function *entry : cpu::kernels(*code.module)) {
    CpuKernel &kernel = kernels[cpu::kernelName(*entry)];
    kernel.name = cpu::kernelName(*entry).str();
    kernel.parameters = parametersOf(*entry);
    kernel.parameterBytes =
        cpu::attributeNumber(*entry, cpu::ParameterBytesAttribute);
    kernel.staticSharedBytes =
        cpu::attributeNumber(*entry, cpu::StaticSharedAttribute);
    StringRef kind =
        entry->getFnAttribute(cpu::EntryAttribute).getValueAsString();
    for (const char *name : {check::ProofAttribute, check::PartProofAttribute})
      if (Attribute proof = entry->getFnAttribute(name); proof.isValid())
        kernel.proof = code.module->getGlobalVariable(proof.getValueAsString());
    // Then fibers are for launches alone that are not proved.
    kernel.isProvable |= entry->hasFnAttribute(check::ProofAttribute);
    unsigned level = 0;
    uint32_t arena = cpu::attributeNumber(*entry, cpu::ArenaAttribute);
    if (kind == "checked") {
      kernel.checked = entry;
      kernel.checkedArenaBytesPerThread = arena;
    } else if (!kind.consume_front("block") || kind.getAsInteger(10, level)) {
      kernel.thread = entry;
      if (Attribute why = entry->getFnAttribute(cpu::FibersAttribute);
          why.isValid()) {
        kernel.whyOnFibers = why.getValueAsString().str();
        kernel.blocksMayWait = image::WaitsInLoops;
      }
    } else if (entry->hasFnAttribute(cpu::ShapeAttribute)) {
      CpuVariant &variant = variantFor(kernel, cpu::launchedShape(*entry));
      variant.block[level] = entry;
      variant.arenaBytesPerThread = arena;
    } else {
      kernel.block[level] = entry;
      kernel.arenaBytesPerThread = arena;
      kernel.blockRows = entry->hasFnAttribute(cpu::BlockRowsAttribute);
      kernel.hasUnknownShape =
          arena && entry->hasFnAttribute(cpu::UnknownShapeAttribute);
      if (cpu::waitsInLoops(*entry))
        kernel.blocksMayWait = image::WaitsInLoops;
      else if (!kernel.blocksMayWait)
        kernel.blocksMayWait = readsOthersProgress(*entry) ||
                               (proceduresRead && callsProcedure(*entry));
    }
    entry->setLinkage(GlobalValue::InternalLinkage);
  }
  for (auto &[name, kernel] : kernels) {
    if (kernel.isProvable)
      kernel.whyOnFibers.clear();
    if (options.vectorNotes) {
      kernel.notes = notesOf(kernel.block);
      for (CpuVariant &variant : kernel.variants)
        variant.notes = notesOf(variant.block);
    }
    code.kernels.push_back(std::move(kernel));
  }
  for (GlobalVariable &variable : code.module->globals()) {
    if (variable.isDeclaration())
      continue;
    if (variable.getAttributes()
            .getAttribute(cpu::VariableAttribute)
            .getValueAsString() == "device")
      code.variables.push_back({variable.getName().str(), &variable});
    variable.setLinkage(GlobalValue::InternalLinkage);
    variable.setVisibility(GlobalValue::DefaultVisibility);
  }
}

/// Units that have lines for PTX alone (-gpu=lineinfo) get tables of lines.
void keepLineTables(Module &module) {
  NamedMDNode *units = module.getNamedMetadata("llvm.dbg.cu");
  if (!units)
    return;
  DenseMap<DICompileUnit *, DICompileUnit *> tables;
  for (unsigned i = 0; i != units->getNumOperands(); ++i) {
    auto *unit = cast<DICompileUnit>(units->getOperand(i));
    if (unit->getEmissionKind() != DICompileUnit::DebugDirectivesOnly)
      continue;
    DICompileUnit *table = DICompileUnit::getDistinct(
        module.getContext(), unit->getSourceLanguage(), unit->getFile(),
        unit->getProducer(), unit->isOptimized(), unit->getFlags(),
        unit->getRuntimeVersion(), unit->getSplitDebugFilename(),
        DICompileUnit::LineTablesOnly, nullptr, nullptr, nullptr, nullptr,
        nullptr, unit->getDWOId(), unit->getSplitDebugInlining(),
        unit->getDebugInfoForProfiling(), unit->getNameTableKind(),
        unit->getRangesBaseAddress(), unit->getSysRoot(), unit->getSDK());
    tables[unit] = table;
    units->setOperand(i, table);
  }
  if (tables.empty())
    return;
  DebugInfoFinder finder;
  finder.processModule(module);
  for (DISubprogram *subprogram : finder.subprograms())
    if (DICompileUnit *table = tables.lookup(subprogram->getUnit()))
      subprogram->replaceUnit(table);
}

} // namespace

std::unique_ptr<Module> takeCpuFunctions(const Module &device) {
  std::unique_ptr<Module> module = CloneModule(device);
  cpu::answerReflect(*module);
  cpu::takeFunctionsFromRuntime(*module);
  cpu::leaveToCpuLibrary(*module);
  return module;
}

Expected<CpuCode> compileForCpu(const Module &device,
                                const CpuOptions &options) {
  CpuCode code;
  code.forDebugger = options.debug;
  code.module = CloneModule(device);
  // What the host may name keeps its place until the passes are through.
  for (GlobalVariable &variable : code.module->globals()) {
    if (variable.getAddressSpace() == 3 || variable.isDeclaration() ||
        (variable.isConstant() && variable.hasGlobalUnnamedAddr()))
      continue;
    variable.setComdat(nullptr);
    variable.setLinkage(GlobalValue::ExternalLinkage);
  }
  if (Error error = cpu::runCpuPipeline(*code.module, options))
    return error;
  collect(code, options);
  if (!options.lineTables) {
    StripDebugInfo(*code.module);
  } else if (!options.describe) {
    stripNonLineTableDebugInfo(*code.module);
  } else {
    cpu::describeUniform(*code.module);
    keepLineTables(*code.module);
  }
  if (options.debug && !options.debuggerScript.empty())
    cpu::nameDebuggerScript(*code.module, options.debuggerScript);
  return code;
}

} // namespace cufort
