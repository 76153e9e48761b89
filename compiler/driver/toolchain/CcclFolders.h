//===- CcclFolders.h - where Thrust, CUB and libcu++ are --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_TOOLCHAIN_CCCLFOLDERS_H
#define CUFORT_COMPILER_DRIVER_TOOLCHAIN_CCCLFOLDERS_H

#include "compiler/driver/options/CommandLine.h"

namespace cufort::driver {

/// The folders of headers of the CUDA C++ Core Libraries that the command line
/// or the environment names (--cccl-path=, CUFORT_CCCL_PATH), or that a toolkit
/// has in a folder of their own: they go before ours, as the libraries use
/// libcu++'s innermost parts. None: Thrust and CUB are the system's, if there
/// are any. An error where there is no Thrust in a folder that is named.
llvm::Expected<std::vector<std::string>> ccclFolders(const CommandLine &line);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_TOOLCHAIN_CCCLFOLDERS_H
