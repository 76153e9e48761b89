//===- Arena.h - per-thread values in memory --------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_BLOCK_ARENA_H
#define CUFORT_COMPILER_CPU_BLOCK_ARENA_H

#include "compiler/cpu/block/ThreadLoops.h"
#include "llvm/IR/IRBuilder.h"

namespace cufort::cpu {

/// The part of CpuWorkspace::arena that an entry uses: one array per slot, an
/// element for each thread. Adds what it hands out to cufort-arena.
/// On a variable of the prologue that holds an element for every thread.
inline constexpr char ArenaMetadata[] = "cufort.arena";

/// Whether \p entry has private variables that are not in the arena: all its
/// threads share one of each, one after the other.
bool hasPrivateVariables(llvm::Function &entry);

class Arena {
public:
  /// With \p onStack, small arrays of a block whose shape is known may be
  /// variables of the function: not where it returns in between.
  Arena(llvm::Function &entry, const BlockShape &shape, bool onStack = false)
      : entry(entry), shape(shape), onStack(onStack) {}

  struct Slot {
    llvm::Type *type = nullptr; ///< of the values; kept as i8 if it is i1
    llvm::Value *base = nullptr;
  };

  Slot make(llvm::Type *type, const llvm::Twine &name);

  /// The address of an array of \p bytesPerThread for each thread, which the
  /// caller lays out.
  llvm::Value *reserve(uint64_t bytesPerThread, const llvm::Twine &name);

  /// The value of the thread whose number is \p rank (i64).
  llvm::Value *load(llvm::IRBuilder<> &b, const Slot &slot, llvm::Value *rank);
  void store(llvm::IRBuilder<> &b, const Slot &slot, llvm::Value *rank,
             llvm::Value *value);

private:
  llvm::AllocaInst *reserveOnStack(uint64_t bytesPerThread,
                                   const llvm::Twine &name);
  llvm::Value *address(llvm::IRBuilder<> &b, const Slot &slot,
                       llvm::Value *rank);

  llvm::Function &entry;
  const BlockShape &shape;
  const bool onStack;
  llvm::Value *arena = nullptr;
};

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_BLOCK_ARENA_H
