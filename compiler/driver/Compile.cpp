//===- Compile.cpp - one source file to one output ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/Compile.h"
#include "compiler/driver/Dependencies.h"
#include "compiler/driver/Diagnostics.h"
#include "compiler/driver/toolchain/HostToolchain.h"
#include "compiler/fortran/CompileFortran.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Path.h"

using namespace cufort;
using namespace cufort::driver;
using llvm::StringRef;

static FortranJob::Output outputOf(const CommandLine &line) {
  switch (line.action) {
  case Action::Link:
    return FortranJob::Object;
  case Action::Object:
    return line.emitLlvm ? FortranJob::Bitcode : FortranJob::Object;
  case Action::Assembly:
    return line.emitLlvm ? FortranJob::LlvmIr : FortranJob::Assembly;
  case Action::Preprocess:
    return FortranJob::Preprocessed;
  case Action::Dependencies: // not of Fortran
  case Action::CheckSyntax:
    return FortranJob::SyntaxOnly;
  case Action::ModuleDependencies:
    return FortranJob::ModuleScan;
  }
  llvm_unreachable("an action that compiles nothing");
}

static StringRef actionFlag(FortranJob::Output kind) {
  switch (kind) {
  case FortranJob::Object:
    return "-emit-obj";
  case FortranJob::Assembly:
    return "-S";
  case FortranJob::LlvmIr:
    return "-emit-llvm";
  case FortranJob::Bitcode:
    return "-emit-llvm-bc";
  case FortranJob::Preprocessed:
    return "-E";
  case FortranJob::SyntaxOnly:
    return "-fsyntax-only";
  case FortranJob::ModuleScan:
    return "--module-dependencies";
  }
  llvm_unreachable("an output of which nobody knows");
}

std::string cufort::driver::inOutputFolder(const CommandLine &line,
                                           StringRef name) {
  llvm::SmallString<256> place(line.outputFolder);
  llvm::sys::path::append(place, name);
  return place.str().str();
}

std::string cufort::driver::defaultOutput(const CommandLine &line,
                                          const Source &source) {
  StringRef stem = llvm::sys::path::stem(source.path);
  if (line.action == Action::Dependencies)
    return "-";
  switch (outputOf(line)) {
  case FortranJob::Object:
    return inOutputFolder(line, (stem + ".o").str());
  case FortranJob::Assembly:
    return inOutputFolder(line, (stem + ".s").str());
  case FortranJob::LlvmIr:
    return inOutputFolder(line, (stem + ".ll").str());
  case FortranJob::Bitcode:
    return inOutputFolder(line, (stem + ".bc").str());
  case FortranJob::Preprocessed:
    return "-";
  case FortranJob::SyntaxOnly:
  case FortranJob::ModuleScan:
    return "";
  }
  llvm_unreachable("an output of which nobody knows");
}

std::string cufort::driver::saveTempsStem(const CommandLine &line,
                                          StringRef source) {
  if (!line.saveTemps)
    return "";
  llvm::SmallString<256> stem;
  if (line.saveTempsBesideOutput)
    stem = llvm::sys::path::parent_path(line.output);
  llvm::sys::path::append(stem, llvm::sys::path::stem(source));
  return stem.str().str();
}

bool cufort::driver::compileSource(const CommandLine &line,
                                   const Source &source,
                                   const std::string &output, Phases &phases) {
  if (source.language != Source::Fortran)
    return compileClang(line, source, output, phases);
  auto arguments = planFrontend(line, source);
  if (!arguments)
    return error(arguments.takeError());

  FortranJob job;
  job.input = source.path;
  job.output = output;
  job.kind = outputOf(line);
  job.optLevel = line.optLevel;
  job.frontendArgs = std::move(*arguments);
  job.saveTempsStem = saveTempsStem(line, source.path);
  job.listKernelLoops = line.listKernels;
  job.managedAllocatables = line.device.managedAllocatables;
  job.check = line.check;
  job.debugDevice = line.device.debug || (line.debugInfo && line.optLevel == 0);
  job.describeDevice = line.device.debug || line.debugInfo;
  job.passes = line.passes;

  if (line.verbose || line.dryRun) {
    std::vector<std::string> shown = job.frontendArgs;
    shown.insert(shown.begin(), {"-fc1", actionFlag(job.kind).str()});
    if (!job.output.empty())
      shown.insert(shown.end(), {"-o", job.output});
    shown.push_back(job.input);
    showStep(line, "cufort", shown);
  }
  if (line.dryRun)
    return true;

  SourceModules modules;
  const bool writesRule =
      line.dependencies.wanted && job.kind != FortranJob::Preprocessed;
  if (writesRule)
    job.modules = &modules;
  phases.begin("compile " + source.path);
  bool compiled = compileFortran(job, line.program.c_str());
  phases.end();
  return compiled && (!writesRule || writeDependencies(line, source, modules));
}
