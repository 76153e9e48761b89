//===- CompileCuda.h - one CUDA C++, C++ or C source to one object --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CUDA_COMPILECUDA_H
#define CUFORT_COMPILER_CUDA_COMPILECUDA_H

#include "compiler/common/CheckOptions.h"
#include <string>
#include <vector>

namespace cufort {

/// What to make of one source file.
struct CudaJob {
  enum Output {
    Object,       ///< -c: host code with the device bitcode inside
    Assembly,     ///< -S: host assembly
    LlvmIr,       ///< -S -emit-llvm: host IR as text
    Bitcode,      ///< -c -emit-llvm: host IR as bitcode
    Preprocessed, ///< -E: of the host's half
    Dependencies, ///< -M: what the arguments say of headers, of the host's half
    SyntaxOnly    ///< -fsyntax-only: diagnostics of both halves
  };

  std::string input;
  std::string output; ///< "-" is standard output
  Output kind = Object;
  /// Everything in the spelling of `clang -cc1` but input, output and action.
  std::vector<std::string> hostArguments;
  /// The same for the device's half; empty: the source has none (C, C++).
  std::vector<std::string> deviceArguments;
  /// -rdc=true: variables of one name in several files are one.
  bool sharesVariables = false;
  /// The user has named the GPU that device code is for; else it may be one
  /// that the code's inline PTX needs.
  bool namesArchitecture = false;
  /// What the device code is prepared for (--check).
  CheckOptions check = {};
  /// Where -save-temps files go: STEM.device.ll, STEM.host.ll; empty: none.
  std::string saveTempsStem;
};

/// Compiles one file with Clang: the device's half to bitcode, as Clang writes
/// it and not yet optimised (the engines want loops and barriers as they stand
/// in the source), the host's half to an object with that bitcode inside.
/// Returns false after printing diagnostics in Clang's format; what both halves
/// say of one place is printed once. Then no output is left. \p argv0 is
/// the compiler's own path.
bool compileCuda(const CudaJob &job, const char *argv0);

} // namespace cufort

#endif // CUFORT_COMPILER_CUDA_COMPILECUDA_H
