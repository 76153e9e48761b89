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

/// The same, of one that does not say all.
inline constexpr char PartProofAttribute[] = "cufort-check-part-proof";

/// Of a kernel whose blocks can be checked as loops over their threads: those
/// come to its barriers together, and do nothing as warps. With the value
/// "asks" they ask in loops for what others do: that none of them waits so for
/// a later one is to be found out of UncheckedAttribute's copy.
inline constexpr char LoopsAttribute[] = "cufort-check-loops";

/// Of a copy of such a kernel that is only looked at.
inline constexpr char UncheckedAttribute[] = "cufort-check-unchecked";

/// Numbers the accesses of \p kernel that a description may say something of,
/// so that instrumented code of it can ask for each before it calls the
/// runtime.
void numberAccesses(llvm::Function &kernel);

/// Describes what \p kernel accesses, for the runtime to find out before a
/// launch whether any of that can be wrong; if not, the launch runs code in
/// which nothing is checked. Needs what instrument needs, with the front ends'
/// marks for bounds still there. \p kernel then names the description by an
/// attribute: ProofAttribute if that says all, which is returned. It does not
/// of kernels that call procedures, wait for part of a block or where threads
/// go different ways, or order memory by other means than barriers: there it
/// says of single accesses that they need no check (PartProofAttribute).
bool describeAccesses(llvm::Function &kernel,
                      llvm::function_ref<Wait(llvm::Instruction &)> waits);
/// \p kernel has no code but the instrumented: of its description only what it
/// says of single accesses is of use.
void useInPart(llvm::Function &kernel);

} // namespace cufort::check

#endif // CUFORT_COMPILER_CHECK_PROOFS_H
