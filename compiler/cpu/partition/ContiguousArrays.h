//===- ContiguousArrays.h - code for arrays without gaps --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_PARTITION_CONTIGUOUSARRAYS_H
#define CUFORT_COMPILER_CPU_PARTITION_CONTIGUOUSARRAYS_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-contiguous. Needs cpu-tidy, and the parameters of kernels as the device
/// code has them. Assumed-shape arrays and pointers may have gaps between their
/// elements, and vector code for those gathers and scatters. Leaves kernels
/// that have such parameters with two bodies, barriers and all: one for when
/// all of them have no gaps along their first dimension, where the distance of
/// elements is a constant, and the general one.
llvm::Error separateContiguous(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_PARTITION_CONTIGUOUSARRAYS_H
