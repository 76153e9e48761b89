//===- KernelOperation.cpp - a launch on the CPU --------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/launches/KernelOperation.h"
#include "runtime/check/Check.h"
#include "runtime/core/process/Stop.h"
#include "runtime/cpu/CpuEngine.h"
#include "runtime/cpu/launches/Fibers.h"
#include "runtime/cpu/launches/KernelOutput.h"
#include "runtime/cpu/streams/Scheduler.h"
#include <algorithm>
#include <cstring>
#include <sched.h>
#include <string>

namespace cufort::cpu {

/// Blocks that a participant keeps for the next launch: of one fiber, and with
/// one for each thread, whose stacks are some megabytes.
static constexpr size_t MostIdleBlocks = 32, MostIdleThreads = 4;

/// How many blocks of a launch may have begun at the same time, and how many
/// threads if each is a fiber: the system allows some thirty thousand stacks.
static constexpr uint64_t MostBlocks = 2048, MostFibers = 16384;

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

/// Most parameters are numbers and addresses: a call of memcpy for each is a
/// tenth of a launch with eight.
static void copyParameter(char *to, const void *from, size_t size) {
  switch (size) {
  case 4:
    std::memcpy(to, from, 4);
    return;
  case 8:
    std::memcpy(to, from, 8);
    return;
  default:
    std::memcpy(to, from, size);
  }
}

LaunchOperation::LaunchOperation(const image::Kernel &kernel,
                                 const image::CpuLaunch &launch,
                                 void *const *parameters)
    : Operation(clusterCount(launch), kernel.blocksMayWait
                                          ? Claims::Order::Ascending
                                          : Claims::Order::Shares),
      kernel(kernel), launch(launch),
      checked(check::beginLaunch(kernel, launch)), packed(inlineBytes) {
  char *bytes = inlineBytes;
  if (kernel.parameterBytes > sizeof(inlineBytes)) {
    moreBytes.resize(kernel.parameterBytes);
    packed = bytes = moreBytes.data();
  }
  for (uint32_t i = 0; i < kernel.parameterCount; ++i)
    copyParameter(bytes + kernel.parameters[i].offset, parameters[i],
                  kernel.parameters[i].size);
}

bool LaunchOperation::describe(profile::Work &work) const {
  work.name = kernel.name;
  work.grid = launch.grid;
  work.block = launch.block;
  work.sharedBytes = kernel.staticSharedBytes + launch.dynamicSharedBytes;
  work.onFibers = isOnFibers();
  work.vectorBits = vectorBits(machineLevel());
  return true;
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
  // Indices in x are signed numbers of 32 bits.
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
  runBlocks(entry, inRows, begin, end, participant);
}

void LaunchOperation::runBlocks(image::CpuBlockEntry entry, bool inRows,
                                uint64_t begin, uint64_t end,
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

//===----------------------------------------------------------------------===//
// Blocks that wait
//===----------------------------------------------------------------------===//

/// A block's stacks and memory, perhaps those of one that has ended.
static std::unique_ptr<SuspendableBlock> takeIdle(image::CpuBlockEntry entry,
                                                  Participant &participant) {
  auto &idle = entry ? participant.idleBlocks : participant.idleThreads;
  if (idle.empty())
    return std::make_unique<SuspendableBlock>();
  std::unique_ptr<SuspendableBlock> block = std::move(idle.back());
  idle.pop_back();
  return block;
}

/// Keeps \p block, which has ended, for the next, or gives its memory back.
static void giveIdle(image::CpuBlockEntry entry, Participant &participant,
                     std::unique_ptr<SuspendableBlock> block) {
  block->fibers.setCluster(nullptr, 0);
  auto &idle = entry ? participant.idleBlocks : participant.idleThreads;
  if (idle.size() < (entry ? MostIdleBlocks : MostIdleThreads))
    idle.push_back(std::move(block));
}

WaitingOperation::WaitingOperation(const image::Kernel &kernel,
                                   const BlockCode &code,
                                   const image::CpuLaunch &launch,
                                   void *const *parameters)
    : LaunchOperation(kernel, launch, parameters), entry(code.entry),
      mostBegun(code.entry ? MostBlocks
                           : MostFibers /
                                 std::max(1u, launch.block.x * launch.block.y *
                                                  launch.block.z)) {
  arenaBytesPerThread = code.arenaBytesPerThread;
}

void WaitingOperation::begin(uint64_t number, Participant &participant) {
  begun.fetch_add(1, std::memory_order_relaxed);
  participant.blocks.push_back(takeIdle(entry, participant));
  SuspendableBlock &block = *participant.blocks.back();
  block.number = number;
  block.memory = &prepare(block.workspace);
  block.fibers.begin({entry, &kernel, arguments(), &launch, blockIndex(number),
                      block.memory, checked.get(), 0});
}

/// Begins a block that nobody has claimed; false: there is none.
bool WaitingOperation::beginFurther(Participant &participant) {
  uint64_t number, end;
  // Others that have shares of their own do not wait for it.
  if (!claims.ascending() ||
      begun.load(std::memory_order_relaxed) >= mostBegun ||
      !claims.claim(0, number, end))
    return false;
  ++participant.furtherUnits;
  begin(number, participant);
  return true;
}

/// Runs each block that has begun until it ends or waits; whether any has
/// ended.
bool WaitingOperation::goOn(Participant &participant) {
  using Stop = FiberPool::Stop;
  const size_t count = participant.blocks.size();
  for (std::unique_ptr<SuspendableBlock> &block : participant.blocks) {
    const RunningScope running(*this, block->number);
    block->fibers.setPatience(count > 1 ? 1 : 64);
    while ((block->at = block->fibers.run()) == Stop::ClusterBarrier)
      ; // a cluster of one block
    if (block->at == Stop::GridBarrier)
      stopAtGridBarrier(kernel.name);
    if (block->at != Stop::End)
      continue;
    begun.fetch_sub(1, std::memory_order_relaxed);
    giveIdle(entry, participant, std::move(block));
  }
  std::erase(participant.blocks, nullptr);
  return participant.blocks.size() < count;
}

void WaitingOperation::run(uint64_t begin, uint64_t end,
                           Participant &participant) {
  for (; begin < end; ++begin) {
    this->begin(begin, participant);
    size_t inVain = 0;
    while (!participant.blocks.empty()) {
      if (goOn(participant)) {
        inVain = 0;
        continue;
      }
      // What they wait for will never come.
      if (stream->scheduler.hasFailed()) {
        participant.blocks.clear();
        return;
      }
      // For a block that another thread of the host runs, perhaps.
      if (++inVain <= std::min<size_t>(participant.blocks.size() + 3, 8))
        continue;
      inVain = 0;
      if (!beginFurther(participant))
        sched_yield();
    }
  }
}

CheckedOperation::CheckedOperation(const image::Kernel &kernel,
                                   const BlockCode &code,
                                   const image::CpuLaunch &launch,
                                   void *const *parameters)
    : WaitingOperation(kernel, checkedCode(kernel), launch, parameters),
      code(code) {}

void CheckedOperation::run(uint64_t begin, uint64_t end,
                           Participant &participant) {
  std::call_once(asked, [&] {
    proved = checked->isProved(launch, arguments());
    if (proved)
      arenaBytesPerThread = code.arenaBytesPerThread;
  });
  if (proved)
    runBlocks(code.entry, runsRows(code, launch), begin, end, participant);
  else
    WaitingOperation::run(begin, end, participant);
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
    own[rank] = takeIdle(entry, participant);
    SuspendableBlock &block = *own[rank];
    block.memory = &prepare(block.workspace);
    block.at = FiberPool::Stop::ClusterBarrier;
    block.fibers.setCluster(own, blocksPerCluster);
    block.fibers.begin({entry, &kernel, arguments(), &launch,
                        blockOf(number, rank), block.memory, checked.get(),
                        static_cast<uint32_t>(number + 1)});
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
  const auto any = [&](Stop stop) {
    return std::any_of(own, own + blocksPerCluster,
                       [&](const auto &block) { return block->at == stop; });
  };
  for (uint32_t rank = 0; rank < blocksPerCluster; ++rank)
    if (own[rank]->at == Stop::GridBarrier && !gridWaits)
      own[rank]->at = Stop::ClusterBarrier; // everybody has come
  do {
    const bool passes = !any(Stop::Waits);
    for (uint32_t rank = 0; rank < blocksPerCluster; ++rank) {
      SuspendableBlock &block = *own[rank];
      if (block.at == Stop::Waits ||
          (passes && block.at == Stop::ClusterBarrier)) {
        const image::Dim3 index = blockOf(number, rank);
        const uint64_t place =
            index.x + uint64_t(launch.grid.x) *
                          (index.y + uint64_t(launch.grid.y) * index.z);
        const RunningScope running(*this, place);
        block.at = block.fibers.run();
      }
    }
  } while (any(Stop::ClusterBarrier) && !any(Stop::GridBarrier) &&
           !any(Stop::Waits));
  if (any(Stop::Waits)) {
    waiting.store(true, std::memory_order_relaxed);
    more.store(true, std::memory_order_relaxed);
    return;
  }
  if (any(Stop::ClusterBarrier))
    stopProgram(nullptr, 0, (std::string("kernel ") + kernel.name).c_str(),
                cudaErrorLaunchFailure,
                "blocks of a cluster wait for each other for ever: some at a "
                "barrier of the cluster, some at one of the grid");
  if (any(Stop::GridBarrier)) {
    more.store(true, std::memory_order_relaxed);
    return;
  }
  for (uint32_t rank = 0; rank < blocksPerCluster; ++rank)
    giveIdle(entry, participant, std::move(own[rank]));
}

bool CooperativeOperation::phaseFinished() {
  started = true;
  gridWaits = waiting.exchange(false, std::memory_order_relaxed);
  return !more.exchange(false, std::memory_order_relaxed);
}

} // namespace cufort::cpu
