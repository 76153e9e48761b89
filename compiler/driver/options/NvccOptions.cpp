//===- NvccOptions.cpp - what nvcc calls by other names -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/options/NvccOptions.h"
#include "compiler/driver/Diagnostics.h"
#include "compiler/driver/options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include <optional>
#include <utility>

using namespace cufort::driver;
using llvm::StringRef;
namespace opts = cufort::driver::options;

/// "sm_90", "compute_90", "lto_90" and the like. Makefiles name architectures
/// that are older than what we support beside those that matter; for them the
/// oldest supported one is taken.
static bool applyArchitecture(CommandLine &line, StringRef option,
                              StringRef value) {
  // The default PTX runs on all GPUs.
  if (value == "native" || value == "all" || value == "all-major")
    return true;
  // What the default PTX is for.
  constexpr unsigned Oldest = 70;
  StringRef digits = value;
  if (digits.consume_front("sm_") || digits.consume_front("compute_") ||
      digits.consume_front("lto_")) {
    unsigned number = 0;
    StringRef plain = digits.rtrim("af");
    if (!plain.getAsInteger(10, number) && number >= 10 && number < Oldest) {
      warning("'" + option + value + "': GPUs older than sm_" +
              llvm::Twine(Oldest) +
              " are not supported; code is generated for sm_" +
              llvm::Twine(Oldest));
      value = "sm_70";
    } else if (value.starts_with("lto_")) {
      return applyDeviceOption(option, ("sm_" + digits).str(), line.device);
    }
  }
  return applyDeviceOption(option, value, line.device);
}

/// "arch=compute_80,code=[sm_80,compute_80]"
static bool applyGenerateCode(CommandLine &line, StringRef value) {
  if (!value.consume_front("arch="))
    return error("'-gencode " + value +
                 "': say 'arch=compute_80,code=sm_80' or the like");
  return applyArchitecture(line, "-gencode arch=", value.split(',').first);
}

/// Options for the compiler of host code, which nvcc separates by commas.
static void applyCompilerOptions(CommandLine &line, StringRef values) {
  llvm::SmallVector<StringRef> list;
  // "-Wl,-rpath,..." is one option, quoted for nvcc with backslashes or not.
  if (values.starts_with("-Wl,") || values.starts_with("\"-Wl,")) {
    line.linkInputs.push_back(
        {LinkInput::Argument, 0, {values.trim('"').str()}});
    return;
  }
  llvm::SplitString(values, list, ", ");
  for (StringRef each : list) {
    each = each.trim("\"'");
    if (each == "-rdynamic" || each == "-pthread" || each == "-fopenmp" ||
        each == "-openmp")
      line.forwarded.push_back(each == "-openmp" ? "-fopenmp" : each.str());
    if (each == "-rdynamic")
      continue;
    line.forwardedToClang.push_back(each == "-openmp" ? "-fopenmp"
                                                      : each.str());
  }
}

static bool applyPtxasOptions(CommandLine &line, StringRef values) {
  llvm::SmallVector<StringRef> list;
  llvm::SplitString(values, list, ", ");
  for (StringRef each : list) {
    if (each == "-v" || each == "--verbose")
      line.device.ptxInfo = true;
    StringRef name = each;
    if (name.consume_front("-maxrregcount=") ||
        name.consume_front("--maxrregcount="))
      return applyDeviceOption("-Xptxas ", ("maxregcount:" + name).str(),
                               line.device);
  }
  return true;
}

static bool applyBoolean(CommandLine &line, StringRef option, StringRef value,
                         StringRef subOption) {
  if (value != "true" && value != "false")
    return error("'" + option + "=" + value + "': say 'true' or 'false'");
  return applyDeviceOption(
      option, ((value == "true" ? "" : "no") + subOption).str(), line.device);
}

