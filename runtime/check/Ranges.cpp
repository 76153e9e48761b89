//===- Ranges.cpp - copies, fills and the host ----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What accesses memory and is no kernel is compared with all others as if it
// were one thread of a kernel without a name.
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Allocations.h"
#include "runtime/check/Order.h"
#include "runtime/check/Races.h"
#include "runtime/check/Shadow.h"
#include "runtime/check/Threads.h"
#include <algorithm>
#include <map>
#include <mutex>

namespace cufort::check {
namespace {

const image::Kernel &noKernel() {
  static const image::Kernel none = [] {
    image::Kernel kernel{};
    kernel.name = "";
    return kernel;
  }();
  return none;
}

/// What stands for a kernel.
struct Stand {
  Launch launch;
  BlockRun run;
  /// Where it accessed last: whether others may come there at the same time.
  uintptr_t begin = 0, end = 0;
  bool isShared = false;

  explicit Stand(const WorkPointer &work) {
    launch.kernel = &noKernel();
    launch.grid = launch.block = {1, 1, 1};
    launch.number = addLaunch("");
    launch.work = work;
    beginBlock(run, {&launch,
                     nullptr,
                     {0, 0, 0},
                     0,
                     nullptr,
                     0,
                     nullptr,
                     0,
                     nullptr,
                     false});
  }
};

thread_local std::unique_ptr<Stand> Own; ///< while the thread does work

Stand &own() {
  if (!Own)
    Own = std::make_unique<Stand>(Doing::work());
  return *Own;
}

void access(Stand &stand, uintptr_t address, uint64_t bytes,
            image::CheckSite &site) {
  Thread &thread = stand.run.threads[0];
  const uint32_t floor = stand.launch.floor.load(std::memory_order_relaxed);
  const Record record = makeRecord(
      thread.now(), thread.number, numberOf(site),
      site.flags & image::SiteAtomic ? AccessKind::Atomic : AccessKind::Plain,
      0);
  while (bytes) {
    const uintptr_t offset = address & (ChunkBytes - 1);
    const uint32_t first = offset & 3;
    const auto count = static_cast<uint32_t>(
        std::min<uint64_t>(bytes, sizeof(uint32_t) - first));
    if (Chunk *chunk = chunkOf(address))
      accessWord({thread, site, address, count, record, floor,
                  (site.flags & image::SiteWrites) != 0, nullptr},
                 chunk->cells[offset >> 2], ((1u << count) - 1) << first);
    address += count;
    bytes -= count;
  }
}

/// The statement \p place as one that does so with a range.
image::CheckSite &siteOfCopy(const HostPlace *place, RangeUse use) {
  static std::mutex mutex;
  static auto *all =
      new std::map<std::pair<const HostPlace *, RangeUse>, image::CheckSite>;
  std::lock_guard lock(mutex);
  const auto [found, isNew] = all->try_emplace({place, use});
  if (isNew) {
    image::CheckSite &site = found->second;
    site = {};
    site.file = place ? place->file : "";
    site.procedure = site.name = "";
    site.line = place ? place->line : 0;
    site.column = place ? place->column : 0;
    site.bytes = site.alignment = 1;
    site.flags = image::SiteRange | image::SiteNoValue | image::SiteCopy |
                 (use == RangeUse::Read ? 0 : image::SiteWrites) |
                 (use == RangeUse::Allocate ? image::SiteAllocates
                  : use == RangeUse::Free   ? image::SiteFrees
                                            : 0);
  }
  return found->second;
}

/// Whether anybody may access \p address while \p stand does: the host, or
/// another stream.
bool isShared(Stand &stand, uintptr_t address) {
  if (address - stand.begin < stand.end - stand.begin)
    return stand.isShared;
  Allocation found;
  // A variable may be managed.
  if (!nearestAllocation(address, found) || !found.holds(address))
    return true;
  stand.begin = found.base;
  stand.end = found.base + found.bytes;
  stand.isShared = found.use != MemoryUse::Device || hasStreams();
  return stand.isShared;
}

} // namespace

void Doing::endAccesses() {
  Own.reset();
  endFunction();
}

void workAccesses(const void *begin, size_t bytes, RangeUse use) {
  const WorkPointer &work = Doing::work();
  const auto address = reinterpret_cast<uintptr_t>(begin);
  if (!work || CurrentRun || !bytes || !checking(image::CheckRace) ||
      (!chunkOf(address) && !chunkOf(address + bytes - 1)))
    return;
  Stand &stand = own();
  if (isShared(stand, address))
    access(stand, address, bytes, siteOfCopy(work->place, use));
}

} // namespace cufort::check

using namespace cufort::check;
using cufort::image::CheckSite;

void __cufort_check_host(const void *begin, uint64_t bytes, CheckSite *site) {
  const auto address = reinterpret_cast<uintptr_t>(begin);
  Chunk *const chunk = chunkOf(address);
  if (!chunk || !bytes || CurrentRun ||
      !(bitsAt(chunk->belongs, address) & 1) ||
      !checking(cufort::image::CheckRace))
    return;
  if (Doing::work())
    return access(own(), address, bytes, *site);
  // Volatile and atomic accesses of the host are flags.
  if (site->flags & cufort::image::SiteAtomic) {
    hostPolls();
    if (!(site->flags & cufort::image::SiteWrites))
      return;
  }
  static std::mutex mutex;
  static Stand *stand = nullptr;
  std::lock_guard lock(mutex);
  if (WorkPointer now = hostSegment(); !stand || stand->launch.work != now) {
    delete stand;
    stand = new Stand(now);
  }
  const Cell &cell = chunk->cells[(address & (ChunkBytes - 1)) >> 2];
  const uint64_t &theirs =
      site->flags & cufort::image::SiteWrites ? cell.read : cell.write;
  auto look = [&] { return __atomic_load_n(&theirs, __ATOMIC_SEQ_CST); };
  const uint64_t before = site->flags & cufort::image::SiteWrites ? 0 : look();
  access(*stand, address, bytes, *site);
  // A kernel that does the same at this moment may not have seen this, nor be
  // seen yet.
  constexpr int Rounds = 16;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  for (int i = 0; i < Rounds; ++i)
    __builtin_ia32_pause();
  if (look() != before)
    access(*stand, address, bytes, *site);
}

/// The elements of an array, dimension by dimension.
static void accessElements(const StridedArray &array, const char *begin,
                           unsigned rank, CheckSite *site) {
  if (!rank)
    return __cufort_check_host(begin, array.elementBytes, site);
  const auto &dimension = array.dimensions[rank - 1];
  for (int64_t i = 0; i < dimension.extent; ++i)
    accessElements(array, begin + i * dimension.stride, rank - 1, site);
}

void __cufort_check_host_array(const StridedArray *array, CheckSite *site) {
  if (!array->base || !chunkOf(reinterpret_cast<uintptr_t>(array->base)))
    return;
  // As one piece where it is one.
  auto bytes = static_cast<int64_t>(array->elementBytes);
  for (unsigned i = 0; i < array->rank; ++i) {
    if (array->dimensions[i].extent <= 0)
      return;
    if (array->dimensions[i].stride != bytes)
      return accessElements(*array, array->base, array->rank, site);
    bytes *= array->dimensions[i].extent;
  }
  __cufort_check_host(array->base, static_cast<uint64_t>(bytes), site);
}
