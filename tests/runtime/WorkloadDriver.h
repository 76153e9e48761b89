//===- WorkloadDriver.h - a little of the driver API ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_TESTS_RUNTIME_WORKLOADDRIVER_H
#define CUFORT_TESTS_RUNTIME_WORKLOADDRIVER_H

#include "WorkloadNodes.h"

/// Libraries, modules, launches, arrays, graphs, pools and values of the
/// driver API, and libraries of the runtime API. \p path: a module with what
/// TestModule.cpp has. \p computes: kernels do something. Leaves device 0
/// current.
void workOnDriver(const char *path, bool computes, const WorkloadCheck &check);

/// Links of PTX, which only GPUs have.
void workOnLinks(const WorkloadCheck &check);

#endif // CUFORT_TESTS_RUNTIME_WORKLOADDRIVER_H
