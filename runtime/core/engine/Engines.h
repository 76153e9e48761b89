//===- Engines.h - where the engines come from ------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two functions that runtime/cpu and runtime/cuda define; core knows
// nothing else of them.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_ENGINE_ENGINES_H
#define CUFORT_RUNTIME_CORE_ENGINE_ENGINES_H

#include "runtime/core/engine/Engine.h"
#include <vector>

namespace cufort {

struct Environment;

/// The CPU as Environment::cpuDevices devices that share its cores; to be
/// called once.
std::vector<Engine *> makeCpuEngines(const Environment &environment);

/// One engine for each NVIDIA device that the driver shows; none, and the
/// reason in \p problem, if libcuda cannot be used. Creates no context yet.
std::vector<Engine *> makeCudaEngines(std::string &problem);

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_ENGINE_ENGINES_H
