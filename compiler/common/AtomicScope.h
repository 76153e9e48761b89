//===- AtomicScope.h - how strong atomic functions are ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_COMMON_ATOMICSCOPE_H
#define CUFORT_COMPILER_COMMON_ATOMICSCOPE_H

namespace cufort {

/// The scope of atomic operations for all threads of the device whose order
/// only the compiler keeps: it moves no access across them, but a GPU may, as
/// with CUDA Fortran's and CUDA's functions, which are relaxed.
inline constexpr char RelaxedScope[] = "cufort.relaxed";

} // namespace cufort

#endif // CUFORT_COMPILER_COMMON_ATOMICSCOPE_H
