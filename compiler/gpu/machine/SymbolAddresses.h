//===- SymbolAddresses.h - addresses of variables where used ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_MACHINE_SYMBOLADDRESSES_H
#define CUFORT_COMPILER_GPU_MACHINE_SYMBOLADDRESSES_H

namespace llvm {
class FunctionPass;
} // namespace llvm

namespace cufort {

/// Puts the address of a variable into a register in the blocks that use it, or
/// before the loop around them, where LLVM does it once before a condition, but
/// a block behind the condition that all threads reach uses it as well, and
/// loads from global memory what the kernel only reads:
///
///     if (threadIdx.x < n)
///       tile[threadIdx.x] = in[i];
///     tile[n + threadIdx.x] = in[j];
///
/// The address of shared memory takes ptxas three instructions. With those
/// before the condition it does not begin that load there.
///
/// Needs: LLVM's elimination of common machine instructions (MachineCSE) done.
llvm::FunctionPass *createSymbolAddressesPass();

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_MACHINE_SYMBOLADDRESSES_H
