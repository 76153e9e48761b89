//===- SharedEvents.cpp - events of several processes ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/streams/SharedEvents.h"
#include "runtime/core/process/FaultInjection.h"
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cufort::cpu {

/// What the processes share; all zeros before the first recording.
struct SharedEvent::Page {
  /// Recordings that may be on their way at the same time, in different
  /// streams; one of more takes the place of that many numbers before.
  static constexpr unsigned Places = 256;

  std::atomic<uint64_t> recorded;
  std::atomic<uint64_t> done[Places]; ///< the highest number with this rest
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

namespace {

/// What an IpcHandle holds: a file that the other process opens by way of
/// /proc.
struct Description {
  char magic[8];
  int process, file;
};
static_assert(sizeof(Description) <= sizeof(IpcHandle));

constexpr char Magic[8] = {'c', 'u', 'f', 'o', 'r', 't', 'S', 'E'};

} // namespace

/// Takes \p opened over.
Error SharedEvent::map(int opened, std::shared_ptr<SharedEvent> *event) {
  void *memory = faultDue("map")
                     ? MAP_FAILED
                     : mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE,
                            MAP_SHARED, opened, 0);
  if (memory == MAP_FAILED) {
    close(opened);
    return cudaErrorOperatingSystem;
  }
  SharedEvent *made = nullptr;
  try {
    made = new SharedEvent(opened, static_cast<Page *>(memory));
  } catch (const std::bad_alloc &) {
    munmap(memory, sizeof(Page));
    close(opened);
    throw;
  }
  event->reset(made); // Ends it where there is no memory for the count.
  return cudaSuccess;
}

Error SharedEvent::create(std::shared_ptr<SharedEvent> *event) {
  const int fresh =
      faultDue("map") ? -1 : memfd_create("cufort-event", MFD_CLOEXEC);
  if (fresh < 0)
    return cudaErrorOperatingSystem;
  if (ftruncate(fresh, sizeof(Page))) {
    close(fresh);
    return cudaErrorOperatingSystem;
  }
  return map(fresh, event);
}

Error SharedEvent::open(const IpcHandle &handle,
                        std::shared_ptr<SharedEvent> *event) {
  Description description;
  std::memcpy(&description, &handle, sizeof(description));
  if (std::memcmp(description.magic, Magic, sizeof(Magic)) != 0)
    return cudaErrorMapBufferObjectFailed;
  char path[64];
  std::snprintf(path, sizeof(path), "/proc/%d/fd/%d", description.process,
                description.file);
  const int opened = ::open(path, O_RDWR | O_CLOEXEC);
  struct stat status;
  if (opened < 0)
    return cudaErrorInvalidResourceHandle; // The other process has ended.
  if (fstat(opened, &status) ||
      status.st_size != static_cast<off_t>(sizeof(Page))) {
    close(opened);
    return cudaErrorInvalidResourceHandle;
  }
  return map(opened, event);
}

SharedEvent::~SharedEvent() {
  munmap(page, sizeof(Page));
  close(file);
}

void SharedEvent::describe(IpcHandle *handle) const {
  Description description{};
  std::memcpy(description.magic, Magic, sizeof(Magic));
  description.process = getpid();
  description.file = file;
  *handle = {};
  std::memcpy(handle, &description, sizeof(description));
}

uint64_t SharedEvent::begin() { return page->recorded.fetch_add(1) + 1; }

uint64_t SharedEvent::last() const { return page->recorded.load(); }

void SharedEvent::finish(uint64_t number) {
  std::atomic<uint64_t> &place = page->done[number % Page::Places];
  for (uint64_t before = place.load();
       before < number && !place.compare_exchange_weak(before, number);) {
  }
}

bool SharedEvent::isDone(uint64_t number) const {
  return page->done[number % Page::Places].load() >= number;
}

} // namespace cufort::cpu
