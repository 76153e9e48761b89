//===- CommandLine.cpp - the command line, understood ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/options/CommandLine.h"
#include "compiler/driver/CacheFolder.h"
#include "compiler/driver/Dependencies.h"
#include "compiler/driver/Diagnostics.h"
#include "compiler/driver/options/CheckOption.h"
#include "compiler/driver/options/Combinations.h"
#include "compiler/driver/options/FortranOptions.h"
#include "compiler/driver/options/InputFiles.h"
#include "compiler/driver/options/LinkOptions.h"
#include "compiler/driver/options/Names.h"
#include "compiler/driver/options/NvccOptions.h"
#include "compiler/driver/options/Options.h"
#include "compiler/driver/options/Subcommands.h"
#include "compiler/driver/toolchain/Toolkit.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"

using namespace cufort::driver;
using namespace llvm::opt;
using llvm::StringRef;
namespace opts = cufort::driver::options;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static bool setOptLevel(CommandLine &line, StringRef level, bool &given) {
  given = true;
  if (level == "fast") {
    line.optLevel = 3;
    // What Flang says -Ofast stands for.
    line.forwarded.insert(line.forwarded.end(),
                          {"-ffast-math", "-fstack-arrays"});
    return true;
  }
  if (level.empty() || level == "g")
    line.optLevel = 1;
  else if (level == "s" || level == "z")
    line.optLevel = 2;
  else if (level.getAsInteger(10, line.optLevel))
    return error("unknown optimisation level '-O" + level +
                 "'; known are -O0, -O1, -O2, -O3 and -Ofast");
  line.optLevel = std::min(line.optLevel, 3u);
  return true;
}

static void forward(CommandLine &line, const Arg &arg, const ArgList &args) {
  ArgStringList rendered;
  arg.render(args, rendered);
  // What another spelling said behind "=" ("-Munroll=n:4").
  if (arg.getOption().getKind() == Option::FlagClass)
    rendered.resize(1);
  line.forwarded.insert(line.forwarded.end(), rendered.begin(), rendered.end());
}

/// Options for Clang's front end. There "-Wall" means what it says.
static void forwardToClang(CommandLine &line, const Arg &arg,
                           const ArgList &args) {
  bool isWarning =
      arg.getAlias() && arg.getAlias()->getSpelling().starts_with("-W");
  const Arg &given = isWarning ? *arg.getAlias() : arg;
  ArgStringList rendered;
  given.render(args, rendered);
  line.forwardedToClang.insert(line.forwardedToClang.end(), rendered.begin(),
                               rendered.end());
}

/// Flang's driver does not know these options, its front end the features.
static void forwardFeature(CommandLine &line, StringRef name) {
  const bool isOff = name.consume_front("no-");
  line.forwarded.insert(line.forwarded.end(),
                        {"-Xflang", "-target-feature", "-Xflang",
                         ((isOff ? "-" : "+") + name).str()});
}

static bool unknownOption(const Arg &arg, const ArgList &args) {
  std::string spelling = arg.getAsString(args), nearest;
  // Nothing is near to "-q", and everything is somewhere.
  if (opts::table().findNearest(spelling, nearest) <= spelling.size() / 2)
    return error("unknown option '" + spelling + "'; did you mean '" + nearest +
                 "'?");
  return error("unknown option '" + spelling + "'");
}

static bool setDevice(CommandLine &line, StringRef value) {
  bool cpu = value == "cpu", gpu = value == "gpu", both = value == "both";
  if (!cpu && !gpu && !both)
    return error("'--device=" + value +
                 "': the devices are 'cpu', 'gpu' and 'both'");
  line.device.cpu = cpu || both;
  line.device.gpu = gpu || both;
  return true;
}

