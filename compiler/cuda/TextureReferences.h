//===- TextureReferences.h - texture<> and surface<> variables --*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A texture or surface reference is a variable that holds the object to which
// the host has bound it (include/cufort/texture_references.h), and device code
// reads it as any variable. Static ones get names of their own, because Clang
// gives both sides one of the file.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CUDA_TEXTUREREFERENCES_H
#define CUFORT_COMPILER_CUDA_TEXTUREREFERENCES_H

#include "llvm/IR/Module.h"

namespace cufort::cuda {

/// Turns what Clang makes of references in device code to variables and loads
/// of them; static ones are named after \p unit, the file's own name.
void lowerReferences(llvm::Module &device, llvm::StringRef unit);

/// The same names in the offload entries of \p host.
void nameReferences(llvm::Module &host, llvm::StringRef unit);

} // namespace cufort::cuda

#endif // CUFORT_COMPILER_CUDA_TEXTUREREFERENCES_H
