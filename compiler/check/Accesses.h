//===- Accesses.h - what a description is made of ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CHECK_ACCESSES_H
#define CUFORT_COMPILER_CHECK_ACCESSES_H

#include "compiler/check/Forms.h"
#include "image/Check.h"
#include <vector>

namespace cufort::check {

/// A branch and the edge that is taken there.
struct Edge {
  llvm::BranchInst *branch;
  unsigned successor;

  llvm::BasicBlock *to() const { return branch->getSuccessor(successor); }
  llvm::BasicBlock *from() const { return branch->getParent(); }
};

/// One of a kernel to memory, with what is said of it before a launch.
struct Access {
  llvm::Instruction *instruction;
  uint32_t flags;
  unsigned object; ///< of shared memory
  llvm::Value *address, *size;
  uint64_t bytes, alignment;
  Form distance;
  std::vector<Condition> deciding; ///< by which it is made, if ProofWhole
  bool isShared() const { return flags & image::ProofShared; }
  bool writes() const { return flags & image::ProofWrites; }
};

} // namespace cufort::check

#endif // CUFORT_COMPILER_CHECK_ACCESSES_H
