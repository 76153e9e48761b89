//===- Device.cpp - CUDA driver API: errors and devices -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/RuntimeApi.h"
#include "runtime/driver/Call.h"
#include <algorithm>

using namespace cufort;
using namespace cufort::driver;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

CUresult driver::resultOf(Error error) {
  switch (static_cast<int>(error)) {
  case cudaErrorInvalidSymbol:
    return CUDA_ERROR_NOT_FOUND;
  case cudaErrorInvalidDeviceFunction:
    return CUDA_ERROR_INVALID_HANDLE;
  case cudaErrorInsufficientDriver:
    return CUDA_ERROR_SYSTEM_DRIVER_MISMATCH;
  default:
    break;
  }
  switch (const auto same = static_cast<CUresult>(error)) {
#define SAME(name, number) case name:
    CUFORT_DRIVER_ERRORS(SAME)
#undef SAME
    return same;
  default:
    return error > 0 && error < 100 ? CUDA_ERROR_INVALID_VALUE
                                    : CUDA_ERROR_UNKNOWN;
  }
}

CUFORT_DRIVER_API CUresult cuDriverGetVersion(int *version) {
  const KeptError kept;
  return resultOf(cudaDriverGetVersion(version));
}

CUFORT_DRIVER_API CUresult cuGetErrorName(CUresult error, const char **name) {
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  switch (error) {
#define NAME(each, number)                                                     \
  case each:                                                                   \
    *name = #each;                                                             \
    return CUDA_SUCCESS;
    CUFORT_DRIVER_ERRORS(NAME)
#undef NAME
  }
  *name = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}

CUFORT_DRIVER_API CUresult cuGetErrorString(CUresult error, const char **text) {
  const char *name;
  if (!text)
    return CUDA_ERROR_INVALID_VALUE;
  *text = nullptr;
  if (CUresult unknown = cuGetErrorName(error, &name))
    return unknown;
  switch (error) {
  case CUDA_ERROR_INVALID_CONTEXT:
    *text = "invalid device context";
    break;
  case CUDA_ERROR_CONTEXT_ALREADY_CURRENT:
    *text = "context already current";
    break;
  default:
    *text = errorText(static_cast<Error>(error));
  }
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

CUFORT_DRIVER_API CUresult cuDeviceGetCount(int *count) {
  if (CUresult result = initialised())
    return result;
  if (!count)
    return CUDA_ERROR_INVALID_VALUE;
  *count = deviceCount();
  return CUDA_SUCCESS;
}

CUFORT_DRIVER_API CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  if (!device)
    return CUDA_ERROR_INVALID_VALUE;
  return withDevice(ordinal, [&] {
    *device = ordinal;
    return CUDA_SUCCESS;
  });
}

CUFORT_DRIVER_API CUresult cuDeviceGetName(char *name, int length,
                                           CUdevice device) {
  if (!name || length < 1)
    return CUDA_ERROR_INVALID_VALUE;
  return withDevice(device, [&] {
    const std::string &text = deviceAt(device)->properties().name;
    name[text.copy(name, static_cast<size_t>(length) - 1)] = '\0';
    return CUDA_SUCCESS;
  });
}

CUFORT_DRIVER_API CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  if (!uuid)
    return CUDA_ERROR_INVALID_VALUE;
  return withDevice(device, [&] {
    const DeviceProperties &p = deviceAt(device)->properties();
    std::copy(std::begin(p.uuid), std::end(p.uuid), uuid->bytes);
    return CUDA_SUCCESS;
  });
}

CUFORT_DRIVER_API CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
  if (!bytes)
    return CUDA_ERROR_INVALID_VALUE;
  return withDevice(device, [&] {
    *bytes = deviceAt(device)->properties().memoryBytes;
    return CUDA_SUCCESS;
  });
}

CUFORT_DRIVER_API CUresult cuDeviceComputeCapability(int *major, int *minor,
                                                     CUdevice device) {
  if (!major || !minor)
    return CUDA_ERROR_INVALID_VALUE;
  return withDevice(device, [&] {
    const DeviceProperties &p = deviceAt(device)->properties();
    *major = p.major;
    *minor = p.minor;
    return CUDA_SUCCESS;
  });
}

CUFORT_DRIVER_API CUresult cuDeviceGetProperties(CUdevprop *properties,
                                                 CUdevice device) {
  if (!properties)
    return CUDA_ERROR_INVALID_VALUE;
  return withDevice(device, [&] {
    const DeviceProperties &p = deviceAt(device)->properties();
    int alignment = 0;
    const Error error = deviceAt(device)->deviceAttribute(
        CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, &alignment);
    *properties = {p.maxThreadsPerBlock,
                   {p.maxBlock[0], p.maxBlock[1], p.maxBlock[2]},
                   {p.maxGrid[0], p.maxGrid[1], p.maxGrid[2]},
                   static_cast<int>(p.sharedBytesPerBlock),
                   static_cast<int>(p.constantBytes),
                   p.warpSize,
                   static_cast<int>(p.maxPitch),
                   p.registersPerBlock,
                   p.clockKilohertz,
                   alignment};
    return resultOf(error);
  });
}

// Contexts of a part of a device's multiprocessors are not there.
CUFORT_DRIVER_API CUresult cuDeviceGetExecAffinitySupport(
    int *supported, CUexecAffinityType type, CUdevice device) {
  if (!supported || numberOf(type) != CU_EXEC_AFFINITY_TYPE_SM_COUNT)
    return CUDA_ERROR_INVALID_VALUE;
  return withDevice(device, [&] {
    *supported = 0;
    return CUDA_SUCCESS;
  });
}

CUFORT_DRIVER_API CUresult cuDeviceGetAttribute(int *value,
                                                CUdevice_attribute attribute,
                                                CUdevice device) {
  return withDevice(device, [&] {
    return resultOf(cudaDeviceGetAttribute(value, numberOf(attribute), device));
  });
}

CUFORT_DRIVER_API CUresult cuDeviceGetPCIBusId(char *text, int length,
                                               CUdevice device) {
  return withDevice(device, [&] {
    return resultOf(cudaDeviceGetPCIBusId(text, length, device));
  });
}

CUFORT_DRIVER_API CUresult cuDeviceGetByPCIBusId(CUdevice *device,
                                                 const char *text) {
  return withDevice(
      0, [&] { return resultOf(cudaDeviceGetByPCIBusId(device, text)); });
}

CUFORT_DRIVER_API CUresult cuDeviceCanAccessPeer(int *can, CUdevice device,
                                                 CUdevice peer) {
  return withDevice(device, [&] {
    return resultOf(cudaDeviceCanAccessPeer(can, device, peer));
  });
}

CUFORT_DRIVER_API CUresult
cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute,
                        CUdevice device, CUdevice peer) {
  return withDevice(device, [&] {
    return resultOf(
        cudaDeviceGetP2PAttribute(value, numberOf(attribute), device, peer));
  });
}
