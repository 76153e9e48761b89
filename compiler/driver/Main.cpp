//===- Main.cpp - the cufort command --------------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the command line to the exit status, in order: read the command line,
// compile every source, link, and for `cufort run` run the program.
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/Compile.h"
#include "compiler/driver/Dependencies.h"
#include "compiler/driver/Diagnostics.h"
#include "compiler/driver/Info.h"
#include "compiler/driver/OutputFile.h"
#include "compiler/driver/Parallel.h"
#include "compiler/driver/PassNames.h"
#include "compiler/driver/Phases.h"
#include "compiler/driver/Run.h"
#include "compiler/driver/options/CommandLine.h"
#include "compiler/driver/options/Names.h"
#include "compiler/driver/toolchain/HostToolchain.h"
#include "compiler/driver/toolchain/Library.h"
#include "compiler/driver/toolchain/Link.h"
#include "compiler/driver/toolchain/Toolkit.h"
#include "compiler/driver/view/View.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/TargetSelect.h"
#include <optional>

using namespace cufort::driver;

/// Whether -j has something to do.
static bool isParallel(const CommandLine &line) {
  return line.jobs && line.sources.size() > 1 && !line.dryRun &&
         line.action != Action::Preprocess &&
         line.action != Action::Dependencies;
}

/// -c, -S, -E and -fsyntax-only: every source for itself.
static bool compileOnly(const CommandLine &line, Phases &phases) {
  bool ok = true;
  for (const Source &source : line.sources) {
    std::string path = line.output.empty() || line.action == Action::CheckSyntax
                           ? defaultOutput(line, source)
                           : line.output;
    if (line.dryRun || path.empty()) {
      ok &= compileSource(line, source, path, phases);
      continue;
    }
    auto output = OutputFile::create(path);
    if (!output) {
      ok = error(output.takeError());
      continue;
    }
    if (!compileSource(line, source, output->temporary(), phases) ||
        (line.action == Action::Object &&
         !closeObject(line, source, output->temporary(), phases)))
      ok = false;
    else if (llvm::Error failure = output->keep())
      ok = error(std::move(failure));
  }
  return ok;
}

/// The same, several at a time.
static bool compileOnlyInParallel(const CommandLine &line, Phases &phases) {
  std::vector<OutputFile> files;
  std::vector<std::string> temporaries;
  for (const Source &source : line.sources) {
    std::string path = defaultOutput(line, source);
    if (path.empty()) {
      temporaries.push_back("");
      continue;
    }
    auto output = OutputFile::create(path);
    if (!output)
      return error(output.takeError());
    temporaries.push_back(output->temporary());
    files.push_back(std::move(*output));
  }
  const std::vector<bool> done = compileInParallel(line, temporaries, phases);
  bool ok = !llvm::is_contained(done, false);
  for (size_t i = 0; i != files.size(); ++i)
    if (done[i])
      if (llvm::Error failure = files[i].keep())
        ok = error(std::move(failure));
  return ok;
}

/// Compiles all sources into \p folder, then links them to \p output.
static bool buildProgram(const CommandLine &line, const TemporaryFolder &folder,
                         const std::string &output, llvm::StringRef name,
                         Phases &phases) {
  std::vector<std::string> objects;
  bool ok = true;
  for (const Source &source : line.sources) {
    std::string number = std::to_string(objects.size());
    llvm::StringRef stem = llvm::sys::path::stem(source.path);
    objects.push_back(folder.file((stem + "-" + number + ".o").str()));
  }
  if (isParallel(line))
    ok = !llvm::is_contained(compileInParallel(line, objects, phases), false);
  else
    for (size_t i = 0; i != objects.size(); ++i)
      ok &= compileSource(line, line.sources[i], objects[i], phases) &&
            closeObject(line, line.sources[i], objects[i], phases);
  if (ok && line.library)
    return writeLibrary(line, objects, output);
  return ok && linkProgram(line, objects, folder, output, name, phases);
}

