//===- CompileClang.cpp - one C, C++ or CUDA C++ source to one output -----===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cuda/CompileCuda.h"
#include "compiler/driver/Compile.h"
#include "compiler/driver/Diagnostics.h"
#include "compiler/driver/toolchain/HostToolchain.h"
#include "llvm/Support/ErrorHandling.h"

using namespace cufort;
using namespace cufort::driver;

static CudaJob::Output outputOf(const CommandLine &line) {
  switch (line.action) {
  case Action::Link:
    return CudaJob::Object;
  case Action::Object:
    return line.emitLlvm ? CudaJob::Bitcode : CudaJob::Object;
  case Action::Assembly:
    return line.emitLlvm ? CudaJob::LlvmIr : CudaJob::Assembly;
  case Action::Preprocess:
    return CudaJob::Preprocessed;
  case Action::Dependencies:
    return CudaJob::Dependencies;
  case Action::ModuleDependencies: // of Fortran alone
  case Action::CheckSyntax:
    return CudaJob::SyntaxOnly;
  }
  llvm_unreachable("an action that compiles nothing");
}

/// Shows one of Clang's runs (-v, -###).
static void show(const CommandLine &line, std::vector<std::string> arguments,
                 const CudaJob &job) {
  arguments.insert(arguments.begin(), "-cc1");
  if (!job.output.empty())
    arguments.insert(arguments.end(), {"-o", job.output});
  arguments.push_back(job.input);
  showStep(line, "cufort", arguments);
}

/// -M writes what -MD does, alone.
static CommandLine asDependencies(const CommandLine &line,
                                  const std::string &output) {
  CommandLine with = line;
  with.forwardedToClang.push_back(line.systemHeaders ? "-MD" : "-MMD");
  if (llvm::none_of(line.forwardedToClang, [](llvm::StringRef each) {
        return each.starts_with("-MF");
      }))
    with.forwardedToClang.insert(with.forwardedToClang.end(), {"-MF", output});
  with.action = Action::Object;
  with.output.clear();
  return with;
}

bool cufort::driver::compileClang(const CommandLine &line, const Source &source,
                                  const std::string &output, Phases &phases) {
  const CommandLine planned =
      line.action == Action::Dependencies ? asDependencies(line, output) : line;
  // Files of dependencies are called after the output's final name. Of what is
  // linked at once the object is a temporary file, whose name would be part of
  // what Clang calls the file's own variables: no two programs were the same.
  const bool writesDependencies =
      llvm::any_of(line.forwardedToClang,
                   [](llvm::StringRef each) { return each.starts_with("-M"); });
  std::string name = writesDependencies ? output : "";
  if (line.action != Action::Link)
    name = planned.output.empty() ? defaultOutput(planned, source)
                                  : planned.output;
  auto plan = planClang(planned, source, name);
  if (!plan)
    return error(plan.takeError());
  CudaJob job;
  job.input = source.path;
  job.output = output;
  job.kind = outputOf(line);
  job.hostArguments = std::move(plan->host);
  job.deviceArguments = std::move(plan->device);
  job.sharesVariables = line.sharesVariables;
  job.check = line.check;
  job.namesArchitecture = !line.device.architectures.empty();
  job.saveTempsStem = saveTempsStem(line, source.path);
  if (line.verbose || line.dryRun) {
    if (!job.deviceArguments.empty())
      show(line, job.deviceArguments, job);
    show(line, job.hostArguments, job);
  }
  if (line.dryRun)
    return true;
  phases.begin("compile " + source.path);
  bool compiled = compileCuda(job, line.program.c_str());
  phases.end();
  return compiled;
}
