//===- Combinations.cpp - which options go together
//---------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/options/Combinations.h"
#include "compiler/driver/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace cufort::driver;

bool cufort::driver::checkCombination(const CommandLine &line) {
  if (line.sources.empty() && line.linkInputs.empty())
    return error("no input files; 'cufort --help' shows how to call it");
  if (line.action != Action::Link && line.sources.empty())
    return error("nothing to compile: none of the files is a source");
  if (line.action == Action::Dependencies &&
      llvm::any_of(line.sources, [](const Source &source) {
        return source.language == Source::Fortran;
      }))
    return error("'-M' and '-MM' name the headers of C and C++ sources, not "
                 "the modules of Fortran: for those say '-MD' when compiling, "
                 "or '--module-dependencies'");
  if (line.dependencies.wanted && !line.dependencies.file.empty() &&
      line.sources.size() > 1)
    return error("'-MF' names one file, but there are " +
                 llvm::Twine(line.sources.size()) + " sources");
  if (line.emitLlvm && line.action == Action::Link)
    return error("'-emit-llvm' needs '-S' or '-c'");
  if (line.action != Action::Link &&
      line.action != Action::ModuleDependencies && !line.output.empty() &&
      line.sources.size() > 1)
    return error("'-o' names one file, but there are " +
                 llvm::Twine(line.sources.size()) + " sources to compile");
  if (line.subcommand == CommandLine::Run && line.action != Action::Link)
    return error("'cufort run' makes a program: '-c', '-S', '-E' and "
                 "'-fsyntax-only' cannot be combined with it");
  if (line.module &&
      (line.action != Action::Link || line.subcommand == CommandLine::Run))
    return error("'-fatbin' makes a module that programs load while they run: "
                 "'-c', '-S', '-E', '-fsyntax-only' and 'run' cannot be "
                 "combined with it");
  if (line.gpuCode != GpuCode::None &&
      (line.action != Action::Link || line.module ||
       line.subcommand == CommandLine::Run))
    return error("'-ptx' and '-cubin' write device code alone: '-c', '-S', "
                 "'-E', '-fsyntax-only', '-fatbin' and 'run' cannot be "
                 "combined with them");
  if (line.gpuCode != GpuCode::None && !line.device.gpu)
    return error("'-ptx' and '-cubin' write code for GPUs, which "
                 "'--device=cpu' and '-Mcuda=emu' leave out");
  if (line.check.any() && !line.device.cpu)
    return error("'--check' builds checkers into the code for the CPU, which "
                 "'--device=gpu' leaves out");
  if (line.countOperations && !line.device.cpu)
    return error("'--count-operations' counts in the code for the CPU, which "
                 "'--device=gpu' leaves out");
  if (line.deviceLink + line.library + line.module + line.shared +
              (line.gpuCode != GpuCode::None) >
          1 ||
      ((line.deviceLink || line.library) &&
       (line.action != Action::Link || line.subcommand == CommandLine::Run)))
    return error("'-dlink' and '-lib' write one thing each: '-c', '-S', '-E', "
                 "'-fsyntax-only', '-shared', '-fatbin', '-ptx', '-cubin' and "
                 "'run' cannot be combined with them, nor they with each "
                 "other");
  if (line.subcommand == CommandLine::Run && line.shared)
    return error("'cufort run' makes a program: '-shared' cannot be combined "
                 "with it");
  for (const Source &source : line.sources)
    if (!line.output.empty() && line.output != "-" &&
        llvm::sys::fs::equivalent(line.output, source.path))
      return error("the output '" + line.output + "' is one of the sources");
  return true;
}
