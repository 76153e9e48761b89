//===- Barriers.h - barriers in blocks of their own -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_FISSION_BARRIERS_H
#define CUFORT_COMPILER_CPU_FISSION_BARRIERS_H

#include "compiler/cpu/CpuOptions.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-barriers. Needs cpu-intrinsics. Leaves every barrier mark followed by
/// nothing but a branch and preceded by nothing in its basic block, and no
/// barrier in unreachable code.
llvm::Error isolateBarriers(llvm::Module &module, const CpuOptions &options);

/// The same of one entry.
void isolateBarriersOf(llvm::Function &entry);

/// All barriers of \p entry.
llvm::SmallVector<llvm::CallInst *> barriersOf(llvm::Function &entry);

BarrierKind kindOfBarrier(const llvm::CallInst &barrier);

/// Of the marks of a barrier: the threads of a block may come to it and to
/// others like it at different statements, as PTX allows where it is not
/// ".aligned".
inline constexpr char AnyStatementAttribute[] = "cufort-any-statement";

/// Whether all threads of a block that have not ended must come to \p barrier
/// if one does. CUFORT_CPU_STRICT=1 looks whether they do.
bool isForOneStatement(const llvm::CallInst &barrier);

/// Whether those at a barrier of kind \p kind wait for other blocks.
bool joinsBlocks(BarrierKind kind);

/// The runtime's function for such a kind: image::GridBarrierFunction or
/// image::ClusterBarrierFunction.
llvm::FunctionCallee barrierOfBlocks(llvm::Module &module, BarrierKind kind);

/// The i32 result of a barrier of kind \p kind after \p votesFor threads have
/// voted true and \p votesAgainst false.
llvm::Value *barrierResult(llvm::IRBuilder<> &b, BarrierKind kind,
                           llvm::Value *votesFor, llvm::Value *votesAgainst);

/// Needs barriers that the whole block comes to together. Leaves, in place of
/// the marks, code that counts the votes in variables of the block and computes
/// the results.
void lowerBarriers(llvm::Function &entry);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_FISSION_BARRIERS_H
