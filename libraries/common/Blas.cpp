//===- Blas.cpp - the system's BLAS and LAPACK ----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/common/Blas.h"
#include "libraries/common/HostLibrary.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <utility>

namespace cufort::libraries {

namespace {

// Debian's alternatives decide what these are; OpenBLAS has both.
constexpr const char *BlasFiles[] = {"libopenblas.so.0", "libblas.so.3",
                                     nullptr};
constexpr const char *LapackFiles[] = {"libopenblas.so.0", "liblapack.so.3",
                                       nullptr};
constinit HostLibrary Blas("BLAS", BlasFiles, "libopenblas0-pthread");
constinit HostLibrary Lapack("LAPACK", LapackFiles, "libopenblas0-pthread");

/// A variable of the environment that is set while this lives, unless the user
/// has set it.
class TemporaryVariable {
public:
  TemporaryVariable(const char *name, const char *value) : name(name) {
    set = value && !std::getenv(name) && !setenv(name, value, 0);
  }
  ~TemporaryVariable() {
    if (set)
      unsetenv(name);
  }

private:
  const char *const name;
  bool set;
};

/// The kind of processor that OpenBLAS, open as \p blas, is to take this one
/// for; null: what it has found. OpenBLAS takes processors that are newer than
/// itself for ones of 2004 (0.3.21 does on Intel's after Sapphire Rapids):
/// products then have a sixth of the speed, and its `symv` for those ends with
/// a segmentation fault where it has many threads.
const char *betterProcessor([[maybe_unused]] void *blas) {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    return nullptr;
  auto *nameOf =
      reinterpret_cast<char *(*)()>(dlsym(blas, "openblas_get_corename"));
  const char *name = nameOf ? nameOf() : "";
  for (const char *old : {"Prescott", "Core2", "Nehalem", "Generic"})
    if (std::strcmp(name, old) == 0)
      return __builtin_cpu_supports("avx512vl") ? "SkylakeX" : "Haswell";
#endif
  return nullptr;
}

/// Opens BLAS. OpenBLAS's threads turn for 30 milliseconds after a call, unless
/// told otherwise when it is opened, on cores that kernels are to have.
bool openBlas(bool quietly) {
  static const bool present = [] {
    constexpr const char *Processor = "OPENBLAS_CORETYPE";
    TemporaryVariable timeout("OPENBLAS_THREAD_TIMEOUT", "18");
    void *first = std::getenv(Processor)
                      ? nullptr
                      : dlopen(BlasFiles[0], RTLD_NOW | RTLD_LOCAL);
    const char *better = first ? betterProcessor(first) : nullptr;
    if (better) // It looks for its processor when it is loaded.
      dlclose(std::exchange(first, nullptr));
    TemporaryVariable processor(Processor, better);
    const bool opened = Blas.presentQuietly();
    if (first)
      dlclose(first);
    return opened;
  }();
  // Which says that it is not there.
  return present || (!quietly && Blas.present());
}

/// OpenBLAS's number of threads, and what is asked of it at the moment.
struct Setting {
  std::mutex mutex;
  int (*get)() = nullptr;
  void (*set)(int) = nullptr;
  unsigned serial = 0, parallel = 0; ///< how many BlasThreads live
  int threads = 1;                   ///< of the parallel ones
  int before = 1;                    ///< the program's own

  Setting() {
    if (!openBlas(true))
      return;
    get = Blas.function<int()>("openblas_get_num_threads", false);
    set = Blas.function<void(int)>("openblas_set_num_threads", false);
  }

  void apply() const {
    const int wanted = serial ? 1 : parallel ? threads : before;
    if (get() != wanted)
      set(wanted);
  }
};

Setting &setting() {
  static auto *setting = new Setting;
  return *setting;
}

} // namespace

bool blasPresent(bool quietly) { return openBlas(quietly); }

bool lapackPresent() {
  // OpenBLAS is opened as such.
  return openBlas(false) && Lapack.present();
}

void *blasSymbol(const char *name, bool optional) {
  if (!openBlas(false))
    return nullptr;
  if (void *found = Blas.symbol(name, false))
    return found;
  if (!Lapack.present())
    return nullptr;
  void *found = Lapack.symbol(name, false);
  if (!found && !optional)
    std::fprintf(stderr,
                 "cufort: error: the BLAS and LAPACK that this system has lack "
                 "%s; Debian's package libopenblas0-pthread has it\n",
                 name);
  return found;
}

BlasThreads::BlasThreads(unsigned threads) : serial(threads <= 1) {
  Setting &s = setting();
  if (!s.set || !s.get)
    return;
  std::lock_guard lock(s.mutex);
  if (s.serial + s.parallel == 0)
    s.before = s.get();
  if (!serial)
    s.threads = static_cast<int>(threads);
  ++(serial ? s.serial : s.parallel);
  s.apply();
}

BlasThreads::~BlasThreads() {
  Setting &s = setting();
  if (!s.set || !s.get)
    return;
  std::lock_guard lock(s.mutex);
  --(serial ? s.serial : s.parallel);
  s.apply();
}

} // namespace cufort::libraries
