//===- CpuModules.cpp - modules on the CPU --------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/modules/CpuModules.h"
#include "runtime/check/Check.h"
#include "runtime/core/engine/Captures.h"
#include "runtime/cpu/CpuEngine.h"
#include "runtime/cpu/launches/KernelOutput.h"
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <vector>

namespace cufort::cpu {
namespace {

/// The variables of all modules, to be found by address: what several devices
/// share is there for each of them.
struct Variables {
  std::mutex mutex;
  std::atomic<size_t> count{0}; ///< to be read without the lock
  std::multimap<const char *, VariablePlace> byBegin;
};

/// The code as it was loaded. For several devices it holds the managed
/// variables, and what each has of its own is in its instance.
struct LoadedCode final : CommonCode {
  ModuleImage image;
};

Variables &variables() {
  static auto *instance = new Variables;
  return *instance;
}

void forgetVariables(const Program &program) {
  for (uint32_t i = 0; i < program.image->variableCount; ++i)
    check::released(program.image->variables[i].cpuAddress,
                    program.image->variables[i].size);
  Variables &v = variables();
  std::lock_guard lock(v.mutex);
  std::erase_if(v.byBegin, [&](const auto &entry) {
    return entry.second.variable.program == &program;
  });
  v.count.store(v.byBegin.size(), std::memory_order_release);
}

/// All variables of \p program, or none where there is no memory.
void enterVariables(const Program &program, int device) {
  Variables &v = variables();
  try {
    std::lock_guard lock(v.mutex);
    for (uint32_t i = 0; i < program.image->variableCount; ++i) {
      const image::Variable &variable = program.image->variables[i];
      if (!variable.cpuAddress)
        continue;
      v.byBegin.emplace(static_cast<const char *>(variable.cpuAddress),
                        VariablePlace{{&variable, &program, i}, device});
      check::belongs(variable.cpuAddress, variable.size, /*written=*/true);
    }
    v.count.store(v.byBegin.size(), std::memory_order_release);
  } catch (const std::bad_alloc &) {
    forgetVariables(program);
    throw;
  }
}

} // namespace

VariablePlace findModuleVariable(const void *address) {
  Variables &v = variables();
  if (!v.count.load(std::memory_order_acquire))
    return {};
  const char *wanted = static_cast<const char *>(address);
  std::lock_guard lock(v.mutex);
  auto after = v.byBegin.upper_bound(wanted);
  if (after == v.byBegin.begin())
    return {};
  const auto &[begin, place] = *std::prev(after);
  return wanted < begin + place.variable.variable->size ? place
                                                        : VariablePlace{};
}

Error CpuModules::load(const void *image, size_t bytes,
                       const TranslationOptions &,
                       std::shared_ptr<CommonCode> *common,
                       ModuleHandle *handle) {
  deliverAtLaunch(); // CUDA prints here as well.
  if (!ModuleImage::isOne(image, bytes)) {
    std::fprintf(stderr,
                 "cufort: a module has no code for the CPU: PTX and cubins run "
                 "on GPUs only; make it with cufort -fatbin\n");
    return cudaErrorInvalidKernelImage;
  }
  auto module = std::make_unique<Module>();
  auto code = std::static_pointer_cast<LoadedCode>(common ? *common : nullptr);
  if (!code) {
    code = std::make_shared<LoadedCode>();
    if (Error error = code->image.open(image, bytes, /*toRun=*/true);
        error != cudaSuccess)
      return error;
  }
  module->code = code;
  const image::Image *own = code->image.image();
  if (common && own->cpuInstances && own->variableCount) {
    std::string problem;
    module->instance = ImageInstance::make(*own, &problem);
    if (!module->instance) {
      std::fprintf(stderr, "cufort: a module cannot be loaded: %s\n",
                   problem.c_str());
      return cudaErrorSharedObjectInitFailed;
    }
    own = &module->instance->image();
  }
  const image::Image &content = *own;
  module->program = {&content, nullptr, nullptr, 0, true};
  const image::Kernel *kernels = content.kernels;
  const auto missing = [](const image::Kernel &k) {
    return !k.cpuThread && std::none_of(std::begin(k.cpu), std::end(k.cpu),
                                        [](auto entry) { return entry; });
  };
  if (std::any_of(kernels, kernels + content.kernelCount, missing))
    return cudaErrorNoKernelImageForDevice; // --device=gpu
  const ModuleHandle loaded = module.get();
  std::lock_guard lock(mutex);
  const auto place = modules.emplace(loaded, std::move(module)).first;
  try {
    enterVariables(place->second->program, engine.number());
  } catch (const std::bad_alloc &) {
    modules.erase(place);
    throw;
  }
  if (common)
    *common = std::move(code);
  *handle = loaded;
  return cudaSuccess;
}

Error CpuModules::unload(ModuleHandle handle) {
  // Its kernels may still run.
  if (Error error = engine.synchronize(); error != cudaSuccess)
    return error;
  std::lock_guard lock(mutex);
  auto found = modules.find(handle);
  if (found == modules.end())
    return cudaErrorInvalidResourceHandle;
  forgetVariables(found->second->program);
  modules.erase(found);
  return cudaSuccess;
}

unsigned CpuModules::resets() { return resetCount.load(); }

void CpuModules::reset() {
  std::lock_guard lock(mutex);
  for (const auto &[handle, module] : modules) {
    forgetVariables(module->program);
    for (auto &[index, kernel] : module->functions)
      kernel = {};
    gone.push_back(std::move(module->functions));
  }
  modules.clear();
  ++resetCount;
}

Error CpuModules::function(ModuleHandle handle, const char *name,
                           FunctionHandle *function) {
  std::lock_guard lock(mutex);
  auto found = modules.find(handle);
  if (found == modules.end())
    return cudaErrorInvalidResourceHandle;
  Module &module = *found->second;
  const image::Image &image = *module.program.image;
  for (unsigned i = 0; i < image.kernelCount; ++i)
    if (!std::strcmp(image.kernels[i].name, name)) {
      KernelReference &kernel = module.functions[i];
      if (!kernel) // Others may read what there is.
        kernel = {&image.kernels[i], &module.program, i};
      *function = &kernel;
      return cudaSuccess;
    }
  return cudaErrorSymbolNotFound;
}

Error CpuModules::variable(ModuleHandle handle, const char *name,
                           void **address, size_t *bytes) {
  std::lock_guard lock(mutex);
  auto found = modules.find(handle);
  if (found == modules.end())
    return cudaErrorInvalidResourceHandle;
  const image::Image &image = *found->second->program.image;
  for (unsigned i = 0; i < image.variableCount; ++i)
    if (const image::Variable &v = image.variables[i];
        !std::strcmp(v.name, name) && v.cpuAddress) {
      *address = v.cpuAddress;
      *bytes = v.size;
      return cudaSuccess;
    }
  return cudaErrorSymbolNotFound;
}

Error CpuModules::functions(ModuleHandle handle,
                            std::vector<std::string> *names) {
  std::lock_guard lock(mutex);
  auto found = modules.find(handle);
  if (found == modules.end())
    return cudaErrorInvalidResourceHandle;
  const image::Image &image = *found->second->program.image;
  for (unsigned i = 0; i < image.kernelCount; ++i)
    names->emplace_back(image.kernels[i].name);
  return cudaSuccess;
}

Error CpuModules::launch(FunctionHandle function,
                         const LaunchConfiguration &configuration,
                         const LaunchParameters &parameters) {
  const KernelReference &kernel = *function;
  if (!kernel)
    return cudaErrorInvalidResourceHandle;
  const image::Kernel &k = *kernel.kernel;
  if (!parameters.packed) {
    if (k.parameterCount && !parameters.pointers)
      return cudaErrorInvalidValue;
    return launchOn(engine, kernel, configuration, parameters.pointers);
  }
  // As the driver has it: to the end of the last parameter and no further, so
  // without the padding that a structure of them has at its end.
  size_t end = 0;
  if (k.parameterCount) {
    const auto &last = k.parameters[k.parameterCount - 1];
    end = last.offset + last.size;
  }
  if (parameters.packedBytes != end)
    return cudaErrorLaunchOutOfResources;
  auto *bytes = static_cast<char *>(const_cast<void *>(parameters.packed));
  std::vector<void *> pointers;
  pointers.reserve(k.parameterCount);
  for (uint32_t i = 0; i < k.parameterCount; ++i)
    pointers.push_back(bytes + k.parameters[i].offset);
  return launchOn(engine, kernel, configuration, pointers.data());
}

Error CpuModules::attribute(FunctionHandle function, int number, int *value) {
  if (!*function)
    return cudaErrorInvalidResourceHandle;
  KernelAttributes a{};
  if (Error error = engine.attributes(*function, &a); error != cudaSuccess)
    return error;
  const size_t values[] = {static_cast<size_t>(a.maxThreadsPerBlock),
                           a.sharedBytes,
                           a.constantBytes,
                           a.localBytes,
                           static_cast<size_t>(a.registers),
                           static_cast<size_t>(a.ptxVersion),
                           static_cast<size_t>(a.binaryVersion),
                           0,
                           static_cast<size_t>(a.maxDynamicSharedBytes)};
  if (number < 0 || number >= int(std::size(values)))
    return cudaErrorInvalidValue;
  *value = static_cast<int>(values[number]);
  return cudaSuccess;
}

Error CpuModules::setAttribute(FunctionHandle function, int number, int value) {
  if (!*function)
    return cudaErrorInvalidResourceHandle;
  if (number == 8)
    return engine.setMaxDynamicShared(*function, value);
  if (number == 14)
    return engine.allowLargeClusters(*function, value);
  return number == 9 ? cudaSuccess : cudaErrorInvalidValue;
}

Error CpuModules::residentBlocks(FunctionHandle function, unsigned threads,
                                 size_t sharedBytes, int *blocks) {
  if (!*function)
    return cudaErrorInvalidResourceHandle;
  int multiprocessors;
  return engine.residentBlocks(*function, threads, sharedBytes, blocks,
                               &multiprocessors);
}

//===----------------------------------------------------------------------===//
// Links: of GPUs only
//===----------------------------------------------------------------------===//

Error CpuModules::createLink(const TranslationOptions &, LinkHandle *) {
  std::fprintf(stderr,
               "cufort: PTX and cubins are linked (cuLinkCreate) for GPUs "
               "only; for the CPU load what cufort -fatbin makes of the "
               "sources\n");
  return cudaErrorNotSupported;
}

Error CpuModules::addToLink(LinkHandle, int, void *, size_t, const char *,
                            const TranslationOptions &) {
  return cudaErrorInvalidResourceHandle;
}

Error CpuModules::addFileToLink(LinkHandle, int, const char *,
                                const TranslationOptions &) {
  return cudaErrorInvalidResourceHandle;
}

Error CpuModules::completeLink(LinkHandle, void **, size_t *) {
  return cudaErrorInvalidResourceHandle;
}

Error CpuModules::destroyLink(LinkHandle) {
  return cudaErrorInvalidResourceHandle;
}

} // namespace cufort::cpu