/// Options whose group says all there is to say; true if \p arg was one.
static bool applyGroup(CommandLine &line, const Arg &arg, const ArgList &args,
                       bool &ok) {
  const Option &option = arg.getOption();
  if (option.matches(opts::OPT_ForwardC_Group)) {
    ArgStringList rendered;
    arg.render(args, rendered);
    line.forwardedToClang.insert(line.forwardedToClang.end(), rendered.begin(),
                                 rendered.end());
    if (option.matches(opts::OPT_isystem)) // as CMake says to nvfortran
      line.forwarded.push_back(std::string("-I") + arg.getValue());
    return true;
  }
  if (option.hasFlag(opts::ForClang))
    forwardToClang(line, arg, args);
  if (option.matches(opts::OPT_Ignored_Group))
    return true;
  StringRef why = opts::table().getOptionHelpText(option.getID());
  if (option.matches(opts::OPT_Warned_Group)) {
    std::string text = "'" + arg.getAsString(args) + "' has no effect: ";
    text += why.split(": ").second;
    option.hasFlag(opts::ForClang) ? line.fortranWarnings.push_back(text)
                                   : warning(text);
    return true;
  }
  if (option.matches(opts::OPT_NotYet_Group)) {
    ok = error("'" + arg.getAsString(args) + "': " + why.split(": ").second +
               " is not supported yet");
    return true;
  }
  if (option.matches(opts::OPT_Forward_Group)) {
    forward(line, arg, args);
    return true;
  }
  if (option.matches(opts::OPT_Feature_Group)) {
    forwardFeature(line, option.getName().drop_front());
    return true;
  }
  return false;
}

namespace {
/// What the options say of the sources, applied when all have been read.
struct SourceForm {
  bool cuda = false;
  std::optional<bool> fixed;
  std::optional<bool> preprocess;
  bool native = false;
  bool optLevelGiven = false;
};

/// An option that does no more than give a member of CommandLine a value.
template <typename Value> struct Setting {
  unsigned option;
  Value CommandLine::*member;
  Value value;
};
} // namespace

static constexpr Setting<Action> Actions[] = {
    {opts::OPT_c, &CommandLine::action, Action::Object},
    {opts::OPT_S, &CommandLine::action, Action::Assembly},
    {opts::OPT_E, &CommandLine::action, Action::Preprocess},
    {opts::OPT_fsyntax_only, &CommandLine::action, Action::CheckSyntax},
    {opts::OPT_module_dependencies, &CommandLine::action,
     Action::ModuleDependencies},
};

static constexpr Setting<GpuCode> GpuCodes[] = {
    {opts::OPT_ptx, &CommandLine::gpuCode, GpuCode::Ptx},
    {opts::OPT_cubin, &CommandLine::gpuCode, GpuCode::Cubin},
};

static constexpr Setting<bool> Flags[] = {
    {opts::OPT_fatbin, &CommandLine::module, true},
    {opts::OPT_emit_llvm, &CommandLine::emitLlvm, true},
    {opts::OPT_help, &CommandLine::help, true},
    {opts::OPT_version, &CommandLine::version, true},
    {opts::OPT_v, &CommandLine::verbose, true},
    {opts::OPT_hash_hash_hash, &CommandLine::dryRun, true},
    {opts::OPT_timing, &CommandLine::timing, true},
    {opts::OPT_save_temps, &CommandLine::saveTemps, true},
    {opts::OPT_gpu_passes_for_cpu, &CommandLine::gpuPassesForCpu, true},
    {opts::OPT_help_passes, &CommandLine::helpPasses, true},
    {opts::OPT_count_operations, &CommandLine::countOperations, true},
    {opts::OPT_g, &CommandLine::debugInfo, true},
    {opts::OPT_g0, &CommandLine::debugInfo, false},
    {opts::OPT_Minfo, &CommandLine::listKernels, true},
    {opts::OPT_shared, &CommandLine::shared, true},
    {opts::OPT_static, &CommandLine::staticProgram, true},
};

/// Whether \p option is one of \p settings, and then applies it.
template <size_t N, typename Value>
static bool applySetting(CommandLine &line, unsigned option,
                         const Setting<Value> (&settings)[N]) {
  for (const Setting<Value> &each : settings)
    if (each.option == option) {
      line.*each.member = each.value;
      return true;
    }
  return false;
}

