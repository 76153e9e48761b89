//===- KernelLoopFlow.h - read before it is assigned ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which variables an iteration of a kernel loop reads before it has assigned
// them, and whether the procedure reads them after the loop.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_LOOPS_KERNELLOOPFLOW_H
#define CUFORT_COMPILER_LOWER_LOOPS_KERNELLOOPFLOW_H

#include "compiler/lower/loops/KernelLoops.h"

namespace cufort::lower {

/// What one operation of the body does to one variable.
struct Access {
  enum Kind { Read, Write, Passed } kind;
  unsigned variable;
};

using Accesses =
    llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Access, 1>>;

/// What an iteration does with one variable.
struct VariableFlow {
  /// It may get the value from before the iteration.
  bool needsValue = false;
  /// The first read that an assignment of the same iteration need not precede;
  /// of what is passed only if the procedure says that it reads it.
  mlir::Operation *exposed = nullptr;
  /// A read that no assignment of the same iteration precedes, but which one
  /// may follow: it gets what another iteration has left.
  mlir::Operation *carried = nullptr;
};

/// Of each of the \p count variables.
llvm::SmallVector<VariableFlow>
followIteration(cuf::KernelOp kernel, const Accesses &accesses, unsigned count);

/// Whether anything reads what a loop leaves in a variable.
enum class LaterUse {
  None,    ///< it is assigned anew before it is read
  Unknown, ///< it outlives the procedure
  Read     ///< the procedure may read it
};

LaterUse useAfter(cuf::KernelOp kernel, hlfir::DeclareOp declare);

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_LOOPS_KERNELLOOPFLOW_H
