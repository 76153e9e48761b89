//===- Jacobi.h - settings of Jacobi's method -------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LAPACK's divide and conquer does the work of cuSOLVER's Jacobi routines:
// tolerance and sweeps are stored and without effect, results are sorted.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUSOLVERDN_JACOBI_H
#define CUFORT_LIBRARIES_CUSOLVERDN_JACOBI_H

#include "cusolverDn_functions.h"

namespace cufort::cusolverDn {
struct JacobiSettings {
  double tolerance = 0, residual = 0;
  int maxSweeps = 100, sorted = 1, sweeps = 1;
};
} // namespace cufort::cusolverDn
struct syevjInfo : cufort::cusolverDn::JacobiSettings {};
struct gesvdjInfo : cufort::cusolverDn::JacobiSettings {};
struct cusolverDnParams {};

namespace cufort::cusolverDn {

bool isLive(syevjInfo_t info);
bool isLive(gesvdjInfo_t info);

} // namespace cufort::cusolverDn

#endif // CUFORT_LIBRARIES_CUSOLVERDN_JACOBI_H
