//===- Proofs.h - launches in which nothing can be wrong --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CHECK_PROOFS_PROOFS_H
#define CUFORT_RUNTIME_CHECK_PROOFS_PROOFS_H

#include "image/Check.h"
#include "image/Image.h"
#include <vector>

namespace cufort::check {

/// A launch that is about to begin.
struct ProofFacts {
  const image::Kernel &kernel;
  const image::CpuLaunch &launch;
  const char *arguments;
};

/// Whether the description of the kernel's accesses shows, with the numbers of
/// this launch and what is known of memory, that the checkers have nothing to
/// say of it. Then what it writes counts as written. If not, \p accesses has
/// for each access, by its number, whether it shows that of this one.
bool isProved(const ProofFacts &facts, std::vector<uint8_t> &accesses);

/// There is a stream besides the default one: launches may have no order, so
/// that each access has to be remembered.
void noteStream();

} // namespace cufort::check

#endif // CUFORT_RUNTIME_CHECK_PROOFS_PROOFS_H
