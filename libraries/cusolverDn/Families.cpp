//===- Families.cpp - cuSOLVER's routines for four types ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cusolverDn/Eigen.h"
#include "libraries/cusolverDn/Linear.h"
#include "libraries/cusolverDn/Singular.h"

#include "cusolverDn_Families.inc"
