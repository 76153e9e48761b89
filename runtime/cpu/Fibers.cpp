//===- Fibers.cpp - one fiber per thread of a block -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/Fibers.h"
#include "runtime/core/Stop.h"
#include <sys/mman.h>

namespace cufort::cpu {

/// Stacks are reserved address space: a page is used once it is touched.
static constexpr size_t StackBytes = 256 * 1024;
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
extern "C" [[gnu::used]] void cufort_fiber_main(void *pool) {
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
  movq %rbx, %rdi
  call cufort_fiber_main
  ud2
  .size cufort_fiber_start, .-cufort_fiber_start
)");

namespace cufort::cpu {

struct FiberSwitch {
  static void toCaller(FiberPool &pool, FiberPool::Fiber &fiber) {
    cufort_fiber_switch(&fiber.stackPointer, pool.callerStackPointer);
  }
  static FiberPool::Fiber &running(FiberPool &pool) { return *pool.running; }
};

void fiberMain(FiberPool *pool) {
  FiberPool::Fiber &fiber = *pool->running;
  pool->entry(pool->arguments, pool->launch, &pool->block, &fiber.thread,
              pool->workspace);
  fiber.live = false;
  FiberSwitch::toCaller(*pool, fiber);
  __builtin_unreachable();
}

FiberPool::~FiberPool() {
  for (Fiber &fiber : fibers)
    munmap(fiber.stack, StackBytes + GuardBytes);
}

void FiberPool::makeStacks(size_t count) {
  while (fibers.size() < count) {
    void *stack = mmap(nullptr, StackBytes + GuardBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED)
      stopProgram(nullptr, 0, "running a kernel with CUFORT_CPU_FIBERS=1",
                  cudaErrorLaunchOutOfResources,
                  "no memory for the stacks of the block's threads");
    mprotect(stack, GuardBytes, PROT_NONE);
    fibers.push_back(Fiber{nullptr, static_cast<char *>(stack), {}, false});
  }
}

void FiberPool::begin(image::CpuThreadEntry entryPoint,
                      const char *argumentBytes,
                      const image::CpuLaunch &launchParameters,
                      const image::Dim3 &blockIndex,
                      const image::CpuWorkspace &memory) {
  entry = entryPoint;
  arguments = argumentBytes;
  launch = &launchParameters;
  block = blockIndex;
  workspace = &memory;
  const image::Dim3 shape = launchParameters.block;
  threads = size_t(shape.x) * shape.y * shape.z;
  makeStacks(threads);

  size_t number = 0;
  for (uint32_t z = 0; z < shape.z; ++z)
    for (uint32_t y = 0; y < shape.y; ++y)
      for (uint32_t x = 0; x < shape.x; ++x) {
        Fiber &fiber = fibers[number++];
        fiber.thread = {x, y, z};
        fiber.live = true;
        // What cufort_fiber_switch pops: r15, r14, r13, r12, rbx, rbp and the
        // address to return to. One word above keeps the stack aligned as
        // after a call.
        auto *top =
            reinterpret_cast<void **>(fiber.stack + StackBytes + GuardBytes);
        top[-1] = top[-2] = nullptr;
        top[-3] = reinterpret_cast<void *>(&cufort_fiber_start);
        top[-4] = nullptr; // rbp: ends the chain of frames
        top[-5] = this;    // rbx
        top[-6] = top[-7] = top[-8] = top[-9] = nullptr;
        fiber.stackPointer = &top[-9];
      }
}

bool FiberPool::run() {
  FiberPool *outer = Current;
  Current = this;
  atGridBarrier = false;
  // Each round runs every live thread up to its next barrier or its end.
  bool anyLive = true;
  while (anyLive && !atGridBarrier) {
    anyLive = false;
    for (size_t i = 0; i < threads; ++i) {
      if (!fibers[i].live)
        continue;
      running = &fibers[i];
      cufort_fiber_switch(&callerStackPointer, fibers[i].stackPointer);
      anyLive |= fibers[i].live;
    }
  }
  Current = outer;
  return !anyLive;
}

void suspend(bool atGridBarrier) {
  if (!Current)
    stopProgram(nullptr, 0, "a barrier", cudaErrorLaunchFailure,
                "a barrier was reached outside a kernel");
  FiberPool &pool = *Current;
  pool.atGridBarrier |= atGridBarrier;
  FiberSwitch::toCaller(pool, FiberSwitch::running(pool));
}

} // namespace cufort::cpu

void __cufort_cpu_block_barrier() { cufort::cpu::suspend(false); }

void __cufort_cpu_grid_barrier() { cufort::cpu::suspend(true); }
