//===- ThreadState.h - variables of a thread --------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LINK_THREADSTATE_H
#define CUFORT_COMPILER_LINK_THREADSTATE_H

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace cufort {

/// The device library's call for the state of a thread's random numbers, and
/// how many bytes that has; zeros when a kernel starts.
inline constexpr char RandomState[] = "__cufort_random_state";
inline constexpr unsigned RandomStateBytes = 16; ///< as in device/random.c

/// Needs the linked device module. Leaves no call of RandomState: a kernel from
/// which one is reached has a variable, whose address goes to the procedures on
/// the way as one more argument. An error names a procedure on the way that is
/// also called through a pointer.
llvm::Error placeThreadState(llvm::Module &device);

} // namespace cufort

#endif // CUFORT_COMPILER_LINK_THREADSTATE_H
