//===- KernelReport.cpp - -Minfo=accel and -gpu=ptxinfo -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/link/KernelReport.h"
#include "compiler/common/SymbolName.h"
#include "compiler/link/KernelLayout.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
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
  // An assembler may be too new for the PTX's own architecture; the registers
  // of a newer one are then what it can tell.
  for (unsigned architecture : {ptx.architecture, 80u, 90u, 100u}) {
    if (architecture < ptx.architecture)
      continue;
    std::string option = "-arch=sm_" + std::to_string(architecture);
    SmallString<128> messages;
    if (sys::fs::createTemporaryFile("cufort", "txt", messages))
      return;
    FileRemover removeMessages(messages);
    int status = sys::ExecuteAndWait(
        *assembler, {*assembler, "-v", option, "-o", "/dev/null", file},
        std::nullopt, {std::nullopt, StringRef(messages), StringRef(messages)});
    auto text = MemoryBuffer::getFile(messages);
    if (status || !text)
      continue;
    errs() << (*text)->getBuffer();
    return;
  }
  errs() << "registers: '" << *assembler << "' does not take the PTX for sm_"
         << ptx.architecture << '\n';
}

/// One line per stretch between barriers, in nvfortran's form.
static void reportNotes(ArrayRef<VectorNote> notes, StringRef file,
                        const Twine &forBlocks) {
  for (const VectorNote &note : notes) {
    errs() << "     ";
    if (note.line && note.file != file)
      errs() << note.file << ':';
    if (note.line)
      errs() << note.line << ", ";
    errs() << forBlocks;
    if (note.width)
      errs() << "vectorised over threads, width " << note.width << '\n';
    else
      errs() << "not vectorised over threads: " << note.reason << '\n';
  }
}

static void reportVectors(const CpuKernel &kernel, StringRef file) {
  if (!kernel.whyOnFibers.empty())
    errs() << "     on the CPU a fiber for each thread, which is slower: "
           << kernel.whyOnFibers << '\n';
  else if (kernel.hasUnknownShape)
    errs() << "     block shape not known at a launch: values that outlive a "
              "barrier stay in memory on the CPU\n";
  reportNotes(kernel.notes, file, "");
  for (const CpuVariant &variant : kernel.variants) {
    auto [x, y, z] = variant.shape;
    if (variant.notes != kernel.notes)
      reportNotes(variant.notes, file,
                  "for blocks of " + Twine(x) + "x" + Twine(y) + "x" +
                      Twine(z) + ": ");
  }
}

void cufort::reportKernels(const Module &device, const CpuCode &cpu,
                           const std::vector<PtxCode> &ptx, bool resources) {
  for (const Function &function : device) {
    if (!isKernel(function))
      continue;
    StringRef file;
    if (const DISubprogram *place = function.getSubprogram()) {
      file = place->getFilename();
      errs() << file << ":" << place->getLine() << ": ";
    }
    errs() << "kernel '" << userName(function.getName()) << "'";
    if (resources)
      reportResources(function);
    errs() << '\n';
    for (const CpuKernel &kernel : cpu.kernels)
      if (kernel.name == function.getName())
        reportVectors(kernel, file);
  }
  if (resources)
    for (const PtxCode &each : ptx)
      askAssembler(each);
}
