//===- Accesses.cpp - what instrumented code calls ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Check.h"
#include "runtime/check/Findings.h"
#include "runtime/check/Heap.h"
#include "runtime/check/Knowledge.h"
#include "runtime/check/Races.h"
#include "runtime/check/Variables.h"
#include "runtime/cpu/launches/DeviceFunctions.h"
#include "runtime/cpu/memory/Memory.h"
#include "runtime/cpu/modules/Instances.h"
#include <algorithm>
#include <cstring>
#include <sys/uio.h>
#include <unistd.h>
#include <vector>

namespace cufort::check {

/// Stacks of threads are the threads' own; nothing is said of them here.
static bool isOnStack(uintptr_t address) {
  constexpr uintptr_t Reach = 640 * 1024;
  return address - reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) +
             Reach <
         2 * Reach;
}

/// Whether an access to what belongs to nothing is nobody's business: the
/// thread's stack or its part of the arena, the kernel's arguments.
static bool isPrivate(const Thread &thread, uintptr_t address) {
  return isOnStack(address) ||
         address - reinterpret_cast<uintptr_t>(thread.run->arguments) <
             thread.run->argumentBytes ||
         address - reinterpret_cast<uintptr_t>(thread.run->arena) <
             thread.run->arenaBytes;
}

/// Whether \p address lies in memory that the engine has got in other ways than
/// by allocating it; the shadow learns of it.
static bool isEngineMemory(uintptr_t address) {
  const auto *pointer = reinterpret_cast<const void *>(address);
  if (auto found = cpu::Memory::find(pointer)) {
    belongs(found->begin, found->bytes, /*written=*/true);
    return true;
  }
  return cpu::isInInstance(pointer);
}

/// Whether nothing need be said of an access to what belongs to nobody.
static bool isHarmless(const Thread &thread, uintptr_t address) {
  return isPrivate(thread, address) || isEngineMemory(address);
}

static AccessKind kindOf(const image::CheckSite &site) {
  if (!(site.flags & image::SiteAtomic))
    return AccessKind::Plain;
  return site.flags & image::SiteBlockScope ? AccessKind::BlockAtomic
                                            : AccessKind::Atomic;
}

/// In shared memory, which only the block has, all before the last barrier is
/// over.
static IntervalNumber floorFor(const Thread &thread, uintptr_t address) {
  const BlockRun &run = *thread.run;
  if (address - reinterpret_cast<uintptr_t>(run.shared) < run.sharedBytes)
    return run.cluster ? run.first : run.interval;
  return run.floor;
}

/// The accesses to several words within one chunk, or parts of one.
[[gnu::noinline]] static void accessWords(const Accessing &access,
                                          Chunk &chunk) {
  uintptr_t offset = access.address & (ChunkBytes - 1);
  uint32_t left = access.bytes;
  while (left) {
    const uint32_t first = offset & 3, count = std::min(left, 4 - first);
    accessWord(access, chunk.cells[offset >> 2], ((1u << count) - 1) << first);
    offset += count;
    left -= count;
  }
}

/// Whether the access at \p site is one of which all has been said: the
/// subscripts are wrong.
static bool isSaid(const Thread &thread, const image::CheckSite &site) {
  const image::CheckSite *said = thread.said;
  return said && said->line == site.line &&
         std::strcmp(said->name, site.name) == 0;
}

enum class Copies { No, Yes };

/// Whether an access there, of which all has been said, can be made.
static bool isMemory(const Thread &thread, uintptr_t address, uint32_t bytes) {
  const uint64_t mask = (uint64_t(1) << bytes) - 1;
  const Chunk *chunk = chunkOf(address);
  return (chunk && (bitsAt(chunk->belongs, address) & mask) == mask) ||
         isHarmless(thread, address);
}

