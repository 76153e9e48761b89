//===- KernelOutput.cpp - what kernels print on the CPU -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/launches/KernelOutput.h"
#include "runtime/core/KernelOutput.h"
#include "runtime/core/Strided.h"
#include "runtime/cpu/launches/DeviceFunctions.h"
#include "runtime/cpu/launches/Faults.h"
#include "runtime/cpu/launches/KernelOperation.h"
#include "runtime/cpu/launches/KernelPlace.h"
#include "runtime/cpu/streams/Scheduler.h"
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

namespace cufort::cpu {

constinit thread_local RunningBlock Running;
constinit std::atomic<bool> PrintingLaunchEnded{false};

namespace {

struct Record {
  uint64_t launch, nested, block;
  size_t order; ///< among those that wait
  const char *file;
  std::vector<uint64_t> words;
  /// Of C's printf, instead of words.
  std::string text;
  size_t textBytes = 0; ///< 0: no text, or one that has been overwritten
  std::shared_ptr<const PrintingLaunch> printing; ///< whose text it is

  bool isText() const { return words.empty(); }
  auto place() const { return std::tie(launch, nested, block, order); }
  size_t bytes() const { return words.size() * sizeof(uint64_t); }
  void addBytes(const char *bytes, size_t count) {
    const size_t first = words.size();
    words.resize(first + (count + 7) / 8);
    if (count)
      std::memcpy(&words[first], bytes, count);
  }
};

struct Queue {
  std::mutex mutex;
  std::vector<std::unique_ptr<Record>> records;
  std::atomic<size_t> bytes{0};
  std::atomic<size_t> textBytes{0};
  size_t oldestText = 0; ///< no text before it
  size_t nextOrder = 0;

  void add(std::unique_ptr<Record> record) {
    record->order = nextOrder++;
    records.push_back(std::move(record));
  }
};

Queue &queue() {
  static Queue *all = new Queue;
  return *all;
}

/// Calls \p extend(Record &); where there is no memory, the record and the
/// kernel end.
template <typename Extend> void extendRecord(void *opaque, Extend extend) {
  std::unique_ptr<Record> record(static_cast<Record *>(opaque));
  orEndKernel([&] {
    try {
      extend(*record);
    } catch (const std::bad_alloc &) {
      record.reset();
      throw;
    }
  });
  (void)record.release();
}

/// In the order that every run has; the calling thread has its turn.
void print(std::vector<std::unique_ptr<Record>> &records) {
  std::sort(records.begin(), records.end(), [](const auto &a, const auto &b) {
    return a->place() < b->place();
  });
  for (const auto &record : records)
    if (record->isText())
      std::fwrite(record->text.data(), 1, record->text.size(), stdout);
    else
      outputReplay().statement(record->words.data(), record->words.size(),
                               record->file);
}

} // namespace

void deliverKernelOutput() {
  Queue &all = queue();
  if (!all.bytes.load(std::memory_order_acquire) &&
      !all.textBytes.load(std::memory_order_acquire))
    return;
  OutputTurn turn;
  if (!turn)
    return;
  std::vector<std::unique_ptr<Record>> records;
  {
    std::lock_guard lock(all.mutex);
    PrintingLaunchEnded.store(false, std::memory_order_relaxed);
    records.swap(all.records);
    all.bytes.store(0, std::memory_order_relaxed);
    all.textBytes.store(0, std::memory_order_relaxed);
    all.oldestText = 0;
  }
  print(records);
}

void deliverTextOfEnded() {
  OutputTurn turn;
  if (!turn)
    return;
  Queue &all = queue();
  std::vector<std::unique_ptr<Record>> ended;
  {
    std::lock_guard lock(all.mutex);
    ended.reserve(all.records.size());
    // Before looking: who ends from now on says so once more.
    PrintingLaunchEnded.exchange(false, std::memory_order_acq_rel);
    const Record *statement = nullptr; // the first one of Fortran's
    for (const auto &record : all.records)
      if (!record->isText() &&
          (!statement || record->place() < statement->place()))
        statement = record.get();
    size_t held = all.textBytes.load(std::memory_order_relaxed);
    for (auto &record : all.records)
      if (record->isText() && record->printing &&
          record->printing->ended.load(std::memory_order_acquire) &&
          (!statement || record->place() < statement->place())) {
        held -= record->textBytes;
        ended.push_back(std::move(record));
      }
    std::erase(all.records, nullptr);
    all.oldestText = 0;
    all.textBytes.store(held, std::memory_order_relaxed);
  }
  print(ended);
}

std::shared_ptr<const PrintingLaunch> LaunchOperation::printing() {
  if (!prints)
    prints = std::make_shared<PrintingLaunch>();
  return prints;
}

void LaunchOperation::completed() {
  if (checked)
    check::endLaunch(*checked);
  if (!prints) [[likely]]
    return;
  prints->ended.store(true, std::memory_order_release);
  PrintingLaunchEnded.store(true, std::memory_order_release);
}

void keepPrintedText(std::string text, size_t bytes) {
  auto record =
      std::make_unique<Record>(Record{Running.launch,
                                      Running.nested,
                                      Running.block ? *Running.block : 0,
                                      0,
                                      nullptr,
                                      {},
                                      std::move(text),
                                      bytes,
                                      {}});
  Queue &all = queue();
  std::lock_guard lock(all.mutex);
  if (Running.operation)
    record->printing = Running.operation->printing();
  all.add(std::move(record));
  size_t held = all.textBytes.load(std::memory_order_relaxed) + bytes;
  while (held > outputBufferBytes() &&
         all.oldestText + 1 < all.records.size()) {
    Record &oldest = *all.records[all.oldestText++];
    held -= oldest.textBytes;
    oldest.textBytes = 0;
    oldest.text = {};
  }
  all.textBytes.store(held, std::memory_order_release);
}

} // namespace cufort::cpu

