//===- HostToolchain.cpp - what Clang's driver knows of the host ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/toolchain/HostToolchain.h"
#include "compiler/driver/Diagnostics.h"
#include "compiler/driver/toolchain/CcclFolders.h"
#include "compiler/gpu/CompileForGpu.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/Version.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/CudaInstallationDetector.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/ToolChain.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/TargetParser/Triple.h"
#include <memory>

using namespace cufort::driver;
using llvm::StringRef;
namespace path = llvm::sys::path;
namespace fs = llvm::sys::fs;

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

namespace {
/// Clang's driver with all that has to live as long as it.
class Planner {
  clang::DiagnosticOptions diagnosticOptions;
  clang::TextDiagnosticBuffer messages;
  clang::DiagnosticsEngine diagnostics;
  clang::driver::Driver driver;
  std::unique_ptr<clang::driver::Compilation> compilation;

  static std::string flang() {
    llvm::SmallString<256> program(llvmProgramFolder());
    path::append(program, "flang");
    return program.str().str();
  }

public:
  Planner()
      : diagnostics(llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(),
                    diagnosticOptions, &messages, /*ShouldOwnClient=*/false),
        driver(flang(), hostTriple(), diagnostics, "cufort") {
    // The objects of a link are planned before they exist.
    driver.setCheckInputsExist(false);
    // Of a toolkit found we use libdevice alone, which serves in every version.
    diagnostics.setSeverityForGroup(clang::diag::Flavor::WarningOrError,
                                    "unknown-cuda-version",
                                    clang::diag::Severity::Ignored);
  }

  /// Clang's plan for \p arguments, one job at least.
  llvm::Expected<const clang::driver::JobList *>
  planAll(const std::vector<std::string> &arguments, const char *mode) {
    std::string program = flang();
    llvm::SmallVector<const char *> argv = {program.c_str(), mode,
                                            "-Qunused-arguments"};
    for (const std::string &argument : arguments)
      argv.push_back(argument.c_str());
    compilation.reset(driver.BuildCompilation(argv));
    std::string text;
    for (auto message = messages.err_begin(); message != messages.err_end();
         ++message)
      text += (text.empty() ? "" : "\n") + message->second;
    if (!text.empty())
      return failure(text);
    for (auto message = messages.warn_begin(); message != messages.warn_end();
         ++message)
      warning(message->second);
    if (!compilation || compilation->getJobs().empty())
      return failure("Clang's driver found nothing to do");
    return &compilation->getJobs();
  }

  /// The last job of that plan.
  llvm::Expected<const clang::driver::Command *>
  plan(const std::vector<std::string> &arguments,
       const char *mode = "--driver-mode=flang") {
    auto jobs = planAll(arguments, mode);
    if (!jobs)
      return jobs.takeError();
    return &*std::prev((*jobs)->end());
  }

  /// A file and a program as the last plan's jobs would find them.
  std::string file(StringRef name) const {
    return driver.GetFilePath(name, compilation->getDefaultToolChain());
  }
  std::string program(StringRef name) const {
    return driver.GetProgramPath(name, compilation->getDefaultToolChain());
  }
  StringRef resources() const { return driver.ResourceDir; }

  /// Where libraries lie, LLVM's own first.
  std::vector<std::string> libraryFolders() const {
    const clang::driver::ToolChain &chain = compilation->getDefaultToolChain();
    std::vector<std::string> folders(chain.getLibraryPaths().begin(),
                                     chain.getLibraryPaths().end());
    folders.insert(folders.end(), chain.getFilePaths().begin(),
                   chain.getFilePaths().end());
    return folders;
  }

  /// The CUDA toolkit that goes with the arguments of the last plan.
  clang::driver::CudaInstallationDetector cudaToolkit() const {
    return {driver, llvm::Triple(hostTriple()), compilation->getArgs()};
  }
};
} // namespace

