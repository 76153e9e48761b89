//===- Captures.h - what captures of streams cannot contain -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As in CUDA, it makes a capture invalid, also where it is refused before the
// engine that captures has seen it.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_ENGINE_CAPTURES_H
#define CUFORT_RUNTIME_CORE_ENGINE_CAPTURES_H

#include "runtime/core/engine/Engine.h"

namespace cufort {

/// The error of what cannot become a part of a capture where \p stream takes
/// part in one, which is invalid from then on; cudaSuccess where it does not.
Error refuseInCapture(Engine &engine, StreamHandle stream);

/// Engine::launch; a launch outside of the device's limits makes the capture
/// invalid that it was to become a part of.
Error launchOn(Engine &engine, const KernelReference &kernel,
               const LaunchConfiguration &configuration,
               void *const *parameters);

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_ENGINE_CAPTURES_H
