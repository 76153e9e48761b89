//===- Memory.h - device memory on the CPU ----------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_MEMORY_MEMORY_H
#define CUFORT_RUNTIME_CPU_MEMORY_MEMORY_H

#include "runtime/core/engine/Engine.h"
#include "runtime/core/engine/VirtualMemory.h"
#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace cufort::cpu {

struct PhysicalMemory;

/// What the graphs of a device hold, by cudaGraphMemAttributeType's numbers:
/// used and used at most, reserved and reserved at most.
struct GraphMemoryCount {
  std::atomic<uint64_t> values[4] = {};

  void add(int which, uint64_t bytes) {
    const uint64_t now = values[which] += bytes;
    uint64_t high = values[which + 1];
    while (high < now && !values[which + 1].compare_exchange_weak(high, now))
      ;
  }
};

/// A cudaMemPool_t: on the CPU a pool only counts, for what it gives back goes
/// to the device's allocator, which keeps it at hand.
struct Pool {
  Pool() = default;
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;
  ~Pool();

  int switches[3] = {1, 1, 1}; ///< the attributes 1 to 3
  /// Of a pool that other processes may use the file that stands for it; its
  /// allocations have their pages for themselves.
  int file = -1;
  bool imported = false; ///< another process's
  uint64_t releaseThreshold = 0, used = 0, usedHigh = 0, reservedHigh = 0;
  int device = 0;
  /// What other devices were allowed, by cudaMemAccessFlags. All devices reach
  /// all memory: it is only kept.
  std::map<int, int> access = {};
  /// One allocation of a graph, which keeps the memory as long as it may be
  /// launched; whether it is allocated just now, as the program sees it.
  bool ofGraph = false;
  std::atomic<bool> live{false};
  /// Whether a launch has allocated it, and where that is counted.
  std::atomic<bool> inUse{false};
  /// Whether a launch has ever allocated it: before, copies and fills that are
  /// not a graph's do not find it.
  std::atomic<bool> launched{false};
  /// Whether a graph that leaves it allocated has been launched and nobody has
  /// asked to free it since: then it cannot be launched again.
  std::atomic<bool> left{false};
  /// What nodes of graphs that free it hold: alive while there are any.
  std::weak_ptr<void> release = {};
  GraphMemoryCount *count = nullptr;
  uint64_t bytes = 0;

  /// Of a graph's memory: a launch allocates it.
  void begin() {
    live = launched = true;
    if (!inUse.exchange(true))
      count->add(0, bytes);
  }
  /// Somebody frees it; whether that is right.
  bool end() {
    if (inUse.exchange(false))
      count->values[0] -= bytes;
    return live.exchange(false);
  }
};

inline constexpr size_t Page = 4096;
/// What other processes map of an allocation.
inline size_t sharedBytes(size_t bytes) {
  return (bytes + Page - 1) / Page * Page;
}

/// Allocations of one device. Device memory is host memory whose allocations
/// are counted against a limit and known by address, so that an exhausted
/// device, a second free and a foreign pointer are found as on a GPU. Nothing
/// is touched here: pages are placed by the thread that first uses them. What
/// is freed in large pieces is kept for the next allocation, up to a limit.
class Memory {
public:
  /// \p limit in bytes; 0: \p share of what the machine (or the control group)
  /// has.
  Memory(size_t limit, int device, unsigned shares);

  Error allocate(void **memory, size_t bytes, MemoryKind kind,
                 unsigned flags = 0,
                 const std::shared_ptr<Pool> &pool = nullptr);
  void releaseAll();
  size_t total() const { return limit; }
  size_t free();
  size_t usedBytes();
  /// Gives back to the system what is kept for later.
  void trim();

  struct Allocation {
    char *begin;
    size_t bytes;
    MemoryKind kind;
    unsigned flags;         ///< of cudaHostAlloc or cudaHostRegister
    bool registered;        ///< the program's own memory, page-locked
    bool isReleaseDeferred; ///< will be released when its stream comes to it
    Memory *owner;
    int device;
    std::shared_ptr<Pool> pool;
    /// What cudaMemAdvise and cudaMemPrefetchAsync said: the numbers of
    /// devices, -1 the host, -2 none.
    int preferredLocation = -2, lastPrefetch = -2;
    bool readMostly = false;
    int exported = -1;     ///< the file that other processes map; -1: none
    bool imported = false; ///< another process's memory
    std::vector<int> accessedBy = {};
    /// What is mapped here, at addresses that were reserved; who may use it,
    /// and whether anybody may.
    std::shared_ptr<PhysicalMemory> backing = nullptr;
    std::vector<AccessDescription> access = {};
    bool reachable = true;
  };

