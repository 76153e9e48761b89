//===- Activity.cpp - when a device did what, from CUPTI ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/Activity.h"
#include "runtime/core/process/FaultInjection.h"
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace cufort::cuda {

constinit std::atomic<Activity *> Activity::active{nullptr};

namespace {

// What follows is CUPTI's, by its documentation (CUPTI 11 and later): kinds of
// records, and how these begin. Later versions append to them.
constexpr int CopyRecord = 1, FillRecord = 2, DriverRecord = 4,
              KernelRecord = 10, PeerCopyRecord = 22, ExternalRecord = 39;
constexpr int OurCorrelation = 3;
constexpr uint32_t FlushAll = 1;

struct KernelActivity {
  int kind;
  uint8_t cacheConfig, sharedMemoryConfig;
  uint16_t registers;
  uint32_t partitionedCache[2];
  uint64_t begin, end, completed;
  uint32_t device, context, stream;
  image::Dim3 grid, block;
  int32_t staticShared, dynamicShared;
  uint32_t localPerThread, localTotal, correlation;
  int64_t gridNumber;
  const char *name;
};
static_assert(offsetof(KernelActivity, correlation) == 92 &&
              offsetof(KernelActivity, name) == 104);

struct CopyActivity {
  int kind;
  uint8_t kinds[4];
  uint64_t bytes, begin, end;
  uint32_t device, context, stream, correlation;
};
static_assert(offsetof(CopyActivity, correlation) == 44);

struct PeerCopyActivity {
  int kind;
  uint8_t kinds[4];
  uint64_t bytes, begin, end;
  uint32_t device, context, stream, from[4], correlation;
};

/// Packed: the number is not where a structure would have it.
struct ExternalActivity {
  int kind, whose;
  uint64_t number;
  uint32_t correlation;
};

struct Functions {
  int (*registerCallbacks)(void (*)(uint8_t **, size_t *, size_t *),
                           void (*)(void *, uint32_t, uint8_t *, size_t,
                                    size_t));
  int (*enable)(int kind);
  int (*flushAll)(uint32_t flags);
  int (*nextRecord)(uint8_t *buffer, size_t bytes, void **record);
  int (*pushNumber)(int whose, uint64_t number);
  int (*popNumber)(int whose, uint64_t *last);
  int (*timestamp)(uint64_t *time);
  // Later versions have these.
  int (*setClock)(uint64_t (*clock)());
  int (*setFlushPeriod)(uint32_t milliseconds);
};

/// CUPTI, or null.
void *openLibrary() {
  const char *chosen = std::getenv("CUFORT_CUPTI");
  if (chosen && *chosen)
    return std::strcmp(chosen, "0") ? dlopen(chosen, RTLD_NOW | RTLD_LOCAL)
                                    : nullptr;
  constexpr const char *Folders[] = {"", "/usr/local/cuda/extras/CUPTI/lib64/",
                                     "/usr/local/cuda/lib64/"},
                       *Files[] = {"libcupti.so.13", "libcupti.so.12",
                                   "libcupti.so"};
  for (const char *file : Files)
    for (const char *folder : Folders)
      if (void *opened = dlopen((std::string(folder) + file).c_str(),
                                RTLD_NOW | RTLD_LOCAL))
        return opened;
  return nullptr;
}

bool load(void *library, Functions &functions) {
  const auto find = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
        dlsym(library, name));
    return function != nullptr;
  };
  find(functions.setClock, "cuptiActivityRegisterTimestampCallback");
  find(functions.setFlushPeriod, "cuptiActivityFlushPeriod");
  return find(functions.registerCallbacks, "cuptiActivityRegisterCallbacks") &&
         find(functions.enable, "cuptiActivityEnable") &&
         find(functions.flushAll, "cuptiActivityFlushAll") &&
         find(functions.nextRecord, "cuptiActivityGetNextRecord") &&
         find(functions.pushNumber, "cuptiActivityPushExternalCorrelationId") &&
         find(functions.popNumber, "cuptiActivityPopExternalCorrelationId") &&
         find(functions.timestamp, "cuptiGetTimestamp");
}

/// Some thousand records, which come together.
constexpr size_t BufferBytes = 256 * 1024;
/// Of work whose records never came: a failed launch has none.
constexpr size_t MostWaiting = 100000;
/// A program that is killed leaves a timeline up to here.
constexpr uint32_t FlushMilliseconds = 200;

class Cupti final : public Activity {
public:
  /// Whether records come.
  bool start(void *library) {
    if (!load(library, functions))
      return false;
    only = this;
    if (functions.registerCallbacks(giveBuffer, takeBuffer))
      return false;
    if (!functions.setClock || functions.setClock(profile::now)) {
      uint64_t theirs = 0;
      if (functions.timestamp(&theirs))
        return false;
      clockOffset = profile::now() - theirs;
    }
    // Without records of the driver's calls there are none of their numbers.
    for (int kind : {KernelRecord, CopyRecord, FillRecord, PeerCopyRecord,
                     DriverRecord, ExternalRecord})
      if (functions.enable(kind))
        return false;
    if (functions.setFlushPeriod)
      functions.setFlushPeriod(FlushMilliseconds);
    active.store(this, std::memory_order_release);
    return true;
  }

  void begin(profile::Recorder &recorder, profile::Work &work) override {
    recorder.submitted(work);
    uint64_t number = 0;
    (void)catchExhaustion([&] {
      std::lock_guard guard(mutex);
      number = ++last;
      waiting.emplace(number, work);
      if (waiting.size() > MostWaiting)
        waiting.erase(waiting.begin());
      return cudaSuccess;
    });
    functions.pushNumber(OurCorrelation, number);
  }

