//===- StripGains.h - which loops over threads gain by vectors --*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_SIMD_STRIPGAINS_H
#define CUFORT_COMPILER_CPU_SIMD_STRIPGAINS_H

#include "compiler/cpu/analysis/LaneShapes.h"
#include "compiler/cpu/block/ThreadBody.h"
#include <string>

namespace cufort::cpu {

// Of the body of one thread (ThreadBody):

bool hasLoops(llvm::Function &body);

/// Whether threads print or stop in \p block. Kernels do so where something is
/// wrong, or one thread for all: seldom.
bool isSeldom(const llvm::BasicBlock &block);

/// Whether threads of a block diverge.
bool isDivergent(llvm::Function &body);

/// Whether rows share what they read in loops: some of it depends on x only,
/// and some on y only.
bool rowsShare(llvm::Function &body);

/// Whether most of what a row reads is what the row before it has read; loops
/// that stand in the way are unrolled.
bool makeRowsOverlap(llvm::Function &body, BodyPasses &passes);

/// How many values of the widest type with which it counts fill a vector.
unsigned lanesFor(llvm::Function &body);

/// How many vectors a thread's values fill that go around a loop.
unsigned liveVectors(llvm::Function &body, LaneShapes &shapes);

/// Compares the work of a strip one thread after the other with that of its
/// vectors, in units of simple instructions.
bool isFaster(llvm::Function &body, LaneShapes &shapes, unsigned lanes);

/// Why lanes must not wait for each other in the loops of \p body: one might
/// wait for what another does. Empty if they may.
std::string waitsForOthers(llvm::Function &body, LaneShapes &shapes);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_SIMD_STRIPGAINS_H
