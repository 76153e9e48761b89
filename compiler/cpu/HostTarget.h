//===- HostTarget.h - x86-64 as LLVM's target -------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_HOSTTARGET_H
#define CUFORT_COMPILER_CPU_HOSTTARGET_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>

namespace cufort::cpu {

inline constexpr char HostTriple[] = "x86_64-unknown-linux-gnu";

/// "x86-64-v2" and so on, by image::CpuLevel.
llvm::StringRef cpuOfLevel(unsigned level);

/// Code generation for \p cpu, position independent.
std::unique_ptr<llvm::TargetMachine> makeHostMachine(llvm::StringRef cpu);

/// Gives the module the host's triple and data layout.
void useHostTarget(llvm::Module &module);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_HOSTTARGET_H
