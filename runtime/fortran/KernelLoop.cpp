//===- KernelLoop.cpp - grids and reductions of kernel loops --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel loop runs its iterations in any order, so the runtime chooses which
// thread runs which. On a GPU, neighbouring blocks take neighbouring
// iterations, and a block goes on at a distance of the whole grid: the accesses
// of all multiprocessors lie close together. On the CPU each block takes one
// contiguous piece: each core streams through memory of its own. There the
// blocks of loops over several axes are rows, whatever the program says: what a
// GPU's warps read in tiles, a core reads row by row.
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Allocations.h"
#include "runtime/fortran/EntryPoints.h"
#include "runtime/fortran/Transfer.h"
#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

using namespace cufort;
using namespace cufort::fortran;

namespace {

constexpr int Axes = 3;

int64_t divideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// How one axis of the grid covers its loop: block b runs steps of blockDim
/// iterations from b * first on, step apart, up to b * first + span.
struct Mapping {
  int64_t first, step, span;
};

struct Loop {
  const int64_t *trips;
  int64_t blocks[Axes];  ///< threads of a block
  int64_t covers[Axes];  ///< blocks that give every iteration a thread
  bool chosen[Axes];     ///< the program leaves the extent to us
  int64_t extents[Axes]; ///< blocks of the grid

  void cover() {
    for (int axis = 0; axis < Axes; ++axis)
      covers[axis] = std::max<int64_t>(1, divideUp(trips[axis], blocks[axis]));
  }
  int64_t threads() const { return blocks[0] * blocks[1] * blocks[2]; }
};

/// Enough blocks for the cores to finish together. How sums are put together
/// does not depend on the cores: they are the same on every machine.
int64_t blocksForCpu(const Loop &loop, int cores, bool reduces) {
  if (!reduces)
    return std::max<int64_t>(128, 4 * int64_t(cores));
  // What pays for combining the results of a block's threads.
  constexpr int64_t Worthwhile = 1 << 14;
  int64_t iterations = 1;
  for (int axis = 0; axis < Axes; ++axis)
    if (__builtin_mul_overflow(iterations, loop.trips[axis], &iterations))
      iterations = INT64_MAX;
  return std::clamp<int64_t>(iterations / Worthwhile, 64, 512);
}

void chooseForCpu(Loop &loop, int64_t wanted) {
  // The outer loops first: their pieces are contiguous in Fortran's arrays.
  for (int axis = Axes - 1; axis >= 0; --axis) {
    if (!loop.chosen[axis]) {
      wanted = divideUp(wanted, std::max<int64_t>(1, loop.extents[axis]));
      continue;
    }
    loop.extents[axis] = std::min(loop.covers[axis], wanted);
    wanted = divideUp(wanted, loop.extents[axis]);
  }
}

/// Whether a launch as the program wants it would succeed.
bool isPossible(const Loop &loop, const DeviceProperties &properties) {
  for (int axis = 0; axis < Axes; ++axis)
    if (loop.blocks[axis] > properties.maxBlock[axis] ||
        (!loop.chosen[axis] && (loop.extents[axis] < 1 ||
                                loop.extents[axis] > properties.maxGrid[axis])))
      return false;
  return loop.threads() <= properties.maxThreadsPerBlock;
}

/// Blocks of one row, as long as the loop's rows if there are enough of them.
/// Extents of the grid that the program gives are the most that is taken.
void chooseRowsForCpu(Loop &loop, int64_t wanted, bool reduces) {
  constexpr int64_t Fewest = 64, Most = 1024; // threads of a row
  int64_t rows = 1;
  for (int axis = 1; axis < Axes; ++axis)
    rows *= std::clamp<int64_t>(loop.trips[axis], 1, wanted);
  // As many threads as the partial results have places for.
  int64_t threads = loop.threads();
  if (!reduces) {
    const int64_t piece = std::clamp(
        divideUp(loop.trips[0], divideUp(wanted, rows)), Fewest, Most);
    const int64_t pieces = divideUp(loop.trips[0], piece);
    threads = pieces > 1
                  ? divideUp(divideUp(loop.trips[0], pieces), Fewest) * Fewest
                  : std::max<int64_t>(1, loop.trips[0]);
  }
  loop.blocks[0] = threads;
  loop.blocks[1] = loop.blocks[2] = 1;
  loop.cover();
  for (int axis = Axes - 1; axis >= 0; --axis) {
    int64_t extent = std::min(loop.covers[axis], wanted);
    if (!loop.chosen[axis])
      extent = std::min(extent, loop.extents[axis]);
    loop.extents[axis] = extent;
    wanted = divideUp(wanted, extent);
  }
}

/// On a GPU, a thread for each iteration, or, where partial results have to be
/// combined, as many blocks as run at the same time.
void chooseForGpu(Loop &loop, const DeviceProperties &properties,
                  int64_t resident, bool reduces) {
  int64_t wanted = resident;
  for (int axis = 0; axis < Axes; ++axis) {
    if (!loop.chosen[axis]) {
      wanted = divideUp(wanted, std::max<int64_t>(1, loop.extents[axis]));
      continue;
    }
    int64_t extent =
        std::min<int64_t>(loop.covers[axis], properties.maxGrid[axis]);
    if (reduces)
      extent = std::min(extent, std::max<int64_t>(1, wanted));
    loop.extents[axis] = extent;
    wanted = divideUp(wanted, extent);
  }
}

//===----------------------------------------------------------------------===//
// Places for partial and final results
//===----------------------------------------------------------------------===//

struct Workspace {
  Engine *engine;
  void *partial = nullptr; ///< device memory
  void *results = nullptr; ///< pinned: the device writes, the host reads
  size_t partialBytes = 0, resultBytes = 0;
};

std::mutex WorkspacesMutex;
/// Those that no launch uses at present.
std::vector<Workspace *> FreeWorkspaces;

Workspace *takeWorkspace(Engine &engine) {
  const std::lock_guard<std::mutex> lock(WorkspacesMutex);
  for (size_t i = FreeWorkspaces.size(); i-- > 0;)
    if (FreeWorkspaces[i]->engine == &engine) {
      Workspace *workspace = FreeWorkspaces[i];
      FreeWorkspaces.erase(FreeWorkspaces.begin() + static_cast<ptrdiff_t>(i));
      return workspace;
    }
  return new Workspace{&engine};
}

void giveBack(Workspace *workspace) {
  const std::lock_guard<std::mutex> lock(WorkspacesMutex);
  FreeWorkspaces.push_back(workspace);
}

/// cudaDeviceReset frees everything.
void forgetFreed(Engine &engine, void *&memory, size_t &has) {
  PointerDescription description;
  if (memory && (engine.describe(memory, &description) != cudaSuccess ||
                 description.type == PointerDescription::Unregistered)) {
    memory = nullptr;
    has = 0;
  }
}

Error grow(Engine &engine, void *&memory, size_t &has, size_t bytes,
           MemoryKind kind) {
  if (bytes <= has)
    return cudaSuccess;
  if (Error error = engine.release(memory, kind); error != cudaSuccess)
    return error;
  memory = nullptr;
  has = 0;
  bytes = std::max<size_t>(bytes, 4096);
  const check::OwnMemory own; // kept for later loops
  if (Error error = engine.allocate(&memory, bytes, kind); error != cudaSuccess)
    return error;
  has = bytes;
  return cudaSuccess;
}

StreamHandle streamOf(const int64_t *stream) {
  return stream ? reinterpret_cast<StreamHandle>(*stream) : defaultStream();
}

constexpr char Reducing[] = "reduction of a kernel loop";

} // namespace

