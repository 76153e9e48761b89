//===- LineInfo.h - debug information for profilers -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOWERING_LINEINFO_H
#define CUFORT_COMPILER_GPU_LOWERING_LINEINFO_H

namespace llvm {
class Module;
}

namespace cufort {

/// Reduces the debug information of \p module to what `.loc` directives need.
/// Full debug information would make the PTX a debug target, which the driver
/// compiles without optimisation.
void keepLineDirectives(llvm::Module &module);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOWERING_LINEINFO_H
