//===- SignedFields.h - fields of words with their sign ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_MACHINE_SIGNEDFIELDS_H
#define CUFORT_COMPILER_GPU_MACHINE_SIGNEDFIELDS_H

namespace llvm {
class FunctionPass;
} // namespace llvm

namespace cufort {

/// Splits a signed bit field of 64 bits, `(long long)(x << 1) >> 63`, of which
/// LLVM's instruction selection makes one instruction of PTX (`bfe.s64`), into
/// two shifts. The GPU has no such instruction: ptxas makes seven of it, of the
/// shifts two to four, and the first shift is often there already, as in a
/// generator of random numbers that feeds its highest bit back.
///
/// Needs: instructions selected, LLVM's elimination of common machine
/// instructions (MachineCSE) to come.
llvm::FunctionPass *createSignedFieldsPass();

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_MACHINE_SIGNEDFIELDS_H
