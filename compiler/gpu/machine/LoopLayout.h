//===- LoopLayout.h - loops that begin with their beginning -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_MACHINE_LOOPLAYOUT_H
#define CUFORT_COMPILER_GPU_MACHINE_LOOPLAYOUT_H

namespace llvm {
class FunctionPass;
}

namespace cufort {

/// A pass of the code generator after which a loop at whose end the threads
/// wait for each other, or that is around one other loop, has its end behind
/// all its other blocks. LLVM places such an end before the loop's beginning,
/// where that saves a jump; ptxas then makes two branches of the one that goes
/// back, and lets the threads of each warp meet before a barrier once more.
/// Other loops stay as LLVM places them: innermost ones gain nothing, and some
/// around several others lose. To come after LLVM has placed all blocks; only
/// their order changes.
llvm::FunctionPass *createLoopLayoutPass();

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_MACHINE_LOOPLAYOUT_H
