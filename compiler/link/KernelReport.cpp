//===- KernelReport.cpp - -Minfo=accel and -gpu=ptxinfo
//-----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/link/KernelReport.h"
#include "compiler/link/KernelLayout.h"
#include "compiler/link/SymbolName.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace cufort;

static void reportResources(const Function &kernel) {
  KernelLayout layout = layoutOf(kernel);
  errs() << ", " << layout.parameters.size() << " parameters ("
         << layout.parameterBytes << " bytes), " << layout.staticSharedBytes
         << " bytes static shared memory";
  if (layout.maxThreadsPerBlock)
    errs() << ", at most " << layout.maxThreadsPerBlock << " threads per block";
}

/// Registers are known only to the assembler, which is NVIDIA's.
static void askAssembler(const PtxCode &ptx) {
  ErrorOr<std::string> assembler = sys::findProgramByName("ptxas");
  if (!assembler) {
    errs() << "registers: known only to the GPU's driver (no ptxas in PATH)\n";
    return;
  }
  SmallString<128> file;
  int descriptor = -1;
  if (sys::fs::createTemporaryFile("cufort", "ptx", descriptor, file))
    return;
  FileRemover remover(file);
  raw_fd_ostream(descriptor, /*shouldClose=*/true) << ptx.text;
  std::string architecture = "-arch=sm_" + std::to_string(ptx.architecture);
  std::string problem;
  if (sys::ExecuteAndWait(
          *assembler, {*assembler, "-v", architecture, "-o", "/dev/null", file},
          std::nullopt, {}, 0, 0, &problem))
    errs() << "registers: '" << *assembler << "' does not take sm_"
           << ptx.architecture << '\n';
}

void cufort::reportKernels(const Module &device,
                           const std::vector<PtxCode> &ptx, bool resources) {
  for (const Function &function : device) {
    if (!isKernel(function))
      continue;
    if (const DISubprogram *place = function.getSubprogram())
      errs() << place->getFilename() << ":" << place->getLine() << ": ";
    errs() << "kernel '" << userName(function.getName()) << "'";
    if (resources)
      reportResources(function);
    errs() << '\n';
  }
  if (resources)
    for (const PtxCode &each : ptx)
      askAssembler(each);
}
