//===- CpuEngine.cpp - the CPU as a device --------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/CpuEngine.h"
#include "runtime/core/Engines.h"
#include "runtime/core/LaunchLimits.h"
#include "runtime/core/Stop.h"
#include "runtime/cpu/CopyOperation.h"
#include "runtime/cpu/KernelOperation.h"
#include "runtime/cpu/Properties.h"
#include <cstring>

namespace cufort {

Engine *makeCpuEngine(const Environment &environment) {
  return new cpu::CpuEngine(environment);
}

namespace cpu {

/// Copies up to this size are done by the calling thread when the device is
/// idle; larger ones by all cores.
static constexpr size_t SmallCopyBytes = size_t(1) << 20;

CpuEngine::CpuEngine(const Environment &environment)
    : environment(environment), level(machineLevel()),
      memory(environment.cpuMemoryBytes),
      scheduler(environment.threads, environment.cores) {
  description = describeCpu(environment.threads, level, memory.total());
}

Error CpuEngine::deviceAttribute(int attribute, int *value) {
  return cpuAttribute(description, attribute, value);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Error CpuEngine::allocate(void **result, size_t bytes, MemoryKind kind) {
  return memory.allocate(result, bytes, kind);
}

Error CpuEngine::release(void *pointer, MemoryKind kind) {
  scheduler.waitAll();
  return memory.release(pointer, kind);
}

Error CpuEngine::memoryInformation(size_t *free, size_t *total) {
  *free = memory.free();
  *total = memory.total();
  return cudaSuccess;
}

Error CpuEngine::describe(const void *pointer, PointerDescription *result) {
  void *address = const_cast<void *>(pointer);
  *result = {PointerDescription::Unregistered, -2, nullptr, address};
  if (auto allocation = memory.find(pointer))
    switch (allocation->kind) {
    case MemoryKind::Device:
      *result = {PointerDescription::Device, 0, address, nullptr};
      break;
    case MemoryKind::Managed:
      *result = {PointerDescription::Managed, 0, address, address};
      break;
    case MemoryKind::Pinned:
      *result = {PointerDescription::Host, 0, address, address};
      break;
    }
  return cudaSuccess;
}

bool CpuEngine::pageable(const void *pointer) { return !memory.find(pointer); }

//===----------------------------------------------------------------------===//
// Copies and fills
//===----------------------------------------------------------------------===//

void CpuEngine::runAndWait(Operation *operation, bool small) {
  if (small && scheduler.idle()) {
    operation->run(0, operation->units, Participant::current());
    operation->drop();
    return;
  }
  Stream &stream = scheduler.defaultStream();
  scheduler.waitOperation(stream, scheduler.submit(stream, operation));
}

static bool validKind(CopyKind kind) {
  return static_cast<unsigned>(kind) <=
         static_cast<unsigned>(CopyKind::Default);
}

Error CpuEngine::copy(void *to, const void *from, size_t bytes, CopyKind kind) {
  if (!validKind(kind))
    return cudaErrorInvalidMemcpyDirection;
  if (!bytes)
    return cudaSuccess;
  if (!to || !from)
    return cudaErrorInvalidValue;
  if (bytes <= SmallCopyBytes && scheduler.idle())
    std::memmove(to, from, bytes);
  else
    runAndWait(new CopyOperation(to, from, bytes), false);
  return cudaSuccess;
}

Error CpuEngine::copyAsync(void *to, const void *from, size_t bytes,
                           CopyKind kind, StreamHandle handle) {
  Stream *stream = find(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (!validKind(kind))
    return cudaErrorInvalidMemcpyDirection;
  if (!bytes)
    return cudaSuccess;
  if (!to || !from)
    return cudaErrorInvalidValue;
  // As in CUDA: pageable memory may be reused as soon as the call returns.
  const bool wait =
      (kind == CopyKind::HostToDevice && pageable(from)) ||
      (kind == CopyKind::DeviceToHost && pageable(to)) ||
      (kind == CopyKind::Default && (pageable(from) || pageable(to))) ||
      kind == CopyKind::HostToHost;
  const uint64_t sequence =
      scheduler.submit(*stream, new CopyOperation(to, from, bytes));
  if (wait)
    scheduler.waitOperation(*stream, sequence);
  return cudaSuccess;
}

Error CpuEngine::copy2D(void *to, size_t toPitch, const void *from,
                        size_t fromPitch, size_t width, size_t height,
                        CopyKind kind, StreamHandle handle, bool async) {
  Stream *stream = find(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (!validKind(kind))
    return cudaErrorInvalidMemcpyDirection;
  if (!width || !height)
    return cudaSuccess;
  if (width > toPitch || width > fromPitch)
    return cudaErrorInvalidPitchValue;
  if (!to || !from)
    return cudaErrorInvalidValue;
  StridedView t{static_cast<char *>(to), width, 1};
  StridedView f{static_cast<char *>(const_cast<void *>(from)), width, 1};
  t.extent[0] = f.extent[0] = static_cast<ptrdiff_t>(height);
  t.stride[0] = static_cast<ptrdiff_t>(toPitch);
  f.stride[0] = static_cast<ptrdiff_t>(fromPitch);
  const bool wait =
      !async || (kind == CopyKind::HostToDevice && pageable(from)) ||
      (kind == CopyKind::DeviceToHost && pageable(to)) ||
      (kind != CopyKind::DeviceToDevice && (pageable(from) || pageable(to)));
  const uint64_t sequence =
      scheduler.submit(*stream, new StridedCopyOperation(t, f));
  if (wait)
    scheduler.waitOperation(*stream, sequence);
  return cudaSuccess;
}

Error CpuEngine::copyStrided(const StridedView &to, const StridedView &from,
                             CopyKind kind) {
  const size_t elements = to.elements();
  if (!elements)
    return cudaSuccess;
  if (!to.base || !from.base)
    return cudaErrorInvalidValue;
  StridedView t = to, f = from;
  simplify(t, f);
  if (t.rank == 0)
    return copy(t.base, f.base, t.elementBytes, kind);
  runAndWait(new StridedCopyOperation(t, f),
             elements * to.elementBytes <= SmallCopyBytes);
  return cudaSuccess;
}

Error CpuEngine::fill(void *to, const void *pattern, size_t patternBytes,
                      size_t count, StreamHandle handle) {
  Stream *stream = find(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (!count || !patternBytes)
    return cudaSuccess;
  if (!to)
    return cudaErrorInvalidValue;
  auto *operation = new FillOperation(to, pattern, patternBytes, count);
  if (patternBytes * count <= SmallCopyBytes && scheduler.idle()) {
    operation->run(0, operation->units, Participant::current());
    operation->drop();
  } else {
    scheduler.submit(*stream, operation);
  }
  return cudaSuccess;
}

Error CpuEngine::fill2D(void *to, size_t pitch, unsigned char value,
                        size_t width, size_t height, StreamHandle handle) {
  Stream *stream = find(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (!width || !height)
    return cudaSuccess;
  if (width > pitch)
    return cudaErrorInvalidPitchValue;
  if (!to)
    return cudaErrorInvalidValue;
  scheduler.submit(*stream,
                   new RowFillOperation(to, pitch, value, width, height));
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Kernels and variables
//===----------------------------------------------------------------------===//

BlockCode CpuEngine::codeFor(const image::Kernel &kernel,
                             const image::Dim3 &block) const {
  auto best = [&](const image::CpuBlockEntry(&entries)[image::CpuLevelCount]) {
    for (int i = level; i >= 0; --i)
      if (entries[i])
        return entries[i];
    return image::CpuBlockEntry(nullptr);
  };
  for (uint64_t i = 0; i < kernel.variantCount; ++i) {
    const image::CpuVariant &variant = kernel.variants[i];
    if (variant.block.x == block.x && variant.block.y == block.y &&
        variant.block.z == block.z)
      if (image::CpuBlockEntry entry = best(variant.cpu))
        return {entry, variant.arenaBytesPerThread};
  }
  return {best(kernel.cpu), kernel.arenaBytesPerThread};
}

Error CpuEngine::launch(const KernelReference &reference,
                        const LaunchConfiguration &configuration,
                        void *const *parameters) {
  const image::Kernel &kernel = *reference.kernel;
  Stream *stream = find(configuration.stream);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (Error error = checkLaunch(description, kernel, configuration);
      error != cudaSuccess)
    return error;
  image::CpuLaunch launch{configuration.grid, configuration.block,
                          configuration.dynamicSharedBytes, 0};
  Operation *operation;
  if (environment.cpuFibers) {
    if (!kernel.cpuThread)
      stopProgram(nullptr, 0, "CUFORT_CPU_FIBERS=1", cudaErrorNotSupported,
                  "the program was compiled without the code that runs one "
                  "fiber per thread");
    if (configuration.cooperative)
      operation = new CooperativeFiberOperation(kernel, launch, parameters);
    else
      operation = new FiberOperation(kernel, launch, parameters);
  } else {
    const BlockCode code = codeFor(kernel, launch.block);
    if (!code.entry)
      return cudaErrorNoKernelImageForDevice;
    if (configuration.cooperative)
      operation = new CooperativeOperation(kernel, code, launch, parameters);
    else
      operation = new KernelOperation(kernel, code, launch, parameters);
  }
  const uint64_t sequence = scheduler.submit(*stream, operation);
  if (environment.launchBlocking)
    scheduler.waitOperation(*stream, sequence);
  return cudaSuccess;
}

Error CpuEngine::residentBlocks(const KernelReference &, unsigned threads,
                                size_t, int *perMultiprocessor,
                                int *multiprocessors) {
  if (!threads || threads > unsigned(description.maxThreadsPerBlock))
    return cudaErrorInvalidConfiguration;
  // A core runs one block at a time; eight for each let the cores finish
  // together although blocks differ.
  *perMultiprocessor = 8;
  *multiprocessors = description.multiprocessors;
  return cudaSuccess;
}

Error CpuEngine::attributes(const KernelReference &reference,
                            KernelAttributes *result) {
  const image::Kernel &kernel = *reference.kernel;
  *result = {};
  result->sharedBytes = kernel.staticSharedBytes;
  result->localBytes = kernel.arenaBytesPerThread;
  result->maxThreadsPerBlock = kernel.maxThreadsPerBlock
                                   ? static_cast<int>(kernel.maxThreadsPerBlock)
                                   : description.maxThreadsPerBlock;
  result->ptxVersion = result->binaryVersion =
      description.major * 10 + description.minor;
  result->maxDynamicSharedBytes =
      static_cast<int>(description.sharedBytesPerBlockOptIn) -
      static_cast<int>(kernel.staticSharedBytes);
  return cudaSuccess;
}

Error CpuEngine::setMaxDynamicShared(const KernelReference &reference,
                                     int bytes) {
  return bytes < 0 || uint64_t(reference.kernel->staticSharedBytes) + bytes >
                          description.sharedBytesPerBlockOptIn
             ? cudaErrorInvalidValue
             : cudaSuccess;
}

Error CpuEngine::variableAddress(const VariableReference &variable,
                                 void **address) {
  *address = variable.variable->cpuAddress;
  return *address ? cudaSuccess : cudaErrorInvalidSymbol;
}

void CpuEngine::shutDown() { scheduler.stop(); }

} // namespace cpu
} // namespace cufort