/// One access to \p bytes in one chunk. False: it must not be made.
template <bool Writes, Copies Copying>
[[gnu::always_inline]] static inline bool
checkOne(Thread &thread, uintptr_t address, uint32_t bytes,
         image::CheckSite &site, const uint64_t *value) {
  const uint32_t checks = Checks.load(std::memory_order_relaxed);
  if (thread.said && isSaid(thread, site)) [[unlikely]] {
    thread.said = nullptr;
    return isMemory(thread, address, bytes);
  }
  Chunk *chunk = chunkOf(address);
  if (!chunk) {
    if (!(checks & image::CheckMemory) || isHarmless(thread, address))
      return true;
    reportAddress(thread, site, reinterpret_cast<void *>(address), bytes);
    return false;
  }
  const uint64_t mask = (uint64_t(1) << bytes) - 1;
  if ((bitsAt(chunk->belongs, address) & mask) != mask) {
    if (!(checks & image::CheckMemory) || isHarmless(thread, address))
      return true;
    reportAddress(thread, site, reinterpret_cast<void *>(address), bytes);
    return false;
  }
  if (site.alignment > 1 && address & (site.alignment - 1) &&
      checks & image::CheckMemory) {
    reportMisaligned(thread, site, reinterpret_cast<void *>(address));
    return false;
  }
  if (Copying == Copies::No && checks & image::CheckInit) {
    const bool isSet = (bitsAt(chunk->written, address) & mask) == mask;
    if constexpr (Writes) {
      if (!isSet) {
        if (site.flags & image::SiteUpdates)
          reportUnset(thread, site, reinterpret_cast<void *>(address));
        setBits(chunk->written, address, mask);
      }
    } else if (!isSet && !(site.flags & image::SiteCopies)) {
      reportUnset(thread, site, reinterpret_cast<void *>(address));
    }
  }
  if (!(checks & image::CheckRace) ||
      (site.access &&
       thread.run->proved[site.access - 1] == image::NeedsNoRace))
    return true;
  const Accessing access{
      thread,
      site,
      address,
      bytes,
      makeRecord(thread.now(), thread.number, numberOf(site), kindOf(site), 0),
      floorFor(thread, address),
      Writes,
      value};
  Cell *cells = chunk->cells + ((address & (ChunkBytes - 1)) >> 2);
  if (bytes == 4 && address % 4 == 0) {
    accessWord(access, cells[0], 0xf);
  } else if (bytes == 8 && address % 4 == 0) {
    accessWord(access, cells[0], 0xf);
    accessWord(access, cells[1], 0xf);
  } else {
    accessWords(access, *chunk);
  }
  return true;
}

/// The same for any number of bytes.
template <bool Writes, Copies Copying>
[[gnu::noinline]] static bool checkAll(Thread &thread, uintptr_t address,
                                       uint64_t bytes, image::CheckSite &site,
                                       const uint64_t *value) {
  // What checkOne looks at: the widest access of one instruction.
  constexpr uint64_t Most = 32;
  bool isFine = true;
  while (bytes) {
    const uint64_t piece =
        std::min({bytes, Most, ChunkBytes - (address & (ChunkBytes - 1))});
    isFine &= checkOne<Writes, Copying>(
        thread, address, static_cast<uint32_t>(piece), site, value);
    address += piece;
    bytes -= piece;
    value = nullptr;
  }
  return isFine;
}

static bool isReadable(const void *pointer, size_t bytes, void *to) {
  const iovec own{to, bytes}, there{const_cast<void *>(pointer), bytes};
  return process_vm_readv(getpid(), &own, 1, &there, 1, 0) ==
         static_cast<ssize_t>(bytes);
}

/// Where an access is made that has been reported as one to no memory, so that
/// a program that goes on destroys nothing: what it reads is there, or zeros.
[[gnu::noinline]] static void *instead(const void *pointer,
                                       const image::CheckSite &site) {
  // A vector of doubles for all lanes of a warp.
  constexpr size_t Most = 256;
  alignas(64) static thread_local char bytes[Most];
  if (site.bytes > Most || (!(site.flags & image::SiteWrites) &&
                            isReadable(pointer, site.bytes, bytes)))
    return const_cast<void *>(pointer);
  std::memset(bytes, 0, site.bytes);
  return bytes;
}

