//===- CudaEngine.cpp - an NVIDIA device ----------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/CudaEngine.h"
#include "runtime/core/KernelOutput.h"
#include "runtime/core/LaunchLimits.h"
#include "runtime/core/StreamNumbers.h"
#include "runtime/core/engine/Engines.h"
#include <cstring>

namespace cufort {

std::vector<Engine *> makeCudaEngines(std::string &problem) {
  const cuda::Driver *driver = cuda::openDriver(problem);
  if (!driver)
    return {};
  int count = 0;
  if (driver->deviceGetCount(&count) || !count) {
    problem = "the NVIDIA driver lists no device (CUDA_VISIBLE_DEVICES may "
              "hide them)";
    return {};
  }
  std::vector<Engine *> engines;
  engines.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    cuda::CUdevice device;
    if (!driver->deviceGet(&device, i))
      engines.push_back(new cuda::CudaEngine(*driver, device, i));
  }
  if (engines.empty())
    problem = "the NVIDIA driver lists devices, but none of them can be used";
  return engines;
}

namespace cuda {

static CUstream streamOf(StreamHandle stream) {
  return static_cast<CUstream>(handleOf(stream));
}

static CUdeviceptr address(const void *pointer) {
  return reinterpret_cast<CUdeviceptr>(pointer);
}

CudaEngine::CudaEngine(const Driver &driver, CUdevice device, int ordinal)
    : driver(driver), device(device), ordinal(ordinal),
      description(describeGpu(driver, device)), timing(driver, ordinal) {}

/// The context that an engine made the thread's last: asking the driver in each
/// call would cost a tenth of a launch.
static thread_local CUcontext current = nullptr;

Error CudaEngine::bind() {
  CUcontext wanted = context.load(std::memory_order_acquire);
  if (wanted && wanted == current)
    return cudaSuccess;
  if (!wanted) {
    std::lock_guard lock(mutex);
    wanted = context.load(std::memory_order_acquire);
    if (!wanted) {
      if (CUresult code = driver.primaryContextRetain(&wanted, device))
        return errorOf(code);
      context.store(wanted, std::memory_order_release);
    }
  }
  if (CUresult code = driver.contextSetCurrent(wanted))
    return errorOf(code);
  current = wanted;
  return cudaSuccess;
}

// Nearly every function below first binds the context.
#define BIND()                                                                 \
  if (Error bindError = bind(); bindError != cudaSuccess)                      \
  return bindError

Error CudaEngine::select() {
  current = nullptr; // libraries of others make contexts current, too
  return bind();
}

const DeviceProperties &CudaEngine::properties() { return description; }

bool CudaEngine::deviceMemoryIsHostMemory() const { return false; }

Graphs &CudaEngine::graphs() { return graphSet; }

Modules &CudaEngine::modules() { return moduleSet; }

VirtualMemory &CudaEngine::virtualMemory() { return addresses; }

std::string CudaEngine::problem() {
  // The PTX that cufort writes for current devices is that of CUDA 11.8.
  constexpr int OldestDriver = 11080;
  const auto version = [](int number) {
    return std::to_string(number / 1000) + "." +
           std::to_string(number % 1000 / 10);
  };
  if (description.driverVersion < OldestDriver)
    return "the driver is too old for the programs' PTX: it supports CUDA " +
           version(description.driverVersion) + ", but CUDA " +
           version(OldestDriver) + " or later is needed; update the driver";
  if (description.computeMode == 2)
    return "the device is in compute mode \"prohibited\"; ask the "
           "administrator, or run nvidia-smi -c 0 as root";
  const Error error = bind();
  void *memory = nullptr;
  const Error used = error == cudaSuccess
                         ? allocate(&memory, 4096, MemoryKind::Device)
                         : error;
  if (memory)
    release(memory, MemoryKind::Device);
  if (used == cudaSuccess)
    return "";
  std::string text = std::string(errorName(used)) + ": " + errorText(used);
  if (used == cudaErrorDevicesUnavailable)
    text += "; another process uses the device exclusively";
  else if (used == cudaErrorMemoryAllocation)
    text += "; other processes have taken its memory";
  return text;
}

Error CudaEngine::deviceAttribute(int attribute, int *value) {
  return errorOf(driver.deviceGetAttribute(value, attribute, device));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Error CudaEngine::allocate(void **memory, size_t bytes, MemoryKind kind) {
  *memory = nullptr;
  if (!bytes)
    return cudaSuccess;
  BIND();
  // Any device's context may use it, as addresses are unified.
  if (kind == MemoryKind::Pinned)
    return errorOf(driver.memHostAlloc(memory, bytes, 0));
  CUdeviceptr pointer = 0;
  const Error error =
      errorOf(kind == MemoryKind::Managed
                  ? driver.memAllocManaged(&pointer, bytes, /*global=*/1)
                  : driver.memAlloc(&pointer, bytes));
  if (error == cudaSuccess)
    *memory = reinterpret_cast<void *>(pointer);
  return error;
}

Error CudaEngine::release(void *memory, MemoryKind kind) {
  if (!memory)
    return cudaSuccess;
  BIND();
  return waited(kind == MemoryKind::Pinned ? driver.memFreeHost(memory)
                                           : driver.memFree(address(memory)));
}

Error CudaEngine::allocateHost(void **memory, size_t bytes, unsigned flags) {
  *memory = nullptr;
  if (!bytes)
    return cudaSuccess;
  BIND();
  // The numbers of the flags are the driver's.
  return errorOf(driver.memHostAlloc(memory, bytes, flags));
}

Error CudaEngine::addressRange(const void *pointer, void **begin,
                               size_t *bytes) {
  BIND();
  CUdeviceptr base = 0;
  const CUresult code = driver.addressRange(&base, bytes, address(pointer));
  *begin = reinterpret_cast<void *>(base);
  return errorOf(code);
}

Error CudaEngine::describe(const void *pointer, PointerDescription *result) {
  BIND();
  *result = {PointerDescription::Unregistered, -2, nullptr,
             const_cast<void *>(pointer)};
  int type = 0, number = ordinal;
  constexpr CUresult NotTheDrivers = cudaErrorInvalidValue;
  CUresult code =
      driver.pointerGetAttribute(&type, PointerMemoryType, address(pointer));
  if (code == NotTheDrivers)
    return cudaSuccess;
  unsigned managed = 0;
  if (!code)
    code = driver.pointerGetAttribute(&managed, PointerIsManaged,
                                      address(pointer));
  if (!code)
    code = driver.pointerGetAttribute(&number, PointerDeviceOrdinal,
                                      address(pointer));
  if (code)
    return errorOf(code);
  // Not every memory has both addresses.
  void *onDevice = nullptr, *onHost = nullptr;
  for (auto [attribute, place] : {std::pair(PointerDeviceAddress, &onDevice),
                                  std::pair(PointerHostAddress, &onHost)})
    if (code = driver.pointerGetAttribute(place, attribute, address(pointer));
        code && code != NotTheDrivers)
      return errorOf(code);
  *result = {managed              ? PointerDescription::Managed
             : type == MemoryHost ? PointerDescription::Host
                                  : PointerDescription::Device,
             number, onDevice, onHost};
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Kernels and variables
//===----------------------------------------------------------------------===//

Error CudaEngine::load(const Program &program, LoadedProgram **result) {
  if (program.index == 0 &&
      (*result = firstProgram.load(std::memory_order_acquire)))
    return cudaSuccess;
  std::lock_guard lock(mutex);
  if (programs.size() <= program.index)
    programs.resize(program.index + 1);
  auto &slot = programs[program.index];
  Error error = cudaSuccess;
  if (!slot) {
    slot = LoadedProgram::load(driver, *program.image, description.major,
                               description.minor, &error);
    if (slot) {
      try {
        error = openOutput(*program.image, *slot);
      } catch (const std::bad_alloc &) {
        error = cudaErrorMemoryAllocation;
      }
      if (error != cudaSuccess) {
        slot->unload();
        slot.reset();
      }
    }
  }
  *result = slot.get();
  if (program.index == 0)
    firstProgram.store(slot.get(), std::memory_order_release);
  return error;
}

Error CudaEngine::functionOf(const KernelReference &kernel,
                             LoadedProgram **program, CUfunction *function) {
  BIND();
  if (kernel.program->module) {
    *program = nullptr;
    *function = static_cast<const ModuleKernel *>(kernel.kernel)->function;
    return cudaSuccess;
  }
  if (Error error = load(*kernel.program, program); error != cudaSuccess)
    return error;
  return (*program)->function(kernel.index, function);
}

KernelReference CudaEngine::kernelOf(CUfunction function) {
  if (KernelReference ofModule = moduleSet.kernelOf(function))
    return ofModule;
  const std::vector<const Program *> registered = cufort::programs();
  std::lock_guard lock(mutex);
  for (size_t i = 0; i < programs.size(); ++i)
    if (unsigned index; programs[i] && programs[i]->find(function, &index))
      return {&registered[i]->image->kernels[index], registered[i], index};
  return {};
}

Error CudaEngine::allowDynamicShared(LoadedProgram *program, unsigned kernel,
                                     CUfunction function, uint32_t bytes) {
  if (!program)
    return errorOf(driver.functionSetAttribute(
        function, FunctionMaxDynamicShared, static_cast<int>(bytes)));
  // 48 KB, static and dynamic together, need no permission.
  std::atomic<uint32_t> &allowed = program->allowedShared(kernel);
  if (bytes <= allowed.load(std::memory_order_acquire))
    return cudaSuccess;
  if (CUresult code = driver.functionSetAttribute(
          function, FunctionMaxDynamicShared, static_cast<int>(bytes)))
    return errorOf(code);
  allowed.store(bytes, std::memory_order_release);
  return cudaSuccess;
}

Error CudaEngine::launchGrid(const KernelReference &kernel,
                             const LaunchConfiguration &c,
                             void *const *parameters) {
  if (Error error = checkLaunch(description, *kernel.kernel, c);
      error != cudaSuccess)
    return error;
  if (!knownStream(c.stream))
    return cudaErrorInvalidResourceHandle;
  LoadedProgram *program;
  CUfunction function;
  if (Error error = functionOf(kernel, &program, &function);
      error != cudaSuccess)
    return error;
  if (program && kernel.kernel->staticSharedBytes + c.dynamicSharedBytes >
                     description.sharedBytesPerBlock)
    if (Error error = allowDynamicShared(program, kernel.index, function,
                                         c.dynamicSharedBytes);
        error != cudaSuccess)
      return error;
  latest.note(kernel.kernel->name);
  void **arguments = const_cast<void **>(parameters);
  const auto submit = [&]() -> Error {
    if (LaunchConfiguration all = c; needsAttributes(function, &all))
      return launchWithAttributes(function, all, arguments);
    const image::Dim3 g = c.grid, b = c.block;
    return errorOf(
        c.cooperative
            ? driver.launchCooperativeKernel(function, g.x, g.y, g.z, b.x, b.y,
                                             b.z, c.dynamicSharedBytes,
                                             streamOf(c.stream), arguments)
            : driver.launchKernel(function, g.x, g.y, g.z, b.x, b.y, b.z,
                                  c.dynamicSharedBytes, streamOf(c.stream),
                                  arguments, nullptr));
  };
  if (!profile::recorder()) [[likely]]
    return submit();
  return timing.measured(streamOf(c.stream), describe(kernel, c, function),
                         submit);
}

Error CudaEngine::residentBlocks(const KernelReference &kernel,
                                 unsigned threads, size_t dynamicSharedBytes,
                                 int *perMultiprocessor, int *multiprocessors) {
  if (!threads || threads > unsigned(description.maxThreadsPerBlock))
    return cudaErrorInvalidConfiguration;
  LoadedProgram *program;
  CUfunction function;
  if (Error error = functionOf(kernel, &program, &function);
      error != cudaSuccess)
    return error;
  if (program && kernel.kernel->staticSharedBytes + dynamicSharedBytes >
                     description.sharedBytesPerBlock)
    if (Error error =
            allowDynamicShared(program, kernel.index, function,
                               static_cast<uint32_t>(dynamicSharedBytes));
        error != cudaSuccess)
      return error;
  *multiprocessors = description.multiprocessors;
  return errorOf(driver.occupancy(perMultiprocessor, function,
                                  static_cast<int>(threads),
                                  dynamicSharedBytes));
}

Error CudaEngine::attributes(const KernelReference &kernel,
                             KernelAttributes *result) {
  LoadedProgram *program;
  CUfunction function;
  if (Error error = functionOf(kernel, &program, &function);
      error != cudaSuccess)
    return error;
  Error error = cudaSuccess;
  const auto number = [&](FunctionAttribute attribute) {
    int value = 0;
    if (CUresult code =
            driver.functionGetAttribute(&value, attribute, function))
      error = errorOf(code);
    return value;
  };
  result->sharedBytes = static_cast<size_t>(number(FunctionShared));
  result->constantBytes = static_cast<size_t>(number(FunctionConstant));
  result->localBytes = static_cast<size_t>(number(FunctionLocal));
  result->maxThreadsPerBlock = number(FunctionMaxThreads);
  result->registers = number(FunctionRegisters);
  result->ptxVersion = number(FunctionPtxVersion);
  result->binaryVersion = number(FunctionBinaryVersion);
  result->maxDynamicSharedBytes = number(FunctionMaxDynamicShared);
  return error;
}

Error CudaEngine::setMaxDynamicShared(const KernelReference &kernel,
                                      int bytes) {
  if (bytes < 0)
    return cudaErrorInvalidValue;
  LoadedProgram *program;
  CUfunction function;
  if (Error error = functionOf(kernel, &program, &function);
      error != cudaSuccess)
    return error;
  return allowDynamicShared(program, kernel.index, function,
                            static_cast<uint32_t>(bytes));
}

Error CudaEngine::variableAddress(const VariableReference &variable,
                                  void **result) {
  BIND();
  LoadedProgram *program;
  if (Error error = load(*variable.program, &program); error != cudaSuccess)
    return error;
  return program->variable(variable.index, result);
}

Error CudaEngine::synchronize() {
  BIND();
  const profile::Waiting waiting;
  const CUresult result = driver.contextSynchronize();
  timing.collect();
  if (!result)
    latest.forget();
  return waited(result);
}

//===----------------------------------------------------------------------===//
// What kernels print
//===----------------------------------------------------------------------===//

Error CudaEngine::openOutput(const image::Image &image,
                             LoadedProgram &program) {
  for (uint32_t i = 0; i < image.variableCount; ++i) {
    if (std::strcmp(image.variables[i].name, CUFORT_OUTPUT_CHANNEL_NAME) != 0)
      continue;
    void *channel = nullptr;
    Error error = program.variable(i, &channel);
    if (error != cudaSuccess)
      return error;
    outputs.reserve(outputs.size() + 1);
    auto output = KernelOutput::open(driver, address(channel),
                                     outputBufferBytes(), &error);
    if (output) {
      outputs.push_back(std::move(output));
      hasOutput.store(true, std::memory_order_release);
    }
    return error;
  }
  return cudaSuccess;
}

std::vector<KernelOutput *> CudaEngine::openOutputs() {
  std::vector<KernelOutput *> open;
  std::lock_guard lock(mutex);
  open.reserve(outputs.size());
  for (const auto &output : outputs)
    open.push_back(output.get());
  return open;
}

void CudaEngine::deliverOutput() { deliver(/*over=*/false); }

bool CudaEngine::mayHaveOutput() const { return hasOutput.load(); }

// The driver ends with the process.
void CudaEngine::shutDown() {}

void CudaEngine::deliver(bool over) {
  if (!hasOutput.load(std::memory_order_acquire) || bind() != cudaSuccess)
    return;
  OutputTurn turn;
  if (!turn)
    return;
  for (KernelOutput *output : openOutputs())
    output->deliver(over);
}

Error CudaEngine::waited(CUresult result) {
  // Codes from 700 on say that a kernel has failed: nothing runs any more.
  const bool failed = result >= 700 && result < 720;
  deliver(/*over=*/failed);
  if (failed && result != 710) // an assertion has said where it is
    latest.report();
  return errorOf(result);
}

Error CudaEngine::setOutputBytes(size_t bytes) {
  if (Error error = synchronize(); error != cudaSuccess)
    return error;
  if (OutputTurn turn; turn)
    for (KernelOutput *output : openOutputs())
      if (Error error = output->resize(bytes); error != cudaSuccess)
        return error;
  setOutputBufferBytes(bytes);
  return cudaSuccess;
}

Error CudaEngine::reset() {
  BIND();
  waited(driver.contextSynchronize());
  OutputTurn turn;
  forgetHandles();
  forgetArrays();
  timing.collect();
  timing.forget();
  graphSet.reset();
  moduleSet.reset();
  std::lock_guard lock(mutex);
  firstProgram.store(nullptr, std::memory_order_release);
  programs.clear();
  outputs.clear();
  hasOutput.store(false, std::memory_order_release);
  stridedKernel.reset();
  // The next use retains the context again, which makes it anew.
  context.store(nullptr, std::memory_order_release);
  return errorOf(driver.primaryContextReset(device));
}

} // namespace cuda
} // namespace cufort
