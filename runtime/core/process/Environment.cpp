//===- Environment.cpp - the environment variables of a program -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/process/Environment.h"
#include "runtime/check/Check.h"
#include "runtime/core/process/LocalRank.h"
#include "runtime/core/process/Stop.h"
#include <algorithm>
#include <cerrno>
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sched.h>
#include <string>
#include <string_view>

namespace cufort {
namespace {

[[noreturn]] void reject(const char *name, const char *value,
                         const char *valid) {
  stopProgram(
      nullptr, 0, "reading the environment", cudaErrorInvalidValue,
      (std::string(name) + "=" + value + " is not valid; " + valid).c_str());
}

/// Null where the variable is unset or empty.
const char *value(const char *name) {
  const char *text = std::getenv(name);
  return text && *text ? text : nullptr;
}

bool readSwitch(const char *name) {
  const char *text = value(name);
  if (!text)
    return false;
  const std::string_view word = text;
  if (word == "0" || word == "1")
    return word == "1";
  reject(name, text, "use 0 or 1");
}

unsigned affinityCores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    return static_cast<unsigned>(CPU_COUNT(&set));
  return 1;
}

/// The cores that cpu.max ("QUOTA PERIOD" or "max PERIOD") of the group
/// \p folder allows, rounded up; 0 where it sets no limit.
unsigned quotaOf(const std::string &folder) {
  double quota = 0, period = 0;
  if (FILE *file = std::fopen((folder + "/cpu.max").c_str(), "re")) {
    if (std::fscanf(file, "%lf %lf", &quota, &period) != 2)
      quota = 0;
    std::fclose(file);
  }
  return quota > 0 && period > 0
             ? std::max(1u, static_cast<unsigned>(std::ceil(quota / period)))
             : 0;
}

/// The tightest quota of the control group (version 2) that the process is in
/// and of those around it; 0: none.
unsigned quotaCores() {
  const std::string root = "/sys/fs/cgroup";
  std::string group;
  if (FILE *file = std::fopen("/proc/self/cgroup", "re")) {
    char line[4096];
    while (std::fgets(line, sizeof(line), file))
      if (std::string_view text = line; text.starts_with("0::/")) {
        group = text.substr(3);
        group.resize(group.find_last_not_of("\n/") + 1);
      }
    std::fclose(file);
  }
  unsigned least = quotaOf(root);
  for (; !group.empty(); group.resize(group.rfind('/')))
    if (unsigned here = quotaOf(root + group); here && (!least || here < least))
      least = here;
  return least;
}

/// A machine's cores are shared by the processes of a launch, each of which
/// uses one of its \p devices, as is MPI's custom. Where the launcher has bound
/// them to cores, they have no more than these.
unsigned usableCores(unsigned devices) {
  const unsigned quota = quotaCores();
  const auto limited = [&](unsigned cores) {
    return quota ? std::min(quota, cores) : cores;
  };
  const unsigned own = limited(affinityCores());
  const unsigned processes = localRank().size;
  if (processes <= 1)
    return own;
  const unsigned all = std::max(own, limited(launcherCores()));
  const unsigned used = std::min(devices, processes);
  return std::min(own, std::max(1u, all * used / processes));
}

unsigned readBinding() {
  const char *text = value("CUFORT_DEVICE_BIND");
  const std::string_view word = text ? text : "none";
  if (word == "none")
    return 0;
  if (word == "local-rank")
    return localRank().rank;
  reject("CUFORT_DEVICE_BIND", text, "use none or local-rank");
}

/// A number from 1 to \p most; \p otherwise where the variable is unset.
unsigned readNumber(const char *name, unsigned otherwise, unsigned most) {
  const char *text = value(name);
  if (!text)
    return otherwise;
  char *end;
  errno = 0;
  const unsigned long number = std::strtoul(text, &end, 10);
  if (*end || errno || text[0] == '-' || number < 1 || number > most)
    reject(name, text,
           ("use a number from 1 to " + std::to_string(most)).c_str());
  return static_cast<unsigned>(number);
}

DeviceChoice readDevice() {
  const char *text = value("CUFORT_DEVICE");
  const std::string_view word = text ? text : "auto";
  if (word == "auto")
    return DeviceChoice::Auto;
  if (word == "cpu")
    return DeviceChoice::Cpu;
  if (word == "cuda")
    return DeviceChoice::Cuda;
  reject("CUFORT_DEVICE", text, "use auto, cpu or cuda");
}

size_t readMemory() {
  const char *text = value("CUFORT_CPU_MEMORY");
  if (!text)
    return 0;
  char *end;
  errno = 0;
  const unsigned long long number = std::strtoull(text, &end, 10);
  unsigned shift = 0;
  switch (*end) {
  case 'k':
  case 'K':
    shift = 10;
    break;
  case 'm':
  case 'M':
    shift = 20;
    break;
  case 'g':
  case 'G':
    shift = 30;
    break;
  case 0:
    --end; // nothing to skip below
    break;
  default:
    shift = 64;
  }
  if (shift == 64 || end[1] || end < text || errno || text[0] == '-' ||
      !number || number > (~0ull >> (shift + 1)))
    reject("CUFORT_CPU_MEMORY", text,
           "use a number of bytes, or of K, M or G (1024, 1024^2, 1024^3)");
  return static_cast<size_t>(number) << shift;
}

int readTraps() {
  const char *text = value("CUFORT_FPE");
  int traps = 0;
  for (std::string_view rest = text ? text : ""; !rest.empty();) {
    const std::string_view name = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    if (name == "invalid")
      traps |= FE_INVALID;
    else if (name == "zero")
      traps |= FE_DIVBYZERO;
    else if (name == "overflow")
      traps |= FE_OVERFLOW;
    else
      reject("CUFORT_FPE", text,
             "use invalid, zero, overflow, or several with commas");
  }
  return traps;
}

} // namespace

const Environment &environment() {
  static const Environment *instance = [] {
#ifndef CUFORT_FAULT_INJECTION
    // A test that injects nothing would prove nothing.
    if (const char *faults = value("CUFORT_FAULTS"))
      reject("CUFORT_FAULTS", faults,
             "this runtime cannot inject faults: configure cufort with "
             "-DCUFORT_FAULT_INJECTION=ON");
#endif
    auto *result = new Environment;
    result->device = readDevice();
    result->boundDevice = readBinding();
    result->cpuDevices = readNumber("CUFORT_CPU_DEVICES", 1, 64);
    result->cores = usableCores(result->cpuDevices);
    result->threads = readNumber("CUFORT_NUM_THREADS", result->cores, 4096);
    result->cpuMemoryBytes = readMemory();
    result->floatingPointTraps = readTraps();
    // Only threads on their own compute nothing that nobody asked for.
    result->cpuFibers =
        readSwitch("CUFORT_CPU_FIBERS") || result->floatingPointTraps;
    result->cpuGuard =
        readSwitch("CUFORT_CPU_GUARD") || check::checking(image::CheckMemory);
    result->cpuStrict = readSwitch("CUFORT_CPU_STRICT");
    result->strict = readSwitch("CUFORT_STRICT");
    const char *blocking = value("CUDA_LAUNCH_BLOCKING");
    result->launchBlocking = blocking && *blocking != '0';
    return result;
  }();
  return *instance;
}

} // namespace cufort
