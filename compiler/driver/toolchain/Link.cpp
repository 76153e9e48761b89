//===- Link.cpp - objects to a program ------------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/toolchain/Link.h"
#include "compiler/driver/Compile.h"
#include "compiler/driver/Diagnostics.h"
#include "compiler/driver/toolchain/ExecutableStack.h"
#include "compiler/driver/toolchain/GpuCode.h"
#include "compiler/driver/toolchain/HostToolchain.h"
#include "compiler/driver/toolchain/Library.h"
#include "compiler/driver/toolchain/MainPrograms.h"
#include "compiler/driver/toolchain/WholeFile.h"
#include "compiler/link/BuildImage.h"
#include "image/KernelOutput.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <optional>

using namespace cufort;
using namespace cufort::driver;
using llvm::StringRef;

/// The linker's inputs in the order of the command line: the user's, the image
/// object, our libraries, and what those need.
static std::vector<std::string>
linkerInputs(const CommandLine &line, llvm::ArrayRef<std::string> objects,
             const std::string &image) {
  std::vector<std::string> inputs;
  // Before the library whose functions it calls, and behind all that calls it.
  const std::string mpi = ownFolder("lib") + "/libcufort_mpi.a";
  bool isMpi = false;
  for (const LinkInput &input : line.linkInputs) {
    if (!isMpi && isMpiLibrary(input)) {
      isMpi = true;
      inputs.push_back(mpi);
    }
    if (input.kind == LinkInput::SourceFile)
      inputs.push_back(objects[input.index]);
    else
      inputs.insert(inputs.end(), input.text.begin(), input.text.end());
  }
  inputs.push_back(image);
  // The modules call the libraries (matmul) and the libraries' Fortran parts
  // the modules.
  inputs.push_back("-Wl,--start-group");
  for (const char *name : {"libcufort_mpi.a", "libcufort_libraries.a",
                           "libcufort_modules.a", "libcufort.a"}) {
    std::string library = ownFolder("lib") + "/" + name;
    // The modules may have no code of their own.
    if (StringRef(name) == "libcufort.a" || llvm::sys::fs::exists(library))
      inputs.push_back(library);
  }
  inputs.push_back("-Wl,--end-group");
  // What -lm has to follow, Flang's runtime, is linked after these; Clang's
  // driver adds it there. Autoconf keeps the first of two alone.
  inputs.insert(inputs.end(), {"-l:libstdc++.a", "-lpthread", "-ldl"});
  return inputs;
}

/// What the linker has to be told so that registration survives it.
static void keepRegistration(ToolCommand &linker) {
  auto mentions = [&](StringRef flag) {
    return llvm::any_of(linker.arguments, [&](const std::string &each) {
      return StringRef(each).starts_with(flag);
    });
  };
  // The stubs of kernels are empty functions and their addresses are the keys
  // by which kernels are launched: folding identical ones mixes kernels up.
  if (mentions("--icf="))
    linker.arguments.push_back("--icf=none");
  // Only the image refers to the entries, between their start and their stop.
  if (mentions("--gc-sections"))
    linker.arguments.insert(linker.arguments.end(), {"-z", "nostart-stop-gc"});
}

static ImageJob imageJob(const CommandLine &line,
                         const std::vector<std::string> &linkerArguments,
                         const std::string &image, StringRef name,
                         Phases &phases) {
  ImageJob job;
  job.linkerArguments = linkerArguments;
  job.output = image;
  job.inOneObject = line.deviceLink;
  job.programName = llvm::sys::path::filename(name).str();
  job.deviceFolder = ownFolder("lib") + "/cufort/device";
  job.use = line.module       ? ImageUse::Module
            : line.deviceLink ? ImageUse::AnotherLinker
                              : ImageUse::Program;
  job.forGpu = line.device.gpu;
  job.forCpu = line.device.cpu;
  job.architectures = line.device.architectures;
  job.gpu.fastMath = line.device.fastMath;
  job.gpu.flushDenormals = line.device.flushDenormals || line.device.fastMath;
  job.gpu.contract = line.device.contract;
  job.gpu.lineInfo = line.device.lineInfo;
  job.gpu.optimise = !line.device.debug;
  job.gpu.maxRegisters = line.device.maxRegisters;
  job.gpu.libdevice = line.libdevice == "none" ? ""
                      : line.libdevice.empty() ? findLibdevice(line)
                                               : line.libdevice;
  job.cpu.deviceFolder = job.deviceFolder;
  job.cpu.debug = line.device.debug || (line.debugInfo && line.optLevel == 0);
  job.cpu.describe = line.device.debug || line.debugInfo;
  job.cpu.debuggerScript = ownFolder("share") + "/gdb/auto-load/cufort-gdb.py";
  job.cpu.optLevel = job.cpu.debug ? 0 : 3;
  // While a program is debugged, one copy that runs everywhere.
  if (line.optLevel == 0)
    job.cpu.levels = 1u << image::X86_64_V2;
  // One more copy of the kernels, for the speed of some on some processors.
  if (line.optLevel >= 3)
    job.cpu.levels |= 1u << image::X86_64_V4_WIDE;
  job.cpu.fastMath = line.device.fastMath;
  job.cpu.contract = line.device.contract;
  job.cpu.processor = line.processor;
  job.cpu.vectorNotes = line.listKernels;
  job.cpu.check = line.check;
  job.cpu.countOperations = line.countOperations;
  // For what is said of faults. Fortran's device code always has them.
  job.cpu.lineTables = true;
  job.gpu.passes = line.passes;
  job.cpu.passes = line.passes;
  job.gpuPassesForCpu = line.gpuPassesForCpu;
  job.cacheFolder = line.cacheFolder;
  job.cacheBytes = line.cacheBytes;
  for (size_t i = 0; i + 1 < line.forwarded.size(); ++i)
    if (line.forwarded[i] == "-mllvm")
      job.llvmOptions.push_back(line.forwarded[i + 1]);
  for (size_t i = 0; i + 1 < line.forwardedToClang.size(); ++i)
    if (line.forwardedToClang[i] == "-mllvm")
      job.llvmOptions.push_back(line.forwardedToClang[i + 1]);
  job.saveTempsStem = saveTempsStem(line, name);
  if (line.device.keep && job.saveTempsStem.empty())
    job.keepPtxStem = llvm::sys::path::stem(name).str();
  job.listKernels = line.listKernels;
  job.ptxInfo = line.device.ptxInfo;
  job.onWarning = [](StringRef text) { warning(text); };
  job.onPhase = [&phases](StringRef phase) { phases.begin(phase); };
  return job;
}

