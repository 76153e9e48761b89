//===- TestImage.cpp - a hand-made device image ---------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestImage.h"
#include "runtime/core/Registry.h"
#include "runtime/cpu/launches/DeviceFunctions.h"
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <thread>

using namespace cufort::image;

namespace testimage {

char emptyStub, setStub, scaleStub, sharedSumStub, logStub, boundedStub,
    gridBarrierStub, chainStub, fiberStub, fiberWaitStub, fiberMaskStub,
    descriptorStub, levelStub, gpuOnlyStub, unknownStub;
int deviceVariable = 7;
char deviceVariableShadow[sizeof(int)];
char moduleDescriptor[72];
char moduleDescriptorShadow[72];

namespace {

template <typename T> T load(const char *arguments, unsigned offset) {
  T value;
  std::memcpy(&value, arguments + offset, sizeof(T));
  return value;
}

/// Calls \p body(linear thread index) for the threads of a block, x fastest.
template <typename Body> void forThreads(const CpuLaunch *launch, Body body) {
  const Dim3 b = launch->block;
  for (uint32_t i = 0; i < b.x * b.y * b.z; ++i)
    body(i);
}

uint32_t linear(const CpuLaunch *launch, const Dim3 *block) {
  return block->x + launch->grid.x * (block->y + launch->grid.y * block->z);
}

void empty(const char *, const CpuLaunch *, const Dim3 *, uint32_t,
           const CpuWorkspace *) {}

void set(const char *a, const CpuLaunch *launch, const Dim3 *block, uint32_t,
         const CpuWorkspace *) {
  int *out = load<int *>(a, 0);
  const int value = load<int>(a, 8), n = load<int>(a, 12);
  const uint32_t threads = launch->block.x * launch->block.y * launch->block.z;
  forThreads(launch, [&](uint32_t t) {
    const uint32_t i = linear(launch, block) * threads + t;
    if (i < static_cast<uint32_t>(n))
      out[i] = value;
  });
}

void scale(const char *a, const CpuLaunch *launch, const Dim3 *block, uint32_t,
           const CpuWorkspace *) {
  double *out = load<double *>(a, 0);
  const double factor = load<double>(a, 8);
  const int n = load<int>(a, 16);
  forThreads(launch, [&](uint32_t t) {
    const int i = static_cast<int>(block->x * launch->block.x + t);
    if (i < n)
      out[i] = out[i] * factor + i;
  });
}

void sharedSum(const char *a, const CpuLaunch *launch, const Dim3 *block,
               uint32_t, const CpuWorkspace *workspace) {
  int *out = load<int *>(a, 0);
  // 16 static bytes come first.
  int *shared = reinterpret_cast<int *>(workspace->shared + 16);
  int *arena = reinterpret_cast<int *>(workspace->arena);
  if (reinterpret_cast<uintptr_t>(workspace->shared) % 128 ||
      reinterpret_cast<uintptr_t>(arena) % 64) {
    out[linear(launch, block)] = -1;
    return;
  }
  forThreads(launch, [&](uint32_t t) {
    shared[t] = static_cast<int>(t);
    arena[t] = static_cast<int>(t);
  });
  int sum = 0;
  forThreads(launch, [&](uint32_t t) { sum += shared[t] + arena[t]; });
  out[linear(launch, block)] = sum / 2;
}

void appendLog(const char *a, const CpuLaunch *, const Dim3 *block, uint32_t,
               const CpuWorkspace *) {
  int *log = load<int *>(a, 0), *next = load<int *>(a, 8);
  std::this_thread::sleep_for(std::chrono::nanoseconds(load<int>(a, 20)));
  if (block->x == 0) {
    const int place = __atomic_load_n(next, __ATOMIC_SEQ_CST);
    __atomic_store_n(log + place, load<int>(a, 16), __ATOMIC_SEQ_CST);
    __atomic_fetch_add(next, 1, __ATOMIC_SEQ_CST);
  }
}

void gridBarrier(const char *a, const CpuLaunch *launch, const Dim3 *block,
                 uint32_t, const CpuWorkspace *workspace) {
  int *out = load<int *>(a, 0);
  int *mine = reinterpret_cast<int *>(workspace->shared);
  __atomic_fetch_add(out, 1, __ATOMIC_SEQ_CST);
  *mine = static_cast<int>(linear(launch, block));
  __cufort_cpu_grid_barrier();
  out[1 + *mine] = __atomic_load_n(out, __ATOMIC_SEQ_CST);
}

void chain(const char *a, const CpuLaunch *launch, const Dim3 *block, uint32_t,
           const CpuWorkspace *) {
  int *flags = load<int *>(a, 0);
  const int number = static_cast<int>(linear(launch, block));
  while (__atomic_load_n(flags + number, __ATOMIC_ACQUIRE) != number + 1)
    ;
  __atomic_store_n(flags + number + 1, number + 2, __ATOMIC_RELEASE);
}

void setThread(const char *a, const CpuLaunch *launch, const Dim3 *block,
               const Dim3 *thread, const CpuWorkspace *) {
  const uint32_t i = block->x * launch->block.x + thread->x;
  if (i < static_cast<uint32_t>(load<int>(a, 12)))
    load<int *>(a, 0)[i] = load<int>(a, 8);
}

void fiber(const char *a, const CpuLaunch *launch, const Dim3 *,
           const Dim3 *thread, const CpuWorkspace *workspace) {
  int *errors = load<int *>(a, 0), *count = load<int *>(a, 8);
  int *phase = reinterpret_cast<int *>(workspace->shared);
  double check = thread->x * 0.5; // callee-saved state across switches
  const uint32_t n = launch->block.x;
  phase[thread->x] = 0;
  __cufort_cpu_block_barrier(1);
  if (thread->x % 2)
    return;
  for (int step = 1; step <= 3; ++step) {
    phase[thread->x] = step;
    __cufort_cpu_block_barrier(2);
    for (uint32_t other = 0; other < n; other += 2)
      if (phase[other] != step)
        __atomic_fetch_add(errors, 1, __ATOMIC_SEQ_CST);
    __cufort_cpu_block_barrier(3);
    check += 1;
  }
  if (check != thread->x * 0.5 + 3)
    __atomic_fetch_add(errors, 1, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST);
}

void fiberWait(const char *, const CpuLaunch *, const Dim3 *,
               const Dim3 *thread, const CpuWorkspace *) {
  if (thread->x == 0)
    __cufort_cpu_warp_operation(CpuWarpOperation::Synchronise, 3, 0, 0, 0, 7);
  else if (thread->x == 1)
    __cufort_cpu_block_barrier(4);
}

void fiberMask(const char *, const CpuLaunch *, const Dim3 *,
               const Dim3 *thread, const CpuWorkspace *) {
  if (thread->x < 2)
    __cufort_cpu_warp_operation(CpuWarpOperation::ShuffleDown, 1, 0, 1, 31, 7);
}

void fillDescriptor(const char *a, const CpuLaunch *launch, const Dim3 *block,
                    uint32_t, const CpuWorkspace *) {
  int *base = load<int *>(a, 0);
  const int64_t extent = load<int64_t>(a, 32), stride = load<int64_t>(a, 40);
  const int n = load<int>(a, 48);
  forThreads(launch, [&](uint32_t t) {
    const int64_t i = block->x * launch->block.x + t;
    if (i < extent)
      *reinterpret_cast<int *>(reinterpret_cast<char *>(base) + i * stride) =
          static_cast<int>(i) + n;
  });
}

template <int Answer>
void level(const char *a, const CpuLaunch *, const Dim3 *, uint32_t,
           const CpuWorkspace *workspace) {
  if (Answer > 10)
    std::memset(workspace->arena, Answer, 8 * ArenaThreadGranule);
  *load<int *>(a, 0) = Answer;
}

const CpuVariant levelVariants[] = {
    {{8, 8, 1}, 0, {level<99>, nullptr, nullptr}},
    {{8, 1, 1}, 8, {nullptr, level<13>, level<14>}}};

const Parameter setParameters[] = {{0, 8}, {8, 4}, {12, 4}};
const Parameter scaleParameters[] = {{0, 8}, {8, 8}, {16, 4}};
const Parameter onePointer[] = {{0, 8}};
const Parameter logParameters[] = {{0, 8}, {8, 8}, {16, 4}, {20, 4}};
const Parameter twoPointers[] = {{0, 8}, {8, 8}};
const Parameter descriptorParameters[] = {{0, 48}, {48, 4}};

const Kernel kernels[] = {
    {"empty", nullptr, 0, 0, 0, 0, 0, 0, {empty, nullptr, nullptr}, nullptr},
    {"set",
     setParameters,
     3,
     16,
     0,
     0,
     0,
     0,
     {set, nullptr, nullptr},
     setThread},
    {"scale",
     scaleParameters,
     3,
     24,
     0,
     0,
     0,
     0,
     {scale, nullptr, nullptr},
     nullptr},
    {"sharedSum",
     onePointer,
     1,
     8,
     16,
     4,
     0,
     0,
     {sharedSum, nullptr, nullptr},
     nullptr},
    {"log",
     logParameters,
     4,
     24,
     0,
     0,
     0,
     0,
     {appendLog, nullptr, nullptr},
     nullptr},
    {"bounded", nullptr, 0, 0, 0, 0, 64, 0, {empty, nullptr, nullptr}, nullptr},
    {"gridBarrier",
     onePointer,
     1,
     8,
     16,
     0,
     0,
     0,
     {gridBarrier, nullptr, nullptr},
     nullptr},
    {"chain",
     onePointer,
     1,
     8,
     0,
     0,
     0,
     0,
     {chain, nullptr, nullptr},
     nullptr,
     nullptr,
     0,
     1},
    {"fiber",
     twoPointers,
     2,
     16,
     4096,
     0,
     0,
     0,
     {nullptr, nullptr, nullptr},
     fiber},
    {"fiberMask",
     nullptr,
     0,
     0,
     0,
     0,
     0,
     0,
     {nullptr, nullptr, nullptr},
     fiberMask},
    {"fiberWait",
     nullptr,
     0,
     0,
     0,
     0,
     0,
     0,
     {nullptr, nullptr, nullptr},
     fiberWait},
    {"level",
     onePointer,
     1,
     8,
     0,
     0,
     0,
     0,
     {level<2>, level<3>, level<4>},
     nullptr,
     levelVariants,
     std::size(levelVariants)},
    {"descriptor",
     descriptorParameters,
     2,
     52,
     0,
     0,
     0,
     0,
     {fillDescriptor, nullptr, nullptr},
     nullptr},
    {"gpuOnly",
     nullptr,
     0,
     0,
     0,
     0,
     0,
     0,
     {nullptr, nullptr, nullptr},
     nullptr},
};
const Variable variables[] = {
    {"deviceVariable", sizeof(int), 4, Space::Global, &deviceVariable},
    {"moduleDescriptor", 72, 8, Space::Global, moduleDescriptor}};
const Image image = {
    Magic,     Version, std::size(kernels), std::size(variables), 0, 0, kernels,
    variables, nullptr};

char *mutableName(const char *name) { return const_cast<char *>(name); }

OffloadEntry entry(void *address, const char *name, uint64_t size) {
  return {0, 1, 2, 0, address, mutableName(name), size, 0, nullptr};
}

OffloadEntry entries[] = {
    entry(&emptyStub, "empty", 0),
    entry(&setStub, "set", 0),
    entry(&scaleStub, "scale", 0),
    entry(&sharedSumStub, "sharedSum", 0),
    entry(&logStub, "log", 0),
    entry(&boundedStub, "bounded", 0),
    entry(&gridBarrierStub, "gridBarrier", 0),
    entry(&chainStub, "chain", 0),
    entry(&fiberStub, "fiber", 0),
    entry(&fiberWaitStub, "fiberWait", 0),
    entry(&fiberMaskStub, "fiberMask", 0),
    entry(&descriptorStub, "descriptor", 0),
    entry(&levelStub, "level", 0),
    entry(&gpuOnlyStub, "gpuOnly", 0),
    entry(deviceVariableShadow, "deviceVariable", sizeof(int)),
    entry(moduleDescriptorShadow, "moduleDescriptor", 72),
};

[[gnu::constructor]] void registerImage() {
  // The same everywhere: these tests are about the CPU engine.
  setenv("CUFORT_DEVICE", "cpu", 1);
  setenv("CUFORT_NUM_THREADS", "4", 0);
  __cufort_register_image(&image, std::begin(entries), std::end(entries));
}

} // namespace
} // namespace testimage
