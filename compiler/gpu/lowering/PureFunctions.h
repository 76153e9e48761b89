//===- PureFunctions.h - pure virtual functions -----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOWERING_PUREFUNCTIONS_H
#define CUFORT_COMPILER_GPU_LOWERING_PUREFUNCTIONS_H

namespace llvm {
class Module;
}

namespace cufort {

/// Defines what C++ has in tables of virtual functions where there is none, as
/// functions that trap: a GPU has no library that they would be in. Needs
/// nothing.
void definePureFunctions(llvm::Module &module);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOWERING_PUREFUNCTIONS_H
