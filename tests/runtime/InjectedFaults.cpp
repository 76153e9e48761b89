//===- InjectedFaults.cpp - every internal call fails once, on the CPU ----===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs a runtime with fault injection. Each call fails in turn; the API must
// say so, work again, and have lost nothing.
//
//===----------------------------------------------------------------------===//

#include "Descriptors.h"
#include "TestImage.h"
#include "Workload.h"
#include "runtime/core/Registry.h"
#include "runtime/core/process/FaultInjection.h"
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace cufort;

extern "C" int __cufort_cpu_vprintf(const char *format, const char *arguments);

namespace {

char printStub;

void print(const char *, const image::CpuLaunch *, const image::Dim3 *,
           uint32_t, const image::CpuWorkspace *) {
  __cufort_cpu_vprintf("", nullptr);
}

const image::Kernel kernels[] = {
    {"print", nullptr, 0, 0, 0, 0, 0, 0, {print, nullptr, nullptr}, nullptr}};
const image::Image printImage = {image::Magic, image::Version, 1,      0, 0, 0,
                                 kernels,      nullptr,        nullptr};
image::OffloadEntry entries[] = {
    {0, 1, 2, 0, &printStub, const_cast<char *>("print"), 0, 0, nullptr}};

[[gnu::constructor]] void registerPrintImage() {
  setenv("CUFORT_CPU_DEVICES", "2", 1);
  __cufort_register_image(&printImage, entries, entries + 1);
}

WorkloadProgram programWith(const void *cooperative) {
  return {&testimage::setStub,
          cooperative,
          &printStub,
          testimage::deviceVariableShadow,
          true,
          CUFORT_TEST_MODULE,
          false};
}
const WorkloadProgram program = programWith(nullptr);
/// The fibers of cooperative blocks stay with the threads that happen to run
/// them, so what lives after a run is not always the same.
const WorkloadProgram cooperating = programWith(&testimage::gridBarrierStub);

//===----------------------------------------------------------------------===//
// The start, in fresh processes: before anything else here uses a device
//===----------------------------------------------------------------------===//

struct Ended {
  int status;
  std::string text;
};

enum : int { Worked = 40, WorkedWithoutFault = 41, Wrong = 42 };

/// What becomes of a program with CUFORT_FAULTS=\p faults.
template <typename Program> Ended inChild(const char *faults, Program program) {
  int ends[2];
  if (pipe(ends))
    return {-1, "no pipe"};
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 2);
    setenv("CUFORT_FAULTS", faults, 1);
    std::exit(program());
  }
  close(ends[1]);
  Ended ended{0, ""};
  char bytes[512];
  for (ssize_t count; (count = read(ends[0], bytes, sizeof(bytes))) > 0;)
    ended.text.append(bytes, static_cast<size_t>(count));
  close(ends[0]);
  waitpid(child, &ended.status, 0);
  ended.status = WIFEXITED(ended.status) ? WEXITSTATUS(ended.status) : -1;
  return ended;
}

/// Uses the device for the first time; whether it works is the exit status.
int start() {
  void *memory = nullptr;
  const cudaError_t error = cudaMalloc(&memory, 100);
  if (error != cudaSuccess && (error != cudaErrorMemoryAllocation ||
                               cudaMalloc(&memory, 100) != cudaSuccess)) {
    std::fprintf(stderr, "cudaMalloc: %s\n", cudaGetErrorName(error));
    return Wrong;
  }
  if (cudaFree(memory) != cudaSuccess && cudaFree(memory) != cudaSuccess)
    return Wrong;
  if (cudaDeviceSynchronize() != cudaSuccess &&
      cudaDeviceSynchronize() != cudaSuccess)
    return Wrong;
  return faultsFired() ? Worked : WorkedWithoutFault;
}

TEST(Start, WithoutMemory) {
  unsigned stopped = 0, worked = 0;
  for (int n = 1;; ++n) {
    ASSERT_LT(n, 1000);
    const std::string faults = "alloc:" + std::to_string(n);
    const Ended ended = inChild(faults.c_str(), start);
    if (ended.status == WorkedWithoutFault)
      break;
    if (ended.status == 1) {
      EXPECT_NE(ended.text.find("error: starting the "), std::string::npos)
          << faults << ": " << ended.text;
      ++stopped;
    } else {
      EXPECT_EQ(ended.status, Worked) << faults << ": " << ended.text;
      ++worked;
    }
  }
  EXPECT_GT(stopped, 0u);
  EXPECT_GT(worked, 0u);
}

