//===- BarrierMarks.h - barriers and warp operations, marked ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_IMPORT_BARRIERMARKS_H
#define CUFORT_COMPILER_CPU_IMPORT_BARRIERMARKS_H

namespace llvm {
class CallInst;
}

namespace cufort::cpu {

/// Puts marks in place of \p call, which is erased then, if it is what threads
/// do together.
bool lowerCollective(llvm::CallInst &call);

/// Makes a barrier of some of a block's threads a call of the runtime, which
/// fibers can make: false if \p call is none.
bool lowerPartBarrier(llvm::CallInst &call);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_IMPORT_BARRIERMARKS_H
