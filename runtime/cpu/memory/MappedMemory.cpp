//===- MappedMemory.cpp - what is mapped to reserved addresses ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/memory/Memory.h"
#include "runtime/cpu/memory/VirtualMemory.h"
#include <algorithm>

namespace cufort::cpu {

Error Memory::enterMapped(char *begin, size_t bytes, int device,
                          std::shared_ptr<PhysicalMemory> backing) {
  Allocation allocation{begin,  bytes, MemoryKind::Device, 0,
                        false,  false, &backing->owner,    device,
                        nullptr};
  allocation.backing = std::move(backing);
  allocation.reachable = false;
  Table &t = table();
  std::lock_guard lock(t.mutex);
  t.allocations.emplace(begin, std::move(allocation));
  return cudaSuccess;
}

void Memory::leaveMapped(void *begin, size_t bytes) {
  // They end without the lock, for memory that they hold asks for it.
  std::map<char *, Allocation> gone;
  Table &t = table();
  std::lock_guard lock(t.mutex);
  auto *const first = static_cast<char *>(begin);
  for (auto i = t.allocations.lower_bound(first);
       i != t.allocations.end() && i->first < first + bytes;)
    gone.insert(t.allocations.extract(i++));
}

bool Memory::anyMapped(void *begin, size_t bytes) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  auto *const first = static_cast<char *>(begin);
  const auto next = t.allocations.lower_bound(first);
  return locate(t, begin) ||
         (next != t.allocations.end() && next->first < first + bytes);
}

bool Memory::wholeMapped(void *begin, size_t bytes) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  auto *const first = static_cast<char *>(begin);
  size_t done = 0;
  for (auto i = t.allocations.find(first);
       i != t.allocations.end() && i->first == first + done &&
       i->second.backing && done < bytes;
       ++i)
    done += i->second.bytes;
  return done == bytes;
}

Error Memory::setAccess(void *begin, size_t bytes,
                        const AccessDescription *access, size_t count,
                        bool (*protect)(char *, size_t, int)) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  auto *const first = static_cast<char *>(begin);
  for (auto i = t.allocations.find(first);
       i != t.allocations.end() && i->first < first + bytes; ++i) {
    std::vector<AccessDescription> now = i->second.access;
    for (size_t k = 0; k < count; ++k) {
      const auto same = [&](const AccessDescription &each) {
        return each.location.type == access[k].location.type &&
               each.location.number == access[k].location.number;
      };
      std::erase_if(now, same);
      now.push_back(access[k]);
    }
    int most = AccessDescription::None;
    for (const AccessDescription &each : now)
      most = std::max(most, each.flags);
    if (!protect(i->second.begin, i->second.bytes, most))
      return cudaErrorOperatingSystem;
    i->second.access = std::move(now);
    i->second.reachable = most != AccessDescription::None;
  }
  return cudaSuccess;
}

bool Memory::reaches(const void *pointer, size_t bytes) {
  Table &t = table();
  std::lock_guard lock(t.mutex);
  const Allocation *found = locate(t, pointer);
  if (!found)
    return true;
  const auto *const address = static_cast<const char *>(pointer);
  size_t left = found->bytes - static_cast<size_t>(address - found->begin);
  bool reachable = found->reachable;
  // What is mapped to neighbouring addresses is one piece.
  for (auto next = t.allocations.find(found->begin);
       left < bytes && reachable && next->second.backing;) {
    const char *const end = next->second.begin + next->second.bytes;
    ++next;
    if (next == t.allocations.end() || next->second.begin != end ||
        !next->second.backing)
      break;
    left += next->second.bytes;
    reachable = next->second.reachable;
  }
  return reachable && bytes <= left;
}

bool Memory::count(size_t bytes) {
  std::lock_guard lock(table().mutex);
  if (bytes > limit - used)
    return false;
  if (availableBytes() < bytes)
    dropKept();
  if (const size_t available = availableBytes(); available && bytes > available)
    return false;
  used += bytes;
  return true;
}

void Memory::uncount(size_t bytes) {
  std::lock_guard lock(table().mutex);
  used -= bytes;
}

} // namespace cufort::cpu
