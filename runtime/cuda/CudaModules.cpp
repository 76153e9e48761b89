//===- CudaModules.cpp - modules on NVIDIA devices ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/CudaModules.h"
#include "image/DeviceLaunches.h"
#include "runtime/core/KernelOutput.h"
#include "runtime/core/StreamNumbers.h"
#include "runtime/core/process/FaultInjection.h"
#include "runtime/cuda/CudaEngine.h"
#include "runtime/cuda/Destruction.h"
#include <algorithm>
#include <cstdio>
#include <string>

namespace cufort::cuda {
namespace {

CUmodule moduleOf(ModuleHandle module) { return static_cast<CUmodule>(module); }

/// Code of which every device's module has the same managed variables: a
/// library of the driver, which is loaded into the contexts one by one.
class DriverLibrary final : public CommonCode {
public:
  /// \p architecture: what it was translated for; 0: for whichever device.
  DriverLibrary(const Driver &driver, uint32_t architecture)
      : driver(driver), architecture(architecture) {}
  /// Where a reset has taken the last module.
  ~DriverLibrary() override { unload(); }

  CUresult unload() {
    const CUresult code = handle ? driver.libraryUnload(handle) : 0;
    if (!code)
      handle = nullptr;
    return code;
  }

  const Driver &driver;
  CUlibrary handle = nullptr; ///< null: not loaded
  const uint32_t architecture;
};

/// Whether the values of \p option are places for what the driver says of the
/// translation (CU_JIT_WALL_TIME to CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES).
bool isAnswer(int option) { return option >= 2 && option <= 6; }

/// Loads the code as a library, or as what \p common already is, into the
/// current context. What fails is to be tried without sharing, which says why.
CUresult loadShared(const Driver &driver, const void *data,
                    uint32_t architecture, const TranslationOptions &options,
                    std::shared_ptr<CommonCode> *common, CUmodule *module) {
  auto library = std::static_pointer_cast<DriverLibrary>(*common);
  if (!library) {
    // Other devices' translations come later, when the program may have left
    // those places; so they get their answers of a translation that is thrown
    // away.
    std::vector<int> names;
    std::vector<void *> values;
    for (unsigned i = 0; i < options.count; ++i)
      if (!isAnswer(options.options[i])) {
        names.push_back(options.options[i]);
        values.push_back(options.values[i]);
      }
    if (names.size() < options.count) {
      CUmodule asked = nullptr;
      if (CUresult code = driver.moduleLoadDataEx(
              &asked, data, options.count, options.options, options.values))
        return code;
      driver.moduleUnload(asked);
    }
    auto made = std::make_shared<DriverLibrary>(driver, architecture);
    if (CUresult code = driver.libraryLoadData(
            &made->handle, data, names.data(), values.data(),
            static_cast<unsigned>(names.size()), nullptr, nullptr, 0))
      return code;
    library = std::move(made);
  }
  // The driver chooses between pieces of what is not ours by itself.
  if (library->architecture != architecture)
    return cudaErrorCallRequiresNewerDriver;
  const CUresult code = driver.libraryGetModule(module, library->handle);
  if (!code)
    *common = std::move(library);
  return code;
}

/// What references to kernels of modules name as their program.
const Program NoProgram{nullptr, nullptr, nullptr, 0, /*module=*/true};

} // namespace

//===----------------------------------------------------------------------===//
// What their kernels print
//===----------------------------------------------------------------------===//

Error CudaEngine::openModuleOutput(CUmodule module, KernelOutput **output) {
  *output = nullptr;
  CUdeviceptr channel = 0;
  size_t bytes = 0;
  // Nobody would read what kernels of modules launch.
  if (!driver.moduleGetGlobal(&channel, &bytes, module,
                              CUFORT_LAUNCH_QUEUE_NAME))
    return cudaErrorNotSupported;
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

Error CudaEngine::closeModuleOutput(KernelOutput *output) {
  if (!output)
    return cudaSuccess;
  OutputTurn turn;
  std::lock_guard lock(mutex);
  const auto found =
      std::find_if(outputs.begin(), outputs.end(),
                   [&](const auto &each) { return each.get() == output; });
  const Error error = found == outputs.end() ? cudaSuccess : output->close();
  if (found != outputs.end() && error == cudaSuccess)
    outputs.erase(found);
  return error;
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
                        std::shared_ptr<CommonCode> *common,
                        ModuleHandle *handle) {
  BIND();
  uint32_t architecture = 0;
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
    architecture = code->architecture;
  }
  // The driver reads text up to a zero byte, which a file does not end with.
  std::string text;
  if (bytes && !ours.image()) {
    text.assign(static_cast<const char *>(data), bytes);
    data = text.c_str();
  }
  CUmodule module = nullptr;
  std::shared_ptr<CommonCode> library = common ? *common : nullptr;
  const bool shared = common && !loadShared(engine.driver, data, architecture,
                                            options, &library, &module);
  if (!shared) {
    library.reset();
    if (CUresult code = engine.driver.moduleLoadDataEx(
            &module, data, options.count, options.options, options.values))
      return errorOf(code);
  }
  KernelOutput *output = nullptr;
  Error error = engine.openModuleOutput(module, &output);
  if (error == cudaSuccess) {
    error = catchExhaustion([&] {
      std::lock_guard lock(mutex);
      modules[module] = {output, library, {}};
      return cudaSuccess;
    });
    if (error != cudaSuccess)
      engine.closeModuleOutput(output);
  }
  if (error != cudaSuccess && !library)
    engine.driver.moduleUnload(module);
  if (error != cudaSuccess)
    return error;
  *handle = module;
  if (common)
    *common = std::move(library);
  return cudaSuccess;
}

Error CudaModules::unload(ModuleHandle module) {
  BIND();
  KernelOutput *output = nullptr;
  std::shared_ptr<DriverLibrary> library;
  {
    std::lock_guard lock(mutex);
    auto found = modules.find(module);
    if (found == modules.end())
      return cudaErrorInvalidResourceHandle;
    output = found->second.output;
    library = std::static_pointer_cast<DriverLibrary>(found->second.library);
  }
  if (output) {
    // What its kernels still print.
    if (Error error = engine.synchronize(); error != cudaSuccess)
      return error;
    if (Error error = engine.closeModuleOutput(output); error != cudaSuccess)
      return error;
    std::lock_guard lock(mutex);
    if (auto found = modules.find(module); found != modules.end())
      found->second.output = nullptr;
  }
  Destruction entry(mutex, modules, module);
  if (!entry)
    return cudaErrorInvalidResourceHandle;
  engine.timing.forgetKernels();
  if (!library)
    return entry.end(errorOf(engine.driver.moduleUnload(moduleOf(module))));
  // That of a library goes with the library, the last one takes it along; here
  // and in the entry are two of its owners.
  return entry.end(library.use_count() > 2 ? cudaSuccess
                                           : errorOf(library->unload()));
}

unsigned CudaModules::resets() { return resetCount.load(); }

void CudaModules::reset() {
  std::lock_guard lock(mutex);
  for (auto &[handle, module] : modules)
    for (auto &[name, kernel] : module.kernels) {
      kernel->reference = {};
      gone.push_back(std::move(kernel));
    }
  modules.clear();
  links.clear();
  ++resetCount;
}

std::unique_ptr<ModuleKernel> CudaModules::describe(const char *name,
                                                    CUfunction function) {
  auto kernel = std::make_unique<ModuleKernel>();
  kernel->text = name;
  kernel->function = function;
  kernel->name = kernel->text.c_str();
  // Older drivers do not say what the parameters are like.
  size_t offset = 0, bytes = 0;
  while (!engine.driver.functionGetParameter(function, kernel->places.size(),
                                             &offset, &bytes))
    kernel->places.push_back(
        {static_cast<uint32_t>(offset), static_cast<uint32_t>(bytes)});
  kernel->parameters = kernel->places.data();
  kernel->parameterCount = static_cast<uint32_t>(kernel->places.size());
  int shared = 0;
  if (!engine.driver.functionGetAttribute(&shared, FunctionShared, function))
    kernel->staticSharedBytes = static_cast<uint32_t>(shared);
  kernel->reference = {kernel.get(), &NoProgram, 0};
  return kernel;
}

Error CudaModules::function(ModuleHandle module, const char *name,
                            FunctionHandle *function) {
  BIND();
  std::lock_guard lock(mutex);
  auto place = modules.find(module);
  if (place == modules.end())
    return cudaErrorInvalidResourceHandle;
  auto &kernels = place->second.kernels;
  auto known = kernels.find(name);
  if (known == kernels.end()) {
    CUfunction found = nullptr;
    if (CUresult code =
            engine.driver.moduleGetFunction(&found, moduleOf(module), name))
      return errorOf(code);
    known = kernels.emplace(name, describe(name, found)).first;
  }
  *function = &known->second->reference;
  return cudaSuccess;
}

KernelReference CudaModules::kernelOf(CUfunction function) {
  std::lock_guard lock(mutex);
  for (const auto &[handle, module] : modules)
    for (const auto &[name, kernel] : module.kernels)
      if (kernel->function == function)
        return kernel->reference;
  return {};
}

Error CudaModules::functions(ModuleHandle handle,
                             std::vector<std::string> *names) {
  BIND();
  if (!known(handle))
    return cudaErrorInvalidResourceHandle;
  unsigned count = 0;
  if (CUresult code =
          engine.driver.moduleGetFunctionCount(&count, moduleOf(handle)))
    return errorOf(code);
  std::vector<CUfunction> all(count);
  if (CUresult code = engine.driver.moduleEnumerateFunctions(all.data(), count,
                                                             moduleOf(handle)))
    return errorOf(code);
  for (CUfunction function : all) {
    const char *name = nullptr;
    if (CUresult code = engine.driver.functionGetName(&name, function))
      return errorOf(code);
    names->emplace_back(name);
  }
  return cudaSuccess;
}

Error CudaModules::functionOf(FunctionHandle handle, CUfunction *function) {
  if (!*handle)
    return cudaErrorInvalidResourceHandle;
  LoadedProgram *program;
  return engine.functionOf(*handle, &program, function);
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

#define FUNCTION(handle)                                                       \
  CUfunction function = nullptr;                                               \
  if (Error error = functionOf(handle, &function); error != cudaSuccess)       \
  return error

Error CudaModules::launch(FunctionHandle handle, const LaunchConfiguration &c,
                          const LaunchParameters &p) {
  FUNCTION(handle);
  if (!CudaEngine::knownStream(c.stream))
    return cudaErrorInvalidResourceHandle;
  void **pointers = const_cast<void **>(p.pointers);
  const image::Dim3 g = c.grid, b = c.block;
  const auto stream = static_cast<CUstream>(handleOf(c.stream));
  size_t bytes = p.packedBytes;
  // CU_LAUNCH_PARAM_BUFFER_POINTER, _SIZE and _END.
  void *packed[] = {reinterpret_cast<void *>(1), const_cast<void *>(p.packed),
                    reinterpret_cast<void *>(2), &bytes, nullptr};
  void **extra = p.packed ? packed : nullptr;
  if (LaunchConfiguration all = c; engine.needsAttributes(function, &all))
    return engine.launchWithAttributes(function, all, pointers, extra);
  if (c.cooperative)
    return errorOf(engine.driver.launchCooperativeKernel(
        function, g.x, g.y, g.z, b.x, b.y, b.z, c.dynamicSharedBytes, stream,
        pointers));
  return errorOf(engine.driver.launchKernel(function, g.x, g.y, g.z, b.x, b.y,
                                            b.z, c.dynamicSharedBytes, stream,
                                            pointers, extra));
}

Error CudaModules::attribute(FunctionHandle handle, int number, int *value) {
  FUNCTION(handle);
  return errorOf(engine.driver.functionGetAttribute(value, number, function));
}

Error CudaModules::setAttribute(FunctionHandle handle, int number, int value) {
  FUNCTION(handle);
  return errorOf(engine.driver.functionSetAttribute(function, number, value));
}

Error CudaModules::residentBlocks(FunctionHandle handle, unsigned threads,
                                  size_t sharedBytes, int *blocks) {
  FUNCTION(handle);
  return errorOf(engine.driver.occupancy(
      blocks, function, static_cast<int>(threads), sharedBytes));
}

//===----------------------------------------------------------------------===//
// Links
//===----------------------------------------------------------------------===//

bool CudaModules::knownLink(LinkHandle link) {
  std::lock_guard lock(mutex);
  return links.count(link);
}

#define LINK(handle)                                                           \
  BIND();                                                                      \
  if (!knownLink(handle))                                                      \
    return cudaErrorInvalidResourceHandle;                                     \
  auto *state = static_cast<CUlinkState>(handle)

Error CudaModules::createLink(const TranslationOptions &options,
                              LinkHandle *link) {
  BIND();
  CUlinkState state = nullptr;
  if (CUresult code = engine.driver.linkCreate(options.count, options.options,
                                               options.values, &state))
    return errorOf(code);
  const Error error = catchExhaustion([&] {
    std::lock_guard lock(mutex);
    links.insert(state);
    return cudaSuccess;
  });
  if (error != cudaSuccess)
    engine.driver.linkDestroy(state);
  else
    *link = state;
  return error;
}

Error CudaModules::addToLink(LinkHandle link, int type, void *data,
                             size_t bytes, const char *name,
                             const TranslationOptions &o) {
  LINK(link);
  return errorOf(engine.driver.linkAddData(state, type, data, bytes, name,
                                           o.count, o.options, o.values));
}

Error CudaModules::addFileToLink(LinkHandle link, int type, const char *path,
                                 const TranslationOptions &o) {
  LINK(link);
  return errorOf(engine.driver.linkAddFile(state, type, path, o.count,
                                           o.options, o.values));
}

Error CudaModules::completeLink(LinkHandle link, void **code, size_t *bytes) {
  LINK(link);
  return errorOf(engine.driver.linkComplete(state, code, bytes));
}

Error CudaModules::destroyLink(LinkHandle link) {
  BIND();
  Destruction entry(mutex, links, link);
  return entry ? entry.end(errorOf(
                     engine.driver.linkDestroy(static_cast<CUlinkState>(link))))
               : cudaErrorInvalidResourceHandle;
}

} // namespace cufort::cuda