using namespace cufort;
using namespace cufort::cpu;

void *device::output_begin(uint32_t item, int32_t unit, const char *file,
                           int32_t line) {
  Record *result = nullptr;
  orEndKernel([&] {
    std::unique_ptr<Record> record(
        new Record{Running.launch,
                   Running.nested,
                   Running.block ? *Running.block : 0,
                   0,
                   file,
                   {},
                   {},
                   0,
                   {}});
    record->words.reserve(16);
    record->words.push_back(item | static_cast<uint64_t>(unit) << 32);
    record->words.push_back(static_cast<uint32_t>(line));
    record->words.push_back(reinterpret_cast<uintptr_t>(file));
    result = record.release();
  });
  return result;
}

void device::output_item(void *record, uint64_t head, uint64_t first,
                         uint64_t second, uint32_t words) {
  extendRecord(record, [&](Record &r) {
    r.words.push_back(head);
    r.words.push_back(first);
    if (words > 1)
      r.words.push_back(second);
  });
}

void device::output_bytes(void *record, uint64_t head, const void *bytes,
                          uint64_t count) {
  extendRecord(record, [&](Record &r) {
    r.words.push_back(head);
    r.addBytes(static_cast<const char *>(bytes), count);
  });
}

void device::output_array(void *opaque, uint64_t head, const void *base,
                          uint64_t elementBytes, uint32_t rank,
                          const int64_t (*dimensions)[3]) {
  StridedView view;
  view.base = static_cast<char *>(const_cast<void *>(base));
  view.elementBytes = elementBytes;
  view.rank = static_cast<int>(rank);
  for (uint32_t i = 0; i < rank; ++i) {
    view.extent[i] = dimensions[i][1];
    view.stride[i] = dimensions[i][2];
  }
  const size_t count = view.elements(), bytes = count * elementBytes;
  extendRecord(opaque, [&](Record &record) {
    record.words.push_back(head | static_cast<uint64_t>(count) << 32);
    record.words.push_back(elementBytes);
    std::vector<char> packed(bytes);
    if (bytes)
      copyStridedOnHost(contiguousLike(view, packed.data()), view);
    record.addBytes(packed.data(), bytes);
  });
}

void device::output_end(void *opaque) {
  size_t bytes = 0;
  orEndKernel([&] {
    std::unique_ptr<Record> record(static_cast<Record *>(opaque));
    record->words.push_back(CUFORT_OUTPUT_END);
    const size_t own = record->bytes();
    Queue &all = queue();
    std::lock_guard lock(all.mutex);
    all.add(std::move(record));
    bytes = all.bytes.fetch_add(own, std::memory_order_release) + own;
  });
  // Nothing is lost here: who finds the buffer full, empties it.
  if (bytes > outputBufferBytes())
    deliverKernelOutput();
}

void device::kernel_stop(uint32_t kind, int32_t code, const char *text,
                         uint64_t bytes, const char *file, int32_t line) {
  // What host programs say of stops is read by others; -g asks for more.
  const KernelPlace place =
      currentPlace(static_cast<const char *>(__builtin_extract_return_addr(
                       __builtin_return_address(0))) -
                   1);
  if (place.onFibersOnly && !(kind & CUFORT_STOP_QUIET))
    reportAt(place, "the kernel stops the program",
             file && *file ? file : nullptr, static_cast<unsigned>(line));
  stopForKernel({kind, code, std::string(text ? text : "", bytes),
                 file ? file : "", line},
                Scheduler::wakeAllWaiters);
}
