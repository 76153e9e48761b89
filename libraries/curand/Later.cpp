//===- Later.cpp - generators that are not there --------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/curand/Sequence.h"

namespace cufort::curand {

std::unique_ptr<Sequence> makeMt19937() { return nullptr; }
std::unique_ptr<Sequence> makeMtgp32() { return nullptr; }
std::unique_ptr<Sequence> makeSobol(curandRngType) { return nullptr; }

} // namespace cufort::curand