/// Takes the arguments that we give the front end ourselves out of Clang's
/// plan.
static std::vector<std::string>
withoutOwn(const clang::driver::Command &command, StringRef input) {
  std::vector<std::string> kept;
  const llvm::opt::ArgStringList &arguments = command.getArguments();
  for (size_t i = 0; i != arguments.size(); ++i) {
    StringRef argument = arguments[i];
    if (argument == "-fc1" || argument == "-cc1" || argument == "-emit-obj" ||
        argument == "-S" || (argument == input && i + 1 == arguments.size()) ||
        argument.starts_with("-fembed-offload-object="))
      continue;
    if (argument == "-o" ||
        (argument == "-x" && StringRef(arguments[i + 1]) == "f95")) {
      ++i;
      continue;
    }
    kept.push_back(argument.str());
  }
  return kept;
}

llvm::Expected<std::vector<std::string>>
cufort::driver::planFrontend(const CommandLine &line, const Source &source) {
  std::vector<std::string> arguments = line.forwarded;
  arguments.push_back("-O" + std::to_string(line.optLevel));
  if (line.debugInfo)
    arguments.push_back("-g");
  else if (line.device.lineInfo || line.check.any())
    arguments.push_back("-gline-tables-only");
  arguments.push_back(source.fixedForm ? "-ffixed-form" : "-ffree-form");
  if (source.preprocess)
    arguments.push_back("-cpp");
  if (!line.moduleFolder.empty())
    arguments.insert(arguments.end(), {"-module-dir", line.moduleFolder});
  // As Fortran, because Clang's driver would plan CUDA's own device jobs. The
  // "./" keeps a name that begins with a dash from being an option.
  std::string input = StringRef(source.path).starts_with("-")
                          ? "./" + source.path
                          : source.path;
  arguments.insert(arguments.end(), {"-c", "-o", "plan.o", "-x", "f95", input});

  Planner planner;
  auto command = planner.plan(arguments);
  if (!command)
    return command.takeError();
  std::vector<std::string> frontend = withoutOwn(**command, input);
  // cuf_macros.CUF and omp_lib.h; the program's own folders come first.
  frontend.push_back("-I" + ownFolder("include") + "/fortran");
  // What packages have for INCLUDE: fftw3.f03.
  frontend.push_back("-I/usr/include");
  if (source.cuda)
    frontend.insert(frontend.end(), {"-x", "cuda", "-D_CUDA"});
  return frontend;
}

/// What makes of Clang a compiler of CUDA C++ with our own headers, or with
/// those of a toolkit that the user has named.
static void addCudaOptions(const CommandLine &line,
                           std::vector<std::string> &arguments) {
  unsigned architecture = cufort::GpuOptions().architecture;
  if (!line.device.architectures.empty())
    architecture = *llvm::min_element(line.device.architectures);
  arguments.insert(arguments.end(),
                   {"-nocudalib", "--offload-new-driver", "-fgpu-rdc",
                    "--offload-arch=sm_" + std::to_string(architecture),
                    "-Wno-unknown-cuda-version"});
  // cuda::barrier is then for these, too.
  if (!line.device.architectures.empty() && architecture < 90)
    arguments.push_back("-D__CUFORT_OLDER_GPUS");
  // Headers for CUDA have "x.template f(y)", which nvcc takes as it was meant.
  // So do narrowings in braces and C++17's registers, which older programs
  // have: nvcc warns of both. (GCC behind it refuses constants' narrowings on
  // the host; Clang does not tell `{ceil(x)}` from `{1.5}`.)
  arguments.insert(arguments.begin(),
                   {"-Wno-missing-template-arg-list-after-template-kw",
                    "-Wno-error=c++11-narrowing", "-Wno-error=register"});
  if (line.device.fastMath)
    arguments.push_back("-fgpu-approx-transcendentals");
  if (!line.cudaPath.empty()) {
    arguments.push_back("--cuda-path=" + line.cudaPath);
    // What device code has without an include: operators new and delete.
    arguments.insert(
        arguments.end(),
        {"-include", ownFolder("include") + "/cufort/cufort/toolkit.h"});
    return;
  }
  // The macro, by -default-stream=per-thread or by itself, makes the headers
  // call what has a default stream for each thread; launches are Clang's.
  constexpr StringRef perThread = "CUDA_API_PER_THREAD_DEFAULT_STREAM";
  for (StringRef each : arguments) {
    each.consume_front("-D");
    if (each.split('=').first == perThread) {
      arguments.insert(arguments.end(),
                       {"-Xclang", "-fgpu-default-stream=per-thread"});
      break;
    }
  }
  // Programs and build systems tell CUDA's compilers by these, and what nvcc
  // takes with options alone. They come first, so that -U__NVCC__ shows a
  // program the Clang that it may know as well.
  arguments.insert(arguments.begin(),
                   {"-D__CUDACC__", "-D__NVCC__", "-D__CUDACC_VER_MAJOR__=13",
                    "-D__CUDACC_VER_MINOR__=0", "-D__CUDACC_VER_BUILD__=0",
                    "-D__CUDACC_EXTENDED_LAMBDA__",
                    "-D__CUDACC_RELAXED_CONSTEXPR__"});
  // nvcc includes this one before everything else, too.
  arguments.insert(arguments.end(),
                   {"-nocudainc", "-include", "cuda_runtime.h"});
}