bool cufort::driver::applyNvccOption(CommandLine &line,
                                     const llvm::opt::Arg &arg) {
  StringRef value = arg.getNumValues() ? arg.getValue() : "";
  switch (arg.getOption().getID()) {
  case opts::OPT_arch_EQ:
    return applyArchitecture(line, "-arch=", value);
  case opts::OPT_code_EQ: {
    // What PTX is made for has been said by -arch; a cubin is the driver's
    // work.
    return true;
  }
  case opts::OPT_gencode_EQ:
    return applyGenerateCode(line, value);
  case opts::OPT_Xcompiler_EQ:
    applyCompilerOptions(line, value);
    return true;
  case opts::OPT_Xptxas_EQ:
    return applyPtxasOptions(line, value);
  case opts::OPT_maxrregcount_EQ:
    return applyDeviceOption("-maxrregcount=", ("maxregcount:" + value).str(),
                             line.device);
  case opts::OPT_fmad_EQ:
    return applyBoolean(line, "-fmad", value, "fma");
  case opts::OPT_ftz_EQ:
    return applyBoolean(line, "-ftz", value, "flushz");
  case opts::OPT_default_stream_EQ:
    if (value == "per-thread")
      line.forwardedToClang.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    else if (value != "legacy" && value != "null")
      return error("'-default-stream=" + value +
                   "': say 'legacy', 'null' or 'per-thread'");
    return true;
  case opts::OPT_M:
  case opts::OPT_MM:
    line.action = Action::Dependencies;
    line.systemHeaders = arg.getOption().matches(opts::OPT_M);
    return true;
  case opts::OPT_output_directory:
    line.outputFolder = value;
    return true;
  case opts::OPT_run:
    line.subcommand = CommandLine::Run;
    return true;
  case opts::OPT_run_args:
    for (StringRef each : llvm::split(value, ','))
      line.programArguments.push_back(each.str());
    return true;
  case opts::OPT_rdc_EQ:
    if (value != "true" && value != "false")
      return error("'-rdc=' takes 'true' or 'false', not '" + value + "'");
    line.wholeFiles = value == "false";
    line.linksDevice = value == "true";
    line.sharesVariables = value == "true";
    return true;
  case opts::OPT_device_c:
  case opts::OPT_device_w:
    line.action = Action::Object;
    line.wholeFiles = arg.getOption().matches(opts::OPT_device_w);
    line.linksDevice = !line.wholeFiles;
    return true;
  case opts::OPT_dlink:
    line.deviceLink = true;
    return true;
  case opts::OPT_lib:
    line.library = true;
    return true;
  default:
    llvm_unreachable("an option of Options.td that nobody looks at");
  }
}

/// What -Werror may name in nvcc; Clang has other names.
static bool isNvccWarning(StringRef kind) {
  return llvm::is_contained({"all-warnings", "cross-execution-space-call",
                             "reorder", "default-stream-launch",
                             "missing-launch-bounds", "deprecated-declarations",
                             "ext-lambda-captures-this"},
                            kind);
}

/// Options that take several values, separated by commas, under their long
/// names and under those of other compilers.
static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral>
    ListOptions[] = {
        {"--include-path", "-I"},      {"--system-include", "-isystem"},
        {"--library-path", "-L"},      {"--library", "-l"},
        {"--pre-include", "-include"}, {"--define-macro", "-D"},
        {"--undefine-macro", "-U"},    {"--linker-options", "-Xlinker"}};

/// Takes an option of ListOptions from \p arguments at \p i apart: one option
/// for each value. A folder or file whose name has a comma stays whole, and so
/// does what -D and -U say, where macros with arguments have commas. False
/// where there is no such option.
static bool splitList(llvm::ArrayRef<const char *> arguments, size_t &i,
                      llvm::StringSaver &saver,
                      llvm::SmallVectorImpl<const char *> &rewritten) {
  StringRef option = arguments[i];
  const bool last = i + 1 == arguments.size();
  for (auto [longName, shortName] : ListOptions) {
    StringRef values = option;
    bool separate = false;
    const bool isMacro = shortName == "-D" || shortName == "-U";
    if (values.consume_front(longName)) {
      separate = values.empty();
      if (!separate && !values.consume_front("="))
        continue;
    } else if (option == shortName && !isMacro) {
      separate = true;
    } else if (isMacro || !values.consume_front(shortName) ||
               (shortName.size() > 2 && !values.consume_front("="))) {
      continue;
    }
    if (separate && last)
      return false;
    if (separate)
      values = arguments[i + 1];
    if (option.starts_with(shortName) &&
        (!values.contains(',') || llvm::sys::fs::exists(values)))
      return false;
    llvm::SmallVector<StringRef> list;
    llvm::SplitString(values, list, ",");
    for (StringRef value : list) {
      rewritten.push_back(shortName.begin());
      rewritten.push_back(saver.save(value).begin());
    }
    i += separate;
    return true;
  }
  return false;
}

