//===- Proofs.h - what a kernel accesses, said before a launch --*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CHECK_PROOFS_H
#define CUFORT_COMPILER_CHECK_PROOFS_H

#include "compiler/check/Instrument.h"

namespace cufort::check {

/// Of a kernel: the constant image::CheckProof that describes it.
inline constexpr char ProofAttribute[] = "cufort-check-proof";

/// Describes what \p kernel accesses, for the runtime to find out before a
/// launch whether any of that can be wrong; if not, the launch runs code in
/// which nothing is checked. Needs what instrument needs, with the front ends'
/// marks for bounds still there. Returns whether there is a description, which
/// \p kernel then names by ProofAttribute: there is none of kernels that call
/// procedures, wait for part of a block or where threads go different ways, or
/// order memory by other means than barriers.
bool describeAccesses(llvm::Function &kernel,
                      llvm::function_ref<Wait(llvm::Instruction &)> waits);

} // namespace cufort::check

#endif // CUFORT_COMPILER_CHECK_PROOFS_H
