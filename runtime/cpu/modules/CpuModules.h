//===- CpuModules.h - modules on the CPU ------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_MODULES_CPUMODULES_H
#define CUFORT_RUNTIME_CPU_MODULES_CPUMODULES_H

#include "runtime/core/ModuleImage.h"
#include "runtime/core/engine/Modules.h"
#include "runtime/cpu/modules/Instances.h"
#include <atomic>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace cufort::cpu {

class CpuEngine;

/// Modules whose code for the CPU runs on one device.
class CpuModules final : public Modules {
public:
  explicit CpuModules(CpuEngine &engine) : engine(engine) {}

#define CUFORT_MODULES(result, name, parameters)                               \
  result name parameters override;
#include "runtime/core/engine/Modules.def"

  /// Unloads all of them: the device is reset and does nothing any more.
  void reset();

private:
  struct Module {
    std::shared_ptr<CommonCode> code;
    /// Of code for several devices; null: there is only this one.
    std::unique_ptr<ImageInstance> instance;
    Program program;
    /// What functions stand for, as far as they have been asked for.
    std::map<unsigned, KernelReference> functions;
  };

  CpuEngine &engine;
  std::atomic<unsigned> resetCount{0};
  std::mutex mutex;
  /// The functions of modules that a reset has unloaded: programs may still
  /// have their handles.
  std::list<std::map<unsigned, KernelReference>> gone;
  std::unordered_map<ModuleHandle, std::unique_ptr<Module>> modules;
};

/// The variable of a module of any device that \p address points into; no
/// reference if there is none.
VariablePlace findModuleVariable(const void *address);

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_MODULES_CPUMODULES_H
