//===- InstructionSets.h - a copy for each level ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_OPTIMISE_INSTRUCTIONSETS_H
#define CUFORT_COMPILER_CPU_OPTIMISE_INSTRUCTIONSETS_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

struct Processor;

/// cpu-instruction-sets. Needs cpu-simplify. Leaves, in place of each block
/// entry, a copy for each level that is compiled for (cufort-entry=block0 to
/// block3, by image::CpuLevel), with its instruction set, its widest vectors
/// and the functions of libmvec that it has.
llvm::Error copyForInstructionSets(llvm::Module &module,
                                   const CpuOptions &options);

/// Says what \p entry is compiled for, and how wide LLVM's vectorisers should
/// make vectors (cpu-strips has chosen its own): 512 bits where they hold
/// arguments of vector functions. Other loops wait for memory, where it depends
/// on the processor.
void setProcessor(llvm::Function &entry, const Processor &processor);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_OPTIMISE_INSTRUCTIONSETS_H
