//===- CpuOptions.h - how to compile for the CPU ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_CPUOPTIONS_H
#define CUFORT_COMPILER_CPU_CPUOPTIONS_H

#include "image/Image.h"
#include <string>

namespace cufort {

struct CpuOptions {
  std::string deviceFolder; ///< the folder of our own device bitcode
  unsigned optLevel = 2;    ///< 0 to 3
  bool fastMath = false;    ///< -gpu=fastmath: approximate division in real(4)
  bool contract = true;     ///< -gpu=fma: fused multiply-add
  bool verbose = false;     ///< name every pass and its time on standard error
  /// Which image::CpuLevel to compile for: bit n is level n.
  unsigned levels =
      1u << image::X86_64_V2 | 1u << image::X86_64_V3 | 1u << image::X86_64_V4;
  /// -march=: compile for this processor alone, at its level; "native" is this
  /// machine's. Empty: for all \c levels.
  std::string processor;
  bool threadEntries = true; ///< also make image::CpuThreadEntry functions
  bool vectorNotes = false;  ///< -Minfo: fill CpuKernel::notes
  bool lineTables = false;   ///< -g, -gpu=lineinfo: keep them in the code
  /// Passes by name, separated by commas: print the module after them.
  std::string printAfter;
  /// Passes by name, separated by commas: leave them out. Only passes that the
  /// pipeline calls optional can be left out. Besides them, "cpu-regions" makes
  /// cpu-fission take its general path for every kernel with a barrier.
  std::string disablePass;
};

} // namespace cufort

#endif // CUFORT_COMPILER_CPU_CPUOPTIONS_H
