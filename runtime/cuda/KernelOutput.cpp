//===- KernelOutput.cpp - what kernels print on a GPU ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/KernelOutput.h"
#include "runtime/core/KernelOutput.h"
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <vector>

namespace cufort::cuda {

namespace {

constexpr uint64_t NotWhole = uint64_t(1) << 63;

/// What the device writes while the host reads.
template <typename T> T load(T &place) {
  return std::atomic_ref<T>(place).load(std::memory_order_acquire);
}

template <typename T> void store(T &place, T value) {
  std::atomic_ref<T>(place).store(value, std::memory_order_release);
}

} // namespace

std::unique_ptr<KernelOutput> KernelOutput::open(const Driver &driver,
                                                 CUdeviceptr channel,
                                                 size_t bytes, Error *error) {
  std::unique_ptr<KernelOutput> output(new KernelOutput(driver, channel));
  *error = output->resize(bytes);
  return *error == cudaSuccess ? std::move(output) : nullptr;
}

Error KernelOutput::resize(size_t bytes) {
  const uint64_t count =
      std::max<uint64_t>(16, bytes / sizeof(CufortOutputSlot));
  constexpr unsigned PortableAndMapped = 3;
  void *newSlots = nullptr, *newMailbox = mailbox;
  CUdeviceptr newRecords = 0;
  CUresult code = driver.memHostAlloc(
      &newSlots, count * sizeof(CufortOutputSlot), PortableAndMapped);
  if (!code)
    code = driver.memAlloc(&newRecords, count * sizeof(CufortOutputRecord));
  if (!code && !mailbox)
    code = driver.memHostAlloc(&newMailbox, sizeof(CufortOutputMailbox),
                               PortableAndMapped);
  if (!code) {
    std::memset(newSlots, 0, count * sizeof(CufortOutputSlot));
    std::memset(newMailbox, 0, sizeof(CufortOutputMailbox));
    auto *box = static_cast<CufortOutputMailbox *>(newMailbox);
    box->limit = count;
    CufortOutputChannel content{};
    content.slotCount = count;
    // Pinned memory has one address for host and device.
    content.slots = static_cast<CufortOutputSlot *>(newSlots);
    content.records = reinterpret_cast<CufortOutputRecord *>(newRecords);
    content.mailbox = box;
    code = driver.copyToDevice(channel, &content, sizeof(content));
  }
  if (code) {
    if (newSlots)
      driver.memFreeHost(newSlots);
    if (newRecords)
      driver.memFree(newRecords);
    if (newMailbox && newMailbox != mailbox)
      driver.memFreeHost(newMailbox);
    return errorOf(code);
  }
  if (slots)
    driver.memFreeHost(slots);
  if (records)
    driver.memFree(records);
  slots = static_cast<CufortOutputSlot *>(newSlots);
  mailbox = static_cast<CufortOutputMailbox *>(newMailbox);
  records = newRecords;
  slotCount = limit = count;
  next = lostBefore = 0;
  continuations.clear();
  return cudaSuccess;
}

Error KernelOutput::close() {
  CUresult code = 0;
  const auto free = [&](auto &place, auto release) {
    if (place && !code)
      code = release(place);
    if (!code)
      place = {};
  };
  const auto freeHost = [&](void *memory) {
    return driver.memFreeHost(memory);
  };
  free(slots, freeHost);
  free(mailbox, freeHost);
  free(records, [&](CUdeviceptr memory) { return driver.memFree(memory); });
  return errorOf(code);
}

bool KernelOutput::print(uint64_t number) {
  CufortOutputSlot *slot = &slots[number % slotCount];
  const uint64_t stamp = load(slot->stamp);
  if ((stamp & ~NotWhole) != number + 1)
    return false;
  std::vector<uint64_t> words;
  for (;;) {
    words.insert(words.end(), std::begin(slot->words), std::end(slot->words));
    if (!slot->next)
      break;
    continuations.insert(slot->next - 1);
    slot = &slots[(slot->next - 1) % slotCount];
  }
  // The source file's name is on the device, perhaps out of reach.
  if (!(stamp & NotWhole))
    outputReplay().statement(words.data(), words.size(), nullptr);
  return true;
}

void KernelOutput::printPrefix() {
  const uint64_t before = next;
  while (next < limit && (continuations.erase(next) || print(next)))
    ++next;
  if (next == before)
    return;
  limit = next + slotCount;
  store(mailbox->limit, static_cast<unsigned long long>(limit));
}

/// Slots ran out: only when no kernel runs it is known which ones were refused.
void KernelOutput::recover() {
  CufortOutputChannel content{};
  const bool gone = driver.contextSynchronize() ||
                    driver.copyToHost(&content, channel, sizeof(content));
  const uint64_t end = gone ? limit : content.reserved;
  for (; next < std::min(end, limit); ++next)
    if (!continuations.erase(next))
      print(next);
  next = std::max(next, end);
  continuations.clear();
  limit = next + slotCount;
  store(mailbox->overflowed, 0u);
  store(mailbox->limit, static_cast<unsigned long long>(limit));
  if (content.lost == lostBefore)
    return;
  outputReplay().flush();
  std::fprintf(stderr,
               "warning: %llu output statements of kernels were lost because "
               "the buffer of %llu bytes was full\n  what to do: synchronise "
               "more often, or make it larger with "
               "cudaDeviceSetLimit(cudaLimitPrintfFifoSize, bytes)\n",
               content.lost - lostBefore,
               static_cast<unsigned long long>(slotCount) *
                   sizeof(CufortOutputSlot));
  lostBefore = content.lost;
}

void KernelOutput::deliver(bool over) {
  if (!slots) // closed
    return;
  printPrefix();
  if (load(mailbox->overflowed))
    recover();
  const bool stopped = load(mailbox->stopped);
  if (over || stopped)
    for (; next < limit; ++next)
      if (!continuations.erase(next))
        print(next);
  if (!stopped)
    return;
  const CufortOutputMailbox &box = *mailbox;
  stopForKernel({box.stopKind, box.stopCode,
                 std::string(box.stopText, box.stopTextBytes),
                 std::string(box.stopFile, box.stopFileBytes), box.stopLine});
}

} // namespace cufort::cuda