  /// Frees an allocation of any device that begins at \p memory; \p kind
  /// Device frees managed memory as well.
  static Error release(void *memory, MemoryKind kind);
  /// The first half of releasing in the order of a stream: from now on nobody
  /// else may free it. The second half is releaseDeferred.
  static Error deferRelease(void *memory);
  static void releaseDeferred(void *memory);
  /// The pool of graph memory that begins at \p memory; null if it is none.
  static std::shared_ptr<Pool> graphPool(void *memory);
  /// Frees graph memory for good unless it is another's by now.
  static void releaseOfGraph(void *memory, const Pool &pool);

  /// Page-locks the program's own memory, and the reverse.
  Error enter(void *memory, size_t bytes, unsigned flags);
  static Error leave(void *memory);

  /// Makes the allocation at \p memory one that other processes can map, in
  /// place; \p file and \p bytes say what they map. Nobody may be using it.
  static Error share(void *memory, int *file, size_t *bytes);
  /// Maps \p bytes of \p file, which another process shares, and the reverse.
  /// What has come from another process's \p pool is freed as if it were ours.
  Error import(int file, size_t bytes, void **memory,
               const std::shared_ptr<Pool> &pool = nullptr);
  static Error closeImported(void *memory);

  /// What is mapped to reserved addresses (VirtualMemory.h). A range that was
  /// mapped in several pieces is one piece for setAccess, unmap and copies.
  static Error enterMapped(char *begin, size_t bytes, int device,
                           std::shared_ptr<PhysicalMemory> backing);
  static void leaveMapped(void *begin, size_t bytes);
  /// Whether there is any allocation in a range.
  static bool anyMapped(void *begin, size_t bytes);
  /// Whether a range consists of what was mapped, without gaps.
  static bool wholeMapped(void *begin, size_t bytes);
  /// \p protect(begin, bytes, flags) sets what all together may do.
  static Error setAccess(void *begin, size_t bytes,
                         const AccessDescription *access, size_t count,
                         bool (*protect)(char *, size_t, int));
  /// Counts memory without an address; false: there is not so much left.
  bool count(size_t bytes);
  void uncount(size_t bytes);

  /// False if \p bytes at \p pointer begin in an allocation and leave it.
  static bool reaches(const void *pointer, size_t bytes);
  /// The allocation of any device that \p pointer points into.
  static std::optional<Allocation> find(const void *pointer);
  /// Where \p pointer lies, for a message: "12 bytes after the end of an
  /// allocation of 400 bytes"; empty if nothing is near.
  static std::string describe(const void *pointer);
  /// Calls \p change(Allocation &) for it under the lock; false: none.
  template <typename Change>
  static bool change(const void *pointer, Change change) {
    Table &t = table();
    std::lock_guard lock(t.mutex);
    Allocation *allocation = locate(t, pointer);
    if (allocation)
      change(*allocation);
    return allocation;
  }

  /// What the machine can still give without swapping.
  static size_t availableBytes();

private:
  /// What is known of all devices' memory: addresses are unified.
  struct Table {
    std::mutex mutex;
    std::map<char *, Allocation> allocations;
  };
  static Table &table();
  static Allocation *locate(Table &table, const void *pointer);

  // Under the lock.
  char *takeKept(size_t bytes);
  char *takeBlock(size_t bytes, size_t alignment);
  void releaseBlock(char *begin, size_t bytes, size_t alignment);
  void keep(char *begin, size_t bytes);
  void giveBack(const Allocation &allocation);
  void giveBackBytes(const Allocation &allocation);
  void quarantine(const Allocation &allocation);
  void dropKept();

  const size_t limit;
  const int device;
  const size_t keepLimit;
  size_t used = 0, kept = 0;
  std::multimap<size_t, char *> keptPieces; ///< by mapped bytes
  /// Smaller ones, which the C library would give back to the system each time,
  /// by bytes and alignment.
  std::multimap<std::pair<size_t, size_t>, char *> keptBlocks;
  size_t keptBlockBytes = 0;
  std::deque<Allocation> freed; ///< with checks
  size_t freedBytes = 0;
};

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_MEMORY_MEMORY_H
