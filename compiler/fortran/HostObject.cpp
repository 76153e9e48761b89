//===- HostObject.cpp - host LLVM IR to a file ----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/HostObject.h"
#include "compiler/common/OptimisationLevel.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace cufort {

void optimiseHostCode(Module &host, TargetMachine &machine, unsigned level) {
  host.setTargetTriple(machine.getTargetTriple());
  host.setDataLayout(machine.createDataLayout());
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
    errs() << "cufort: error: the target cannot write this kind of file\n";
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
