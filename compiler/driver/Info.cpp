//===- Info.cpp - cufort info and --version -------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/Info.h"
#include "compiler/driver/Diagnostics.h"
#include "compiler/driver/Run.h"
#include "compiler/driver/options/Names.h"
#include "compiler/driver/toolchain/HostToolchain.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include <thread>

using namespace cufort;
using namespace cufort::driver;

static void printPart(llvm::StringRef name, llvm::StringRef place) {
  llvm::outs() << name << ": "
               << (llvm::sys::fs::exists(place) ? place
                                                : llvm::StringRef("missing"))
               << '\n';
}

int cufort::driver::printInfo(const CommandLine &line) {
  // The runtime knows the devices as programs will see them.
  std::string program = ownFolder("bin") + "/cufort-device-info";
  const bool present = llvm::sys::fs::can_execute(program);
  if (llvm::is_contained(line.programArguments, "--json")) {
    if (present)
      return runProgram(program, {"--json"}).status;
    error(program + " is missing");
    return 1;
  }
  printParts();
  printPart("Runtime library", ownFolder("lib") + "/libcufort.a");
  printPart("Modules", ownFolder("include") + "/flang");
  printPart("Device library", ownFolder("lib") + "/cufort/device");
  printPart("LLVM's programs", llvmProgramFolder());
  std::string libdevice = findLibdevice(line);
  llvm::outs() << "Device math: "
               << (libdevice.empty() ? "libclc (no CUDA toolkit found)"
                                     : libdevice)
               << "\n\n";
  if (!finishOutput())
    return 1;

  if (present) {
    ProgramEnd end = runProgram(program, {});
    return end.status;
  }
  llvm::outs() << "Processor: " << llvm::sys::getHostCPUName() << ", "
               << std::thread::hardware_concurrency() << " threads\n"
               << "GPUs: unknown, " << program << " is missing\n";
  return finishOutput() ? 0 : 1;
}
