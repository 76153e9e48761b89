//===- CommandLine.h - the command line, understood -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_OPTIONS_COMMANDLINE_H
#define CUFORT_COMPILER_DRIVER_OPTIONS_COMMANDLINE_H

#include "compiler/common/CheckOptions.h"
#include "compiler/common/PassRunner.h"
#include "compiler/driver/options/DeviceOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cufort::driver {

/// A source file.
struct Source {
  enum Language { Fortran, CudaCxx, Cxx, C } language = Fortran;
  std::string path;
  bool cuda = false; ///< CUDA Fortran
  bool preprocess = false;
  bool fixedForm = false;
};

/// Something of the command line that the linker gets, in its place.
struct LinkInput {
  enum Kind {
    SourceFile, ///< the object compiled from sources[index]
    Argument,   ///< an object, a library, or a linker option, in text
  } kind;
  size_t index = 0;
  std::vector<std::string> text;
};

/// Device code as the only output: -ptx, -cubin.
enum class GpuCode { None, Ptx, Cubin };

enum class Action {
  Link,
  Object,
  Assembly,
  Preprocess,
  Dependencies,       ///< -M, -MM
  ModuleDependencies, ///< --module-dependencies
  CheckSyntax
};

/// -MD, -MMD and what goes with them, for Fortran.
struct DependencyOptions {
  bool wanted = false;
  bool system = false;              ///< -MD: files of the system, too
  bool phony = false;               ///< -MP
  std::string file;                 ///< -MF; empty: by the object's name
  std::vector<std::string> targets; ///< -MT, -MQ, as make reads them
};

/// Everything the user asked for.
struct CommandLine {
  enum Subcommand { Compile, Run, Info, View } subcommand = Compile;
  Action action = Action::Link;
  bool emitLlvm = false;
  std::string output;       ///< empty: chosen by the action
  std::string outputFolder; ///< -odir: where what the action chooses lies
  std::vector<Source> sources;
  std::vector<LinkInput> linkInputs;
  std::vector<std::string> programArguments; ///< of `cufort run`, `view`

  bool systemHeaders = false; ///< -M, not -MM
  DependencyOptions dependencies;
  unsigned jobs = 0; ///< -j; 0: one after the other, in the order given

  /// Options that go to Flang's driver as they stand.
  std::vector<std::string> forwarded;
  /// The same for Clang's, for C, C++ and CUDA C++.
  std::vector<std::string> forwardedToClang;
  /// What is said of options only where a source is Fortran.
  std::vector<std::string> fortranWarnings;
  unsigned optLevel = 2; ///< of the host code, 0 to 3
  std::string processor; ///< -march=; empty: none given
  bool debugInfo = false;
  std::string moduleFolder;

  DeviceOptions device;
  CheckOptions check;
  bool countOperations = false; ///< --count-operations
  std::string libdevice;        ///< empty: looked for; "none": libclc
  std::string cudaPath;
  std::string ccclPath; ///< of Thrust, CUB and libcu++
  PassOptions passes;   ///< --disable-pass=, --print-after=, --time-passes
  bool gpuPassesForCpu = false;
  bool listKernels = false; ///< -Minfo=accel

  bool shared = false;
  bool module = false; ///< -fatbin: device code alone, to be loaded
  GpuCode gpuCode = GpuCode::None;
  bool deviceLink = false;      ///< -dlink: the image alone, for another linker
  bool wholeFiles = false;      ///< -rdc=false: each .cu for itself
  bool linksDevice = false;     ///< -dc, -rdc=true: said, not the default
  bool sharesVariables = false; ///< -rdc=true: variables of one name are one
  bool library = false;         ///< -lib: the objects in an archive
  bool exportsDevice = false;   ///< -lcuda: the program loads modules
  bool staticProgram = false;

  std::string cacheFolder; ///< of device images; empty: none
  uint64_t cacheBytes = 0; ///< its size, at most

  bool verbose = false;
  bool dryRun = false; ///< -###
  bool isNvcc = false; ///< called by nvcc's name
  bool timing = false;
  bool saveTemps = false;
  bool saveTempsBesideOutput = false;
  bool help = false;
  bool helpPasses = false;
  bool version = false;
  bool versionFirst = false; ///< -V of nvfortran, beside files
  /// What build systems ask: an option's name ("print-file-name=") and value.
  std::vector<std::pair<std::string, std::string>> questions;
  /// "sm_" or "compute_": list the architectures under such names; or empty.
  std::string architectureList;

  /// The path by which this program was called.
  std::string program;
};

/// Reads the command line; nothing after diagnostics have been printed.
std::optional<CommandLine> readCommandLine(int argc, const char **argv);

/// The text of --help for the name of \p program, on standard output
/// (Options.cpp).
void printHelp(llvm::StringRef program);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_OPTIONS_COMMANDLINE_H
