//===- StrictBarriers.cpp - threads at different barriers -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/launches/StrictBarriers.h"
#include "runtime/core/Names.h"
#include "runtime/core/process/Environment.h"
#include "runtime/cpu/launches/DeviceFunctions.h"
#include "runtime/cpu/launches/Faults.h"
#include "runtime/cpu/launches/KernelOutput.h"
#include <cstdio>
#include <utility>

namespace cufort::cpu {

using image::Dim3;

/// In an own frame, whose destructors run before the kernel ends.
static void report(const Dim3 &block, const Dim3 &one, const Dim3 &other) {
  const std::string kernel =
      Running.kernel ? procedureName(Running.kernel) : "(unknown)";
  const unsigned first = firstIndex(Running.kernel ? Running.kernel : "");
  std::fprintf(stderr,
               "cufort: kernel %s, block (%u,%u,%u): thread (%u,%u,%u) waits "
               "at one barrier and thread (%u,%u,%u) at another "
               "(CUFORT_CPU_STRICT=1; indices count from %u)\n",
               kernel.c_str(), block.x + first, block.y + first,
               block.z + first, one.x + first, one.y + first, one.z + first,
               other.x + first, other.y + first, other.z + first, first);
}

void failAtBarriers(const Dim3 &block, const Dim3 &one, const Dim3 &other) {
  orEndKernel([&] { report(block, one, other); });
  endGuarded({Fault::Barriers, nullptr});
}

/// The index of the thread whose number is \p number where the loops over
/// threads have exchanged x and dimension \p along.
static Dim3 threadIndex(uint32_t number, const Dim3 &shape, uint32_t along) {
  uint32_t extents[] = {shape.x, shape.y, shape.z}, index[3];
  std::swap(extents[0], extents[along]);
  for (int i = 0; i < 3; ++i) {
    index[i] = number % extents[i];
    number /= extents[i];
  }
  std::swap(index[0], index[along]);
  return {index[0], index[1], index[2]};
}

void device::compare_statements(const image::CpuLaunch *launch,
                                const Dim3 *block, const uint32_t *places,
                                uint32_t along, uint32_t forOne,
                                uint32_t ended) {
  if (!environment().cpuStrict)
    return;
  const Dim3 &shape = launch->block;
  const uint32_t threads = shape.x * shape.y * shape.z;
  uint32_t first = threads;
  for (uint32_t i = 0; i < threads; ++i) {
    if (places[i] == ended || places[i] > forOne)
      continue;
    if (first == threads)
      first = i;
    else if (places[i] != places[first])
      failAtBarriers(*block, threadIndex(first, shape, along),
                     threadIndex(i, shape, along));
  }
}

} // namespace cufort::cpu