/// Clang's plan says what the toolkit that it has found can do; ours does not
/// depend on any: launches as CUDA makes them since 9.2, and the instructions
/// of the newest PTX that Clang knows, where the architecture has them.
static void setVersions(std::vector<std::string> &arguments) {
  llvm::erase_if(arguments, [](StringRef each) {
    return each.starts_with("-target-sdk-version=");
  });
  arguments.push_back("-target-sdk-version=12.9");
  for (size_t i = 0; i + 1 < arguments.size(); ++i)
    if (arguments[i] == "-target-feature" &&
        StringRef(arguments[i + 1]).starts_with("+ptx"))
      arguments[i + 1] = "+ptx88";
}

/// The run for the host writes the file of dependencies.
static void withoutDependencies(std::vector<std::string> &arguments) {
  std::vector<std::string> kept;
  for (size_t i = 0; i != arguments.size(); ++i) {
    StringRef each = arguments[i];
    if (each == "-dependency-file" || each == "-MT" || each == "-MQ")
      ++i;
    else if (each != "-sys-header-deps" && each != "-MP")
      kept.push_back(arguments[i]);
  }
  arguments = std::move(kept);
}

/// Whether \p folder has the headers of NVIDIA's toolkit.
static bool isToolkitInclude(StringRef folder) {
  return fs::exists(folder + "/crt/host_config.h") &&
         fs::exists(folder + "/cuda_runtime_api.h") &&
         !fs::exists(folder + "/cufort");
}

/// Makefiles name the toolkit's folder, "-I/usr/local/cuda/include", as they
/// need it for g++. Its headers are for nvcc and refuse Clang: ours go before
/// them, and what only they have is found still.
static void toolkitComesLast(std::vector<std::string> &arguments) {
  std::vector<std::string> kept;
  for (size_t i = 0; i != arguments.size(); ++i) {
    StringRef folder = arguments[i]; // those of CPATH are in one word
    const bool joined = folder.consume_front("-I") && !folder.empty();
    const bool apart =
        !joined && i + 1 != arguments.size() &&
        llvm::is_contained({"-I", "-isystem", "-c-isystem", "-cxx-isystem"},
                           arguments[i]);
    if (apart)
      folder = arguments[i + 1];
    if ((!joined && !apart) || !isToolkitInclude(folder)) {
      kept.push_back(arguments[i]);
      continue;
    }
    kept.insert(kept.end(), {"-idirafter", folder.str()});
    i += apart;
  }
  arguments = std::move(kept);
}

