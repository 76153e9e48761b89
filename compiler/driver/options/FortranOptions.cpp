//===- FortranOptions.cpp - options that concern Fortran alone ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/options/FortranOptions.h"
#include "compiler/driver/Diagnostics.h"
#include "compiler/driver/options/Options.h"
#include "flang/Support/Fortran-features.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "llvm/ADT/STLExtras.h"

using namespace cufort::driver;
using llvm::StringRef;
namespace opts = cufort::driver::options;

static bool applyOpenMP(CommandLine &line, const llvm::opt::Arg &arg) {
  line.forwarded.push_back("-fopenmp");
  for (StringRef value : arg.getValues()) {
    if (value == "gpu")
      return error("'-mp=gpu': OpenMP on the GPU is not supported yet");
    if (!llvm::is_contained({"multicore", "align", "noalign", "numa", "nonuma",
                             "allcores", "bind", "nobind", "autopar",
                             "noautopar", "ompt", "noompt"},
                            value))
      return error("unknown sub-option '" + value + "' of '-mp='");
  }
  return true;
}

/// Targets and ways to compile directives, of which there are none.
static bool applyOpenACC(CommandLine &line, const llvm::opt::Arg &arg) {
  if (!llvm::is_contained(line.forwarded, "-fopenacc"))
    line.forwarded.push_back("-fopenacc");
  for (StringRef value : arg.getValues())
    if (!llvm::is_contained({"gpu", "host", "multicore", "autopar", "noautopar",
                             "default-async", "legacy", "strict", "verystrict",
                             "sync", "nosync", "wait", "nowait", "routineseq",
                             "noroutineseq"},
                            value))
      return error("unknown sub-option '" + value + "' of '-acc='");
  return true;
}

/// "-ta=tesla:cc70,managed" says what -acc and -gpu=cc70,managed say.
static bool applyTarget(CommandLine &line, const llvm::opt::Arg &arg) {
  if (!llvm::is_contained(line.forwarded, "-fopenacc"))
    line.forwarded.push_back("-fopenacc");
  for (StringRef value : arg.getValues()) {
    auto [target, rest] = value.split(':');
    if (llvm::is_contained({"tesla", "nvidia", "host", "multicore"}, target))
      value = rest;
    if (!value.empty() && !applyDeviceOption("-ta=", value, line.device))
      return false;
  }
  return true;
}

static bool applyStandard(CommandLine &line, StringRef standard) {
  if (standard == "f2018") {
    line.forwarded.push_back("-std=f2018");
  } else if (llvm::is_contained({"f95", "f2003", "f2008", "f2023"}, standard)) {
    warning("'-std=" + standard +
            "' has no effect: Flang can only check for f2018");
  } else if (standard.starts_with("f")) {
    return error("'-std=" + standard + "': say 'f2018'");
  } else if (standard != "gnu" && standard != "legacy") {
    line.forwardedToClang.push_back(("-std=" + standard).str());
  }
  return true;
}

/// Flang ends at a warning it does not know; gfortran's are accepted. (Clang
/// gets them as well and says itself what it does not know.)
static bool applyWarning(CommandLine &line, StringRef name) {
  Fortran::common::LanguageFeatureControl flang;
  if (name == "error" || flang.EnableWarning(name.str()))
    line.forwarded.push_back(("-W" + name).str());
  else if (StringRef positive = name;
           positive.consume_front("no-"),
           !clang::DiagnosticIDs::getGroupForWarningOption(positive))
    line.fortranWarnings.push_back(
        ("'-W" + name + "' has no effect: Flang has no such warning").str());
  return true;
}

std::optional<bool>
cufort::driver::applyFortranOption(CommandLine &line,
                                   const llvm::opt::Arg &arg) {
  StringRef value = arg.getNumValues() ? arg.getValue() : "";
  switch (arg.getOption().getID()) {
  case opts::OPT_r8:
    line.forwarded.insert(line.forwarded.end(),
                          {"-fdefault-real-8", "-fdefault-double-8"});
    return true;
  case opts::OPT_ffixed_line_length_EQ:
    line.forwarded.push_back(("-ffixed-line-length=" + value).str());
    return true;
  case opts::OPT_Mallocatable_EQ:
    if (value != "95" && value != "03")
      return error("'-Mallocatable=" + value + "': say '95' or '03'");
    line.forwarded.push_back(value == "95" ? "-fno-realloc-lhs"
                                           : "-frealloc-lhs");
    return true;
  case opts::OPT_std_EQ:
    return applyStandard(line, value);
  case opts::OPT_W:
    return applyWarning(line, value);
  case opts::OPT_Werror_EQ: {
    // For Flang all warnings are errors or none.
    Fortran::common::LanguageFeatureControl flang;
    if (flang.EnableWarning(value.str()))
      line.forwarded.push_back(("-W" + value).str());
    return true;
  }
  case opts::OPT_acc:
  case opts::OPT_acc_EQ:
    return applyOpenACC(line, arg);
  case opts::OPT_ta_EQ:
    return applyTarget(line, arg);
  case opts::OPT_noacc:
    llvm::erase(line.forwarded, "-fopenacc");
    return true;
  case opts::OPT_mp_EQ:
    return applyOpenMP(line, arg);
  case opts::OPT_nomp:
    llvm::erase(line.forwarded, "-fopenmp");
    return true;
  default:
    return std::nullopt;
  }
}

void cufort::driver::sayFortranWarnings(const CommandLine &line) {
  if (llvm::any_of(line.sources, [](const Source &each) {
        return each.language == Source::Fortran;
      }))
    for (const std::string &each : line.fortranWarnings)
      warning(each);
}
