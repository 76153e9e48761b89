//===- HostObject.cpp - host LLVM IR to a file ----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/HostObject.h"
#include "compiler/common/OptimisationLevel.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace cufort {

/// Arrays of 16 bytes and more lie at multiples of 16, as the ABI of x86-64
/// says: libraries written in C, such as FFTW, count on it.
static void alignArrays(Module &host) {
  const DataLayout &layout = host.getDataLayout();
  const Align wanted(16);
  auto isLong = [&](Type *type) {
    return type->isArrayTy() && layout.getTypeAllocSize(type) >= 16;
  };
  // What has a section of its own may be one entry of a table.
  for (GlobalVariable &variable : host.globals())
    if (!variable.hasSection() && !variable.hasAppendingLinkage() &&
        (variable.isStrongDefinitionForLinker() ||
         variable.hasCommonLinkage()) &&
        isLong(variable.getValueType()) &&
        variable.getAlign().value_or(Align()) < wanted)
      variable.setAlignment(wanted);
  for (Function &function : host)
    for (Instruction &instruction : instructions(function))
      if (auto *local = dyn_cast<AllocaInst>(&instruction);
          local && local->getAlign() < wanted &&
          (local->isArrayAllocation() || isLong(local->getAllocatedType())))
        local->setAlignment(wanted);
}

/// The runtime of Flang's that answers SELECTED_REAL_KIND of variables knows
/// kinds that declarations and constants do not have here: REAL(16).
static void selectEnabledKinds(Module &host) {
  Function *select = host.getFunction("_FortranASelectedRealKind");
  if (!select)
    return;
  int kinds = 1 << 2 | 1 << 3 | 1 << 4 | 1 << 8;
  if (host.getTargetTriple().isX86())
    kinds |= 1 << 10;
  FunctionType *type = select->getFunctionType();
  SmallVector<Type *> parameters(type->params());
  Type *integer = Type::getInt32Ty(host.getContext());
  parameters.push_back(integer);
  FunctionCallee masked = host.getOrInsertFunction(
      "_FortranASelectedRealKindMasked",
      FunctionType::get(type->getReturnType(), parameters, false));
  for (User *user : make_early_inc_range(select->users())) {
    auto *call = dyn_cast<CallInst>(user);
    if (!call || call->getCalledFunction() != select)
      continue;
    SmallVector<Value *> arguments(call->args());
    arguments.push_back(ConstantInt::get(integer, kinds));
    auto *other = CallInst::Create(masked, arguments, "", call->getIterator());
    other->setDebugLoc(call->getDebugLoc());
    call->replaceAllUsesWith(other);
    call->eraseFromParent();
  }
}

void optimiseHostCode(Module &host, TargetMachine &machine, unsigned level) {
  host.setTargetTriple(machine.getTargetTriple());
  host.setDataLayout(machine.createDataLayout());
  alignArrays(host);
  selectEnabledKinds(host);
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = level >= 2;
  tuning.SLPVectorization = level >= 2;
  PassBuilder builder(&machine, tuning);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  builder.buildPerModuleDefaultPipeline(optimisationLevel(level))
      .run(host, modules);
}

static bool write(Module &host, TargetMachine &machine, const FortranJob &job,
                  raw_pwrite_stream &os) {
  switch (job.kind) {
  case FortranJob::LlvmIr:
    host.print(os, nullptr);
    return true;
  case FortranJob::Bitcode:
    WriteBitcodeToFile(host, os);
    return true;
  default:
    break;
  }
  legacy::PassManager passes;
  CodeGenFileType type = job.kind == FortranJob::Assembly
                             ? CodeGenFileType::AssemblyFile
                             : CodeGenFileType::ObjectFile;
  if (machine.addPassesToEmitFile(passes, os, /*DwoOut=*/nullptr, type)) {
    errs() << "cufort: error: this kind of file cannot be written for the "
              "target\n";
    return false;
  }
  passes.run(host);
  return true;
}

bool writeHostCode(Module &host, TargetMachine &machine,
                   const FortranJob &job) {
  SmallVector<char, 0> content;
  raw_svector_ostream stream(content);
  if (!write(host, machine, job, stream))
    return false;
  std::error_code error;
  raw_fd_ostream file(job.output, error);
  if (!error) {
    file.write(content.data(), content.size());
    file.flush();
    error = file.error();
    file.clear_error();
  }
  if (error)
    errs() << "cufort: error: cannot write '" << job.output
           << "': " << error.message() << "\n";
  return !error;
}

} // namespace cufort
