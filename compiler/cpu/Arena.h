//===- Arena.h - per-thread values in memory --------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_ARENA_H
#define CUFORT_COMPILER_CPU_ARENA_H

#include "compiler/cpu/ThreadLoops.h"
#include "llvm/IR/IRBuilder.h"

namespace cufort::cpu {

/// The part of CpuWorkspace::arena that an entry uses: one array per slot, an
/// element for each thread. Adds what it hands out to cufort-arena.
class Arena {
public:
  Arena(llvm::Function &entry, const BlockShape &shape)
      : entry(entry), shape(shape) {}

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
  llvm::Value *address(llvm::IRBuilder<> &b, const Slot &slot,
                       llvm::Value *rank);

  llvm::Function &entry;
  const BlockShape &shape;
  llvm::Value *arena = nullptr;
};

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_ARENA_H
