//===- Clusters.h - clusters of blocks on the CPU ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_BLOCK_CLUSTERS_H
#define CUFORT_COMPILER_CPU_BLOCK_CLUSTERS_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace cufort::cpu {

/// What stands for \p call, which asks a kernel for its cluster: computed from
/// the block's index and the kernel's own cluster_dims, else the launch's, for
/// which the special registers cluster.nctaid are left. Null: it is no such
/// call, or not in a kernel.
llvm::Value *lowerClusters(llvm::IRBuilder<> &b, llvm::CallInst &call);

/// Whether \p call is the first half of a cluster's barrier. The second, where
/// all wait, does for both: every block that arrives has to wait.
bool arrivesAtCluster(const llvm::CallInst &call);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_BLOCK_CLUSTERS_H
