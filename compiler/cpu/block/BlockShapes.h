//===- BlockShapes.h - kernels for known block shapes -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_BLOCK_BLOCKSHAPES_H
#define CUFORT_COMPILER_CPU_BLOCK_BLOCKSHAPES_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <array>

namespace cufort::cpu {

/// Of a block entry with barriers: no launch tells the shape of its blocks.
inline constexpr char UnknownShapeAttribute[] = "cufort-unknown-shape";

/// cpu-shapes. Needs cpu-entry; runs after cpu-thread-entry, for a variant has
/// no thread entry. Leaves, beside each block entry that has a barrier or a
/// loop, a copy for each of the block shapes with which image::LaunchesMetadata
/// says that the kernel is launched, at most four, the most frequent ones. In a
/// copy the shape is a constant, and so is a thread index of which there is one
/// value only; the others carry their range, by which what is made of them is
/// simplified; the copy carries cufort-shape. An entry with a barrier that has
/// no such copy carries UnknownShapeAttribute. Where blocks have one thread in
/// x, each block entry has such a copy, in which y or z is taken for x
/// (cufort-along): there threads have neighbours, and become lanes of vectors.
llvm::Error specialiseBlockShapes(llvm::Module &module,
                                  const CpuOptions &options);

/// Makes the extents of the block that \p entry reads constants, so far as they
/// are not zero in \p shape.
void foldBlockShape(llvm::Function &entry,
                    const std::array<uint32_t, 3> &shape);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_BLOCK_BLOCKSHAPES_H
