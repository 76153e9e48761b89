//===- Watched.cpp - what others fulfil without a word --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/streams/Watched.h"
#include "runtime/cpu/memory/HostGuard.h"
#include "runtime/cpu/streams/Futex.h"
#include "runtime/cpu/streams/Scheduler.h"
#include <mutex>
#include <pthread.h>
#include <system_error>
#include <thread>

namespace cufort::cpu {
namespace {

std::atomic<unsigned> Watched{0};
std::atomic<uint32_t> WatchEpoch{0};
std::atomic<uint32_t> ParkedWatcher{0};

/// What comes soon is seen soon; what takes long costs little.
void pauseBetween(unsigned &looks) {
  if (++looks < 200)
    std::this_thread::yield();
  else
    std::this_thread::sleep_for(
        std::chrono::microseconds(looks < 2000 ? 20 : 100));
}

[[noreturn]] void watch() {
  for (unsigned looks = 0;;) {
    const uint32_t seen = WatchEpoch.load(std::memory_order_acquire);
    if (!Watched.load(std::memory_order_acquire)) {
      looks = 0;
      park(WatchEpoch, seen, ParkedWatcher);
    } else if (Scheduler::startReadyOperations()) {
      looks = 0;
    } else {
      pauseBetween(looks);
    }
  }
}

} // namespace

Error startWatching() {
  static std::mutex mutex;
  static bool started = false;
  std::lock_guard lock(mutex);
  if (started)
    return cudaSuccess;
  if (faultDue("thread"))
    return cudaErrorOperatingSystem;
  try {
    std::thread thread(watch);
    pthread_setname_np(thread.native_handle(), "cufort-watch");
    thread.detach();
  } catch (const std::system_error &) {
    return cudaErrorOperatingSystem;
  }
  started = true;
  return cudaSuccess;
}

Watch::Watch() {
  Watched.fetch_add(1, std::memory_order_release);
  WatchEpoch.fetch_add(1, std::memory_order_seq_cst);
  if (ParkedWatcher.load(std::memory_order_seq_cst))
    futexWake(WatchEpoch, 1);
}

Watch::~Watch() { Watched.fetch_sub(1, std::memory_order_relaxed); }

bool ValueWait::ready() {
  const guard::DeviceAccess access;
  const uint64_t found =
      wide ? __atomic_load_n(static_cast<const uint64_t *>(address),
                             __ATOMIC_ACQUIRE)
           : __atomic_load_n(static_cast<const uint32_t *>(address),
                             __ATOMIC_ACQUIRE);
  switch (condition) {
  case NotBelow: // as differences of numbers that wrap around
    return wide ? static_cast<int64_t>(found - value) >= 0
                : static_cast<int32_t>(static_cast<uint32_t>(found - value)) >=
                      0;
  case Equal:
    return found == value;
  case AnyBit:
    return found & value;
  default:
    return ~(found | value) & (wide ? ~uint64_t(0) : uint64_t(UINT32_MAX));
  }
}

void ValueWrite::run(uint64_t, uint64_t, Participant &) {
  if (wide)
    __atomic_store_n(static_cast<uint64_t *>(address), value, __ATOMIC_RELEASE);
  else
    __atomic_store_n(static_cast<uint32_t *>(address),
                     static_cast<uint32_t>(value), __ATOMIC_RELEASE);
}

} // namespace cufort::cpu
