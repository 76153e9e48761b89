//===- GpuCode.cpp - PTX and cubins as output -----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/toolchain/GpuCode.h"
#include "compiler/driver/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace cufort::driver;
using llvm::StringRef;

/// The PTX at \p stem and its architecture; the path is empty after a
/// diagnostic.
static std::pair<std::string, std::string> findPtx(StringRef option,
                                                   StringRef stem) {
  std::pair<std::string, std::string> found;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator
           at(llvm::sys::path::parent_path(stem), code),
       end;
       at != end && !code; at.increment(code)) {
    StringRef path = at->path(), name = path;
    if (!name.consume_front(stem) || !name.consume_front(".") ||
        !name.consume_back(".ptx"))
      continue;
    if (!found.first.empty()) {
      error("'" + option +
            "' writes code for one architecture: name it with '-arch=" + name +
            "' or the like");
      return {};
    }
    found = {path.str(), name.str()};
  }
  if (found.first.empty())
    error("'" + option + "': the sources have no device code");
  return found;
}

/// NVIDIA's assembler; empty: there is none.
static std::string findAssembler(const CommandLine &line) {
  if (!line.cudaPath.empty()) {
    std::string path = line.cudaPath + "/bin/ptxas";
    if (llvm::sys::fs::can_execute(path))
      return path;
  }
  auto path = llvm::sys::findProgramByName("ptxas");
  return path ? *path : "";
}

bool cufort::driver::writeGpuCode(const CommandLine &line, StringRef stem,
                                  const std::string &output) {
  const bool isCubin = line.gpuCode == GpuCode::Cubin;
  auto [ptx, architecture] = findPtx(isCubin ? "-cubin" : "-ptx", stem);
  if (ptx.empty())
    return false;
  if (!isCubin && output == "-") {
    auto text = llvm::MemoryBuffer::getFile(ptx);
    if (!text)
      return error("cannot read '" + ptx + "': " + text.getError().message());
    llvm::outs() << (*text)->getBuffer();
    return true;
  }
  if (!isCubin) {
    if (std::error_code code = llvm::sys::fs::copy_file(ptx, output))
      return error("cannot write '" + output + "': " + code.message());
    return true;
  }
  std::string assembler = findAssembler(line);
  if (assembler.empty())
    return error("'-cubin' needs NVIDIA's assembler, but there is no 'ptxas' "
                 "in PATH or in a folder named by '--cuda-path='; '-ptx' "
                 "writes PTX, which a GPU's driver assembles itself");
  std::string problem, option = "-arch=" + architecture;
  int status = llvm::sys::ExecuteAndWait(
      assembler, {assembler, option, "-o", output, ptx}, std::nullopt, {},
      /*SecondsToWait=*/0, /*MemoryLimit=*/0, &problem);
  if (status)
    return error("'" + assembler + "' did not make a cubin for " +
                 architecture +
                 (problem.empty() ? std::string() : ": " + problem));
  return true;
}
