//===- Environment.cpp - the environment variables of a program -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Environment.h"
#include "runtime/core/Stop.h"
#include <cerrno>
#include <cstdlib>
#include <sched.h>
#include <string>

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

unsigned readThreads() {
  const char *text = value("CUFORT_NUM_THREADS");
  if (!text)
    return affinityCores();
  char *end;
  errno = 0;
  const unsigned long number = std::strtoul(text, &end, 10);
  if (*end || errno || text[0] == '-' || number < 1 || number > 4096)
    reject("CUFORT_NUM_THREADS", text, "use a number from 1 to 4096");
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

} // namespace

const Environment &environment() {
  static const Environment *instance = [] {
    auto *result = new Environment;
    result->device = readDevice();
    result->threads = readThreads();
    result->cpuMemoryBytes = readMemory();
    result->cpuFibers = readSwitch("CUFORT_CPU_FIBERS");
    const char *blocking = value("CUDA_LAUNCH_BLOCKING");
    result->launchBlocking = blocking && *blocking != '0';
    return result;
  }();
  return *instance;
}

} // namespace cufort