/// The same for a copy or fill of so many bytes; of what is read, all that is
/// there. One of more than 256 MB is made where it is.
static void *insteadOfRange(const void *pointer, size_t bytes, bool writes) {
  // Memory for more may not be there.
  constexpr size_t Most = size_t(1) << 28, Page = 4096;
  // A copy's source and destination are needed at one time.
  static thread_local std::vector<char> places[2];
  if (bytes > Most)
    return const_cast<void *>(pointer);
  std::vector<char> &place = places[writes];
  place.assign(bytes, 0);
  const auto *from = static_cast<const char *>(pointer);
  for (size_t done = 0; !writes && done < bytes;) {
    const size_t piece = std::min(
        bytes - done, Page - reinterpret_cast<uintptr_t>(from + done) % Page);
    isReadable(from + done, piece, place.data() + done);
    done += piece;
  }
  return place.data();
}

static bool isInOneChunk(uintptr_t address, uint32_t bytes) {
  return bytes <= 32 && (address & (ChunkBytes - 1)) + bytes <= ChunkBytes;
}

} // namespace cufort::check

using namespace cufort::check;
namespace device = cufort::cpu::device;
using cufort::image::CheckSite;

void *device::check_read(const void *pointer, CheckSite *site) {
  Thread *thread = currentThread();
  if (!thread)
    return const_cast<void *>(pointer);
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const bool isFine = isInOneChunk(address, site->bytes)
                          ? checkOne<false, Copies::No>(
                                *thread, address, site->bytes, *site, nullptr)
                          : checkAll<false, Copies::No>(
                                *thread, address, site->bytes, *site, nullptr);
  return isFine ? const_cast<void *>(pointer) : instead(pointer, *site);
}

void *device::check_write(const void *pointer, CheckSite *site,
                          uint64_t value) {
  Thread *thread = currentThread();
  if (!thread)
    return const_cast<void *>(pointer);
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  if (thread->pending.site && thread->pending.address == address &&
      site->flags & cufort::image::SiteExchange)
    thread->pending = {};
  if (site->flags & cufort::image::SiteAtomic)
    publish(*thread, pointer, *site);
  const uint64_t *known =
      site->flags & cufort::image::SiteNoValue ? nullptr : &value;
  const bool isFine = isInOneChunk(address, site->bytes)
                          ? checkOne<true, Copies::No>(
                                *thread, address, site->bytes, *site, known)
                          : checkAll<true, Copies::No>(
                                *thread, address, site->bytes, *site, known);
  return isFine ? const_cast<void *>(pointer) : instead(pointer, *site);
}

/// Behind an access by which the thread may have learnt of others: who has
/// waited for others in its block lets them go on first. Else it may see what
/// they do after that, and all would be in order by chance.
static void letOthersGoOn(const Thread &thread, uintptr_t address) {
  if (address - reinterpret_cast<uintptr_t>(thread.run->shared) <
          thread.run->sharedBytes &&
      !thread.run->inLoops)
    device::yield();
}

void device::check_after(const void *pointer, CheckSite *site) {
  Thread *thread = currentThread();
  if (!thread)
    return;
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  learnFromHost(*thread, address);
  if (learn(*thread, pointer, *site))
    letOthersGoOn(*thread, address);
}

void device::check_exchanged(const void *pointer, CheckSite *site,
                             uint32_t wrote, uint64_t expected) {
  Thread *thread = currentThread();
  if (!thread)
    return;
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  learnFromHost(*thread, address);
  if (takeLock(*thread, pointer, expected, wrote))
    letOthersGoOn(*thread, address);
}

void device::check_fence(uint32_t blockOnly) {
  if (Thread *thread = currentThread())
    fence(*thread, blockOnly);
}

