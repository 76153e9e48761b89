//===- CudaModules.cpp - modules on NVIDIA devices ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/CudaModules.h"
#include "runtime/core/FaultInjection.h"
#include "runtime/core/KernelOutput.h"
#include "runtime/core/StreamNumbers.h"
#include "runtime/cuda/CudaEngine.h"
#include "runtime/cuda/Destruction.h"
#include <cstdio>
#include <string>

namespace cufort::cuda {
namespace {

CUmodule moduleOf(ModuleHandle module) { return static_cast<CUmodule>(module); }

CUfunction functionOf(FunctionHandle function) {
  return static_cast<CUfunction>(function);
}

} // namespace

//===----------------------------------------------------------------------===//
// What their kernels print
//===----------------------------------------------------------------------===//

Error CudaEngine::openModuleOutput(CUmodule module, KernelOutput **output) {
  *output = nullptr;
  CUdeviceptr channel = 0;
  size_t bytes = 0;
  if (driver.moduleGetGlobal(&channel, &bytes, module,
                             CUFORT_OUTPUT_CHANNEL_NAME))
    return cudaSuccess; // There is none.
  return catchExhaustion([&] {
    Error error = cudaSuccess;
    auto opened =
        KernelOutput::open(driver, channel, outputBufferBytes(), &error);
    if (!opened)
      return error;
    std::lock_guard lock(mutex);
    outputs.push_back(std::move(opened));
    *output = outputs.back().get();
    hasOutput.store(true, std::memory_order_release);
    return cudaSuccess;
  });
}

void CudaEngine::closeModuleOutput(KernelOutput *output) {
  if (!output)
    return;
  OutputTurn turn;
  std::lock_guard lock(mutex);
  std::erase_if(outputs,
                [&](const auto &each) { return each.get() == output; });
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

#define BIND()                                                                 \
  if (Error bindError = engine.bind(); bindError != cudaSuccess)               \
  return bindError

bool CudaModules::known(ModuleHandle module) {
  std::lock_guard lock(mutex);
  return modules.count(module);
}

Error CudaModules::load(const void *data, size_t bytes,
                        const TranslationOptions &options,
                        ModuleHandle *handle) {
  BIND();
  // The driver has copied it when the call returns.
  ModuleImage ours;
  if (ModuleImage::isOne(data, bytes)) {
    if (Error error = ours.open(data, bytes, /*toRun=*/false);
        error != cudaSuccess)
      return error;
    const image::Code *code = LoadedProgram::choose(
        *ours.image(), engine.description.major, engine.description.minor);
    if (!code) {
      std::fprintf(stderr, "cufort: the module has no code for devices of %s\n",
                   engine.description.codeName.c_str());
      return cudaErrorNoKernelImageForDevice;
    }
    data = code->data;
  }
  // The driver reads text up to a zero byte, which a file does not end with.
  std::string text;
  if (bytes && !ours.image()) {
    text.assign(static_cast<const char *>(data), bytes);
    data = text.c_str();
  }
  CUmodule module = nullptr;
  if (CUresult code = engine.driver.moduleLoadDataEx(
          &module, data, options.count, options.options, options.values))
    return errorOf(code);
  KernelOutput *output = nullptr;
  Error error = engine.openModuleOutput(module, &output);
  if (error == cudaSuccess) {
    error = catchExhaustion([&] {
      std::lock_guard lock(mutex);
      modules.emplace(module, output);
      return cudaSuccess;
    });
    if (error != cudaSuccess)
      engine.closeModuleOutput(output);
  }
  if (error != cudaSuccess)
    engine.driver.moduleUnload(module);
  else
    *handle = module;
  return error;
}

Error CudaModules::unload(ModuleHandle module) {
  BIND();
  KernelOutput *output = nullptr;
  {
    std::lock_guard lock(mutex);
    auto found = modules.find(module);
    if (found == modules.end())
      return cudaErrorInvalidResourceHandle;
    output = found->second;
    modules.erase(found);
  }
  if (output) {
    // What its kernels still print.
    if (Error error = engine.synchronize(); error != cudaSuccess)
      return error;
    engine.closeModuleOutput(output);
  }
  return errorOf(engine.driver.moduleUnload(moduleOf(module)));
}

void CudaModules::reset() {
  std::lock_guard lock(mutex);
  modules.clear();
}

Error CudaModules::function(ModuleHandle module, const char *name,
                            FunctionHandle *function) {
  BIND();
  if (!known(module))
    return cudaErrorInvalidResourceHandle;
  CUfunction found = nullptr;
  const CUresult code =
      engine.driver.moduleGetFunction(&found, moduleOf(module), name);
  *function = found;
  return errorOf(code);
}

Error CudaModules::variable(ModuleHandle module, const char *name,
                            void **address, size_t *bytes) {
  BIND();
  if (!known(module))
    return cudaErrorInvalidResourceHandle;
  CUdeviceptr pointer = 0;
  const CUresult code =
      engine.driver.moduleGetGlobal(&pointer, bytes, moduleOf(module), name);
  *address = reinterpret_cast<void *>(pointer);
  return errorOf(code);
}

Error CudaModules::launch(FunctionHandle function, const LaunchConfiguration &c,
                          const LaunchParameters &p) {
  BIND();
  if (!CudaEngine::knownStream(c.stream))
    return cudaErrorInvalidResourceHandle;
  void **pointers = const_cast<void **>(p.pointers);
  const image::Dim3 g = c.grid, b = c.block;
  const auto stream = static_cast<CUstream>(handleOf(c.stream));
  if (c.cooperative)
    return errorOf(engine.driver.launchCooperativeKernel(
        functionOf(function), g.x, g.y, g.z, b.x, b.y, b.z,
        c.dynamicSharedBytes, stream, pointers));
  size_t bytes = p.packedBytes;
  // CU_LAUNCH_PARAM_BUFFER_POINTER, _SIZE and _END.
  void *extra[] = {reinterpret_cast<void *>(1), const_cast<void *>(p.packed),
                   reinterpret_cast<void *>(2), &bytes, nullptr};
  return errorOf(engine.driver.launchKernel(
      functionOf(function), g.x, g.y, g.z, b.x, b.y, b.z, c.dynamicSharedBytes,
      stream, pointers, p.packed ? extra : nullptr));
}

Error CudaModules::attribute(FunctionHandle function, int number, int *value) {
  BIND();
  return errorOf(
      engine.driver.functionGetAttribute(value, number, functionOf(function)));
}

Error CudaModules::setAttribute(FunctionHandle function, int number,
                                int value) {
  BIND();
  return errorOf(
      engine.driver.functionSetAttribute(functionOf(function), number, value));
}

Error CudaModules::residentBlocks(FunctionHandle function, unsigned threads,
                                  size_t sharedBytes, int *blocks) {
  BIND();
  return errorOf(engine.driver.occupancy(
      blocks, functionOf(function), static_cast<int>(threads), sharedBytes));
}

} // namespace cufort::cuda