  void end(bool submitted) override {
    uint64_t number = 0;
    functions.popNumber(OurCorrelation, &number);
    if (submitted)
      return;
    std::lock_guard guard(mutex);
    waiting.erase(number);
  }

  void flush() override { functions.flushAll(FlushAll); }

  /// All that has ended, kernels of other libraries as well.
  void deliver(profile::Recorder &recorder) {
    flush();
    std::lock_guard guard(mutex);
    for (const auto &[correlation, what] : unknown)
      if (what.kernel) {
        profile::Work work;
        work.device = static_cast<int>(what.device);
        work.stream = reinterpret_cast<const void *>(uintptr_t(what.stream));
        tell(recorder, what, work, true);
      }
    unknown.clear();
  }

  static Cupti *only;

private:
  /// What ran; \c kernel: its name, of a kernel.
  struct Ran {
    uint32_t correlation;
    uint64_t begin, end;
    const char *kernel = nullptr;
    image::Dim3 grid{}, block{};
    int registers = 0;
    uint32_t sharedBytes = 0, device = 0, stream = 0;
  };

  static void giveBuffer(uint8_t **buffer, size_t *bytes, size_t *records) {
    *buffer = static_cast<uint8_t *>(std::aligned_alloc(8, BufferBytes));
    *bytes = *buffer ? BufferBytes : 0;
    *records = 0; // as many as there is room for
  }

  static void takeBuffer(void *, uint32_t, uint8_t *buffer, size_t,
                         size_t bytes) {
    if (profile::Recorder *recorder = profile::recorder())
      (void)catchExhaustion([&] {
        std::lock_guard guard(only->mutex);
        only->read(*recorder, buffer, bytes);
        return cudaSuccess;
      });
    std::free(buffer);
  }

  template <typename Record> static Record copyOf(const void *record) {
    Record its;
    std::memcpy(&its, record, sizeof its);
    return its;
  }
  template <typename Record> void copied(profile::Recorder &to, void *record) {
    const auto its = copyOf<Record>(record);
    ran(to, {its.correlation, its.begin, its.end});
  }

  void read(profile::Recorder &recorder, uint8_t *buffer, size_t bytes) {
    for (void *record = nullptr; !functions.nextRecord(buffer, bytes, &record);)
      switch (*static_cast<int *>(record)) {
      case ExternalRecord: {
        const auto its = copyOf<ExternalActivity>(record);
        if (its.whose != OurCorrelation)
          break;
        numbers[its.correlation] = its.number;
        // A kernel's record may come before that of its launch.
        const auto [first, last] = unknown.equal_range(its.correlation);
        std::vector<Ran> all;
        for (auto each = first; each != last; ++each)
          all.push_back(each->second);
        unknown.erase(first, last);
        for (const Ran &each : all)
          ran(recorder, each);
        break;
      }
      case KernelRecord: {
        const auto its = copyOf<KernelActivity>(record);
        // The name is CUPTI's for as long as its module is there.
        ran(recorder, {its.correlation, its.begin, its.end,
                       names.insert(its.name ? its.name : "").first->c_str(),
                       its.grid, its.block, its.registers,
                       uint32_t(its.staticShared + its.dynamicShared),
                       its.device, its.stream});
        break;
      }
      case CopyRecord:
      case FillRecord:
        copied<CopyActivity>(recorder, record);
        break;
      case PeerCopyRecord:
        copied<PeerCopyActivity>(recorder, record);
        break;
      default:
        break;
      }
  }

  void ran(profile::Recorder &recorder, const Ran &what) {
    const auto number = numbers.find(what.correlation);
    if (number == numbers.end()) {
      unknown.emplace(what.correlation, what);
      if (unknown.size() > MostWaiting)
        unknown.erase(unknown.begin());
      return;
    }
    const auto found = waiting.find(number->second);
    if (found == waiting.end())
      return;
    const profile::Work work = found->second;
    const bool isGraph = !*work.name && work.kind == profile::WorkKind::Kernel;
    if (!isGraph) {
      waiting.erase(found);
      numbers.erase(number);
      tell(recorder, what, work, false);
    } else if (what.kernel) { // copies of graphs are not told apart
      tell(recorder, what, work, true);
    }
  }

  /// \p named: the record says which kernel it was.
  void tell(profile::Recorder &recorder, const Ran &what, profile::Work work,
            bool named) const {
    if (named) {
      work.name = what.kernel;
      work.grid = what.grid;
      work.block = what.block;
      work.registers = what.registers;
      work.sharedBytes = what.sharedBytes;
    }
    work.begin = what.begin + clockOffset;
    work.end = what.end + clockOffset;
    recorder.ended(work);
  }

  Functions functions{};
  uint64_t clockOffset = 0;
  std::mutex mutex; ///< guards what follows
  uint64_t last = 0;
  std::map<uint64_t, profile::Work> waiting;
  /// Of the driver's calls by CUPTI's numbers for them.
  std::unordered_map<uint32_t, uint64_t> numbers;
  /// By CUPTI's numbers, too: of graphs and libraries, or not known yet.
  std::multimap<uint32_t, Ran> unknown;
  std::set<std::string, std::less<>> names;
};

Cupti *Cupti::only = nullptr;

} // namespace

void Activity::open() {
  static std::once_flag once;
  std::call_once(once, [] {
    profile::Recorder *recorder = profile::recorder();
    void *library = recorder ? openLibrary() : nullptr;
    if (!library)
      return;
    auto *made = new Cupti;
    if (made->start(library))
      recorder->askBefore([] {
        if (profile::Recorder *to = profile::recorder())
          Cupti::only->deliver(*to);
      });
  });
}

} // namespace cufort::cuda