static bool compileAndLink(const CommandLine &line, Phases &phases) {
  auto folder = TemporaryFolder::create();
  if (!folder)
    return error(folder.takeError());
  std::string path = line.output;
  const bool isNamed = !path.empty();
  if (path.empty() && line.module && !line.sources.empty())
    path = (llvm::sys::path::stem(line.sources.front().path) + ".fatbin").str();
  if (path.empty() && line.gpuCode != GpuCode::None && !line.sources.empty())
    path = (llvm::sys::path::stem(line.sources.front().path) +
            (line.gpuCode == GpuCode::Ptx ? ".ptx" : ".cubin"))
               .str();
  if (path == "-" && line.gpuCode != GpuCode::Ptx)
    return error("'-o -': only text is written to standard output");
  if (path.empty())
    path = line.deviceLink ? "a_dlink.o" : line.library ? "a.a" : "a.out";
  if (!isNamed)
    path = inOutputFolder(line, path);
  if (line.dryRun)
    return buildProgram(line, *folder, path, path, phases);
  auto output = OutputFile::create(path);
  if (!output)
    return error(output.takeError());
  if (!buildProgram(line, *folder, output->temporary(), path, phases))
    return false;
  if (llvm::Error failure = output->keep())
    return error(std::move(failure));
  return true;
}

/// `cufort run`: nothing without having built the program.
static std::optional<ProgramEnd> buildAndRun(CommandLine &line,
                                             Phases &phases) {
  auto folder = TemporaryFolder::create();
  if (!folder) {
    error(folder.takeError());
    return std::nullopt;
  }
  // A run leaves nothing behind, module files included.
  if (line.moduleFolder.empty())
    line.moduleFolder = folder->path();
  llvm::StringRef first = line.sources.empty() ? llvm::StringRef("program")
                                               : line.sources.front().path;
  std::string program = folder->file(llvm::sys::path::stem(first).str());
  if (!buildProgram(line, *folder, program, program, phases))
    return std::nullopt;
  if (line.dryRun)
    return ProgramEnd{};
  if (line.timing)
    phases.print();
  return runProgram(program, line.programArguments);
}

int main(int argc, const char **argv) {
  // Where nobody reads the diagnostics to their end, outputs are removed too.
  llvm::sys::SetOneShotPipeSignalFunction(
      llvm::sys::DefaultOneShotPipeSignalHandler);
  std::optional<CommandLine> line = readCommandLine(argc, argv);
  if (!line)
    return 1;
  if (line->help || line->helpPasses || line->version ||
      !line->architectureList.empty()) {
    line->help         ? printHelp(line->program)
    : line->helpPasses ? listPasses(llvm::outs())
    : line->version    ? printVersionAs(line->program)
                       : listArchitectures(*line);
    return finishOutput() ? 0 : 1;
  }
  if (!line->questions.empty()) {
    printAnswers(*line);
    return finishOutput() ? 0 : 1;
  }
  if (llvm::Error failure = checkPasses(line->passes))
    return error(std::move(failure)), 1;
  if (line->versionFirst)
    printVersionAs(line->program);
  if (line->subcommand == CommandLine::Info)
    return printInfo(*line);
  if (line->subcommand == CommandLine::View)
    return viewTrace(line->programArguments);

  // The host's code and the GPU's; no other target is ever needed.
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeX86AsmParser();
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();

  Phases phases;
  if (line->subcommand == CommandLine::Run) {
    std::optional<ProgramEnd> end = buildAndRun(*line, phases);
    if (!end)
      return 1;
    endLike(*end);
  }
  bool ok = line->action == Action::Link ? compileAndLink(*line, phases)
            : line->action == Action::ModuleDependencies
                ? writeModuleDependencies(*line)
            : isParallel(*line) ? compileOnlyInParallel(*line, phases)
                                : compileOnly(*line, phases);
  if (line->timing)
    phases.print();
  return ok ? 0 : 1;
}
