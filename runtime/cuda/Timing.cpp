//===- Timing.cpp - when an NVIDIA device did what ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/Timing.h"
#include "runtime/core/StreamNumbers.h"
#include "runtime/core/process/FaultInjection.h"
#include "runtime/cuda/CudaEngine.h"

namespace cufort::cuda {

// The driver's numbers.
static constexpr unsigned DefaultEvent = 0;
/// How much may wait to be asked for before somebody asks.
static constexpr size_t MostPending = 1024;
/// The driver's times have 24 bits: from an event a second away they are good
/// to a tenth of a microsecond.
static constexpr float FarMilliseconds = 1000;

CUevent Timing::event() {
  if (!spare.empty()) {
    CUevent last = spare.back();
    spare.pop_back();
    return last;
  }
  CUevent made = nullptr;
  return driver.eventCreate(&made, DefaultEvent) ? nullptr : made;
}

bool Timing::start() {
  if (origin)
    return true;
  CUevent made = event();
  if (!made || driver.eventRecord(made, nullptr) ||
      driver.eventSynchronize(made))
    return false;
  originTime = profile::now();
  origin = made;
  return true;
}

bool Timing::isCaptured(CUstream stream) const {
  int capture = 0;
  unsigned long long id = 0;
  return driver.streamGetCaptureInfo(stream, &capture, &id, nullptr, nullptr,
                                     nullptr) ||
         capture;
}

size_t Timing::begin(profile::Recorder &recorder, CUstream stream,
                     profile::Work &work) {
  if (isCaptured(stream))
    return None;
  work.device = device;
  size_t place = None;
  (void)catchExhaustion([&] {
    recorder.submitted(work);
    std::lock_guard guard(mutex);
    if (pending.size() >= MostPending)
      collectHeld();
    if (!start())
      return cudaSuccess;
    Pending fresh{work, event(), event()};
    if (fresh.before && fresh.after &&
        !driver.eventRecord(fresh.before, stream)) {
      pending.push_back(fresh);
      place = first + pending.size() - 1;
    } else {
      drop(fresh);
    }
    return cudaSuccess;
  });
  return place;
}

void Timing::end(CUstream stream, size_t place, bool submitted) {
  if (place == None)
    return;
  std::lock_guard guard(mutex);
  if (place < first) // the device was reset meanwhile
    return;
  Pending &own = pending[place - first];
  own.complete = true;
  if (!submitted || driver.eventRecord(own.after, stream))
    drop(own);
}

void Timing::drop(Pending &pending) {
  for (CUevent *each : {&pending.before, &pending.after})
    if (*each) {
      spare.push_back(*each);
      *each = nullptr;
    }
}

void Timing::collect() {
  if (!profile::recorder())
    return;
  (void)catchExhaustion([&] {
    std::lock_guard guard(mutex);
    collectHeld();
    return cudaSuccess;
  });
}

void Timing::collectHeld() {
  profile::Recorder *recorder = profile::recorder();
  for (Pending &each : pending) {
    if (!each.complete || !each.after || driver.eventQuery(each.after))
      continue;
    float since = 0, lasted = 0;
    if (recorder && !driver.eventElapsedTime(&since, origin, each.before) &&
        !driver.eventElapsedTime(&lasted, each.before, each.after)) {
      const auto nanoseconds = [](float milliseconds) {
        return static_cast<int64_t>(double(milliseconds) * 1e6);
      };
      each.work.begin = originTime + uint64_t(nanoseconds(since));
      each.work.end = each.work.begin + uint64_t(nanoseconds(lasted));
      recorder->ended(each.work);
      if (since > FarMilliseconds) {
        std::swap(origin, each.before);
        originTime = each.work.begin;
      }
    }
    drop(each);
  }
  while (!pending.empty() && pending.front().complete &&
         !pending.front().after) {
    pending.pop_front();
    ++first;
  }
}

Timing::Resources Timing::resourcesOf(CUfunction function, int threads,
                                      size_t dynamicShared, int most) {
  Resources found;
  (void)catchExhaustion([&] {
    std::lock_guard guard(mutex);
    const auto [place, isNew] =
        resources.try_emplace({function, threads, dynamicShared});
    if (isNew) {
      Resources &its = place->second;
      int blocks = 0;
      driver.functionGetAttribute(&its.registers, FunctionRegisters, function);
      if (!driver.occupancy(&blocks, function, threads, dynamicShared))
        its.occupancy = float(blocks * threads) / float(most);
    }
    found = place->second;
    return cudaSuccess;
  });
  return found;
}

void Timing::forgetKernels() {
  if (Activity *activity = Activity::get())
    activity->flush();
  std::lock_guard guard(mutex);
  resources.clear();
}

void Timing::forget() {
  forgetKernels();
  std::lock_guard guard(mutex);
  first += pending.size();
  pending.clear();
  spare.clear();
  origin = nullptr;
}

profile::Work CudaEngine::describe(const KernelReference &kernel,
                                   const LaunchConfiguration &c,
                                   CUfunction function) {
  profile::Work work;
  work.name = kernel.kernel->name;
  work.grid = c.grid;
  work.block = c.block;
  work.sharedBytes = kernel.kernel->staticSharedBytes + c.dynamicSharedBytes;
  work.stream = handleOf(c.stream);
  const int threads = static_cast<int>(c.block.x * c.block.y * c.block.z);
  const Timing::Resources resources =
      timing.resourcesOf(function, threads, c.dynamicSharedBytes,
                         description.maxThreadsPerMultiprocessor);
  work.registers = resources.registers;
  work.occupancy = resources.occupancy;
  return work;
}

} // namespace cufort::cuda
