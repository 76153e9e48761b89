//===- CompileFortran.h - one Fortran source to one object file -*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_COMPILEFORTRAN_H
#define CUFORT_COMPILER_FORTRAN_COMPILEFORTRAN_H

#include "compiler/common/CheckOptions.h"
#include "compiler/common/PassRunner.h"
#include "compiler/fortran/modules/ScanModules.h"
#include <string>
#include <vector>

namespace cufort {

/// What to make of one Fortran source file.
struct FortranJob {
  enum Output {
    Object,       ///< -c: host code with the device bitcode inside
    Assembly,     ///< -S: host assembly
    LlvmIr,       ///< -S -emit-llvm: host IR as text
    Bitcode,      ///< -c -emit-llvm: host IR as bitcode
    Preprocessed, ///< -E
    SyntaxOnly,   ///< -fsyntax-only: diagnostics and module files
    ModuleScan    ///< nothing but SourceModules
  };

  std::string input;
  std::string output; ///< "-" is standard output
  Output kind = Object;
  unsigned optLevel = 1; ///< 0..3
  /// Everything else, in the spelling of `flang -fc1`: language, include and
  /// module folders, macros, target, debug information.
  std::vector<std::string> frontendArgs;
  /// Where -save-temps files go: STEM.fir, STEM.host.fir, STEM.device.fir,
  /// STEM.device.ll; empty: none.
  std::string saveTempsStem;
  bool listKernelLoops = false; ///< on standard error (-Minfo=accel)
  /// Allocatable variables without a memory attribute are managed ones
  /// (-gpu=mem:managed).
  bool managedAllocatables = false;
  /// What the device code is prepared for (--check); the device link builds it
  /// in.
  CheckOptions check = {};
  /// Device code stays as it is written (-g alone, -gpu=debug).
  bool debugDevice = false;
  bool describeDevice =
      false; ///< -g: the variables of device code are described
  /// Of the passes over FIR (compiler/lower/Pipeline.h).
  PassOptions passes = {};
  /// Becomes what the source provides, needs, and was read of: after a
  /// ModuleScan the source alone, after the others the module files, too.
  SourceModules *modules = nullptr;
};

/// Compiles one file. Returns false after printing diagnostics (Flang's own
/// format: file, line, column, source line, caret); no output is left
/// then. \p argv0 is the compiler's own path: the intrinsic module files are
/// taken from ../include/flang beside it, the one place whose modules Flang
/// treats as intrinsic (syncthreads would be an ordinary call otherwise).
bool compileFortran(const FortranJob &job, const char *argv0);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_COMPILEFORTRAN_H
