//===- Driver.cpp - libcuda, opened at run time ---------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/Driver.h"
#include "runtime/core/process/FaultInjection.h"
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <unistd.h>

namespace cufort::cuda {
namespace {

struct Opened {
  Driver driver{};
  bool usable = false;
  std::string problem;
};

/// In place of a function that the driver lacks.
template <typename... Arguments> CUresult missing(Arguments...) {
  return cudaErrorCallRequiresNewerDriver;
}

#ifdef CUFORT_FAULT_INJECTION
/// Stands before a driver's function and fails in its place when a fault is
/// due.
template <auto Member> struct Failing;
template <typename... Arguments, CUresult (*Driver::*Member)(Arguments...)>
struct Failing<Member> {
  static CUresult call(Arguments... arguments) {
    if (!faultDue("driver", name)) {
      // What the driver allocates is its own business.
      const ProgramScope scope;
      return real(arguments...);
    }
    return std::strstr(name, "Alloc") ? cudaErrorMemoryAllocation
                                      : cudaErrorUnknown;
  }
  static inline CUresult (*real)(Arguments...) = nullptr;
  static inline const char *name = nullptr;
};

void interpose(Driver &driver) {
#define CUFORT_DRIVER(member, symbol, parameters)                              \
  Failing<&Driver::member>::real = driver.member;                              \
  Failing<&Driver::member>::name = symbol;                                     \
  driver.member = Failing<&Driver::member>::call;
#include "runtime/cuda/DriverFunctions.def"
}
#else
void interpose(Driver &) {}
#endif

bool loadFunctions(void *library, Driver &driver, std::string &problem) {
  driver.library = library;
#define CUFORT_DRIVER(member, symbol, parameters)                              \
  driver.member =                                                              \
      reinterpret_cast<CUresult(*) parameters>(dlsym(library, symbol));        \
  if (!driver.member) {                                                        \
    problem = "libcuda.so.1 is too old: it has no " symbol;                    \
    return false;                                                              \
  }
#define CUFORT_DRIVER_LATER(member, symbol, parameters)                        \
  driver.member =                                                              \
      reinterpret_cast<CUresult(*) parameters>(dlsym(library, symbol));        \
  if (!driver.member)                                                          \
    driver.member = missing;
#include "runtime/cuda/DriverFunctions.def"
  interpose(driver);
  return true;
}

/// What to do where cuInit fails.
std::string adviceFor(CUresult code) {
  constexpr char Control[] = "/dev/nvidiactl";
  if (access(Control, F_OK))
    return "; there is no " + std::string(Control) +
           ": the kernel module is not loaded, or the container was started "
           "without the GPU";
  if (access(Control, R_OK | W_OK))
    return "; this user may not open " + std::string(Control) +
           ": join the group that owns it";
  // One file for each GPU; a user may be allowed to open none of them.
  for (int i = 0; i < 64; ++i) {
    const std::string device = "/dev/nvidia" + std::to_string(i);
    if (!access(device.c_str(), F_OK) && access(device.c_str(), R_OK | W_OK))
      return "; this user may not open " + device +
             ": join the group that owns it, or ask for another device";
  }
  if (code == 803) // library and kernel module differ
    return "; the driver was updated while it was in use: load its kernel "
           "module again, or restart the machine";
  return "";
}

Opened *open() {
  auto *result = new Opened;
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *text = dlerror();
    result->problem = std::string("the NVIDIA driver is not installed (") +
                      (text ? text : "libcuda.so.1 not found") +
                      "): install it, or use the CPU";
    return result;
  }
  if (!loadFunctions(library, result->driver, result->problem))
    return result;
  if (CUresult code = result->driver.init(0)) {
    const char *text = nullptr;
    result->driver.getErrorString(code, &text);
    result->problem = std::string("the NVIDIA driver does not start: ") +
                      (text ? text : "unknown error") + " (" +
                      std::to_string(code) + ")" + adviceFor(code);
    return result;
  }
  result->usable = true;
  return result;
}

} // namespace

const Driver *openDriver(std::string &problem) {
  static Opened *opened = open();
  if (opened->usable)
    return &opened->driver;
  problem = opened->problem;
  return nullptr;
}

Error errorOf(CUresult result) {
  // The numbers agree but for the few that the runtime API does not have.
  switch (result) {
  case 202: // the context is already current
  case 916: // key rotation
    return cudaErrorUnknown;
  case 201: // no or a destroyed context
    return cudaErrorDeviceUninitialized;
  default:
    return static_cast<Error>(result);
  }
}

} // namespace cufort::cuda