void *device::check_range(const void *pointer, uint64_t bytes,
                          CheckSite *site) {
  Thread *thread = currentThread();
  if (!thread || !bytes)
    return const_cast<void *>(pointer);
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const bool writes = site->flags & cufort::image::SiteWrites;
  const bool isFine =
      writes
          ? checkAll<true, Copies::No>(*thread, address, bytes, *site, nullptr)
          : checkAll<false, Copies::Yes>(*thread, address, bytes, *site,
                                         nullptr);
  return isFine ? const_cast<void *>(pointer)
                : insteadOfRange(pointer, bytes, writes);
}

void *device::check_within(const void *pointer, const void *base,
                           uint64_t bytes, CheckSite *site) {
  const uint64_t offset =
      reinterpret_cast<uintptr_t>(pointer) - reinterpret_cast<uintptr_t>(base);
  if (offset <= bytes && bytes - offset >= site->bytes)
    return const_cast<void *>(pointer);
  // Optimised code, as that of the device library is, walks through one object
  // by its distance from another.
  constexpr uint64_t Far = uint64_t(1) << 30;
  if (offset + Far > 2 * Far)
    return const_cast<void *>(pointer);
  Thread *thread = currentThread();
  if (!thread || !checking(cufort::image::CheckMemory))
    return const_cast<void *>(pointer);
  if (!isSaid(*thread, *site)) {
    reportBounds(*thread, *site, pointer, base, bytes);
    thread->said = site;
  }
  return instead(pointer, *site);
}

void device::check_shared(const void *address,
                          const cufort::image::CheckVariable *variable) {
  Thread *thread = currentThread();
  if (!thread)
    return;
  BlockRun &run = *thread->run;
  for (const SharedVariable &each : run.sharedVariables)
    if (each.address == address)
      return;
  run.sharedVariables.push_back({static_cast<const char *>(address), variable});
}

void device::check_wait(CheckSite *site) {
  if (Thread *thread = currentThread()) {
    reportPendingRead(*thread);
    thread->waitsAt = site;
  }
}

void device::check_index(const CheckSite *site, uint32_t rank,
                         const int64_t *subscripts) {
  Thread *thread = currentThread();
  if (!thread || !checking(cufort::image::CheckMemory))
    return;
  bool isOutside = false;
  for (uint32_t i = 0; i < rank; ++i)
    isOutside |= reinterpret_cast<const Subscript *>(subscripts)[i].isOutside();
  if (!isOutside)
    return;
  reportIndex(*thread, *site, rank,
              reinterpret_cast<const Subscript *>(subscripts));
  thread->said = site;
}

void device::check_array(const void *address, const char *name,
                         uint64_t elementBytes, uint32_t rank,
                         const int64_t *dimensions) {
  if (Thread *thread = currentThread())
    noteArray(*thread->run, static_cast<const char *>(address), name,
              elementBytes, rank, dimensions);
}

void device::check_iteration(uint32_t level, const char *name, int64_t number) {
  if (Thread *thread = currentThread(); thread && level < Thread::MostLoops)
    thread->loops[level] = {name, number};
}

void device::check_heap(const void *begin, uint64_t bytes,
                        const CheckSite *site) {
  if (CurrentRun && begin)
    heapAllocated(*currentThread(), *site, begin, bytes);
}

void device::check_release(void *block, const CheckSite *site) {
  heapFreed(currentThread(), *site, block);
}

const uint8_t *device::check_proved() {
  return CurrentRun ? CurrentRun->proved : NothingProved;
}

uint32_t *device::check_current() {
  static thread_local uint32_t none;
  return CurrentRun ? &CurrentRun->current : &none;
}

void device::check_barrier() {
  if (!CurrentRun)
    return;
  reportPendingReads(*CurrentRun);
  passBarrier(*CurrentRun);
}

void device::check_start(const cufort::image::CheckTable *table) {
  if (table)
    start(*table);
}
