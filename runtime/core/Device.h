//===- Device.h - the devices of this run -----------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which engine runs the program is decided once, at the first use of a device,
// from CUFORT_DEVICE, the image and the machine.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_DEVICE_H
#define CUFORT_RUNTIME_CORE_DEVICE_H

#include "runtime/core/engine/Engine.h"
#include "runtime/core/process/FaultInjection.h"
#include "runtime/profile/Profile.h"

namespace cufort {

/// The number of devices; at least 1. Stops the program where CUFORT_DEVICE
/// asks for what the machine or the image lacks.
int deviceCount();

/// The device \p index; null if there is none.
Engine *deviceAt(int index);

/// The calling thread's device number.
int currentDevice();
/// How often the thread has chosen one.
unsigned deviceChoices();

/// Makes \p index the calling thread's device, or cudaErrorInvalidDevice.
Error setCurrentDevice(int index);

/// What a call needs before it may use the calling thread's device: the engine,
/// or the reason why there is none (after a fork, at the end of the program, in
/// a function that a stream has called, after the failure of asynchronous
/// work).
struct DeviceUse {
  Engine *engine;
  Error error;
};
DeviceUse useDevice();

/// While it lives the calling thread runs a function of the program's that a
/// stream has called, for which devices are not to be used
/// (cudaErrorNotPermitted): it would wait for the stream that waits for it. The
/// thread may be one of the program's; its device and its last error stay what
/// they were.
class HostFunctionScope {
public:
  HostFunctionScope();
  HostFunctionScope(const HostFunctionScope &) = delete;
  HostFunctionScope &operator=(const HostFunctionScope &) = delete;
  ~HostFunctionScope();

private:
  const Error error;
  const int device;
  const bool nested;
};

/// Calls \p call(Engine &) on the calling thread's device unless it cannot be
/// used; records the error, if any, for cudaGetLastError. No profile sees it.
template <typename Call>
[[gnu::always_inline]] inline Error onDeviceUnseen(Call &&call) {
  return recordError(catchExhaustion([&] {
    DeviceUse use = useDevice();
    if (use.error == cudaSuccess)
      use.error = call(*use.engine);
    // The call may have waited for work that failed.
    if (use.error == cudaSuccess)
      use.error = use.engine->failure();
    return use.error;
  }));
}

/// The same for a profile to see. \p where: whose call that is.
template <typename Call>
Error onDevice(Call call, const std::source_location &where =
                              std::source_location::current()) {
  const profile::Call recorded(where);
  return onDeviceUnseen(call);
}

/// The same for a question: cudaErrorNotReady is an answer, not an error to
/// remember.
template <typename Call>
Error askDevice(Call call, const std::source_location &where =
                               std::source_location::current()) {
  const profile::Call recorded(where);
  const Error error = catchExhaustion([&] {
    DeviceUse use = useDevice();
    return use.error == cudaSuccess ? call(*use.engine) : use.error;
  });
  return error == cudaErrorNotReady ? error : recordError(error);
}

/// Prints what kernels have written so far on all devices in use.
void deliverAllOutput();

/// Whether a device has been used, i.e. the choice has been made.
bool devicesInUse();

/// Whether exit handlers run.
bool programIsExiting();

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_DEVICE_H
