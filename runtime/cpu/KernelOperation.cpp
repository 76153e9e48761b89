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

/// Blocks of cooperative launches that a participant keeps for the next one.
static constexpr size_t MostIdleBlocks = 32;

static image::Dim3 clusterShape(const image::CpuLaunch &launch) {
  return {launch.cluster & 0xff, launch.cluster >> 8 & 0xff,
          launch.cluster >> 16};
}

static uint64_t clusterCount(const image::CpuLaunch &launch) {
  const image::Dim3 cluster = clusterShape(launch);
  return uint64_t(launch.grid.x / cluster.x) * (launch.grid.y / cluster.y) *
         (launch.grid.z / cluster.z);
}

RunningScope::RunningScope(LaunchOperation &operation, const uint64_t &block)
    : before(Running) {
  Running = {operation.sequence, operation.nested, &block,
             operation.kernelName(), &operation};
}

LaunchOperation::LaunchOperation(const image::Kernel &kernel,
                                 const image::CpuLaunch &launch,
                                 void *const *parameters)
    : Operation(clusterCount(launch), kernel.blocksMayWait
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

void KernelOperation::run(uint64_t begin, uint64_t end,
                          Participant &participant) {
  const image::CpuWorkspace &workspace = prepare(participant.workspace);
  const RunningScope running(*this, begin);
  image::Dim3 block = blockIndex(begin);
  while (begin < end) {
    // A whole row at once: memory is then read in its order, as by a loop.
    const uint32_t further =
        inRows ? uint32_t(
                     std::min<uint64_t>(end - begin, launch.grid.x - block.x)) -
                     1
               : 0;
    entry(arguments(), &launch, &block, further, &workspace);
    begin += further + 1;
    block.x += further;
    nextBlock(block);
  }
}

void FiberOperation::run(uint64_t begin, uint64_t end,
                         Participant &participant) {
  const image::CpuWorkspace &workspace = prepare(participant.workspace);
  if (!participant.fibers)
    participant.fibers = std::make_unique<FiberPool>();
  const RunningScope running(*this, begin);
  image::Dim3 block = blockIndex(begin);
  for (; begin < end; ++begin, nextBlock(block)) {
    participant.fibers->begin(
        {nullptr, &kernel, arguments(), &launch, block, &workspace});
    FiberPool::Stop stop;
    while ((stop = participant.fibers->run()) ==
           FiberPool::Stop::ClusterBarrier)
      ; // a cluster of one block
    if (stop == FiberPool::Stop::GridBarrier)
      stopAtGridBarrier(kernel.name);
  }
}

CooperativeOperation::CooperativeOperation(const image::Kernel &kernel,
                                           const BlockCode &code,
                                           const image::CpuLaunch &launch,
                                           void *const *parameters)
    : LaunchOperation(kernel, launch, parameters), entry(code.entry),
      cluster(clusterShape(launch)),
      blocksPerCluster(cluster.x * cluster.y * cluster.z),
      blocks(units * blocksPerCluster) {
  arenaBytesPerThread = code.arenaBytesPerThread;
}

/// The block with rank \p rank in the cluster with number \p number.
image::Dim3 CooperativeOperation::blockOf(uint64_t number,
                                          uint32_t rank) const {
  const uint32_t clustersX = launch.grid.x / cluster.x,
                 clustersY = launch.grid.y / cluster.y;
  const uint64_t row = number / clustersX;
  return {static_cast<uint32_t>(number % clustersX) * cluster.x +
              rank % cluster.x,
          static_cast<uint32_t>(row % clustersY) * cluster.y +
              rank / cluster.x % cluster.y,
          static_cast<uint32_t>(row / clustersY) * cluster.z +
              rank / cluster.x / cluster.y};
}

void CooperativeOperation::begin(uint64_t number, Participant &participant) {
  std::unique_ptr<SuspendableBlock> *own = &blocks[number * blocksPerCluster];
  for (uint32_t rank = 0; rank < blocksPerCluster; ++rank) {
    if (!entry || participant.idleBlocks.empty()) {
      own[rank] = std::make_unique<SuspendableBlock>();
    } else {
      own[rank] = std::move(participant.idleBlocks.back());
      participant.idleBlocks.pop_back();
    }
    SuspendableBlock &block = *own[rank];
    block.memory = &prepare(block.workspace);
    block.at = FiberPool::Stop::ClusterBarrier;
    block.fibers.setCluster(own, blocksPerCluster);
    block.fibers.begin({entry, &kernel, arguments(), &launch,
                        blockOf(number, rank), block.memory});
  }
}

void CooperativeOperation::run(uint64_t begin, uint64_t end,
                               Participant &participant) {
  for (; begin < end; ++begin) {
    if (!started)
      this->begin(begin, participant);
    if (blocks[begin * blocksPerCluster])
      runCluster(begin, participant);
  }
}

/// To the next barrier of the grid, or to the end.
void CooperativeOperation::runCluster(uint64_t number,
                                      Participant &participant) {
  using Stop = FiberPool::Stop;
  std::unique_ptr<SuspendableBlock> *own = &blocks[number * blocksPerCluster];
  bool atGrid, atCluster;
  for (uint32_t rank = 0; rank < blocksPerCluster; ++rank)
    if (own[rank]->at == Stop::GridBarrier)
      own[rank]->at = Stop::ClusterBarrier; // everybody has come
  do {
    atGrid = atCluster = false;
    for (uint32_t rank = 0; rank < blocksPerCluster; ++rank) {
      SuspendableBlock &block = *own[rank];
      if (block.at == Stop::ClusterBarrier) {
        const image::Dim3 index = blockOf(number, rank);
        const uint64_t place =
            index.x + uint64_t(launch.grid.x) *
                          (index.y + uint64_t(launch.grid.y) * index.z);
        const RunningScope running(*this, place);
        block.at = block.fibers.run();
      }
      atGrid |= block.at == Stop::GridBarrier;
      atCluster |= block.at == Stop::ClusterBarrier;
    }
  } while (atCluster && !atGrid);
  if (atCluster)
    stopProgram(nullptr, 0, (std::string("kernel ") + kernel.name).c_str(),
                cudaErrorLaunchFailure,
                "blocks of a cluster wait for each other for ever: some at a "
                "barrier of the cluster, some at one of the grid");
  if (atGrid) {
    more.store(true, std::memory_order_relaxed);
    return;
  }
  for (uint32_t rank = 0; rank < blocksPerCluster; ++rank)
    if (entry && participant.idleBlocks.size() < MostIdleBlocks)
      participant.idleBlocks.push_back(std::move(own[rank]));
    else
      own[rank].reset();
}

bool CooperativeOperation::phaseFinished() {
  started = true;
  return !more.exchange(false, std::memory_order_relaxed);
}

} // namespace cufort::cpu
