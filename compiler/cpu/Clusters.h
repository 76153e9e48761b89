//===- Clusters.h - clusters of blocks on the CPU ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_CLUSTERS_H
#define CUFORT_COMPILER_CPU_CLUSTERS_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace cufort::cpu {

/// What stands for \p call, which asks a kernel for its cluster: computed from
/// the block's index and the kernel's own cluster_dims, without which a cluster
/// is one block. Null: it is no such call, or not in a kernel.
llvm::Value *lowerClusters(llvm::IRBuilder<> &b, llvm::CallInst &call);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_CLUSTERS_H
