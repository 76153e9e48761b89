//===- LoadedProgram.cpp - an image on an NVIDIA device -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/LoadedProgram.h"
#include <cstdio>
#include <map>
#include <mutex>

namespace cufort::cuda {

/// A cubin runs on devices of its own major version and at least its minor one,
/// PTX on everything newer; the newest that fits is the best, a cubin before
/// PTX of the same architecture.
const image::Code *LoadedProgram::choose(const image::Image &image, int major,
                                         int minor) {
  const auto device = static_cast<unsigned>(major * 10 + minor);
  const image::Code *best = nullptr;
  for (uint32_t i = 0; i < image.codeCount; ++i) {
    const image::Code &code = image.code[i];
    if (code.architecture > device)
      continue;
    const bool cubin = code.kind == image::CodeKind::Cubin;
    if (cubin && code.architecture / 10 != device / 10)
      continue;
    if (!best || code.architecture > best->architecture ||
        (code.architecture == best->architecture && cubin))
      best = &code;
  }
  return best;
}

namespace {
/// Code that the modules of several devices are of. Only so have managed
/// variables one place in memory for all of them: of a module that is loaded
/// for itself each device has its own.
struct Libraries {
  struct Library {
    CUlibrary handle = nullptr;
    unsigned modules = 0;
  };
  std::mutex mutex;
  std::map<const image::Code *, Library> known;
};

Libraries &libraries() {
  static auto *instance = new Libraries;
  return *instance;
}
} // namespace

static bool hasSeveralDevices(const Driver &driver) {
  int count = 0;
  return !driver.deviceGetCount(&count) && count > 1;
}

static CUresult loadShared(const Driver &driver, const image::Code &code,
                           unsigned options, int *names, void **values,
                           CUmodule *module) {
  Libraries &all = libraries();
  std::lock_guard lock(all.mutex);
  Libraries::Library &library = all.known[&code];
  if (!library.handle)
    if (CUresult result =
            driver.libraryLoadData(&library.handle, code.data, names, values,
                                   options, nullptr, nullptr, 0)) {
      all.known.erase(&code);
      return result;
    }
  const CUresult result = driver.libraryGetModule(module, library.handle);
  library.modules += !result;
  return result;
}

void LoadedProgram::unload() {
  if (!shared)
    driver.moduleUnload(module);
}

LoadedProgram::~LoadedProgram() {
  if (!shared)
    return;
  Libraries &all = libraries();
  std::lock_guard lock(all.mutex);
  auto found = all.known.find(shared);
  if (found != all.known.end() && !--found->second.modules) {
    driver.libraryUnload(found->second.handle);
    all.known.erase(found);
  }
}

LoadedProgram::LoadedProgram(const Driver &driver, const image::Image &image)
    : driver(driver), image(image),
      functions(new std::atomic<CUfunction>[image.kernelCount + 1]()),
      allowed(new std::atomic<uint32_t>[image.kernelCount + 1]()),
      variables(new std::atomic<CUdeviceptr>[image.variableCount + 1]()) {}

std::unique_ptr<LoadedProgram> LoadedProgram::load(const Driver &driver,
                                                   const image::Image &image,
                                                   int major, int minor,
                                                   Error *error) {
  const image::Code *code = choose(image, major, minor);
  if (!code) {
    std::fprintf(stderr,
                 "cufort: the program has no code for devices of compute "
                 "capability %d.%d\n",
                 major, minor);
    *error = cudaErrorNoKernelImageForDevice;
    return nullptr;
  }
  std::unique_ptr<LoadedProgram> program(new LoadedProgram(driver, image));
  char log[8192] = "";
  int options[] = {JitErrorLog, JitErrorLogBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log) - 1)};
  CUresult result = cudaErrorCallRequiresNewerDriver;
  if (hasSeveralDevices(driver)) {
    result = loadShared(driver, *code, 2, options, values, &program->module);
    program->shared = result ? nullptr : code;
  }
  if (result == cudaErrorCallRequiresNewerDriver)
    result = driver.moduleLoadDataEx(&program->module, code->data, 2, options,
                                     values);
  if (result) {
    *error = errorOf(result);
    std::fprintf(stderr,
                 "cufort: the NVIDIA driver rejects the program's device code "
                 "(%s: %s)%s%s\n",
                 errorName(*error), errorText(*error), *log ? ":\n" : "", log);
    return nullptr;
  }
  *error = cudaSuccess;
  return program;
}

Error LoadedProgram::function(unsigned kernel, CUfunction *result) {
  // Two threads may ask the driver at once; both get the same answer.
  if ((*result = functions[kernel].load(std::memory_order_acquire)))
    return cudaSuccess;
  if (CUresult code =
          driver.moduleGetFunction(result, module, image.kernels[kernel].name))
    return code == 500 ? cudaErrorInvalidDeviceFunction : errorOf(code);
  functions[kernel].store(*result, std::memory_order_release);
  return cudaSuccess;
}

bool LoadedProgram::find(CUfunction function, unsigned *kernel) const {
  for (uint32_t i = 0; i < image.kernelCount; ++i)
    if (functions[i].load(std::memory_order_acquire) == function) {
      *kernel = i;
      return true;
    }
  return false;
}

Error LoadedProgram::variable(unsigned number, void **address) {
  // As above. Host code asks for every use of a variable.
  CUdeviceptr pointer = variables[number].load(std::memory_order_acquire);
  if (!pointer) {
    size_t bytes = 0;
    if (CUresult code = driver.moduleGetGlobal(&pointer, &bytes, module,
                                               image.variables[number].name))
      return code == 500 ? cudaErrorInvalidSymbol : errorOf(code);
    variables[number].store(pointer, std::memory_order_release);
  }
  *address = reinterpret_cast<void *>(pointer);
  return cudaSuccess;
}

} // namespace cufort::cuda