/// Options that say how device code is made; nothing if it is another one.
static std::optional<bool> applyCodeOption(CommandLine &line, const Arg &arg,
                                           const ArgList &args,
                                           SourceForm &form) {
  auto subOptions = [&](StringRef option) {
    bool ok = true;
    for (StringRef value : arg.getValues())
      ok &= applyDeviceOption(option, value, line.device);
    return ok;
  };
  switch (arg.getOption().getID()) {
  case opts::OPT_cuda:
    form.cuda = true;
    return true;
  case opts::OPT_cuda_EQ:
  case opts::OPT_Mcuda_EQ:
    form.cuda = true;
    return subOptions(arg.getSpelling());
  case opts::OPT_gpu_EQ:
    return subOptions("-gpu=");
  case opts::OPT_device_EQ:
    return setDevice(line, arg.getValue());
  case opts::OPT_check:
    addAllCheckers(line.check);
    return true;
  case opts::OPT_check_EQ:
    return applyCheckOption(arg.getValues(), line.check);
  case opts::OPT_libdevice_EQ:
    line.libdevice = arg.getValue();
    return line.libdevice == "none" || exists(line.libdevice);
  case opts::OPT_cudalib_EQ:
    return acceptLibraries(arg.getAsString(args), arg.getValues());
  case opts::OPT_nocudalib:
    line.libdevice = "none";
    return true;
  case opts::OPT_cuda_path_EQ:
    line.cudaPath = arg.getValue();
    return true;
  case opts::OPT_cccl_path_EQ:
    line.ccclPath = arg.getValue();
    return true;
  case opts::OPT_print_after:
    (line.passes.printAfter += ',') += arg.getValue();
    return true;
  case opts::OPT_disable_pass:
    (line.passes.disable += ',') += arg.getValue();
    return true;
  case opts::OPT_time_passes:
    line.passes.times = true;
    return true;
  default:
    return std::nullopt;
  }
}

static bool applyOption(CommandLine &line, const Arg &arg, const ArgList &args,
                        SourceForm &form) {
  const unsigned option = arg.getOption().getID();
  if (applySetting(line, option, Actions) ||
      applySetting(line, option, GpuCodes) ||
      applySetting(line, option, Flags) || applyLinkOption(line, arg, args))
    return true;
  if (std::optional<bool> done = applyCodeOption(line, arg, args, form))
    return *done;
  switch (option) {
  case opts::OPT_o:
    line.output = arg.getValue();
    return line.output.empty() ? error("'-o': the file name is empty") : true;
  case opts::OPT_dumpversion:
  case opts::OPT_dumpmachine:
  case opts::OPT_print_search_dirs:
  case opts::OPT_print_resource_dir:
  case opts::OPT_print_libgcc_file_name:
  case opts::OPT_print_file_name_EQ:
  case opts::OPT_print_prog_name_EQ:
    line.questions.emplace_back(
        arg.getOption().getUnaliasedOption().getName().str(),
        arg.getNumValues() ? arg.getValue() : "");
    return true;
  case opts::OPT_j:
    return !StringRef(arg.getValue()).getAsInteger(10, line.jobs) && line.jobs
               ? true
               : error("'-j " + StringRef(arg.getValue()) +
                       "': say how many files at a time");
  case opts::OPT_no_cache: // looked at when all is read
    return true;
  case opts::OPT_list_gpu_arch:
    line.architectureList = "compute_";
    return true;
  case opts::OPT_list_gpu_code:
    line.architectureList = "sm_";
    return true;
  case opts::OPT_save_temps_EQ:
    line.saveTemps = true;
    line.saveTempsBesideOutput = StringRef(arg.getValue()) == "obj";
    if (!line.saveTempsBesideOutput && StringRef(arg.getValue()) != "cwd")
      return error("'" + arg.getAsString(args) + "': say 'cwd' or 'obj'");
    return true;
  case opts::OPT_module_dir:
    line.moduleFolder = arg.getValue();
    return true;
  case opts::OPT_ffixed_form:
    form.fixed = true;
    return true;
  case opts::OPT_ffree_form:
    form.fixed = false;
    return true;
  case opts::OPT_O:
    return setOptLevel(line, arg.getValue(), form.optLevelGiven);
  case opts::OPT_fast:
    form.native = true;
    return setOptLevel(line, "3", form.optLevelGiven);
  case opts::OPT_tp_EQ: {
    StringRef value = arg.getValue();
    form.native |= value == "native" || value == "host";
    return true;
  }
  case opts::OPT_Minfo_EQ:
    for (StringRef value : arg.getValues())
      line.listKernels |= value == "accel" || value == "all";
    return true;
  default:
    if (std::optional<bool> done = applyFortranOption(line, arg))
      return *done;
    return applyNvccOption(line, arg);
  }
}

static void applySourceForm(CommandLine &line, const SourceForm &form) {
  for (Source &source : line.sources) {
    source.cuda |= form.cuda;
    if (form.fixed)
      source.fixedForm = *form.fixed;
    if (form.preprocess)
      source.preprocess = *form.preprocess;
  }
  if (!form.optLevelGiven && line.debugInfo)
    line.optLevel = 0;
  if (form.native && line.processor.empty()) {
    line.forwarded.push_back("-march=native");
    line.processor = "native";
  }
}

