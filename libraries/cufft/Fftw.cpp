//===- Fftw.cpp - FFTW, as far as plans need it ---------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cufft/Fftw.h"
#include "libraries/common/HostLibrary.h"
#include "libraries/common/TeamThreads.h"
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace cufort::cufft {

using namespace cufort::libraries;

namespace {

constexpr const char *DoubleFiles[] = {"libfftw3_threads.so.3", nullptr};
constexpr const char *SingleFiles[] = {"libfftw3f_threads.so.3", nullptr};
constinit HostLibrary Double("FFTW", DoubleFiles, "libfftw3-double3");
constinit HostLibrary Single("FFTW", SingleFiles, "libfftw3-single3");

/// FFTW's planner is one for all plans of a process.
std::mutex Planner;

/// How long FFTW may measure for one plan, in seconds.
constexpr double PlanningSeconds = 2.0;

/// One of FFTW's loops over threads: \p jobs calls of \p work.
void runJobs(void *(*work)(char *), char *data, size_t bytes, int jobs,
             void *) {
  const auto job = [=](uint64_t i) { work(data + bytes * i); };
  if (Team *team = TeamScope::current()) {
    // A job may have a loop of its own.
    team->forEach(static_cast<uint64_t>(jobs), [&](uint64_t i) {
      const TeamScope scope(*team);
      job(i);
    });
    return;
  }
  // The program's own calls of FFTW: threads, as without us.
  std::vector<std::thread> threads;
  for (int i = 1; i < jobs; ++i)
    threads.emplace_back(job, i);
  job(0);
  for (std::thread &each : threads)
    each.join();
}

} // namespace

bool Fftw::load(bool isDouble) {
  HostLibrary &library = isDouble ? Double : Single;
  const std::string prefix = isDouble ? "fftw_" : "fftwf_";
  bool complete = library.present();
  const auto take = [&](auto &function, const char *name) {
    using Function = std::remove_reference_t<decltype(*function)>;
    if (complete) {
      function = library.function<Function>((prefix + name).c_str());
      complete = function;
    }
  };
  int (*initialise)() = nullptr;
  void (*setCallback)(void (*)(void *(*)(char *), char *, size_t, int, void *),
                      void *) = nullptr;
  take(planComplex, "plan_guru64_dft");
  take(planToComplex, "plan_guru64_dft_r2c");
  take(planToReal, "plan_guru64_dft_c2r");
  take(executeComplex, "execute_dft");
  take(executeToComplex, "execute_dft_r2c");
  take(executeToReal, "execute_dft_c2r");
  take(destroyPlan, "destroy_plan");
  take(alignment, "alignment_of");
  take(setTimeLimit, "set_timelimit");
  take(setThreads, "plan_with_nthreads");
  take(initialise, "init_threads");
  take(setCallback, "threads_set_callback");
  if (!complete || !initialise())
    return false;
  setCallback(runJobs, nullptr);
  return true;
}

template <bool IsDouble> static const Fftw *loaded(bool (Fftw::*load)(bool)) {
  static Fftw library;
  static const bool present = (library.*load)(IsDouble);
  return present ? &library : nullptr;
}

const Fftw *Fftw::ofPrecision(bool isDouble) {
  return isDouble ? loaded<true>(&Fftw::load) : loaded<false>(&Fftw::load);
}

void *Fftw::plan(const TransformShape &shape, void *input, void *output,
                 unsigned flags, unsigned threads) const {
  std::lock_guard lock(Planner);
  setThreads(static_cast<int>(threads));
  setTimeLimit(PlanningSeconds);
  const int rank = shape.rank;
  switch (shape.kind) {
  case Kind::Complex:
    return planComplex(rank, shape.dimensions, 1, &shape.batch, input, output,
                       shape.sign, flags);
  case Kind::RealToComplex:
    return planToComplex(rank, shape.dimensions, 1, &shape.batch, input, output,
                         flags);
  case Kind::ComplexToReal:
    return planToReal(rank, shape.dimensions, 1, &shape.batch, input, output,
                      flags);
  }
  __builtin_unreachable();
}

void Fftw::execute(void *plan, Kind kind, void *input, void *output) const {
  switch (kind) {
  case Kind::Complex:
    return executeComplex(plan, input, output);
  case Kind::RealToComplex:
    return executeToComplex(plan, input, output);
  case Kind::ComplexToReal:
    return executeToReal(plan, input, output);
  }
}

void Fftw::destroy(void *plan) const {
  std::lock_guard lock(Planner);
  destroyPlan(plan);
}

int Fftw::alignmentOf(void *memory) const { return alignment(memory); }

} // namespace cufort::cufft
