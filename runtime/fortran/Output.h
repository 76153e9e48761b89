//===- Output.h - statements that kernels have executed ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_FORTRAN_OUTPUT_H
#define CUFORT_RUNTIME_FORTRAN_OUTPUT_H

namespace cufort::fortran {

/// Makes core's records of kernels' output statements the business of flang_rt.
void installOutputReplay();

} // namespace cufort::fortran

#endif // CUFORT_RUNTIME_FORTRAN_OUTPUT_H
