//===- Fibers.cpp - one fiber per thread of a block -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/launches/Fibers.h"
#include "runtime/core/process/Environment.h"
#include "runtime/core/process/FaultInjection.h"
#include "runtime/core/process/Stop.h"
#include "runtime/cpu/launches/DeviceFunctions.h"
#include "runtime/cpu/launches/KernelOutput.h"
#include "runtime/cpu/launches/StrictBarriers.h"
#include <algorithm>
#include <cfenv>
#include <sys/mman.h>

namespace cufort::cpu {

/// Stacks are reserved address space: a page is used once it is touched. A
/// thread of a GPU may have 512 KB of local memory.
static constexpr size_t StackBytes = 576 * 1024;
static constexpr size_t GuardBytes = 4096;

/// The pool whose fiber runs on this thread.
static thread_local FiberPool *Current = nullptr;

void fiberMain(FiberPool *pool);

} // namespace cufort::cpu

// cufort_fiber_switch(void **save, void *resume): stores the callee-saved
// registers and the stack pointer, continues at another stack. The floating
// point control words belong to the thread and need no saving: kernels do not
// change them.
extern "C" void cufort_fiber_switch(void **save, void *resume);
extern "C" void cufort_fiber_start();
extern "C" [[gnu::used]] CUFORT_SWITCHES_STACKS void
cufort_fiber_main(void *pool) {
  cufort::cpu::fiberMain(static_cast<cufort::cpu::FiberPool *>(pool));
}
asm(R"(
  .text
  .p2align 4
  .hidden cufort_fiber_switch
  .globl cufort_fiber_switch
  .type cufort_fiber_switch, @function
cufort_fiber_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size cufort_fiber_switch, .-cufort_fiber_switch

  .p2align 4
  .hidden cufort_fiber_start
  .globl cufort_fiber_start
  .type cufort_fiber_start, @function
cufort_fiber_start:
  .cfi_startproc
  .cfi_undefined %rip
  movq %rbx, %rdi
  call cufort_fiber_main
  ud2
  .cfi_endproc
  .size cufort_fiber_start, .-cufort_fiber_start
)");

