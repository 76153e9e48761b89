//===- DebugArrays.h - bounds that cuda-gdb can read ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOWERING_DEBUGARRAYS_H
#define CUFORT_COMPILER_GPU_LOWERING_DEBUGARRAYS_H

namespace llvm {
class Module;
}

namespace cufort {

/// Lets a debugger show arrays whose bounds are known at run time only. Flang
/// says of an assumed-shape dummy that its address, extents and strides are in
/// the descriptor, and cuda-gdb cannot follow that where the descriptor is a
/// parameter or in local memory: each procedure loads them where it starts, and
/// the dummy is described by these values. They, and the extents of automatic
/// arrays and explicit-shape dummies, keep their registers until the procedure
/// returns.
///
/// The descriptors of allocatable and pointer arrays may change. For those of
/// modules the fields become variables, to which the type of the array refers:
/// cuda-gdb of CUDA 13 ends where a type with its own expressions belongs to a
/// variable in global memory. Local variables with descriptors, or whose
/// address is in the frame as that of a C++ reference is, are described by
/// their generic addresses, which are kept as well, and structures of modules
/// that contain descriptors are said to have generic addresses.
///
/// Needs \p module unoptimised, as `-gpu=debug` leaves it.
void describeArrays(llvm::Module &module);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOWERING_DEBUGARRAYS_H
