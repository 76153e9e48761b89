//===- cufort-opt.cpp - runs single passes on text ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cufort-opt -passes=cpu-flatten,cpu-host-functions,cpu-inline FILE.ll prints
// the module after the named passes of compiler/cpu, in the order given;
// -passes=cpu runs them all, and a leading "..." as in -passes=...cpu-private
// runs them up to that one. -passes=gpu-addressing runs passes of compiler/gpu,
// but those of the code generator.
//
//===----------------------------------------------------------------------===//

#include "compiler/common/PassRunner.h"
#include "compiler/cpu/Pipeline.h"
#include "compiler/gpu/Pipeline.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace cufort;

static cl::OptionCategory category("cufort-opt");
static cl::opt<std::string> input(cl::Positional, cl::desc("<input>"),
                                  cl::init("-"), cl::cat(category));
static cl::list<std::string>
    passes("passes", cl::CommaSeparated, cl::cat(category),
           cl::desc("passes of compiler/cpu and compiler/gpu, in this order; "
                    "'cpu': all of the first; "
                    "'...NAME': all up to NAME"));
static cl::opt<unsigned> architecture("gpu-arch", cl::init(70),
                                      cl::desc("GpuOptions::architecture"),
                                      cl::cat(category));
static cl::opt<unsigned> optLevel("cpu-opt-level", cl::init(2),
                                  cl::desc("CpuOptions::optLevel"),
                                  cl::cat(category));
static cl::opt<unsigned> levels("cpu-levels", cl::init(7),
                                cl::desc("CpuOptions::levels"),
                                cl::cat(category));
static cl::opt<std::string> processor("cpu-processor",
                                      cl::desc("CpuOptions::processor"),
                                      cl::cat(category));
static cl::opt<bool> fastMath("cpu-fast-math", cl::desc("CpuOptions::fastMath"),
                              cl::cat(category));
static cl::opt<bool> countOperations("cpu-count",
                                     cl::desc("CpuOptions::countOperations"),
                                     cl::cat(category));
static cl::opt<bool> check("cpu-check",
                           cl::desc("CpuOptions::check, all of it"),
                           cl::cat(category));
static cl::opt<bool> debug("cpu-debug", cl::desc("CpuOptions::debug"),
                           cl::cat(category));
static cl::opt<bool> describe("cpu-describe", cl::desc("CpuOptions::describe"),
                              cl::cat(category));
static cl::opt<bool> noContract("cpu-no-contract",
                                cl::desc("no CpuOptions::contract"),
                                cl::cat(category));
static cl::opt<std::string> disablePass("cpu-disable-pass",
                                        cl::desc("CpuOptions::disablePass"),
                                        cl::cat(category));
static cl::opt<std::string>
    deviceFolder("device-folder", cl::desc("the folder of the device bitcode"),
                 cl::cat(category));
static cl::opt<bool> noThreadEntries("cpu-no-thread-entries",
                                     cl::desc("no CpuOptions::threadEntries"),
                                     cl::cat(category));
static cl::opt<bool> verbose("cpu-verbose", cl::desc("time the passes"),
                             cl::cat(category));
static cl::opt<std::string> printAfter("cpu-print-after",
                                       cl::desc("CpuOptions::printAfter"),
                                       cl::cat(category));

/// Runs \p pass alone, for the GPU that is compiled for by default.
static Error runGpuPass(const gpu::GpuPass &pass, Module &module) {
  GpuOptions options;
  options.deviceFolder = deviceFolder;
  options.architecture = architecture;
  auto machine = createGpuTarget(module, options);
  if (!machine)
    return machine.takeError();
  module.setDataLayout((*machine)->createDataLayout());
  return gpu::GpuPipeline(options, **machine).runAlone(pass, module);
}

static Error runNamed(StringRef name, Module &module,
                      const CpuOptions &options) {
  for (const gpu::GpuPass &pass : gpu::gpuPasses())
    if (pass.name == name)
      return runGpuPass(pass, module);
  bool upTo = name.consume_front("...");
  for (const cpu::CpuPass &pass : cpu::cpuPasses()) {
    if (upTo || name == "cpu" || pass.name == name)
      if (Error error = cpu::runCpuPass(pass, module, options))
        return error;
    if (pass.name == name)
      return Error::success();
  }
  if (name == "cpu")
    return Error::success();
  return createStringError(inconvertibleErrorCode(),
                           Twine("there is no pass '") + name + "'");
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "runs passes of compiler/cpu and compiler/gpu\n");
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  CpuOptions options;
  options.optLevel = optLevel;
  options.levels = levels;
  options.processor = processor;
  options.fastMath = fastMath;
  options.countOperations = countOperations;
  if (check)
    options.check = {true, true, false, true, true};
  options.contract = !noContract;
  options.passes.disable = disablePass;
  options.deviceFolder = deviceFolder;
  options.threadEntries = !noThreadEntries;
  options.debug = debug;
  options.describe = debug || describe;
  options.passes.times = verbose;
  options.passes.printAfter = printAfter;

  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseIRFile(input, diagnostic, context);
  if (!module) {
    diagnostic.print("cufort-opt", errs());
    return 1;
  }
  for (const std::string &name : passes)
    if (Error error = runNamed(name, *module, options)) {
      errs() << "cufort-opt: error: " << toString(std::move(error)) << '\n';
      return 1;
    }
  outs() << *module;
  return 0;
}
