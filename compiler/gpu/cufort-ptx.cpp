//===- cufort-ptx.cpp - device LLVM IR to PTX, on text --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For tests: cufort-ptx [options] FILE.ll prints the PTX that compileForGpu
// makes of the file.
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/CompileForGpu.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

static cl::OptionCategory category("cufort-ptx");
static cl::opt<std::string> input(cl::Positional, cl::init("-"),
                                  cl::cat(category));
static cl::opt<unsigned> architecture("arch", cl::init(70), cl::cat(category));
static cl::opt<bool> debug("debug", cl::cat(category));
static cl::opt<bool> fastMath("fast-math", cl::cat(category));
static cl::opt<bool> flush("flush", cl::cat(category));
static cl::opt<bool> noContract("no-contract", cl::cat(category));
static cl::opt<bool> lineInfo("line-info", cl::cat(category));
static cl::opt<unsigned> registers("max-registers", cl::cat(category));
static cl::opt<std::string> libdevice("libdevice", cl::cat(category));
static cl::opt<std::string> disablePass("disable-pass", cl::cat(category));
static cl::opt<std::string> printAfterPass("print-after-pass",
                                           cl::cat(category));
static cl::opt<bool> verifyMachine("verify-machine", cl::init(true),
                                   cl::cat(category));
static cl::opt<bool> timePasses("pass-times", cl::cat(category));
static cl::opt<std::string> deviceFolder("device-folder", cl::cat(category));

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "device LLVM IR to PTX\n");
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();

  cufort::GpuOptions options;
  options.architecture = architecture;
  options.optimise = !debug;
  options.fastMath = fastMath;
  options.flushDenormals = flush;
  options.contract = !noContract;
  options.lineInfo = lineInfo;
  options.maxRegisters = registers;
  options.libdevice = libdevice;
  options.deviceFolder = deviceFolder;
  options.passes.disable = disablePass;
  options.passes.printAfter = printAfterPass;
  options.passes.times = timePasses;
  options.passes.verifyMachineCode = verifyMachine;

  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseIRFile(input, diagnostic, context);
  if (!module) {
    diagnostic.print("cufort-ptx", errs());
    return 1;
  }
  auto ptx = cufort::compileForGpu(*module, options);
  if (!ptx) {
    errs() << "cufort-ptx: error: " << toString(ptx.takeError()) << '\n';
    return 1;
  }
  outs() << *ptx;
  return 0;
}
