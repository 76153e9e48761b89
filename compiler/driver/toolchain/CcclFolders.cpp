//===- CcclFolders.cpp - where Thrust, CUB and libcu++ are ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/toolchain/CcclFolders.h"
#include "compiler/driver/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"

using namespace cufort::driver;

static constexpr char Variable[] = "CUFORT_CCCL_PATH";

llvm::Expected<std::vector<std::string>>
cufort::driver::ccclFolders(const CommandLine &line) {
  using Folders = std::vector<std::string>;
  auto hasThrust = [](const std::string &folder) {
    return llvm::sys::fs::exists(folder + "/thrust/version.h");
  };
  std::string path = line.ccclPath;
  std::string source = "--cccl-path=";
  if (path.empty()) {
    path = llvm::sys::Process::GetEnv(Variable).value_or("");
    source = std::string(Variable) + "=";
  }
  if (path.empty()) {
    // From CUDA 13 on a toolkit has them in a folder of their own.
    const std::string ofToolkit = line.cudaPath + "/include/cccl";
    if (!line.cudaPath.empty() && llvm::sys::fs::is_directory(ofToolkit))
      return Folders{ofToolkit};
    return Folders();
  }
  // The libraries' repository, a toolkit or its like, or the headers alone.
  if (hasThrust(path + "/thrust"))
    return Folders{path + "/thrust", path + "/cub",
                   path + "/libcudacxx/include"};
  for (const char *below : {"/include/cccl", "/include", ""})
    if (hasThrust(path + below))
      return Folders{path + below};
  return failure("there is no thrust/version.h in '" + path + "' (" + source +
                 "), nor in its folders 'thrust', 'include' and "
                 "'include/cccl'");
}