void cufort::driver::rewriteNvccSpellings(
    llvm::SmallVectorImpl<const char *> &arguments, bool isNvcc,
    llvm::StringSaver &saver) {
  llvm::SmallVector<const char *> rewritten;
  auto addFromEnvironment = [&](const char *variable, auto place) {
    std::optional<std::string> value = llvm::sys::Process::GetEnv(variable);
    if (!isNvcc || !value)
      return;
    llvm::SmallVector<const char *> more;
    llvm::cl::TokenizeGNUCommandLine(*value, saver, more);
    arguments.insert(place(), more.begin(), more.end());
  };
  addFromEnvironment("NVCC_PREPEND_FLAGS", [&] { return arguments.begin(); });
  addFromEnvironment("NVCC_APPEND_FLAGS", [&] { return arguments.end(); });
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (splitList(arguments, i, saver, rewritten))
      continue;
    StringRef option = arguments[i];
    const bool last = i + 1 == arguments.size();
    StringRef number = option;
    if (number.consume_front("-t") && !number.empty() &&
        llvm::all_of(number, llvm::isDigit))
      continue;
    StringRef value = option;
    if (value.consume_front("--x=") || value.consume_front("-x=") ||
        value == "--x") {
      rewritten.push_back("-x");
      if (value != "--x")
        rewritten.push_back(value.begin());
      continue;
    }
    if (value.consume_front("-O=")) {
      rewritten.push_back(saver.save("-O" + value).begin());
      continue;
    }
    if (!last && (option.ltrim('-') == "ftemplate-depth" ||
                  option.ltrim('-') == "ftemplate-backtrace-limit")) {
      rewritten.push_back(
          saver.save("-" + option.ltrim('-') + "=" + arguments[++i]).begin());
      continue;
    }
    auto [name, attached] = option.split('=');
    if ((name == "-optf" || name.ltrim('-') == "options-file") &&
        (!attached.empty() || !last)) {
      llvm::SmallVector<StringRef> files;
      llvm::SplitString(attached.empty() ? arguments[++i] : attached, files,
                        ",");
      for (StringRef file : files)
        rewritten.push_back(saver.save("@" + file).begin());
      continue;
    }
    if (name.ltrim('-') == "Werror" && name.starts_with("-")) {
      llvm::SmallVector<StringRef> kinds;
      bool separate = attached.empty() && !last;
      llvm::SplitString(separate ? arguments[i + 1] : attached, kinds, ",");
      if (!kinds.empty() && llvm::all_of(kinds, isNvccWarning)) {
        if (llvm::is_contained(kinds, "all-warnings"))
          rewritten.push_back("-Werror");
        i += separate;
        continue;
      }
    }
    rewritten.push_back(arguments[i]);
  }
  arguments.assign(rewritten.begin(), rewritten.end());
}

bool cufort::driver::isOwnLibrary(StringRef name) {
  // nvcc's static ones, and what they are linked with there.
  name.consume_back("_static");
  return llvm::is_contained({"cudart", "cudadevrt", "cuda", "cudadevice",
                             "nvToolsExt", "nvtx3interop", "cublas", "cublasLt",
                             "cufft", "curand", "cusolver", "cusparse", "nccl",
                             "nvJitLink", "culibos"},
                            name);
}
