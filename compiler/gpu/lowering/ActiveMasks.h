//===- ActiveMasks.h - warp operations without a mask -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOWERING_ACTIVEMASKS_H
#define CUFORT_COMPILER_GPU_LOWERING_ACTIVEMASKS_H

namespace llvm {
class Module;
}

namespace cufort {

/// Gives shuffles and votes without a mask (`__shfl`, `__ballot`), which GPUs
/// from compute capability 7.0 on do not have, that of the lanes which execute
/// them. Needs nothing; leaves the operations with a mask alone.
void nameActiveLanes(llvm::Module &module);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOWERING_ACTIVEMASKS_H
