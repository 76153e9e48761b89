//===- Regions.h - the stretches between barriers ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel's control flow is divided into nodes and regions. Nodes are what the
// block of threads does as one: barriers, the branches that decide which
// barrier comes next, the joins of their paths, and returns. Regions are the
// stretches between them, what every thread does for itself. Since no branch
// within a region decides about nodes, a region has one entry and one exit.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_FISSION_REGIONS_H
#define CUFORT_COMPILER_CPU_FISSION_REGIONS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include <optional>

namespace cufort::cpu {

struct Region {
  /// Entered from a node; holds nothing but a branch to the body.
  llvm::BasicBlock *start = nullptr;
  /// All blocks but the start: the first is empty and runs once per thread, the
  /// last is exit.
  llvm::SmallVector<llvm::BasicBlock *> body;
  /// The only block of the body that leaves the region, to next; nothing but
  /// phis and a branch. Null where no thread gets so far.
  llvm::BasicBlock *exit = nullptr;
  llvm::BasicBlock *next = nullptr;
};

struct Regions {
  llvm::SmallVector<Region> regions;
  llvm::SmallSetVector<llvm::BasicBlock *, 16> nodes;
  /// The region of each block that is no node and not the prologue.
  llvm::DenseMap<llvm::BasicBlock *, unsigned> of;
};

/// Needs cpu-early-return. Divides \p entry; its blocks are split accordingly.
/// \p uniformLoops are blocks that shall be nodes' business as well: what
/// decides about them is made uniform control flow. Nothing if a branch that
/// decides about nodes may differ between threads; the function is then still
/// what it was.
std::optional<Regions>
divideIntoRegions(llvm::Function &entry,
                  llvm::ArrayRef<llvm::BasicBlock *> uniformLoops);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_FISSION_REGIONS_H
