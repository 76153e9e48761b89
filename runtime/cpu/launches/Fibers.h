//===- Fibers.h - one fiber per thread of a block ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference mode (CUFORT_CPU_FIBERS=1): every thread of a block is a fiber
// that runs the kernel unfissioned. Slow and simple; what the fissioned code
// computes is compared with it. Kernels that have no other code run so always.
//
// In cooperative launches, in clusters and of kernels that wait for others in
// loops a block as a whole is one fiber, so that it can wait for other blocks
// in the middle of its code.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_LAUNCHES_FIBERS_H
#define CUFORT_RUNTIME_CPU_LAUNCHES_FIBERS_H

#include "image/Image.h"
#include "runtime/check/Threads.h"
#include "runtime/cpu/launches/DebugBlocks.h"
#include "runtime/cpu/launches/KernelPlace.h"
#include "runtime/cpu/launches/Participant.h"
#include "runtime/cpu/launches/StackAnnotations.h"
#include "runtime/cpu/launches/Warps.h"
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace cufort::cpu {

struct SuspendableBlock;

class FiberPool {
public:
  FiberPool() = default;
  FiberPool(const FiberPool &) = delete;
  FiberPool &operator=(const FiberPool &) = delete;
  ~FiberPool();

  /// A block. What the pointers point to must live as long as it runs.
  struct Work {
    image::CpuBlockEntry entry; ///< null: each thread is a fiber
    const image::Kernel *kernel;
    const char *arguments;
    const image::CpuLaunch *launch;
    image::Dim3 block;
    const image::CpuWorkspace *workspace;
    check::Launch *checked; ///< null: it is not checked
    uint32_t cluster;       ///< its number, from 1; 0: blocks do not join
  };
  /// Puts the threads of a block at the start of its kernel; or, with the code
  /// as loops over the threads, all of it as one fiber, which waits for other
  /// blocks only.
  void begin(const Work &given);

  /// Where the threads of a block have stopped; Waits: some ask again and again
  /// for what none of the block does.
  enum class Stop { End, GridBarrier, ClusterBarrier, Waits };

  /// Runs the block's threads, in ascending order between the places where they
  /// wait for each other; such as wait for ever stop the program. Ends when all
  /// have ended, or all that have not wait for other blocks, at the same
  /// barrier or in loops, from where the next call, perhaps on another thread
  /// of the host, goes on.
  Stop run();

  /// The blocks of this one's cluster, in the order of their ranks, for as long
  /// as it runs.
  void setCluster(const std::unique_ptr<SuspendableBlock> *blocks,
                  size_t count) {
    cluster = blocks;
    clusterBlocks = count;
  }
  /// Where \p address of this block's shared memory is in block \p rank of its
  /// cluster; null: there is no such block.
  void *sharedOf(void *address, uint32_t rank) const;

  /// How often a block that is one fiber asks for what others do before it
  /// lets them have the thread of the host.
  void setPatience(unsigned polls) { patience = polls; }

  enum class Barrier { None, Block, Cluster, Grid, Part, Others };
  /// In the running fiber: waits for all live fibers of the block, cluster or
  /// grid.
  void waitAt(Barrier barrier);
  /// The same at the block's barrier \p statement.
  void waitForBlock(uint32_t statement);
  /// In the running fiber: what it has asked for is not so yet.
  void letOthersGoOn();
  /// In the running fiber: has come to barrier \p number of part of the block,
  /// which is complete when \p count threads have. Waits for it, or goes on.
  void arriveAtPart(uint32_t number, uint32_t count, bool waits);
  /// In the running fiber: a warp operation.
  uint64_t warpOperation(const Warps::Request &request);

  /// In the handler of a fault, before it jumps to where the block was started:
  /// the fiber that runs on this thread, if any, never goes on.
  static void leave();

  /// What the fiber that runs on the calling thread executes, if each thread of
  /// its block is one.
  static bool runningPlace(KernelPlace &place);

private:
  struct Fiber {
    void *stackPointer = nullptr; ///< null: it has not begun
    char *stack = nullptr;
    image::Dim3 thread = {};
    bool live = false;
    Barrier at = Barrier::None;
    uint32_t part = 0;      ///< at Barrier::Part
    uint32_t statement = 0; ///< at Barrier::Block
    StackAnnotation annotation = {};
  };
  friend void fiberMain(FiberPool *pool);
  friend struct FiberSwitch;

  void makeStacks(size_t count);
  void beginChecks();
  void start(Fiber &fiber);
  void suspend();
  bool takeNext();
  void goesOn();
  bool canRun(size_t thread) const {
    return fibers[thread].live && fibers[thread].at == Barrier::None &&
           !warps.isWaiting(thread);
  }
  size_t runningThread() const {
    return static_cast<size_t>(running - fibers.data());
  }
  /// Where all have stopped; nothing: some can go on.
  std::optional<Stop> release();
  void compareStatements() const;
  void list();
  [[noreturn]] void stopForEver() const;
  std::string nameOf(size_t thread) const;
  [[noreturn]] void stop(const std::string &text) const;

  std::vector<Fiber> fibers;
  static constexpr uint32_t PartCount = 16; ///< as on a GPU
  std::array<uint32_t, PartCount> arrivedAtParts{};
  Warps warps;
  size_t threads = 0; ///< of the block
  Stop stoppedAt = Stop::End;
  unsigned patience = 64, polls = 0;
  /// How often in a row threads were resumed that had polled without success.
  unsigned stalls = 0;
  std::string failure; ///< of a thread; the program stops
  void *callerStackPointer = nullptr;
  StackAnnotation caller;
  StackAnnotation *left = nullptr; ///< at the last switch
  Fiber *running = nullptr;
  DebugBlock listed;

  Work work{};
  std::unique_ptr<check::BlockRun> checked; ///< null: it is not checked
  const std::unique_ptr<SuspendableBlock> *cluster = nullptr;
  size_t clusterBlocks = 0;
};

/// A block that others may wait for, which keeps its stacks and its memory
/// until it has ended.
struct SuspendableBlock {
  FiberPool fibers;
  Workspace workspace;
  const image::CpuWorkspace *memory = nullptr;
  uint64_t number = 0; ///< in the grid, of ordinary launches
  /// Where it is, once it has begun.
  FiberPool::Stop at = FiberPool::Stop::ClusterBarrier;
};

/// Ends the program: \p kernel has a barrier of the grid and was launched in
/// the ordinary way.
[[noreturn]] void stopAtGridBarrier(const char *kernel);

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_LAUNCHES_FIBERS_H
