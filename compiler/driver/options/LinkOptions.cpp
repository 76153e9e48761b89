//===- LinkOptions.cpp - options for the linker ---------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/options/LinkOptions.h"
#include "compiler/driver/options/NvccOptions.h"
#include "compiler/driver/options/Options.h"

using namespace cufort::driver;
using namespace llvm::opt;
using llvm::StringRef;
namespace opts = cufort::driver::options;

/// Words for the linker, in their place among the files.
static void addArgument(CommandLine &line, std::vector<std::string> words) {
  line.linkInputs.push_back({LinkInput::Argument, 0, std::move(words)});
}

static void addLibrary(CommandLine &line, StringRef name) {
  line.exportsDevice |= name == "cuda";
  if (isOwnLibrary(name))
    return;
  // Makefiles for nvcc name the host compiler's OpenMP, g++'s. Clang's code
  // calls LLVM's, which has that one's functions, too.
  if (name == "gomp")
    addArgument(line, {"-lomp", "-Wl,--push-state,--as-needed", "-lgomp",
                       "-Wl,--pop-state"});
  else
    addArgument(line, {("-l" + name).str()});
}

bool cufort::driver::applyLinkOption(CommandLine &line, const Arg &arg,
                                     const ArgList &args) {
  switch (arg.getOption().getID()) {
  case opts::OPT_l:
    addLibrary(line, arg.getValue());
    return true;
  case opts::OPT_Wl_COMMA:
  case opts::OPT_Xlinker: {
    ArgStringList rendered;
    arg.render(args, rendered);
    addArgument(line, {rendered.begin(), rendered.end()});
    return true;
  }
  case opts::OPT_soname:
    addArgument(line, {"-Wl,-soname", std::string("-Wl,") + arg.getValue()});
    return true;
  case opts::OPT_linker_whole_archive:
  case opts::OPT_linker_no_whole_archive:
  case opts::OPT_linker_export_dynamic:
    addArgument(line, {("-Wl,--" + arg.getOption().getName()).str()});
    return true;
  case opts::OPT_R:
    line.forwarded.insert(line.forwarded.end(), {"-rpath", arg.getValue()});
    return true;
  case opts::OPT_cxxlibs:
    addArgument(line, {"-lstdc++"});
    return true;
  case opts::OPT_s:
    addArgument(line, {"-Wl,-s"});
    return true;
  default:
    return false;
  }
}
