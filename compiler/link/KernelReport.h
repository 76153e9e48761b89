//===- KernelReport.h - -Minfo=accel and -gpu=ptxinfo --------- -*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LINK_KERNELREPORT_H
#define CUFORT_COMPILER_LINK_KERNELREPORT_H

#include "compiler/link/WriteImage.h"

namespace cufort {

/// Lists the kernels of \p device on standard error, with what \p cpu notes of
/// the loops over their threads; with \p resources also their parameters,
/// shared memory and bounds, and what `ptxas`, where one is in the PATH, says
/// of registers.
void reportKernels(const llvm::Module &device, const CpuCode &cpu,
                   const std::vector<PtxCode> &ptx, bool resources);

} // namespace cufort

#endif // CUFORT_COMPILER_LINK_KERNELREPORT_H
