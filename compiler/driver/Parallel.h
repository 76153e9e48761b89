//===- Parallel.h - several sources at the same time ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_PARALLEL_H
#define CUFORT_COMPILER_DRIVER_PARALLEL_H

#include "compiler/driver/Phases.h"
#include "compiler/driver/options/CommandLine.h"

namespace cufort::driver {

/// Compiles all sources of \p line, at most CommandLine::jobs at a time, each
/// in a process of its own: source n to \p outputs[n]. A source begins when
/// those whose modules it uses are done. Says which have been compiled, after
/// diagnostics for the others; the diagnostics of a source stay together.
std::vector<bool> compileInParallel(const CommandLine &line,
                                    const std::vector<std::string> &outputs,
                                    Phases &phases);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_PARALLEL_H
