//===- CopiedMembers.h - what becomes of private copies ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CHECK_COPIEDMEMBERS_H
#define CUFORT_COMPILER_CHECK_COPIEDMEMBERS_H

#include "llvm/IR/IntrinsicInst.h"
#include <cstdint>
#include <utility>
#include <vector>

namespace cufort::check {

/// Of what \p copy brings into a private variable: the bytes that the thread
/// uses there, as they came, each with its distance from the begin and its
/// length, in order and as few as may be. Who copies memory that nothing has written does
/// nothing wrong, who uses it does. Empty if that cannot be said.
std::vector<std::pair<uint64_t, uint64_t>>
usedOf(const llvm::MemTransferInst &copy);

} // namespace cufort::check

#endif // CUFORT_COMPILER_CHECK_COPIEDMEMBERS_H
