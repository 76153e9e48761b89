//===- Reflect.h - what device code asks its compiler -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_IMPORT_REFLECT_H
#define CUFORT_COMPILER_CPU_IMPORT_REFLECT_H

#include "llvm/IR/Module.h"

namespace cufort::cpu {

/// Answers __nvvm_reflect: one for "__CUFORT_CPU", which headers ask where the
/// engines do different things, and zero for everything else, as on a GPU.
/// What is not executed for that goes: it may be a GPU's alone.
void answerReflect(llvm::Module &module);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_IMPORT_REFLECT_H