/// The device link, of whose libraries none may end the process.
static llvm::Expected<std::vector<std::string>>
buildImageSafely(const ImageJob &job) {
  std::string reason;
  std::optional<llvm::Expected<std::vector<std::string>>> result;
  llvm::ScopedFatalErrorHandler handler(
      [](void *text, const char *message, bool) {
        *static_cast<std::string *>(text) = message;
      },
      &reason);
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext recovery;
  if (recovery.RunSafely([&] { result.emplace(buildImage(job)); }))
    return std::move(*result);
  return failure("the compiler failed on the device code of '" +
                 job.programName + "'" +
                 (reason.empty() ? "" : " (" + reason + ")") +
                 "; please report this with the source files");
}

/// Whether kernels in \p images write or stop in Fortran's way: the host does
/// it for them, of whose Fortran nothing else may be in the program.
static bool needsFortranRuntime(llvm::ArrayRef<std::string> images,
                                const ImageJob &job) {
  return llvm::any_of(images, [&](const std::string &image) {
    auto content = llvm::MemoryBuffer::getFile(image);
    auto mentions = [&](StringRef name) {
      return content && (*content)->getBuffer().contains(name);
    };
    return job.forCpu ? mentions("__cufort_cpu_output_begin") ||
                            mentions("__cufort_cpu_kernel_stop")
                      : mentions(CUFORT_OUTPUT_CHANNEL_NAME);
  });
}

static bool runLinker(const CommandLine &line, const ToolCommand &linker,
                      llvm::ArrayRef<std::string> objects) {
  std::vector<StringRef> argv = {linker.executable};
  argv.insert(argv.end(), linker.arguments.begin(), linker.arguments.end());
  std::string problem;
  int status = llvm::sys::ExecuteAndWait(
      linker.executable, argv, std::nullopt, {},
      /*SecondsToWait=*/0, /*MemoryLimit=*/0, &problem);
  if (!problem.empty())
    return error("cannot run the linker '" + linker.executable +
                 "': " + problem);
  if (!status)
    return true;
  explainMainPrograms(line, objects);
  return error("the linker failed" +
               (line.verbose ? llvm::Twine("")
                             : llvm::Twine("; '-v' shows how it was called")));
}

/// Links what starts the checkers, with a symbol for each that was chosen
/// (runtime/check/Start.cpp).
static void askForChecks(const CheckOptions &check, ToolCommand &linker) {
  if (!check.any())
    return;
  constexpr char Start[] = "__cufort_check_start";
  linker.arguments.push_back(std::string("--undefined=") + Start);
  const std::pair<bool, const char *> checkers[] = {
      {check.memory, "memory"},
      {check.race, "race"},
      {check.sameValue, "same_value"},
      {check.init, "init"},
      {check.sync, "sync"}};
  for (auto [chosen, name] : checkers)
    if (chosen)
      linker.arguments.push_back(std::string("--defsym=__cufort_check_with_") +
                                 name + "=" + Start);
}

/// Asks for what the runtime has to have although no code of the program refers
/// to it.
static void askForRuntime(const CommandLine &line, ToolCommand &linker) {
  // Without device data there is no call of it.
  linker.arguments.push_back("--undefined=__cufort_end_if_stuck");
  askForChecks(line.check, linker);
  // Who loads a library may call functions that the library does not.
  if (line.shared)
    linker.arguments.push_back("--undefined=__cufort_whole_api");
}

