//===- HostMemory.cpp - device, host and managed memory of the CPU --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Order.h"
#include "runtime/cpu/CpuEngine.h"
#include "runtime/cpu/modules/Instances.h"
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace cufort::cpu {

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

Error CpuEngine::allocate(void **result, size_t bytes, MemoryKind kind) {
  if (Error error = graphSet.refuseUnsafe(); error != cudaSuccess)
    return error;
  return memory.allocate(result, bytes, kind);
}

Error CpuEngine::release(void *pointer, MemoryKind kind) {
  if (Error error = graphSet.refuseUnsafe(); error != cudaSuccess)
    return error;
  CpuEngine *owner = this;
  if (pointer)
    Memory::change(pointer, [&](Memory::Allocation &a) {
      owner = cpuEngines()[static_cast<size_t>(a.device)];
    });
  owner->scheduler.waitAll();
  return Memory::release(pointer, kind);
}

Error CpuEngine::memoryInformation(size_t *free, size_t *total) {
  *free = memory.free();
  *total = memory.total();
  return cudaSuccess;
}

size_t CpuEngine::usedBytes() { return memory.usedBytes(); }

Error CpuEngine::addressRange(const void *pointer, void **begin,
                              size_t *bytes) {
  if (Memory::change(pointer, [&](Memory::Allocation &a) {
        *begin = a.begin;
        *bytes = a.bytes;
      }))
    return cudaSuccess;
  const VariablePlace place = findVariableOfAny(pointer);
  if (!place.variable)
    return cudaErrorInvalidValue;
  *begin =
      inInstance(place.variable.variable, *place.variable.program, place.device)
          ->cpuAddress;
  *bytes = place.variable.variable->size;
  return cudaSuccess;
}

Error CpuEngine::describe(const void *pointer, PointerDescription *result) {
  void *address = const_cast<void *>(pointer);
  *result = {PointerDescription::Unregistered, -2, nullptr, address};
  const bool known = Memory::change(pointer, [&](Memory::Allocation &a) {
    switch (a.kind) {
    case MemoryKind::Device:
      *result = {PointerDescription::Device, a.device, address, nullptr};
      result->isAbsent = a.pool && a.pool->ofGraph && !a.pool->launched &&
                         !graphSet.capturing();
      break;
    case MemoryKind::Managed:
      *result = {PointerDescription::Managed, a.device, address, address};
      break;
    case MemoryKind::Pinned:
      *result = {PointerDescription::Host, a.device, address, address};
      break;
    }
  });
  if (known)
    return cudaSuccess;
  if (VariablePlace place = findVariableOfAny(pointer); place.variable) {
    const bool managed =
        sharedByInstances(*place.variable.program->image, pointer);
    *result = {managed ? PointerDescription::Managed
                       : PointerDescription::Device,
               place.device, address, managed ? address : nullptr};
  }
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Page-locked memory
//===----------------------------------------------------------------------===//

Error CpuEngine::allocateHost(void **result, size_t bytes, unsigned flags) {
  if (Error error = graphSet.refuseUnsafe(); error != cudaSuccess)
    return error;
  return memory.allocate(result, bytes, MemoryKind::Pinned, flags);
}

Error CpuEngine::registerHost(void *pointer, size_t bytes, unsigned flags) {
  if (Error error = graphSet.refuseUnsafe(); error != cudaSuccess)
    return error;
  if (!pointer || !bytes ||
      bytes > UINTPTR_MAX - reinterpret_cast<uintptr_t>(pointer))
    return cudaErrorInvalidValue;
  constexpr uintptr_t Beyond = uintptr_t(1) << 47; // where processes end
  if (bytes > Beyond - std::min(reinterpret_cast<uintptr_t>(pointer), Beyond))
    return cudaErrorNotSupported;
  // There is no memory of devices (4), and what is not mapped is no memory.
  constexpr unsigned OfDevice = 4;
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t first = reinterpret_cast<uintptr_t>(pointer) & ~(page - 1);
  if (flags & OfDevice ||
      msync(reinterpret_cast<void *>(first),
            reinterpret_cast<uintptr_t>(pointer) - first + bytes, MS_ASYNC))
    return cudaErrorInvalidValue;
  return memory.enter(pointer, bytes, flags);
}

Error CpuEngine::unregisterHost(void *pointer) {
  if (Error error = graphSet.refuseUnsafe(); error != cudaSuccess)
    return error;
  if (!pointer)
    return cudaErrorInvalidValue;
  scheduler.waitAll();
  return Memory::leave(pointer);
}

Error CpuEngine::hostFlags(const void *pointer, unsigned *flags) {
  Error error = cudaErrorInvalidValue;
  Memory::change(pointer, [&](Memory::Allocation &a) {
    if (a.kind == MemoryKind::Device)
      return;
    *flags = a.flags | 2; // mapped, where addresses are unified
    error = cudaSuccess;
  });
  return error;
}

//===----------------------------------------------------------------------===//
// Managed memory: one memory, so advice is kept and changes nothing
//===----------------------------------------------------------------------===//

static bool deviceExists(int device) {
  return device == -1 ||
         (device >= 0 && device < static_cast<int>(cpuEngines().size()));
}

/// Calls \p use on the managed allocation that the bytes lie in.
template <typename Use>
static Error onManaged(const void *pointer, size_t bytes, Use use) {
  Error error = cudaErrorInvalidValue;
  const auto *address = static_cast<const char *>(pointer);
  if (bytes)
    Memory::change(pointer, [&](Memory::Allocation &a) {
      if (a.kind == MemoryKind::Managed &&
          bytes <= a.bytes - static_cast<size_t>(address - a.begin))
        error = use(a);
    });
  return error;
}

Error CpuEngine::prefetch(const void *pointer, size_t bytes, int device,
                          StreamHandle stream) {
  if (!deviceExists(device))
    return cudaErrorInvalidDevice;
  Stream *place = findAny(stream);
  if (!place)
    return cudaErrorInvalidResourceHandle;
  if (Error error = graphSet.refuseCaptured(*place); error != cudaSuccess)
    return error;
  return onManaged(pointer, bytes, [&](Memory::Allocation &a) {
    a.lastPrefetch = device;
    return cudaSuccess;
  });
}

Error CpuEngine::advise(const void *pointer, size_t bytes, int advice,
                        int device) {
  if (Error error = graphSet.refuseUnsafe(); error != cudaSuccess)
    return error;
  if (advice > 2 && !deviceExists(device))
    return cudaErrorInvalidDevice;
  return onManaged(pointer, bytes, [&](Memory::Allocation &a) {
    switch (advice) {
    case 1:
    case 2:
      a.readMostly = advice == 1;
      return cudaSuccess;
    case 3:
      a.preferredLocation = device;
      return cudaSuccess;
    case 4:
      a.preferredLocation = -2;
      return cudaSuccess;
    case 5:
    case 6:
      std::erase(a.accessedBy, device);
      if (advice == 5)
        a.accessedBy.push_back(device);
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
    }
  });
}

Error CpuEngine::rangeAttribute(void *data, size_t dataBytes, int attribute,
                                const void *pointer, size_t bytes) {
  if (!data || dataBytes < sizeof(int) || dataBytes % sizeof(int))
    return cudaErrorInvalidValue;
  return onManaged(pointer, bytes, [&](Memory::Allocation &a) {
    const auto give = [&](int value) {
      std::memcpy(data, &value, sizeof(value));
      return dataBytes == sizeof(int) ? cudaSuccess : cudaErrorInvalidValue;
    };
    switch (attribute) {
    case 1:
      return give(a.readMostly);
    case 2:
      return give(a.preferredLocation);
    case 3:
      for (size_t i = 0; i < dataBytes / sizeof(int); ++i) {
        const int device = i < a.accessedBy.size() ? a.accessedBy[i] : -2;
        std::memcpy(static_cast<char *>(data) + i * sizeof(int), &device,
                    sizeof(int));
      }
      return cudaSuccess;
    case 4:
      return give(a.lastPrefetch);
    default:
      return cudaErrorInvalidValue;
    }
  });
}

Error CpuEngine::attach(StreamHandle stream, void *pointer, size_t bytes,
                        unsigned flags) {
  Stream *place = findAny(stream);
  if (!place)
    return cudaErrorInvalidResourceHandle;
  if (Error error = graphSet.refuse(*place); error != cudaSuccess)
    return error;
  // All that an allocation has, and to one stream only to one that has a name.
  if (!isAttachment(flags) ||
      (flags == AttachSingle && place == &scheduler.defaultStream()))
    return cudaErrorInvalidValue;
  return onManaged(pointer, bytes ? bytes : 1, [&](Memory::Allocation &a) {
    return pointer == a.begin && (!bytes || bytes == a.bytes)
               ? cudaSuccess
               : cudaErrorInvalidValue;
  });
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

std::shared_ptr<Pool> CpuEngine::findPool(PoolHandle handle) {
  for (CpuEngine *engine : cpuEngines()) {
    std::lock_guard lock(engine->mutex);
    if (!handle && engine == this)
      return current;
    for (const auto &pool : engine->pools)
      if (pool.get() == handle)
        return pool;
  }
  return nullptr;
}

namespace {

/// Where in its stream memory begins or ends to be the program's: for the
/// checkers a write of all of it, with which every access has to be ordered.
class LifetimeOperation final : public Operation {
public:
  LifetimeOperation(void *memory, size_t bytes, bool ends)
      : Operation(1), memory(memory), bytes(bytes), ends(ends) {}
  void run(uint64_t, uint64_t, Participant &) override {
    check::workAccesses(memory, bytes,
                        ends ? check::RangeUse::Free
                             : check::RangeUse::Allocate);
    if (ends)
      Memory::releaseDeferred(memory);
  }

private:
  void *memory;
  size_t bytes;
  bool ends;
};

} // namespace

Error CpuEngine::allocateAsync(void **result, size_t bytes, PoolHandle handle,
                               StreamHandle stream) {
  Stream *place = findAny(stream);
  if (!place)
    return cudaErrorInvalidResourceHandle;
  Error error;
  std::shared_ptr<Pool> pool = findPool(handle);
  if (!pool || pool->imported)
    return cudaErrorInvalidValue;
  if (graphSet.capturing() &&
      graphSet.capturedAllocation(*place, result, bytes, pool->device, &error))
    return error;
  if (error = graphSet.refuseUnsafe(); error != cudaSuccess)
    return error;
  error = cpuEngines()[static_cast<size_t>(pool->device)]->memory.allocate(
      result, bytes, MemoryKind::Device, 0, pool);
  if (error == cudaSuccess && check::checking(image::CheckRace))
    place->scheduler.submit(*place,
                            new LifetimeOperation(*result, bytes, false));
  return error;
}

Error CpuEngine::releaseAsync(void *pointer, StreamHandle handle) {
  Stream *stream = findAny(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (!pointer)
    return cudaSuccess;
  Error error;
  if (graphSet.capturing() &&
      graphSet.capturedRelease(*stream, pointer, &error))
    return error;
  if (error = graphSet.refuseUnsafe(); error != cudaSuccess)
    return error;
  if (std::shared_ptr<Pool> pool = Memory::graphPool(pointer)) {
    OperationPointer end(new CallOperation([pool] { pool->end(); }));
    if (pool->left.exchange(false)) {
      stream->scheduler.submit(*stream, end.release());
      return cudaSuccess;
    }
    // Whether it is allocated shows when the launches before this are through.
    if (error = synchronizeStream(handle); error != cudaSuccess)
      return error;
    return pool->end() ? cudaSuccess : cudaErrorInvalidValue;
  }
  size_t bytes = 0;
  Memory::change(pointer,
                 [&](Memory::Allocation &found) { bytes = found.bytes; });
  OperationPointer operation(new LifetimeOperation(pointer, bytes, true));
  if (error = Memory::deferRelease(pointer); error != cudaSuccess)
    return error;
  stream->scheduler.submit(*stream, operation.release());
  return cudaSuccess;
}

Error CpuEngine::createPool(PoolHandle *handle, bool shareable) {
  auto pool = std::make_shared<Pool>();
  pool->device = ordinal;
  if (shareable)
    if (Error error = makePoolFile(&pool->file); error != cudaSuccess)
      return error;
  std::lock_guard lock(mutex);
  pools.push_back(std::move(pool));
  *handle = pools.back().get();
  return cudaSuccess;
}

Error CpuEngine::destroyPool(PoolHandle handle) {
  for (CpuEngine *engine : cpuEngines()) {
    std::lock_guard lock(engine->mutex);
    for (size_t i = 1; i < engine->pools.size(); ++i) // never the default one
      if (engine->pools[i].get() == handle) {
        if (engine->current == engine->pools[i])
          engine->current = engine->pools.front();
        // Its allocations keep it as long as they live.
        engine->pools.erase(engine->pools.begin() + static_cast<ptrdiff_t>(i));
        return cudaSuccess;
      }
  }
  return cudaErrorInvalidValue;
}

Error CpuEngine::defaultPool(PoolHandle *pool) {
  std::lock_guard lock(mutex);
  *pool = pools.front().get();
  return cudaSuccess;
}

Error CpuEngine::currentPool(PoolHandle *pool) {
  std::lock_guard lock(mutex);
  *pool = current.get();
  return cudaSuccess;
}

Error CpuEngine::setCurrentPool(PoolHandle handle) {
  std::shared_ptr<Pool> pool = handle ? findPool(handle) : nullptr;
  if (!pool || pool->imported)
    return cudaErrorInvalidValue;
  std::lock_guard lock(mutex);
  current = pool;
  return cudaSuccess;
}

Error CpuEngine::trimPool(PoolHandle handle, size_t) {
  if (Error error = graphSet.refuseUnsafe(); error != cudaSuccess)
    return error;
  if (!handle || !findPool(handle))
    return cudaErrorInvalidValue;
  memory.trim();
  return cudaSuccess;
}

Error CpuEngine::poolAttribute(PoolHandle handle, int attribute, void *value) {
  std::shared_ptr<Pool> pool = handle ? findPool(handle) : nullptr;
  if (!pool || !value)
    return cudaErrorInvalidValue;
  const auto give = [&](auto number) {
    std::memcpy(value, &number, sizeof(number));
    return cudaSuccess;
  };
  switch (attribute) {
  case 1:
  case 2:
  case 3:
    return give(pool->switches[attribute - 1]);
  case 4:
    return give(pool->releaseThreshold);
  case 5:
  case 7:
    return give(pool->used);
  case 6:
    return give(pool->reservedHigh);
  case 8:
    return give(pool->usedHigh);
  default:
    return cudaErrorInvalidValue;
  }
}

Error CpuEngine::poolAccess(PoolHandle handle, int device, int *flags) {
  constexpr int none = 0, readAndWrite = 3;
  std::shared_ptr<Pool> pool = handle ? findPool(handle) : nullptr;
  if (!pool)
    return cudaErrorInvalidValue;
  std::lock_guard lock(mutex);
  auto found = pool->access.find(device);
  *flags = device == pool->device        ? readAndWrite
           : found == pool->access.end() ? none
                                         : found->second;
  return cudaSuccess;
}

Error CpuEngine::setPoolAccess(PoolHandle handle, int device, int flags) {
  constexpr int none = 0, read = 1, readAndWrite = 3;
  std::shared_ptr<Pool> pool = handle ? findPool(handle) : nullptr;
  if (!pool || (flags != none && flags != read && flags != readAndWrite))
    return cudaErrorInvalidValue;
  // Who may read may write, and the device that has the memory always may.
  if (flags == read || (device == pool->device && flags == none))
    return flags == read ? cudaErrorNotSupported : cudaErrorInvalidDevice;
  std::lock_guard lock(mutex);
  pool->access[device] = flags;
  return cudaSuccess;
}

Error CpuEngine::setPoolAttribute(PoolHandle handle, int attribute,
                                  const void *value) {
  std::shared_ptr<Pool> pool = handle ? findPool(handle) : nullptr;
  if (!pool || !value)
    return cudaErrorInvalidValue;
  uint64_t number = 0;
  std::memcpy(&number, value, attribute <= 3 ? sizeof(int) : sizeof(number));
  switch (attribute) {
  case 1:
  case 2:
  case 3:
    pool->switches[attribute - 1] = number != 0;
    return cudaSuccess;
  case 4:
    pool->releaseThreshold = number;
    return cudaSuccess;
  case 6:
  case 8: // The high marks can only be set back.
    if (number)
      return cudaErrorInvalidValue;
    (attribute == 6 ? pool->reservedHigh : pool->usedHigh) = pool->used;
    return cudaSuccess;
  default:
    return cudaErrorInvalidValue;
  }
}

} // namespace cufort::cpu
