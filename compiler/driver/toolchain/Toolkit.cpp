//===- Toolkit.cpp - cufort as a CUDA toolkit -----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/toolchain/Toolkit.h"
#include "compiler/driver/toolchain/HostToolchain.h"
#include "compiler/gpu/CompileForGpu.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace cufort;
using namespace cufort::driver;

void cufort::driver::printToolkitVersion(bool isNvcc) {
  llvm::outs() << (isNvcc ? "" : "Options as of ")
               << "nvcc: NVIDIA (R) Cuda compiler driver\n"
                  "Cuda compilation tools, release 13.0, V13.0.0\n";
}

void cufort::driver::listArchitectures(const CommandLine &line) {
  // Those for which LLVM writes PTX and the runtime has what it needs.
  for (unsigned architecture :
       {70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121})
    llvm::outs() << line.architectureList << architecture << '\n';
}

void cufort::driver::showToolkit(const CommandLine &line) {
  const std::string top = ownFolder("lib") + "/cufort/toolkit";
  const std::string libraries = "\"-L" + top + "/lib64\"";
  llvm::raw_ostream &out = llvm::errs();
  out << "#$ TOP=" << top << "\n#$ NVVMIR_LIBRARY_DIR=" << top
      << "/nvvm/libdevice\n#$ PATH=" << ownFolder("bin") << "\n#$ INCLUDES=\"-I"
      << top << "/include\"\n#$ LIBRARIES=" << libraries << '\n';
  if (line.action != Action::Link)
    return;
  unsigned architecture = GpuOptions().architecture;
  if (!line.device.architectures.empty())
    architecture = *llvm::min_element(line.device.architectures);
  out << ' ' << ownFolder("bin") << "/cufort -arch compute_" << architecture
      << " -o " << (line.output.empty() ? "a.out" : line.output) << ' '
      << libraries << '\n';
}