static void showDeviceLink(const CommandLine &line, const ImageJob &job) {
  std::vector<std::string> shown = {"-device-link", "-o", job.output};
  for (const std::string &each : job.linkerArguments)
    if (StringRef(each).ends_with(".o") || StringRef(each).ends_with(".a"))
      shown.push_back(each);
  showStep(line, "cufort", shown);
}

/// Gives the linker \p images in place of the one that was planned. False after
/// a diagnostic, where there has to be device code and is none.
static bool takeImages(const CommandLine &line, const ImageJob &job,
                       llvm::ArrayRef<std::string> images,
                       ToolCommand &linker) {
  auto place = llvm::find(linker.arguments, job.output);
  if (!images.empty()) {
    if (place != linker.arguments.end())
      linker.arguments.insert(place + 1, images.begin() + 1, images.end());
    return true;
  }
  if (line.module)
    return error("'-fatbin': there is no device code in '" + job.programName +
                 "'");
  if (line.deviceLink) {
    auto whole = llvm::find_if(job.linkerArguments, hasOwnImage);
    if (whole == job.linkerArguments.end())
      return error("'-dlink': there is no device code in the objects");
    if (llvm::Error failure = writeEmptyObject(*whole, job.output))
      return error(std::move(failure));
  }
  llvm::erase(linker.arguments, job.output);
  return true;
}

bool cufort::driver::linkProgram(const CommandLine &line,
                                 llvm::ArrayRef<std::string> objects,
                                 const TemporaryFolder &folder,
                                 const std::string &output, StringRef name,
                                 Phases &phases) {
  std::string runtime = ownFolder("lib") + "/libcufort.a";
  if (!line.dryRun && !llvm::sys::fs::exists(runtime))
    return error("the runtime library '" + runtime + "' is missing");

  std::string image = line.deviceLink ? output : folder.file("image.o");
  auto linker = planLink(line, linkerInputs(line, objects, image), output);
  if (!linker)
    return error(linker.takeError());
  keepRegistration(*linker);

  // Code on the CPU calls the runtime's functions in the program.
  if (line.exportsDevice && !line.staticProgram)
    linker->arguments.push_back("--export-dynamic-symbol=__cufort_cpu_*");

  ImageJob job = imageJob(line, linker->arguments, image, name, phases);
  askForRuntime(line, *linker);
  if (line.gpuCode != GpuCode::None) {
    job.forCpu = false;
    job.saveTempsStem.clear();
    job.keepPtxStem = folder.file("gpu");
  }
  for (size_t i = 0; i != objects.size(); ++i)
    job.sourceOfObject[objects[i]] = line.sources[i].path;
  // The image is made from the linker's own inputs, without itself.
  llvm::erase(job.linkerArguments, image);
  if (line.verbose || line.dryRun)
    showDeviceLink(line, job);
  std::vector<std::string> images;
  if (!line.deviceLink && hasLinkedDeviceCode(line)) {
    llvm::erase(linker->arguments, image);
  } else if (!line.dryRun) {
    auto made = buildImageSafely(job);
    phases.end();
    if (!made)
      return error(made.takeError());
    images = std::move(*made);
    if (line.gpuCode != GpuCode::None)
      return writeGpuCode(line, job.keepPtxStem, output);
    if (!takeImages(line, job, images, *linker))
      return false;
    if (needsFortranRuntime(images, job))
      linker->arguments.push_back("--undefined=_FortranACUFInit");
  }
  if (line.deviceLink)
    return true;
  if (line.module) {
    // The image alone, as a shared object.
    CommandLine module = line;
    module.shared = true;
    if (line.dryRun)
      images = {image};
    images.push_back("-lm");
    linker = planLink(module, images, output);
    if (!linker)
      return error(linker.takeError());
  }
  if (line.verbose || line.dryRun)
    showStep(line, linker->executable, linker->arguments);
  if (line.dryRun)
    return true;
  if (StringRef(linker->executable).ends_with("ld.lld") &&
      needsExecutableStack(linker->arguments))
    linker->arguments.insert(linker->arguments.end(), {"-z", "execstack"});
  phases.begin("link");
  bool linked = runLinker(line, *linker, objects);
  phases.end();
  return linked;
}

bool cufort::driver::closeObject(const CommandLine &line, const Source &source,
                                 const std::string &object, Phases &phases) {
  if (!line.wholeFiles || source.language != Source::CudaCxx || line.dryRun ||
      line.emitLlvm || line.module || line.gpuCode != GpuCode::None)
    return true;
  auto folder = TemporaryFolder::create();
  if (!folder)
    return error(folder.takeError());
  const std::string image = folder->file("image.o");
  ImageJob job = imageJob(line, {object}, image, source.path, phases);
  job.inOneObject = true;
  job.sourceOfObject[object] = source.path;
  auto made = buildImageSafely(job);
  phases.end();
  if (!made)
    return error(made.takeError());
  if (!made->empty())
    if (llvm::Error failure = joinWithImage(object, image, source.path))
      return error(std::move(failure));
  return true;
}
