//===- SectionArguments.h - sections of device data as arguments *- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_HOST_SECTIONARGUMENTS_H
#define CUFORT_COMPILER_LOWER_HOST_SECTIONARGUMENTS_H

#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"

namespace cufort::lower {

/// Whether the copy that \p copyIn may make belongs in memory that kernels
/// reach: that of device data, and that of managed data for a dummy argument
/// with a memory attribute, where a kernel may still work on it when the call
/// is over.
bool wantsPacking(hlfir::CopyInOp copyIn);

/// A section with gaps whose dummy argument wants none moves to memory of its
/// own, whose descriptor goes where the front end wants its copy's.
void packSection(fir::FirOpBuilder &builder, hlfir::CopyInOp copyIn);

/// The changed elements move back when the device is through; the memory is
/// freed in any case.
void unpackSection(fir::FirOpBuilder &builder, hlfir::CopyOutOp copyOut);

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_HOST_SECTIONARGUMENTS_H