namespace cufort::cpu {

struct FiberSwitch {
  CUFORT_SWITCHES_STACKS
  static void toCaller(FiberPool &pool, FiberPool::Fiber &fiber) {
    pool.left = &fiber.annotation;
    fiber.annotation.leaveFor(pool.caller, /*forGood=*/!fiber.live);
    cufort_fiber_switch(&fiber.stackPointer, pool.callerStackPointer);
    fiber.annotation.arriveFrom(*pool.left);
  }
  CUFORT_SWITCHES_STACKS
  static void toFiber(FiberPool &pool, FiberPool::Fiber &fiber) {
    pool.caller.isCurrent();
    pool.left = &pool.caller;
    pool.caller.leaveFor(fiber.annotation);
    cufort_fiber_switch(&pool.callerStackPointer, fiber.stackPointer);
    pool.caller.arriveFrom(*pool.left);
  }
  CUFORT_SWITCHES_STACKS
  static void between(FiberPool &pool, FiberPool::Fiber &from,
                      FiberPool::Fiber &to) {
    pool.left = &from.annotation;
    from.annotation.leaveFor(to.annotation);
    cufort_fiber_switch(&from.stackPointer, to.stackPointer);
    from.annotation.arriveFrom(*pool.left);
  }
};

CUFORT_SWITCHES_STACKS
void fiberMain(FiberPool *pool) {
  pool->running->annotation.arriveFrom(*pool->left);
  const FiberPool::Work &work = pool->work;
  do {
    FiberPool::Fiber &fiber = *pool->running;
    if (work.entry)
      work.entry(work.arguments, work.launch, &work.block, 0, work.workspace);
    else
      work.kernel->cpuThread(work.arguments, work.launch, &work.block,
                             &fiber.thread, work.workspace);
    fiber.live = false;
    if (pool->checked)
      check::endThread(*pool->checked, pool->runningThread());
    pool->stalls = 0;
    pool->warps.end(pool->runningThread());
  } while (pool->takeNext());
  FiberSwitch::toCaller(*pool, *pool->running);
  __builtin_unreachable();
}

/// The running thread has ended: if the next one has not begun, it runs on the
/// same stack. Most threads never wait, and need no other.
bool FiberPool::takeNext() {
  Fiber *next = running + 1;
  if (runningThread() + 1 == threads || next->stackPointer || !failure.empty())
    return false;
  std::swap(next->stack, running->stack);
  std::swap(next->annotation, running->annotation);
  next->stackPointer = running->stackPointer; // it has begun
  running = next;
  goesOn();
  return true;
}

/// The checkers and debuggers follow the running thread; a fiber for all
/// threads tells the checkers itself. Not in line: where a thread's own
/// variables are may differ from one call to the next.
[[gnu::noinline]] void FiberPool::goesOn() {
  listed.running = static_cast<uint32_t>(runningThread());
  check::CurrentRun = checked.get();
  if (checked && !work.entry)
    checked->current = listed.running;
}

FiberPool::~FiberPool() {
  for (Fiber &fiber : fibers) {
    fiber.annotation.end();
    munmap(fiber.stack, StackBytes + GuardBytes);
  }
}

void FiberPool::makeStacks(size_t count) {
  if (fibers.capacity() < count)
    fibers.reserve(count);
  while (fibers.size() < count) {
    void *stack =
        faultDue("map")
            ? MAP_FAILED
            : mmap(nullptr, StackBytes + GuardBytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED)
      throw std::bad_alloc();
    mprotect(stack, GuardBytes, PROT_NONE);
    fibers.emplace_back().stack = static_cast<char *>(stack);
  }
}

/// Puts \p fiber in front of its first instruction.
void FiberPool::start(Fiber &fiber) {
  fiber.annotation.begin(fiber.stack + GuardBytes, StackBytes);
  // What cufort_fiber_switch pops: r15, r14, r13, r12, rbx, rbp and the address
  // to return to. One word above keeps the stack aligned as after a call.
  // Stacks begin at different distances from their pages: what all threads have
  // there does not compete for the same places in the cache.
  const size_t distance = size_t(&fiber - fibers.data()) % 32 * 64;
  auto *top = reinterpret_cast<void **>(fiber.stack + StackBytes + GuardBytes -
                                        distance);
  top[-1] = top[-2] = nullptr;
  top[-3] = reinterpret_cast<void *>(&cufort_fiber_start);
  top[-4] = nullptr; // rbp: ends the chain of frames
  top[-5] = this;    // rbx
  top[-6] = top[-7] = top[-8] = top[-9] = nullptr;
  fiber.stackPointer = &top[-9];
}

void FiberPool::beginChecks() {
  if (!work.checked || (work.entry && work.entry != work.kernel->cpuChecked))
    return checked.reset();
  if (!checked)
    checked = std::make_unique<check::BlockRun>();
  check::beginBlock(*checked, {work.checked, work.launch, work.block,
                               work.cluster, work.workspace->shared,
                               size_t(work.kernel->staticSharedBytes) +
                                   work.launch->dynamicSharedBytes,
                               work.arguments, work.kernel->parameterBytes,
                               work.workspace->arena, work.entry != nullptr});
}

void FiberPool::begin(const Work &given) {
  work = given;
  const image::Dim3 shape =
      work.entry ? image::Dim3{1, 1, 1} : work.launch->block;
  threads = size_t(shape.x) * shape.y * shape.z;
  makeStacks(threads);
  beginChecks();
  warps.start(threads, checked.get());
  arrivedAtParts.fill(0);
  stoppedAt = Stop::End;
  polls = stalls = 0;
  size_t number = 0;
  for (uint32_t z = 0; z < shape.z; ++z)
    for (uint32_t y = 0; y < shape.y; ++y)
      for (uint32_t x = 0; x < shape.x; ++x) {
        Fiber &fiber = fibers[number++];
        fiber.thread = {x, y, z};
        fiber.live = true;
        fiber.at = Barrier::None;
        fiber.stackPointer = nullptr; // it has not begun
      }
  list();
}

FiberPool::Stop FiberPool::run() {
  FiberPool *outer = Current;
  Current = this;
  listed.worker = systemThread();
  if (const int traps = environment().floatingPointTraps) {
    std::feclearexcept(FE_ALL_EXCEPT);
    feenableexcept(traps);
  }
  if (checked && stoppedAt == Stop::GridBarrier)
    check::passGridBarrier(*checked);
  else if (checked && stoppedAt == Stop::ClusterBarrier)
    check::passClusterBarrier(*checked);
  for (size_t i = 0; i < threads; ++i)
    if (stoppedAt == Stop::Waits
            ? fibers[i].at == Barrier::Others
            : fibers[i].at == Barrier::Grid || fibers[i].at == Barrier::Cluster)
      fibers[i].at = Barrier::None;
  // Each round runs every thread up to where it has to wait for others.
  std::optional<Stop> stopped;
  do
    for (size_t i = 0; i < threads; ++i)
      if (canRun(i)) {
        running = &fibers[i];
        if (!fibers[i].stackPointer)
          start(fibers[i]);
        goesOn();
        FiberSwitch::toFiber(*this, fibers[i]);
        if (!failure.empty())
          stop(failure);
        i = runningThread(); // the last of those that have gone on
      }
  while (!(stopped = release()));
  Current = outer;
  check::CurrentRun = nullptr;
  if (const int traps = environment().floatingPointTraps)
    fedisableexcept(traps);
  listed.worker = 0;
  if (*stopped == Stop::End)
    listed.leave();
  return stoppedAt = *stopped;
}

void FiberPool::leave() {
  check::CurrentRun = nullptr;
  if (!Current)
    return;
  FiberPool &pool = *Current;
  Current = nullptr;
  fedisableexcept(FE_ALL_EXCEPT);
  pool.running->annotation.leaveFor(pool.caller, /*forGood=*/true);
  pool.caller.arriveFrom(pool.running->annotation);
}

bool FiberPool::runningPlace(KernelPlace &place) {
  if (!Current || Current->work.entry)
    return false;
  const image::Kernel &kernel = *Current->work.kernel;
  place.block = Current->work.block;
  place.thread = Current->running->thread;
  // What is checked says the same as what is not.
  place.onFibersOnly =
      !Current->checked &&
      std::all_of(std::begin(kernel.cpu), std::end(kernel.cpu),
                  [](image::CpuBlockEntry entry) { return entry == nullptr; });
  return true;
}

/// After a round: lets those go on for whom all others have come.
std::optional<FiberPool::Stop> FiberPool::release() {
  // Rounds in which nobody comes further than to ask once more, before others
  // than the block's are thought of.
  constexpr unsigned MostStalls = 16;
  bool anyLive = false, anyAsks = false, allAtBlock = true, allAtCluster = true,
       allAtGrid = true;
  for (size_t i = 0; i < threads; ++i) {
    if (canRun(i))
      return std::nullopt;
    if (!fibers[i].live)
      continue;
    anyLive = true;
    anyAsks |= fibers[i].at == Barrier::Others;
    allAtBlock &= fibers[i].at == Barrier::Block;
    allAtCluster &= fibers[i].at == Barrier::Cluster;
    allAtGrid &= fibers[i].at == Barrier::Grid;
  }
  if (!anyLive)
    return Stop::End;
  if (allAtGrid)
    return Stop::GridBarrier;
  if (allAtCluster)
    return Stop::ClusterBarrier;
  if (allAtBlock) {
    if (checked)
      check::compareBarriers(*checked);
    else if (environment().cpuStrict)
      compareStatements();
    if (checked)
      check::passBarrier(*checked);
    // Threads may also come to the barrier to ask for other blocks once more.
    if (work.kernel->blocksMayWait != image::WaitsInLoops)
      stalls = 0;
    for (size_t i = 0; i < threads; ++i)
      fibers[i].at = Barrier::None;
    return std::nullopt;
  }
  if (!warps.releaseStalled() && !anyAsks)
    stopForEver();
  if (work.entry || ++stalls == MostStalls) {
    stalls = 0;
    return Stop::Waits;
  }
  for (size_t i = 0; i < threads; ++i)
    if (fibers[i].at == Barrier::Others)
      fibers[i].at = Barrier::None;
  return std::nullopt;
}

/// All wait at barriers of the block: ends the kernel if not at the same.
void FiberPool::compareStatements() const {
  const Fiber *first = nullptr;
  for (size_t i = 0; i < threads; ++i) {
    if (!fibers[i].live || fibers[i].statement == 0)
      continue;
    if (!first) {
      first = &fibers[i];
    } else if (fibers[i].statement != first->statement) {
      Current = nullptr; // no fiber runs
      failAtBarriers(work.block, first->thread, fibers[i].thread);
    }
  }
}

/// On with the next thread of the round that can run, or back to run().
void FiberPool::suspend() {
  Fiber &from = *running;
  for (size_t i = runningThread() + 1; i < threads; ++i) {
    if (!canRun(i))
      continue;
    running = &fibers[i];
    if (!running->stackPointer)
      start(*running);
    goesOn();
    return FiberSwitch::between(*this, from, fibers[i]);
  }
  FiberSwitch::toCaller(*this, from);
}

void FiberPool::waitAt(Barrier barrier) {
  running->at = barrier;
  suspend();
}

void FiberPool::waitForBlock(uint32_t statement) {
  running->statement = statement;
  waitAt(Barrier::Block);
}

void FiberPool::letOthersGoOn() {
  // Who it waits for may run on another core at this moment.
  if (work.entry && ++polls < patience) {
    __builtin_ia32_pause();
    return;
  }
  polls = 0;
  waitAt(Barrier::Others);
}

void *FiberPool::sharedOf(void *address, uint32_t rank) const {
  if (!clusterBlocks)
    return rank ? nullptr : address;
  if (rank >= clusterBlocks)
    return nullptr;
  return cluster[rank]->memory->shared +
         (static_cast<char *>(address) - work.workspace->shared);
}

void FiberPool::arriveAtPart(uint32_t number, uint32_t count, bool waits) {
  if (number >= PartCount || count == 0 || count % Warps::Size) {
    failure = "thread " + nameOf(runningThread()) + " comes to barrier " +
              std::to_string(number) + " of " + std::to_string(count) +
              " threads: there are barriers 0 to 15, for multiples of 32";
    FiberSwitch::toCaller(*this, *running);
  }
  if (checked)
    check::arriveAtPart(checked->threads[runningThread()], number);
  if (++arrivedAtParts[number] < count) {
    if (waits) {
      running->part = number;
      waitAt(Barrier::Part);
    }
    return;
  }
  arrivedAtParts[number] = 0;
  if (checked) {
    std::vector<uint32_t> waiting;
    if (waits)
      waiting.push_back(static_cast<uint32_t>(runningThread()));
    for (size_t i = 0; i < threads; ++i)
      if (fibers[i].at == Barrier::Part && fibers[i].part == number)
        waiting.push_back(static_cast<uint32_t>(i));
    check::passPart(*checked, number, waiting);
  }
  for (size_t i = 0; i < threads; ++i)
    if (fibers[i].at == Barrier::Part && fibers[i].part == number)
      fibers[i].at = Barrier::None;
}

uint64_t FiberPool::warpOperation(const Warps::Request &given) {
  const size_t thread = runningThread();
  Warps::Request request = given;
  if (!(request.mask >> thread % Warps::Size & 1) && checked) {
    check::reportWarpCaller(checked->threads[thread], request.mask);
    request.mask |= uint32_t(1) << thread % Warps::Size;
  }
  if (!(request.mask >> thread % Warps::Size & 1)) {
    // The end of the program frees the stacks of the fibers: not on one of
    // them.
    failure = "thread " + nameOf(thread) +
              " executes a warp operation whose mask does not name it";
    FiberSwitch::toCaller(*this, *running);
  }
  warps.arrive(thread, request);
  if (warps.isWaiting(thread))
    suspend();
  return warps.result(thread);
}

static FiberPool &current() {
  if (!Current)
    stopProgram(nullptr, 0, "CUFORT_CPU_FIBERS=1", cudaErrorLaunchFailure,
                "a thread waits for others outside a kernel");
  return *Current;
}

void device::block_barrier(uint32_t statement) {
  current().waitForBlock(statement);
}

void device::grid_barrier() {
  if (!Current && Running.kernel)
    stopAtGridBarrier(Running.kernel);
  current().waitAt(FiberPool::Barrier::Grid);
}

void device::cluster_barrier() {
  // Without others there is nobody to wait for.
  if (Current)
    Current->waitAt(FiberPool::Barrier::Cluster);
}

void *device::cluster_shared(void *address, uint32_t rank) {
  if (Current)
    return Current->sharedOf(address, rank);
  return rank ? nullptr : address;
}

void device::part_barrier(uint32_t number, uint32_t count, uint32_t waits) {
  current().arriveAtPart(number, count, waits != 0);
}

void device::yield() { current().letOthersGoOn(); }

uint64_t device::warp_operation(image::CpuWarpOperation operation,
                                uint32_t mask, uint64_t value, uint32_t b,
                                uint32_t c, uint32_t place) {
  return current().warpOperation({operation, mask, value, b, c, place});
}

} // namespace cufort::cpu
