//===- HostToolchain.h - what Clang's driver knows of the host --*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang's driver library, in the mode in which `flang` uses it, knows how the
// front end and the linker of this host are called: processor features,
// relocation model, start files, library folders. We let it plan the job and
// take the arguments from its plan; nothing here names a path of the system.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_TOOLCHAIN_HOSTTOOLCHAIN_H
#define CUFORT_COMPILER_DRIVER_TOOLCHAIN_HOSTTOOLCHAIN_H

#include "compiler/driver/options/CommandLine.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cufort::driver {

/// A program to run and its arguments (without the program's own name).
struct ToolCommand {
  std::string executable;
  std::vector<std::string> arguments;
};

/// The folder of LLVM's programs (`flang`, `clang`, `ld.lld`) that belong to
/// the libraries this compiler is linked with; empty if there is none.
std::string llvmProgramFolder();

/// The folders of our own tree, relative to the running executable: the
/// executable's own folder and its siblings lib/ and include/.
std::string ownFolder(llvm::StringRef name);

/// The arguments with which `flang -fc1` would compile \p source: without the
/// action, the input and the output.
llvm::Expected<std::vector<std::string>> planFrontend(const CommandLine &line,
                                                      const Source &source);

/// The arguments with which `clang -cc1` would compile \p source, C, C++ or
/// CUDA C++: without the action, the input and the output.
struct ClangPlan {
  std::vector<std::string> host;
  std::vector<std::string> device; ///< of CUDA C++ only
};
llvm::Expected<ClangPlan> planClang(const CommandLine &line,
                                    const Source &source,
                                    const std::string &output);

/// The linker's command line for \p inputs (objects, libraries and linker
/// options, in order) and the output file \p output.
llvm::Expected<ToolCommand> planLink(const CommandLine &line,
                                     llvm::ArrayRef<std::string> inputs,
                                     llvm::StringRef output);

/// The libdevice bitcode of the CUDA toolkit that Clang finds; empty: there is
/// none.
std::string findLibdevice(const CommandLine &line);

/// Prints an answer to each of CommandLine::questions, a line for each (two for
/// -print-search-dirs), on standard output.
void printAnswers(const CommandLine &line);

/// The triple of the machine that compiled programs run on.
std::string hostTriple();

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_TOOLCHAIN_HOSTTOOLCHAIN_H
