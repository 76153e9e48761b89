//===- Call.h - what all functions of the driver API do ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_DRIVER_CALL_H
#define CUFORT_RUNTIME_DRIVER_CALL_H

#include "include/cuda.h"
#include "runtime/core/Device.h"
#include "runtime/core/engine/NumberOf.h"

/// The functions are not exported: libcuda itself, which the NVIDIA engine
/// opens, has functions of the same names.
#define CUFORT_DRIVER_API extern "C" __attribute__((visibility("hidden")))

namespace cufort::driver {

/// The driver API's number for an error; those of the runtime API alone mean
/// wrong arguments.
CUresult resultOf(Error error);

/// What a call needs: cuInit before, and a context.
CUresult initialised();
CUresult haveContext();

/// The runtime API's last error stays what it was: the driver API does not
/// touch it.
class KeptError {
public:
  KeptError() : before(lastError()) {}
  KeptError(const KeptError &) = delete;
  KeptError &operator=(const KeptError &) = delete;
  ~KeptError() {
    takeLastError();
    recordError(before);
  }

private:
  const Error before;
};

/// Calls \p call(), a function of the runtime API or of an engine, in the
/// current context.
template <typename Call> CUresult inContext(Call call) {
  if (CUresult result = haveContext())
    return result;
  const KeptError kept;
  return resultOf(call());
}

/// Calls \p call(Engine &) on the current context's device.
template <typename Call> CUresult onEngine(Call call) {
  return inContext([&] { return onDevice(call); });
}

/// Calls \p call(), which may run out of memory.
template <typename Call> CUresult guarded(Call call) {
  CUresult result = CUDA_SUCCESS;
  const Error error = catchExhaustion([&] {
    result = call();
    return cudaSuccess;
  });
  return error == cudaSuccess ? result : resultOf(error);
}

/// Calls \p call() after cuInit if there is such a device.
template <typename Call> CUresult withDevice(CUdevice device, Call call) {
  if (CUresult result = initialised())
    return result;
  if (device < 0 || device >= deviceCount())
    return CUDA_ERROR_INVALID_DEVICE;
  const KeptError kept;
  return guarded(call);
}

inline void *pointerOf(CUdeviceptr address) {
  return reinterpret_cast<void *>(address);
}

} // namespace cufort::driver

#endif // CUFORT_RUNTIME_DRIVER_CALL_H
