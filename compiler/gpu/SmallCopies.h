//===- SmallCopies.h - copies of a few words -------------------- -*- C++
//-*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_SMALLCOPIES_H
#define CUFORT_COMPILER_GPU_SMALLCOPIES_H

#include "llvm/Passes/PassBuilder.h"

namespace cufort {

/// Makes the pipeline of \p builder turn copies of a few words (assignments of
/// structures) into loads and stores as wide as their alignment allows, all
/// loads first. LLVM leaves them to the code generator, which makes a load and
/// a store of at most eight bytes each, one waiting for the other.
void expandSmallCopies(llvm::PassBuilder &builder);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_SMALLCOPIES_H
