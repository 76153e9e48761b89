//===- LineInfo.h - debug information that ptxas takes ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOWERING_LINEINFO_H
#define CUFORT_COMPILER_GPU_LOWERING_LINEINFO_H

#include <memory>

namespace llvm {
class Module;
}

namespace cufort {

/// Reduces the debug information of \p module to what `.loc` directives need.
/// Full debug information would make the PTX a debug target, which the driver
/// compiles without optimisation.
void keepLineDirectives(llvm::Module &module);

/// A copy of \p module for a debugger. It has no sections of public names: each
/// file of a program would have one, ptxas fails where there are several
/// ("overlapping non-identical data"), and no debugger reads them.
std::unique_ptr<llvm::Module> copyForDebugger(const llvm::Module &module);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOWERING_LINEINFO_H
