//===- ExtensionRematerialization.h - extend at the uses --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_ADDRESSING_EXTENSIONREMATERIALIZATION_H
#define CUFORT_COMPILER_GPU_ADDRESSING_EXTENSIONREMATERIALIZATION_H

namespace llvm {
class FunctionPass;
} // namespace llvm

namespace cufort {

/// Repeats the extensions of 32-bit values to 64 bits in the blocks that use
/// them. A GPU multiplies an index of 32 bits by the size of an element and
/// adds the address in one instruction; LLVM selects instructions block by
/// block, and would have it extended, shifted, and added in two halves. That is
/// left to it where a block takes many indices whose products another block has
/// computed: of 64 stores in a row half by multiplication and half by shift;
/// and where the extension of an unsigned index is compared in its own block,
/// and taken by a shift elsewhere: both halves are there.
///
/// It has to come after LLVM's own passes over device code have made one of
/// what is equal (of the code generator's, the last are CodeGenPrepare's).
llvm::FunctionPass *createExtensionsPass();

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_ADDRESSING_EXTENSIONREMATERIALIZATION_H
