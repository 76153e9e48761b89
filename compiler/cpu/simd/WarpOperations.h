//===- WarpOperations.h - what the lanes of a warp do together --*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp is 32 threads of a block with consecutive numbers, counted with x
// fastest; a lane is a thread's place in it. From cpu-intrinsics on, whatever
// the lanes of a warp do together is a call of one of the marks below, each
// with the mask of the lanes that take part as its first operand (but
// activemask has none). PTX has more operations; they are written with these. T
// is i32 or i64, the last part of the mark's name.
//
//   T    cufort.warp.shuffle.{idx,up,down,xor}.T(i32 mask, T value, i32 b,
//                      i32 c)                     PTX's shfl.sync
//   i32  cufort.warp.ballot(i32 mask, i1 predicate)
//   i32  cufort.warp.match.any.T(i32 mask, T value)
//   i32  cufort.warp.match.all.T(i32 mask, T value)
//   i32  cufort.warp.reduce.{add,and,or,xor,smin,smax,umin,umax}(i32 mask,
//                      i32 value)
//   i32  cufort.warp.activemask()
//   void cufort.warp.sync(i32 mask)
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_SIMD_WARPOPERATIONS_H
#define CUFORT_COMPILER_CPU_SIMD_WARPOPERATIONS_H

#include "image/Image.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <optional>

namespace cufort::cpu {

/// Of all GPUs that there are.
inline constexpr unsigned WarpSize = 32;

/// What the marks are called in the image; without VolatileAccess.
using WarpOperation = image::CpuWarpOperation;

bool isShuffle(WarpOperation operation);
bool isReduction(WarpOperation operation);

/// Which mark \p instruction calls, if any.
std::optional<WarpOperation>
warpOperation(const llvm::Instruction &instruction);
bool isWarpOperation(const llvm::Instruction &instruction);

/// Whether the result of the warp operation \p operation is the same for all
/// lanes that execute it together, seen from its operands alone: so are those
/// of votes, match.all and reductions where all lanes name the same mask, those
/// of a shuffle that broadcasts one lane to the whole warp, and activemask.
/// match.any and other shuffles are not, nor are lanes with different masks at
/// one operation, as the tiles of cooperative groups have them. Never means
/// that the threads of a block agree.
bool isWarpUniform(const llvm::CallInst &operation);

/// What the user calls it, with an article: "a warp shuffle".
llvm::StringRef describe(WarpOperation operation);

/// Needs the device library's procedures not yet inlined. Leaves those that are
/// one warp operation on the CPU, though several on a GPU, without a body, so
/// that cpu-inline keeps the calls.
void keepWarpProcedures(llvm::Module &module);

/// The value that stands for \p call, an NVVM intrinsic or a procedure kept by
/// keepWarpProcedures, in terms of marks created at \p b; no value where it is
/// no warp operation, null where it is one without a result.
std::optional<llvm::Value *> lowerToWarpMarks(llvm::IRBuilder<> &b,
                                              llvm::CallInst &call);

/// Executes the warp operation \p operation for a whole warp at once, at \p b.
/// Every operand is a vector <32 x T> with one element for each lane, a splat
/// where all lanes agree; \p active, <32 x i1>, says which lanes execute the
/// operation: not those of a last warp that the block does not fill, nor those
/// that have ended or are elsewhere. The result, null where there is none, is
/// <32 x T>, or T where the lanes agree, as they always do if isWarpUniform
/// says so and the operands that it looked at are splats.
///
/// What CUDA leaves undefined: a lane that reads from a lane which is inactive
/// or not in the mask gets its own value; a broadcast from such a lane is an
/// arbitrary value.
llvm::Value *emitWarpOperation(llvm::IRBuilder<> &b, llvm::CallInst &operation,
                               llvm::ArrayRef<llvm::Value *> operands,
                               llvm::Value *active);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_SIMD_WARPOPERATIONS_H