llvm::Expected<ClangPlan> cufort::driver::planClang(const CommandLine &line,
                                                    const Source &source,
                                                    const std::string &output) {
  bool cuda = source.language == Source::CudaCxx;
  std::vector<std::string> arguments = line.forwardedToClang;
  arguments.push_back("-O" + std::to_string(line.optLevel));
  if (line.debugInfo)
    arguments.push_back("-g");
  else if (line.device.lineInfo || line.check.any())
    arguments.push_back("-gline-tables-only");
  if (cuda)
    addCudaOptions(line, arguments);
  // Otherwise Clang describes no variables of device code that it optimises.
  if (cuda && line.debugInfo)
    arguments.push_back("--cuda-noopt-device-debug");
  auto cccl = ccclFolders(line);
  if (!cccl)
    return cccl.takeError();
  if (source.language != Source::C)
    for (const std::string &folder : *cccl)
      arguments.insert(arguments.end(), {"-isystem", folder});
  // nvcc compiles C and C++ with CUDA's headers in reach as well.
  if (line.cudaPath.empty())
    arguments.insert(arguments.end(),
                     {"-isystem", ownFolder("include") + "/cufort"});
  else if (!cuda)
    arguments.insert(arguments.end(), {"-isystem", line.cudaPath + "/include"});
  std::string input = StringRef(source.path).starts_with("-")
                          ? "./" + source.path
                          : source.path;
  const char *language = cuda                             ? "cuda"
                         : source.language == Source::Cxx ? "c++"
                                                          : "c";
  arguments.insert(
      arguments.end(),
      {"-c", "-o", output.empty() ? "plan.o" : output, "-x", language, input});

  Planner planner;
  auto jobs = planner.planAll(arguments, "--driver-mode=g++");
  if (!jobs)
    return jobs.takeError();
  ClangPlan plan;
  for (const clang::driver::Command &job : **jobs) {
    if (job.getArguments().empty() ||
        StringRef(job.getArguments().front()) != "-cc1")
      continue;
    std::vector<std::string> kept = withoutOwn(job, input);
    if (cuda)
      setVersions(kept);
    if (line.cudaPath.empty())
      toolkitComesLast(kept);
    if (!llvm::is_contained(kept, "-fcuda-is-device")) {
      // nvcc does not optimise host code unless asked to, and programs compare
      // what overflows there with what overflows on the device.
      if (cuda)
        kept.push_back("-fwrapv");
      plan.host = std::move(kept);
      continue;
    }
    withoutDependencies(kept);
    // Host code that finds only functions of the device is an error of the
    // run for the host alone: as with nvcc, this one may hide from it by
    // __CUDA_ARCH__ what it calls.
    kept.push_back("-fgpu-defer-diag");
    // As Clang writes it, with what optimisation will want to know.
    kept.insert(kept.end(), {"-disable-llvm-passes", "-disable-O0-optnone"});
    plan.device = std::move(kept);
  }
  if (plan.host.empty() || plan.device.empty() == cuda)
    return failure("Clang's driver has no plan for '" + source.path + "'");
  return plan;
}

/// Whether the user names a linker, or speaks to the one that the system has.
static bool choosesLinker(const CommandLine &line) {
  auto names = [](const std::string &each) {
    StringRef option = each;
    return option.starts_with("-fuse-ld=") || option.starts_with("-B") ||
           option.starts_with("--sysroot=") || option.starts_with("-Wl,") ||
           option == "-Xlinker";
  };
  return llvm::any_of(line.forwarded, names) ||
         llvm::any_of(line.linkInputs, [&](const LinkInput &input) {
           return llvm::any_of(input.text, names);
         });
}

/// LLVM's linker in the place of \p linker, if there is one: it takes a third
/// of GNU ld's time, which is a tenth of that of compiling a small program.
static std::string ownLinker(const std::string &linker) {
  std::string own = llvmProgramFolder() + "/ld.lld";
  return llvm::sys::path::filename(linker) == "ld" &&
                 llvm::sys::fs::can_execute(own)
             ? own
             : linker;
}

