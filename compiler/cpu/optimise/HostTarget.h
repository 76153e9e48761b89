//===- HostTarget.h - x86-64 as LLVM's target -------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_OPTIMISE_HOSTTARGET_H
#define CUFORT_COMPILER_CPU_OPTIMISE_HOSTTARGET_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>
#include <string>

namespace cufort::cpu {

inline constexpr char HostTriple[] = "x86_64-unknown-linux-gnu";

/// "x86-64-v2" and so on, by image::CpuLevel.
llvm::StringRef cpuOfLevel(unsigned level);

/// A processor as LLVM knows it.
struct Processor {
  std::string name;     ///< "target-cpu"
  std::string features; ///< "target-features"; empty: those of the name
  unsigned level;       ///< the highest image::CpuLevel that it executes
  /// Of 512 bits, where loops wait for memory.
  bool prefersWideVectors;
};

/// The processor that -march= calls \p name: "native" is this machine's. One
/// that is older than all levels is taken for the lowest. An error if there is
/// none of that name.
llvm::Expected<Processor> findProcessor(llvm::StringRef name);

/// Code generation for \p cpu, position independent.
std::unique_ptr<llvm::TargetMachine> makeHostMachine(llvm::StringRef cpu);

/// Gives the module the host's triple and data layout.
void useHostTarget(llvm::Module &module);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_OPTIMISE_HOSTTARGET_H