TEST(Start, WithoutThreads) {
  const auto alone = [] {
    setenv("CUFORT_CPU_DEVICES", "1", 1);
    return start();
  };
  // One for the functions of the program and at least one worker.
  for (const char *faults : {"thread:1", "thread:2"}) {
    const Ended none = inChild(faults, alone);
    EXPECT_EQ(none.status, 1);
    EXPECT_NE(none.text.find("the system refuses new threads"),
              std::string::npos)
        << none.text;
  }
  const Ended fewer = inChild("thread:3", alone);
  EXPECT_EQ(fewer.status, Worked);
  EXPECT_NE(fewer.text.find("warning: the system refuses new threads: the CPU "
                            "works with 2 threads instead of 4"),
            std::string::npos)
      << fewer.text;
}

/// What a Fortran program calls, with stat= where there is one. Exit status: 0,
/// or that of the runtime's stop.
int fortran() {
  const auto array = [] {
    return describe<double>(nullptr, {20, 30}, Allocatable, 2);
  };
  const auto tryAllocate = [](Array &a) {
    // Once more where this is the call that has to fail.
    for (int i = 0; i < 2; ++i)
      if (const int stat = _FortranACUFAllocatableAllocate(
              a, nullptr, nullptr, true, nullptr, "prog.cuf", 3, true);
          !stat)
        return true;
      else if (stat != 19)
        return false;
    return false;
  };
  Array a = array(), b = array();
  if (!tryAllocate(a) || !tryAllocate(b))
    return Wrong;
  std::vector<double> values(600, 2.0), back(600);
  Array host = describe(values.data(), {20, 30}),
        result = describe(back.data(), {20, 30});
  _FortranACUFDataTransferDescDesc(a, host, 0, "prog.cuf", 4);
  Array left = section(b, {{20, 1, -2}, {1, 30, 3}}),
        right = section(a, {{1, 20, 2}, {1, 30, 3}});
  double value = 1.0;
  _FortranACUFMemsetDescriptor(b, &value, "prog.cuf", 5);
  _FortranACUFDataTransferDescDesc(left, right, 2, "prog.cuf", 6);
  // An array that overlaps itself goes through a temporary.
  Array up = section(b, {{2, 20, 1}, {1, 30, 1}}),
        down = section(b, {{1, 19, 1}, {1, 30, 1}});
  _FortranACUFDataTransferDescDesc(up, down, 2, "prog.cuf", 7);
  std::vector<int> integers(600, 3);
  Array other = describe(integers.data(), {20, 30});
  _FortranACUFDataTransferDescDesc(a, other, 0, "prog.cuf", 8); // converts
  int *memory = static_cast<int *>(_FortranACUFMemAlloc(40, 0, "prog.cuf", 9));
  int number = 5, count = 10;
  void *parameters[] = {&memory, &number, &count};
  _FortranACUFLaunch(&testimage::setStub, 1, 1, 1, 32, 1, 1, 0, nullptr,
                     parameters, "prog.cuf", 10);
  _FortranACUFDataTransferDescDesc(result, a, 1, "prog.cuf", 11);
  int *variable = static_cast<int *>(_FortranACUFGetDeviceAddress(
      testimage::deviceVariableShadow, "prog.cuf", 12));
  if (!variable || back[599] != 3.0)
    return Wrong;
  _FortranACUFMemFree(memory, 0, "prog.cuf", 13);
  for (Array *each : {&a, &b})
    if (_FortranACUFAllocatableDeallocate(*each, true, nullptr, "prog.cuf",
                                          14) &&
        _FortranACUFAllocatableDeallocate(*each, true, nullptr, "prog.cuf", 14))
      return Wrong;
  return faultsFired() ? Worked : WorkedWithoutFault;
}

TEST(Start, FortranWithoutMemory) {
  unsigned stopped = 0, worked = 0;
  for (int n = 1;; ++n) {
    ASSERT_LT(n, 2000);
    const std::string faults = "alloc:" + std::to_string(n);
    const Ended ended = inChild(faults.c_str(), fortran);
    if (ended.status == WorkedWithoutFault)
      break;
    if (ended.status == 1) {
      ++stopped;
      EXPECT_NE(ended.text.find("error: "), std::string::npos) << faults;
      EXPECT_NE(ended.text.find(" failed: "), std::string::npos)
          << faults << ": " << ended.text;
    } else {
      EXPECT_EQ(ended.status, Worked) << faults << ": " << ended.text;
      ++worked;
    }
  }
  std::printf("  %u stopped, %u worked\n", stopped, worked);
  EXPECT_GT(stopped, 20u);
  EXPECT_GT(worked, 5u);
}

