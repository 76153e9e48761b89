//===- AccessKinds.h - what an access is ------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CHECK_ACCESSKINDS_H
#define CUFORT_COMPILER_CHECK_ACCESSKINDS_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace cufort::check {

/// Whether \p load only moves a byte, or whatever the front end moves by
/// itself, to another place: what nothing has written may be moved.
bool isCopy(const llvm::LoadInst &load);

/// Whether what \p address points to needs no look: the thread's own, or
/// constant, at a constant place within.
bool isHarmless(const llvm::Value *address, uint64_t bytes,
                const llvm::DataLayout &layout);

/// Adds to \p reads where the values were read that \p exchange compares with
/// what is there: the programming guide's way to make an atomic operation of
/// any other reads first, and the exchange finds out whether that is still
/// true.
void findCompared(const llvm::AtomicCmpXchgInst &exchange,
                  llvm::SmallPtrSetImpl<const llvm::Instruction *> &reads);

/// Whether \p exchange may take a lock: what it expects is a constant, and not
/// what it writes, by which programs only look at memory.
bool mayTakeLock(const llvm::AtomicCmpXchgInst &exchange);

/// Bits of image::CheckSiteFlag: what \p instruction, an access, orders.
uint32_t orderingFlags(const llvm::Instruction &instruction);

/// \p value as 64 bits, or null if it is not such a value.
llvm::Value *bitsOf(llvm::IRBuilderBase &b, llvm::Value *value);

/// Whether the thread is the first of its block.
llvm::Value *isFirstThread(llvm::IRBuilderBase &b);

/// Makes \p access, whose operand \p operand is an address, one to \p place
/// instead, where control has come by what computes that.
void moveAccess(llvm::Instruction &access, unsigned operand,
                llvm::Value *place);

} // namespace cufort::check

#endif // CUFORT_COMPILER_CHECK_ACCESSKINDS_H