llvm::Expected<ToolCommand>
cufort::driver::planLink(const CommandLine &line,
                         llvm::ArrayRef<std::string> inputs, StringRef output) {
  std::vector<std::string> arguments;
  for (const std::string &each : line.forwarded)
    // Flags of the front end alone; Clang's driver passes them to LTO.
    if (each != "-cpp" && each != "-nocpp")
      arguments.push_back(each);
  if (line.shared) {
    arguments.push_back("-shared");
    // What it has registered with the runtime, which may be another library's
    // or the program's, stays. A module registers nothing; were it to stay, the
    // next one could not be loaded by its file's number in its place.
    if (!line.module)
      arguments.push_back("-Wl,-z,nodelete");
  }
  if (line.staticProgram)
    arguments.push_back("-static");
  arguments.push_back("-o");
  arguments.push_back(output.str());
  arguments.insert(arguments.end(), inputs.begin(), inputs.end());

  Planner planner;
  auto command = planner.plan(arguments);
  if (!command)
    return command.takeError();
  ToolCommand tool;
  tool.executable = choosesLinker(line)
                        ? (*command)->getExecutable()
                        : ownLinker((*command)->getExecutable());
  for (const char *argument : (*command)->getArguments())
    tool.arguments.push_back(argument);
  // A program shall need nothing but the C library of the machine it runs on;
  // Clang's driver has an option for that, but not in Flang's mode.
  if (!line.shared)
    llvm::replace(tool.arguments, std::string("-lgcc_s"),
                  std::string("-lgcc_eh"));
  return tool;
}

std::string cufort::driver::findLibdevice(const CommandLine &line) {
  std::vector<std::string> arguments = {"-c", "-x", "c", "plan.c"};
  if (!line.cudaPath.empty())
    arguments.push_back("--cuda-path=" + line.cudaPath);
  for (const std::string &each : line.forwarded)
    if (StringRef(each).starts_with("--sysroot="))
      arguments.push_back(each);
  Planner planner;
  if (auto command = planner.plan(arguments, "--driver-mode=gcc"); !command) {
    llvm::consumeError(command.takeError());
    return "";
  }
  clang::driver::CudaInstallationDetector toolkit = planner.cudaToolkit();
  // One file serves all architectures since CUDA 9.
  return toolkit.isValid() ? toolkit.getLibDeviceFile("sm_70") : "";
}

static std::string answerOf(const Planner &planner, StringRef question,
                            StringRef name) {
  if (question.starts_with("dumpversion"))
    return CLANG_VERSION_STRING;
  if (question == "dumpmachine")
    return hostTriple();
  if (question == "print-resource-dir")
    return planner.resources().str();
  if (question == "print-libgcc-file-name")
    return planner.file("libgcc.a");
  std::vector<std::string> folders = planner.libraryFolders();
  folders.insert(folders.begin(),
                 {ownFolder("lib"), ownFolder("lib") + "/cufort/compat"});
  if (question == "print-search-dirs")
    return "programs: =" + ownFolder("bin") + ":" + llvmProgramFolder() +
           "\nlibraries: =" + llvm::join(folders, ":");
  // Our own first, then LLVM's and the system's.
  const bool isProgram = question == "print-prog-name=";
  if (isProgram)
    folders = {ownFolder("bin")};
  for (const std::string &folder : folders)
    if (std::string path = folder + "/" + name.str(); fs::exists(path))
      return path;
  return isProgram ? planner.program(name) : planner.file(name);
}

void cufort::driver::printAnswers(const CommandLine &line) {
  Planner planner;
  std::vector<std::string> arguments = {"-c", "-x", "c", "plan.c"};
  for (const std::string &each : line.forwarded)
    if (StringRef(each).starts_with("--sysroot=") ||
        StringRef(each).starts_with("--gcc-"))
      arguments.push_back(each);
  if (auto command = planner.plan(arguments, "--driver-mode=gcc"); !command) {
    error(command.takeError());
    return;
  }
  for (const auto &[question, name] : line.questions)
    llvm::outs() << answerOf(planner, question, name) << '\n';
}