TEST(Start, InvalidSpecification) {
  for (const char *faults : {"alloc", "alloc:0", "alloc:-1x", "memory:3",
                             "alloc:1,", "alloc:1;map:2"}) {
    const Ended ended = inChild(faults, start);
    EXPECT_EQ(ended.status, 1) << faults;
    EXPECT_NE(ended.text.find("is not valid"), std::string::npos) << faults;
  }
}

//===----------------------------------------------------------------------===//
// The whole API
//===----------------------------------------------------------------------===//

/// Whether the number of live allocations becomes \p wanted: workers may still
/// hold what has just ended.
bool liveBecomes(long wanted) {
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (liveAllocations() != wanted)
    if (std::chrono::steady_clock::now() > deadline)
      return false;
    else
      std::this_thread::sleep_for(std::chrono::microseconds(200));
  return true;
}

struct Rounds {
  unsigned faults = 0, reported = 0, resets = 0;
};

void runClean(const char *when, const WorkloadProgram &p) {
  const WorkloadResult clean = runWorkload(p);
  ASSERT_EQ(clean.failed, 0u) << when << ": " << clean.firstCall << ": "
                              << cudaGetErrorName(clean.first);
  ASSERT_EQ(clean.wrong, nullptr) << when << ": " << clean.wrong;
}

/// Lets the first, second, ... call of \p kind fail until there are no more.
/// \p exact: what lives afterwards is what lived before.
Rounds failEach(const std::string &kind, cudaError_t other,
                const WorkloadProgram &p, bool exact) {
  Rounds rounds;
  // Tables reach their size.
  for (int i = 0; i < 5; ++i)
    runClean("before", p);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  long live = liveAllocations();
  for (int n = 1; n < 5000 && !testing::Test::HasFatalFailure();
       n += kind == "alloc" ? FaultStep : 1) {
    const std::string faults = kind + ":" + std::to_string(n);
    setFaults(faults.c_str());
    const WorkloadResult r = runWorkload(p);
    const bool fired = faultsFired();
    setFaults("");
    EXPECT_EQ(r.wrong, nullptr) << faults << ": " << r.wrong;
    if (r.failed) {
      EXPECT_TRUE(r.first == cudaErrorMemoryAllocation || r.first == other)
          << faults << ": " << r.firstCall << " gave "
          << cudaGetErrorName(r.first);
      ++rounds.reported;
    }
    if (cudaDeviceSynchronize() != cudaSuccess) {
      EXPECT_EQ(cudaDeviceReset(), cudaSuccess) << faults;
      // The first failure leaves the place where failures are described.
      if (!rounds.resets++) {
        runClean("after the first reset", p);
        live = liveAllocations();
      }
    }
    cudaGetLastError();
    runClean((faults + " (" + r.firstCall + ")").c_str(), p);
    if (exact && !liveBecomes(live)) {
      ADD_FAILURE() << faults << " (" << r.firstCall
                    << "): live allocations: " << liveAllocations()
                    << " instead of " << live;
      live = liveAllocations();
    }
    if (!fired)
      break;
    ++rounds.faults;
  }
  return rounds;
}

TEST(InjectedFaults, Allocations) {
  const Rounds rounds =
      failEach("alloc", cudaErrorMemoryAllocation, program, true);
  std::printf("  %u allocations, %u errors, %u resets\n", rounds.faults,
              rounds.reported, rounds.resets);
  EXPECT_GT(rounds.faults, 100u);
  EXPECT_GT(rounds.reported, 100u);
}

TEST(InjectedFaults, AllocationsWithCooperativeLaunches) {
  const Rounds rounds =
      failEach("alloc", cudaErrorMemoryAllocation, cooperating, false);
  EXPECT_GT(rounds.reported, 100u);
}

TEST(InjectedFaults, Mappings) {
  const Rounds rounds =
      failEach("map", cudaErrorOperatingSystem, cooperating, false);
  std::printf("  %u mappings, %u errors\n", rounds.faults, rounds.reported);
  EXPECT_GT(rounds.reported, 1u);
  EXPECT_GT(failEach("map", cudaErrorOperatingSystem, program, true).reported,
            1u);
}

} // namespace