void _FortranACUFLoopGrid(const void *stub, const int64_t *trips,
                          int32_t *block, int32_t *grid, int64_t *mappings,
                          int32_t reduces, int32_t shaped) {
  Loop loop;
  loop.trips = trips;
  for (int axis = 0; axis < Axes; ++axis) {
    loop.blocks[axis] = std::max(1, block[axis]);
    // No iterations is no reason for an invalid launch.
    loop.chosen[axis] = grid[axis] == 0 || trips[axis] == 0;
    loop.extents[axis] = grid[axis];
  }
  loop.cover();
  bool pieces = false;
  (void)onDevice([&](Engine &engine) {
    const DeviceProperties &properties = engine.properties();
    pieces = engine.deviceMemoryIsHostMemory();
    if (pieces) {
      const int64_t wanted =
          blocksForCpu(loop, properties.multiprocessors, reduces);
      if (shaped && *std::min_element(block, block + Axes) > 0 &&
          isPossible(loop, properties)) {
        chooseRowsForCpu(loop, wanted, reduces);
        std::copy_n(loop.blocks, Axes, block);
      } else {
        chooseForCpu(loop, wanted);
      }
      return cudaSuccess;
    }
    int blocks = 1, multiprocessors = 1;
    KernelReference kernel = findKernel(stub);
    const int64_t threads = loop.threads();
    // A block that the device does not take is the launch's error to report.
    if (!kernel ||
        engine.residentBlocks(kernel, static_cast<unsigned>(threads), 0,
                              &blocks, &multiprocessors) != cudaSuccess)
      blocks = multiprocessors = 1;
    chooseForGpu(loop, properties, int64_t(blocks) * multiprocessors, reduces);
    return cudaSuccess;
  });
  auto *mapping = reinterpret_cast<Mapping *>(mappings);
  for (int axis = 0; axis < Axes; ++axis) {
    const int64_t extent = std::max<int64_t>(1, loop.extents[axis]);
    if (pieces) {
      const int64_t piece =
          divideUp(loop.covers[axis], extent) * loop.blocks[axis];
      mapping[axis] = {piece, loop.blocks[axis], piece};
    } else {
      mapping[axis] = {loop.blocks[axis], extent * loop.blocks[axis],
                       std::max<int64_t>(1, trips[axis])};
    }
    grid[axis] =
        static_cast<int32_t>(std::min<int64_t>(loop.extents[axis], INT32_MAX));
  }
}

void *_FortranACUFReductionBegin(int64_t partialBytes, int64_t resultBytes,
                                 void **partial, void **results,
                                 const char *file, int32_t line) {
  Workspace *workspace = nullptr;
  mustSucceed({file, line}, Reducing, [&](Engine &engine) {
    workspace = takeWorkspace(engine);
    forgetFreed(engine, workspace->partial, workspace->partialBytes);
    forgetFreed(engine, workspace->results, workspace->resultBytes);
    if (Error error =
            grow(engine, workspace->partial, workspace->partialBytes,
                 static_cast<size_t>(partialBytes), MemoryKind::Device);
        error != cudaSuccess)
      return error;
    return grow(engine, workspace->results, workspace->resultBytes,
                static_cast<size_t>(resultBytes), MemoryKind::Pinned);
  });
  *partial = workspace->partial;
  *results = workspace->results;
  return workspace;
}

void _FortranACUFReductionEnd(void *handle, const int64_t *stream,
                              int64_t resultBytes, void *results,
                              const char *file, int32_t line) {
  auto *workspace = static_cast<Workspace *>(handle);
  mustSucceed({file, line}, Reducing, [&](Engine &engine) {
    return engine.synchronizeStream(streamOf(stream));
  });
  std::memcpy(results, workspace->results, static_cast<size_t>(resultBytes));
  haveMemory({file, line}, Reducing, [&] { giveBack(workspace); });
}
