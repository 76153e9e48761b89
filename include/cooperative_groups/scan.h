//===- scan.h - reductions and scans over a group ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COOPERATIVE_GROUPS_SCAN_H
#define CUFORT_COOPERATIVE_GROUPS_SCAN_H

#include "cooperative_groups/reduce.h"

#endif // CUFORT_COOPERATIVE_GROUPS_SCAN_H
