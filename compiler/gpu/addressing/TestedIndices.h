//===- TestedIndices.h - an address is computed before a test ---*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_ADDRESSING_TESTEDINDICES_H
#define CUFORT_COMPILER_GPU_ADDRESSING_TESTEDINDICES_H

namespace llvm {
class FunctionPass;
} // namespace llvm

namespace cufort {

/// Computes an address before its index is tested, which has just been loaded,
/// if it is needed under that condition and again behind it:
///
///     i = a[j]; if (i >= n) x = b[i].x;   ...   if (i >= 0) y += b[i].y;
///
/// With the extension of the index it is one instruction. The test waits for
/// the same load, so it takes no time there, and what is loaded from the
/// address starts when the test is done.
///
/// It has to come after createExtensionsPass (ExtensionRematerialization.h),
/// which leaves every extension in the block of its address, and after the code
/// generator's passes that find that what is loaded has been stored: the index
/// may have been kept in shared memory until it is needed again.
llvm::FunctionPass *createTestedIndicesPass();

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_ADDRESSING_TESTEDINDICES_H
