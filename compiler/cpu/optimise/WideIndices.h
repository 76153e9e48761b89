//===- WideIndices.h - sums that do not wrap, in 64 bits --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_OPTIMISE_WIDEINDICES_H
#define CUFORT_COMPILER_CPU_OPTIMISE_WIDEINDICES_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-wide-indices. Needs the loops over threads. Leaves indices that are
/// extended to 64 bits as sums of extended parts where the sum is known not to
/// wrap around. LLVM moves what is the same for all threads out of the loop and
/// forgets about wrapping thereby: then it could not extend the parts any more,
/// and would compute and extend every index anew.
llvm::Error widenIndices(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_OPTIMISE_WIDEINDICES_H