/// What \p args say, in their order; false after diagnostics.
static bool applyOptions(CommandLine &line, const InputArgList &args,
                         SourceForm &form) {
  bool ok = true;
  std::string language;
  for (const Arg *arg : args) {
    const Option &option = arg->getOption();
    if (option.matches(opts::OPT_UNKNOWN))
      ok = unknownOption(*arg, args);
    else if (option.matches(opts::OPT_INPUT))
      ok &= addFile(line, arg->getValue(), language);
    else if (option.matches(opts::OPT_x)) {
      language = arg->getValue();
      if (!isLanguage(language))
        ok = error(
            "'-x " + llvm::Twine(language) +
            "': the languages are cuda, f95, f95-cpp-input, cu, c++, c and "
            "none");
    } else if (!applyGroup(line, *arg, args, ok))
      ok &= applyOption(line, *arg, args, form);
    if (option.matches(opts::OPT_cpp) || option.matches(opts::OPT_nocpp))
      form.preprocess = option.matches(opts::OPT_cpp);
    if (option.matches(opts::OPT_march_EQ))
      line.processor = arg->getValue();
  }
  return ok;
}

/// What follows from all options together, and from the name of the program.
static void applyConventions(CommandLine &line, CalledAs name,
                             const InputArgList &args) {
  if (name == CalledAs::Nvfortran) {
    // The user's own -D and -U come later and count.
    std::vector<std::string> macros = nvfortranMacros();
    line.forwarded.insert(line.forwarded.begin(), macros.begin(), macros.end());
    // Beside files -V is no action of its own there.
    line.versionFirst = line.version && !line.linkInputs.empty();
    line.version &= !line.versionFirst;
  }
  // CMake's device link says both; what is linked with it is not said by that.
  if (line.deviceLink)
    line.shared = false;
  // Objects of nvcc are for any linker, unless it is told that they are not; so
  // are those of CMake, which says the language with every file.
  if ((line.isNvcc || args.getLastArgValue(opts::OPT_x) == "cu") &&
      !line.linksDevice && (line.action == Action::Object || line.library))
    line.wholeFiles = true;
  if (line.device.debug)
    line.debugInfo = true;
}

/// Whether nothing is compiled.
static bool onlyAnswers(const CommandLine &line) {
  return line.help || line.helpPasses || line.version ||
         !line.architectureList.empty() || !line.questions.empty() ||
         line.subcommand == CommandLine::Info ||
         line.subcommand == CommandLine::View;
}

std::optional<CommandLine> cufort::driver::readCommandLine(int argc,
                                                           const char **argv) {
  CommandLine line;
  line.program = argc ? argv[0] : "cufort";
  llvm::SmallVector<const char *> arguments(argv + (argc ? 1 : 0), argv + argc);
  takeSubcommand(line, arguments);
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  const CalledAs name = calledAs(line.program);
  line.isNvcc = name == CalledAs::Nvcc;
  rewriteNvccSpellings(arguments, line.isNvcc, saver);
  llvm::cl::ExpansionContext expansion(allocator,
                                       llvm::cl::TokenizeGNUCommandLine);
  if (llvm::Error failure = expansion.expandResponseFiles(arguments)) {
    error(std::move(failure));
    return std::nullopt;
  }

  unsigned missingIndex = 0, missingCount = 0;
  InputArgList args =
      opts::table().ParseArgs(arguments, missingIndex, missingCount);
  if (missingCount) {
    error("'" + StringRef(args.getArgString(missingIndex)) +
          "' needs a value after it");
    return std::nullopt;
  }
  // Warnings about options come before the loop gets to -w.
  if (args.hasArg(opts::OPT_w))
    suppressWarnings();

  SourceForm form;
  const bool ok = applyOptions(line, args, form);
  applySourceForm(line, form);
  sayFortranWarnings(line);
  line.dependencies = readDependencyOptions(args);
  applyConventions(line, name, args);
  if (line.verbose)
    showToolkit(line);
  if (ok && onlyAnswers(line))
    return line;
  if (!ok || !checkCombination(line) ||
      (!args.hasArg(opts::OPT_no_cache) && !findCacheFolder(line)))
    return std::nullopt;
  return line;
}
