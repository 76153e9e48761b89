//===- WorkloadNodes.h - the workload's graphs, by the public header ------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_TESTS_RUNTIME_WORKLOADNODES_H
#define CUFORT_TESTS_RUNTIME_WORKLOADNODES_H

#include <functional>

/// Told of every call and its error; whether it has succeeded.
using WorkloadCheck = std::function<bool(int error, const char *call)>;

/// Graphs with nodes of all types, objects, arrays with levels, attributes.
/// \p kernel and \p variable are WorkloadProgram's set and variable, which may
/// be null.
void workOnNodes(const void *kernel, const void *variable,
                 const WorkloadCheck &check);

#endif // CUFORT_TESTS_RUNTIME_WORKLOADNODES_H
