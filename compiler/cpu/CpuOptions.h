//===- CpuOptions.h - how to compile for the CPU ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_CPUOPTIONS_H
#define CUFORT_COMPILER_CPU_CPUOPTIONS_H

#include "compiler/common/CheckOptions.h"
#include "compiler/common/PassRunner.h"
#include "image/Image.h"
#include <string>

namespace cufort {

struct CpuOptions {
  std::string deviceFolder; ///< the folder of our own device bitcode
  unsigned optLevel = 2;    ///< 0 to 3
  bool fastMath = false;    ///< -gpu=fastmath: approximate division in real(4)
  bool contract = true;     ///< -gpu=fma: fused multiply-add
  /// Which image::CpuLevel to compile for: bit n is level n.
  unsigned levels =
      1u << image::X86_64_V2 | 1u << image::X86_64_V3 | 1u << image::X86_64_V4;
  /// -march=: compile only for this processor, at its level; "native" is this
  /// machine's. Empty: for all \c levels.
  std::string processor;
  bool threadEntries = true; ///< also make image::CpuThreadEntry functions
  bool vectorNotes = false;  ///< -Minfo: fill CpuKernel::notes
  bool lineTables = false;   ///< -g, -gpu=lineinfo: keep them in the code
  /// -g alone: code as it was written, each thread on its own, with all that
  /// debuggers want to know (block/DebugVariables.h). With optLevel 0.
  bool debug = false;
  bool describe = false;      ///< -g: with what is known of variables
  std::string debuggerScript; ///< with debug: what gdb is to read, if anything
  CheckOptions check = {};    ///< --check: the checkers to build in
  bool countOperations = false; ///< --count-operations
  /// Besides the passes that the pipeline calls optional, "cpu-regions" can be
  /// disabled: cpu-fission then takes its general path for every kernel with a
  /// barrier.
  PassOptions passes;
};

} // namespace cufort

#endif // CUFORT_COMPILER_CPU_CPUOPTIONS_H
