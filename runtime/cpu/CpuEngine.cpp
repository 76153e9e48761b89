//===- CpuEngine.cpp - the CPU as a device --------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/CpuEngine.h"
#include "runtime/check/Check.h"
#include "runtime/core/KernelOutput.h"
#include "runtime/core/LaunchFailure.h"
#include "runtime/core/LaunchLimits.h"
#include "runtime/core/Names.h"
#include "runtime/core/engine/Engines.h"
#include "runtime/core/process/Process.h"
#include "runtime/core/process/Stop.h"
#include "runtime/cpu/Properties.h"
#include "runtime/cpu/launches/DeviceFunctions.h"
#include "runtime/cpu/launches/Faults.h"
#include "runtime/cpu/launches/KernelOperation.h"
#include "runtime/cpu/launches/KernelOutput.h"
#include "runtime/cpu/memory/HostGuard.h"
#include "runtime/cpu/memory/VirtualMemory.h"
#include "runtime/cpu/modules/Instances.h"
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>

namespace cufort {

static std::vector<cpu::CpuEngine *> &engines() {
  static auto *list = new std::vector<cpu::CpuEngine *>;
  return *list;
}

std::vector<Engine *> makeCpuEngines(const Environment &environment) {
  std::vector<std::unique_ptr<cpu::CpuEngine>> fresh;
  fresh.reserve(environment.cpuDevices);
  for (unsigned i = 0; i < environment.cpuDevices; ++i)
    fresh.push_back(std::make_unique<cpu::CpuEngine>(environment, i,
                                                     environment.cpuDevices));
  for (const auto &engine : fresh)
    engines().push_back(engine.get());
  process().deviceFunctions.store(&cpu::OwnDeviceFunctions);
  std::vector<Engine *> result(engines().begin(), engines().end());
  // Nothing is given up any more once threads run.
  for (auto &engine : fresh)
    engine.release()->start();
  return result;
}

namespace cpu {

const std::vector<CpuEngine *> &cpuEngines() { return engines(); }

/// The part of \p all that device \p ordinal of \p count gets; at least 1.
static unsigned share(unsigned all, unsigned ordinal, unsigned count) {
  return std::max(1u, all / count + (ordinal < all % count));
}

// Numbers of cudaLimit; how deep kernels may wait for kernels that they have
// launched is one that no present device has.
static constexpr int StackLimit = 0, WaitDepthLimit = 3, FetchLimit = 5,
                     PersistingLimit = 6, SharedMemoryLimit = 7;

CpuEngine::CpuEngine(const Environment &environment, unsigned ordinal,
                     unsigned count)
    : environment(environment), ordinal(static_cast<int>(ordinal)),
      level(machineLevel()),
      memory(environment.cpuMemoryBytes, static_cast<int>(ordinal), count),
      scheduler(share(environment.threads, ordinal, count),
                share(environment.cores, ordinal, count), *this),
      current(std::make_shared<Pool>()),
      limits{1024, 1 << 20, 8 << 20, 0, 2048, 128, 0, 0, 0} {
  current->device = scheduler.device = this->ordinal;
  pools.push_back(current);
  description = describeCpu(scheduler.threads(), level, memory.total());
  if (count > 1)
    description.name += " (" + std::to_string(ordinal + 1) + " of " +
                        std::to_string(count) + ")";
  limits[SharedMemoryLimit] =
      static_cast<size_t>(description.sharedBytesPerBlockOptIn);
  description.pciDevice = this->ordinal;
  description.uuid[0] = 0xC9;
  description.uuid[15] = static_cast<unsigned char>(ordinal);
}

const DeviceProperties &CpuEngine::properties() { return description; }

bool CpuEngine::deviceMemoryIsHostMemory() const { return true; }

Graphs &CpuEngine::graphs() { return graphSet; }

Modules &CpuEngine::modules() { return moduleSet; }

VirtualMemory &CpuEngine::virtualMemory() { return cpuVirtualMemory(); }

Error CpuEngine::driverFunction(const char *, void **) {
  return cudaErrorNotSupported;
}

// There are no profilers.
Error CpuEngine::profile(bool) { return graphSet.refuseUnsafe(); }

Error CpuEngine::select() { return cudaSuccess; }

std::string CpuEngine::problem() {
  // A worker has to come and do something.
  bool done = false;
  auto *operation = new CallOperation([&done] { done = true; });
  Stream &stream = scheduler.defaultStream();
  scheduler.waitOperation(stream, scheduler.submit(stream, operation));
  return done ? "" : "the worker threads do not start";
}

Error CpuEngine::deviceAttribute(int attribute, int *value) {
  return cpuAttribute(description, attribute, value);
}

// The numbers are cudaLimit's. Private memory and the heap grow as
// needed here; what is asked for is kept and given back.
Error CpuEngine::limit(int number, size_t *value) {
  if (number < 0)
    return cudaErrorInvalidValue;
  if (number >= int(std::size(limits)) || number == WaitDepthLimit)
    return cudaErrorUnsupportedLimit;
  std::lock_guard lock(mutex);
  *value = number == OutputLimit ? outputBufferBytes() : limits[number];
  return cudaSuccess;
}

Error CpuEngine::setLimit(int number, size_t value) {
  if (Error error = graphSet.refuseUnsafe(); error != cudaSuccess)
    return error;
  if (number < 0)
    return cudaErrorInvalidValue;
  if (number >= int(std::size(limits)) || number == WaitDepthLimit)
    return cudaErrorUnsupportedLimit;
  if (number >= SharedMemoryLimit)
    return cudaErrorNotPermitted;              // they can only be asked for
  constexpr size_t MostStackBytes = 512 << 10; // that a GPU's thread may have
  // A line of a GPU's second cache.
  constexpr size_t MostFetchedBytes = 128;
  if ((number == StackLimit && value > MostStackBytes) ||
      (number == FetchLimit && value > MostFetchedBytes) ||
      (number == PersistingLimit &&
       value > static_cast<size_t>(description.l2Bytes)))
    return cudaErrorInvalidValue;
  if (number == OutputLimit)
    setOutputBufferBytes(value);
  std::lock_guard lock(mutex);
  limits[number] = value;
  return cudaSuccess;
}

// As on devices whose caches are as they are.
Error CpuEngine::cacheConfiguration(int *configuration) {
  *configuration = 0;
  return cudaSuccess;
}

Error CpuEngine::setCacheConfiguration(int) { return cudaSuccess; }

// Nothing persists in the caches.
Error CpuEngine::resetPersistingCache() { return cudaSuccess; }

Error CpuEngine::setCacheConfiguration(const KernelReference &, int) {
  return cudaSuccess;
}

void CpuEngine::failed(const Operation &operation, const Fault &fault) {
  const Error error = fault.signal == Fault::NoMemory
                          ? cudaErrorMemoryAllocation
                      : fault.signal == SIGILL ? cudaErrorIllegalInstruction
                      : fault.signal == SIGFPE ? cudaErrorLaunchFailure
                      : fault.signal == Fault::Barriers ? cudaErrorLaunchFailure
                      : fault.signal == SIGABRT ? cudaErrorAssert
                                                : cudaErrorIllegalAddress;
  const char *kernel = operation.kernelName();
  (void)catchExhaustion([&] {
    const std::string text = faultText(fault);
    noteLaunchFailure(error,
                      kernel ? procedureName(kernel).c_str() : "(a copy)",
                      nullptr, 0, text.c_str());
    // Assertions and barriers have said where they are.
    if (fault.signal == SIGFPE)
      reportAt(fault.place, text.c_str());
    else
      reportAt(fault.place,
               (std::string(errorText(error)) + ": " + text).c_str());
    return cudaSuccess;
  });
  // After the note: the thread that launches may see the error at once, and
  // its own note, which knows no address, would be the first.
  Engine::failed.store(error, std::memory_order_release);
}

//===----------------------------------------------------------------------===//
// Copies and fills
//===----------------------------------------------------------------------===//

bool CpuEngine::pageable(const void *to, const void *from, CopyKind kind) {
  const auto unknown = [](const void *pointer) {
    return !Memory::change(pointer, [](Memory::Allocation &) {}) &&
           !findVariableOfAny(pointer).variable;
  };
  switch (kind) {
  case CopyKind::DeviceToDevice:
    return false;
  case CopyKind::HostToDevice:
    return unknown(from);
  case CopyKind::DeviceToHost:
    return unknown(to);
  case CopyKind::HostToHost:
    return true;
  case CopyKind::Default:
    break;
  }
  return unknown(from) || unknown(to);
}

Error CpuEngine::checkRange(const void *pointer, size_t bytes) {
  if (!Memory::reaches(pointer, bytes))
    return cudaErrorInvalidValue;
  const VariablePlace place = findVariableOfAny(pointer);
  if (!place.variable)
    return cudaSuccess;
  // What follows a variable is the program's own data.
  const image::Variable &variable = *place.variable.variable;
  const Program &program = *place.variable.program;
  const char *begin = static_cast<const char *>(variable.cpuAddress);
  if (!sharedByInstances(*program.image, begin))
    begin = inInstance(begin, program, place.device);
  const auto offset =
      static_cast<size_t>(static_cast<const char *>(pointer) - begin);
  return bytes <= variable.size - offset ? cudaSuccess : cudaErrorInvalidValue;
}

Error CpuEngine::checkRows(const void *pointer, size_t pitch, size_t rows,
                           size_t width) {
  size_t bytes;
  if (__builtin_mul_overflow(pitch, rows - 1, &bytes) ||
      __builtin_add_overflow(bytes, width, &bytes) || bytes > PTRDIFF_MAX)
    return cudaErrorInvalidValue;
  return checkRange(pointer, bytes);
}

void CpuEngine::deliverOutput() { deliverKernelOutput(); }

bool CpuEngine::mayHaveOutput() const { return true; }

bool CpuEngine::isInUse() const { return true; }

//===----------------------------------------------------------------------===//
// The whole device
//===----------------------------------------------------------------------===//

Error CpuEngine::synchronize() {
  if (Error error = graphSet.refuseDevice(); error != cudaSuccess)
    return error;
  std::vector<std::unique_ptr<CufortTexture[]>> gone;
  {
    std::lock_guard lock(texturesMutex);
    gone.swap(retiredTextures);
  }
  scheduler.waitAll();
  return cudaSuccess;
}

Error CpuEngine::reset() {
  graphSet.reset();
  moduleSet.reset();
  scheduler.waitAll();
  scheduler.destroyStreams();
  {
    std::lock_guard lock(texturesMutex);
    retiredTextures.clear();
  }
  memory.releaseAll();
  std::lock_guard lock(mutex);
  destroyEvents();
  streamHints.clear();
  destroyArrays();
  pools.resize(1);
  Pool &first = *pools.front(); // whose handle programs keep
  for (int &each : first.switches)
    each = 1;
  first.releaseThreshold = first.used = first.usedHigh = first.reservedHigh = 0;
  current = pools.front();
  peers.clear();
  ++generation;
  scheduler.recover();
  Engine::failed.store(cudaSuccess, std::memory_order_release);
  for (const Program *program : programs())
    if (Error error = restoreVariables(*program, ordinal); error != cudaSuccess)
      return error;
  return cudaSuccess;
}

void CpuEngine::shutDown() { scheduler.stop(); }

} // namespace cpu
} // namespace cufort
