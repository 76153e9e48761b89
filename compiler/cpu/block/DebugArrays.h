//===- DebugArrays.h - extents that debuggers find --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_BLOCK_DEBUGARRAYS_H
#define CUFORT_COMPILER_CPU_BLOCK_DEBUGARRAYS_H

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace cufort::cpu {

/// Lets debuggers know the bounds of explicit-shape dummies and of automatic
/// arrays. Flang describes them by artificial variables, which users would see
/// among their own, and to which types do not refer any more where LLVM has
/// copied the function. Here such an array gets a descriptor in memory, of its
/// address and its bounds, as assumed-shape dummies have one.
/// Returns the last instruction that makes them, if any does.
///
/// Needs \p function unoptimised, and records whose address has no expression.
const llvm::Instruction *describeArrays(llvm::Function &function);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_BLOCK_DEBUGARRAYS_H
