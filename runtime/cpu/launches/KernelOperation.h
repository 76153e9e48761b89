//===- KernelOperation.h - a launch on the CPU ------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_LAUNCHES_KERNELOPERATION_H
#define CUFORT_RUNTIME_CPU_LAUNCHES_KERNELOPERATION_H

#include "image/Image.h"
#include "runtime/check/Threads.h"
#include "runtime/cpu/launches/Fibers.h"
#include "runtime/cpu/launches/Participant.h"
#include "runtime/cpu/streams/Operation.h"
#include <memory>
#include <mutex>
#include <vector>

namespace cufort {
struct Program;
}

namespace cufort::cpu {

class CpuEngine;
struct PrintingLaunch;

/// A kernel's code for the blocks of a launch.
struct BlockCode {
  image::CpuBlockEntry entry =
      nullptr; ///< null: there is none for this machine
  uint32_t arenaBytesPerThread = 0;
  bool blockRows = false; ///< see image::Kernel::blockRows
};

/// What checks every access of a block, if that is not on fibers alone.
inline BlockCode checkedCode(const image::Kernel &kernel) {
  return {kernel.cpuChecked, kernel.checkedArenaBytesPerThread};
}

/// What the operations of one launch have in common: the packed arguments and
/// the order of blocks (x fastest).
class LaunchOperation : public Operation {
public:
  const char *kernelName() const override { return kernel.name; }
  bool describe(profile::Work &work) const override;

  /// Queues what a thread of the kernel launches after the launch; \p tail:
  /// last.
  void addLaunched(OperationPointer operation, bool tail);
  Operation *takeLaunched() override;

  image::Dim3 blockIndex(uint64_t number) const;

  /// What the text that it prints says of it (KernelOutput.h). Under the lock
  /// of that.
  std::shared_ptr<const PrintingLaunch> printing();
  void completed() override;

  /// Where its kernel comes from, for what its threads launch.
  CpuEngine *engine = nullptr;
  const Program *program = nullptr;

protected:
  LaunchOperation(const image::Kernel &kernel, const image::CpuLaunch &launch,
                  void *const *parameters);

  /// Whether its blocks or threads are fibers.
  virtual bool isOnFibers() const { return true; }
  /// Runs blocks of which none waits.
  void runBlocks(image::CpuBlockEntry entry, bool inRows, uint64_t begin,
                 uint64_t end, Participant &participant);
  void nextBlock(image::Dim3 &block) const;
  const image::CpuWorkspace &prepare(Workspace &workspace) const;

  const image::Kernel &kernel;
  const image::CpuLaunch launch;
  const std::unique_ptr<check::Launch> checked; ///< null: it is not checked
  /// See image::CpuWorkspace::arena; threads on fibers need none.
  uint32_t arenaBytesPerThread = 0;
  const char *arguments() const { return packed; }

private:
  // Most kernels have few parameters: no second allocation for those.
  alignas(16) char inlineBytes[192];
  std::vector<char> moreBytes;
  const char *packed;
  std::mutex launchedMutex; ///< guards what follows
  std::vector<OperationPointer> launched, launchedLast;
  std::shared_ptr<PrintingLaunch> prints; ///< null: it has not printed
};

/// An ordinary launch.
class KernelOperation final : public LaunchOperation {
public:
  KernelOperation(const image::Kernel &kernel, const BlockCode &code,
                  const image::CpuLaunch &launch, void *const *parameters);
  void run(uint64_t begin, uint64_t end, Participant &participant) override;
  bool isOnFibers() const override { return false; }

private:
  image::CpuBlockEntry entry;
  bool inRows; ///< blocks side by side run as one
};

/// An ordinary launch whose blocks may wait for each other in loops, or whose
/// threads are fibers (\p code without an entry). A block that waits leaves its
/// thread of the host to others: to those that have begun there, then to such
/// as have not begun, as many as a GPU might hold at once.
class WaitingOperation : public LaunchOperation {
public:
  WaitingOperation(const image::Kernel &kernel, const BlockCode &code,
                   const image::CpuLaunch &launch, void *const *parameters);
  void run(uint64_t begin, uint64_t end, Participant &participant) override;

private:
  void begin(uint64_t number, Participant &participant);
  bool beginFurther(Participant &participant);
  bool goOn(Participant &participant);

  image::CpuBlockEntry entry;
  const uint64_t mostBegun;
  std::atomic<uint64_t> begun{0}; ///< and not ended
};

/// A launch of a program that is checked. When it begins it may turn out that
/// nothing can be wrong with it (check/Proofs.h): then it runs as any other.
class CheckedOperation final : public WaitingOperation {
public:
  CheckedOperation(const image::Kernel &kernel, const BlockCode &code,
                   const image::CpuLaunch &launch, void *const *parameters);
  void run(uint64_t begin, uint64_t end, Participant &participant) override;

private:
  const BlockCode code;
  std::once_flag asked;
  bool proved = false;
};

/// A launch whose blocks may wait for each other, a cooperative one or one in
/// clusters: every block is a fiber with a workspace of its own, or in the
/// reference mode (\p code without an entry) a fiber for each thread. All
/// blocks run to the next barrier of the grid before any goes on. The unit is a
/// cluster, whose blocks run in turns on one thread of the host.
class CooperativeOperation final : public LaunchOperation {
public:
  CooperativeOperation(const image::Kernel &kernel, const BlockCode &code,
                       const image::CpuLaunch &launch, void *const *parameters);
  void run(uint64_t begin, uint64_t end, Participant &participant) override;
  bool phaseFinished() override;

private:
  image::Dim3 blockOf(uint64_t number, uint32_t rank) const;
  void begin(uint64_t number, Participant &participant);
  void runCluster(uint64_t number, Participant &participant);

  image::CpuBlockEntry entry;
  image::Dim3 cluster;
  uint32_t blocksPerCluster;
  /// Cluster by cluster; null before they begin and when their cluster has
  /// ended.
  std::vector<std::unique_ptr<SuspendableBlock>> blocks;
  bool started = false;
  /// Blocks wait in loops, so that not all have come to the grid's barrier.
  bool gridWaits = false;
  std::atomic<bool> more{false}, waiting{false};
};

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_LAUNCHES_KERNELOPERATION_H
