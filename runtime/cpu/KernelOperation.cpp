//===- KernelOperation.cpp - a launch on the CPU --------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/KernelOperation.h"
#include "runtime/core/Stop.h"
#include "runtime/cpu/Fibers.h"
#include "runtime/cpu/KernelOutput.h"
#include <algorithm>
#include <cstring>
#include <string>

namespace cufort::cpu {

static uint64_t blockCount(const image::CpuLaunch &launch) {
  return uint64_t(launch.grid.x) * launch.grid.y * launch.grid.z;
}

LaunchOperation::LaunchOperation(const image::Kernel &kernel,
                                 const image::CpuLaunch &launch,
                                 void *const *parameters)
    : Operation(blockCount(launch), kernel.blocksMayWait
                                        ? Claims::Order::Ascending
                                        : Claims::Order::Shares),
      kernel(kernel), launch(launch), packed(inlineBytes) {
  char *bytes = inlineBytes;
  if (kernel.parameterBytes > sizeof(inlineBytes)) {
    moreBytes.resize(kernel.parameterBytes);
    packed = bytes = moreBytes.data();
  }
  for (uint32_t i = 0; i < kernel.parameterCount; ++i)
    std::memcpy(bytes + kernel.parameters[i].offset, parameters[i],
                kernel.parameters[i].size);
}

image::Dim3 LaunchOperation::blockIndex(uint64_t number) const {
  const uint64_t row = number / launch.grid.x;
  return {static_cast<uint32_t>(number % launch.grid.x),
          static_cast<uint32_t>(row % launch.grid.y),
          static_cast<uint32_t>(row / launch.grid.y)};
}

void LaunchOperation::nextBlock(image::Dim3 &block) const {
  if (++block.x < launch.grid.x)
    return;
  block.x = 0;
  if (++block.y < launch.grid.y)
    return;
  block.y = 0;
  ++block.z;
}

const image::CpuWorkspace &
LaunchOperation::prepare(Workspace &workspace) const {
  const size_t threads =
      size_t(launch.block.x) * launch.block.y * launch.block.z;
  const size_t granule = image::ArenaThreadGranule;
  return workspace.prepare(
      size_t(kernel.staticSharedBytes) + launch.dynamicSharedBytes,
      (threads + granule - 1) / granule * granule * arenaBytesPerThread);
}

/// Whether blocks that stand side by side can run as one.
static bool runsRows(const BlockCode &code, const image::CpuLaunch &launch) {
  constexpr uint64_t MaxIndex = 0x7fffffff;
  return code.blockRows && uint64_t(launch.grid.x) * launch.block.x <= MaxIndex;
}

KernelOperation::KernelOperation(const image::Kernel &kernel,
                                 const BlockCode &code,
                                 const image::CpuLaunch &launch,
                                 void *const *parameters)
    : LaunchOperation(kernel, launch, parameters), entry(code.entry),
      inRows(runsRows(code, launch)) {
  arenaBytesPerThread = code.arenaBytesPerThread;
}

[[noreturn]] static void stopAtGridBarrier(const image::Kernel &kernel) {
  stopProgram(nullptr, 0, (std::string("kernel ") + kernel.name).c_str(),
              cudaErrorNotSupported,
              "it contains a grid-wide barrier but was not launched "
              "cooperatively");
}

void KernelOperation::run(uint64_t begin, uint64_t end,
                          Participant &participant) {
  const image::CpuWorkspace &workspace = prepare(participant.workspace);
  const RunningScope running(sequence, begin);
  image::Dim3 block = blockIndex(begin);
  while (begin < end) {
    // A whole row at once: memory is then read in its order, as by a loop.
    const uint32_t further =
        inRows ? uint32_t(
                     std::min<uint64_t>(end - begin, launch.grid.x - block.x)) -
                     1
               : 0;
    if (entry(arguments(), &launch, &block, further, &workspace) != 0)
      stopAtGridBarrier(kernel);
    begin += further + 1;
    block.x += further;
    nextBlock(block);
  }
}

CooperativeOperation::CooperativeOperation(const image::Kernel &kernel,
                                           const BlockCode &code,
                                           const image::CpuLaunch &launch,
                                           void *const *parameters)
    : LaunchOperation(kernel, launch, parameters), entry(code.entry),
      regions(units), workspaces(units) {
  arenaBytesPerThread = code.arenaBytesPerThread;
}

void CooperativeOperation::run(uint64_t begin, uint64_t end,
                               Participant &participant) {
  const RunningScope running(sequence, begin);
  image::Dim3 block = blockIndex(begin);
  for (; begin < end; ++begin, nextBlock(block)) {
    if (started && !regions[begin])
      continue;
    regions[begin] = entry(arguments(), &launch, &block, regions[begin],
                           &prepare(workspaces[begin]));
    if (regions[begin])
      more.store(true, std::memory_order_relaxed);
  }
}

bool CooperativeOperation::phaseFinished() {
  started = true;
  return !more.exchange(false, std::memory_order_relaxed);
}

void FiberOperation::run(uint64_t begin, uint64_t end,
                         Participant &participant) {
  const image::CpuWorkspace &workspace = prepare(participant.workspace);
  if (!participant.fibers)
    participant.fibers = std::make_unique<FiberPool>();
  const RunningScope running(sequence, begin);
  image::Dim3 block = blockIndex(begin);
  for (; begin < end; ++begin, nextBlock(block)) {
    participant.fibers->begin(kernel, arguments(), launch, block, workspace);
    if (!participant.fibers->run())
      stopAtGridBarrier(kernel);
  }
}

struct CooperativeFiberOperation::Block {
  FiberPool fibers;
  Workspace workspace;
};

CooperativeFiberOperation::CooperativeFiberOperation(
    const image::Kernel &kernel, const image::CpuLaunch &launch,
    void *const *parameters)
    : LaunchOperation(kernel, launch, parameters), blocks(units) {}

void CooperativeFiberOperation::run(uint64_t begin, uint64_t end,
                                    Participant &) {
  const RunningScope running(sequence, begin);
  image::Dim3 block = blockIndex(begin);
  for (; begin < end; ++begin, nextBlock(block)) {
    std::unique_ptr<Block> &own = blocks[begin];
    if (!started) {
      own = std::make_unique<Block>();
      own->fibers.begin(kernel, arguments(), launch, block,
                        prepare(own->workspace));
    }
    if (!own)
      continue;
    if (own->fibers.run())
      own.reset();
    else
      more.store(true, std::memory_order_relaxed);
  }
}

bool CooperativeFiberOperation::phaseFinished() {
  started = true;
  return !more.exchange(false, std::memory_order_relaxed);
}

} // namespace cufort::cpu
