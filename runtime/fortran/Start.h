//===- Start.h - how the runtime meets flang_rt -----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_FORTRAN_START_H
#define CUFORT_RUNTIME_FORTRAN_START_H

namespace cufort::fortran {

/// Installs our allocators and error stop; done before main already. Calling
/// it costs nothing and makes sure that the constructor is linked.
void installAllocators();

} // namespace cufort::fortran

#endif // CUFORT_RUNTIME_FORTRAN_START_H
