//===- PassNames.h - the passes of both engines -----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LINK_PASSNAMES_H
#define CUFORT_COMPILER_LINK_PASSNAMES_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
}

namespace cufort {

/// Whether a pass of the GPU's or the CPU's engine is called \p name.
bool isPass(llvm::StringRef name);

/// Writes the passes of both in their order, a line each; what cannot be left
/// out is marked.
void listPasses(llvm::raw_ostream &out);

} // namespace cufort

#endif // CUFORT_COMPILER_LINK_PASSNAMES_H
