//===- Memory.cpp - CUDA driver API: boxes and addresses ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/Direction.h"
#include "runtime/driver/Box.h"
#include "runtime/driver/Call.h"
#include <cstring>

using namespace cufort;
using namespace cufort::driver;

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

static Error sideOf(int type, const void *host, CUdeviceptr device,
                    CUarray array, BoxSide *side) {
  switch (type) {
  case CU_MEMORYTYPE_HOST:
    side->memory = const_cast<void *>(host);
    break;
  case CU_MEMORYTYPE_DEVICE:
  case CU_MEMORYTYPE_UNIFIED:
    side->memory = pointerOf(device);
    break;
  case CU_MEMORYTYPE_ARRAY:
    side->array = array;
    break;
  default:
    return cudaErrorInvalidValue;
  }
  return side->memory || side->array ? cudaSuccess : cudaErrorInvalidValue;
}

/// A pitch of zero: rows without gaps.
static void setPlace(BoxSide &side, size_t x, size_t y, size_t z, size_t pitch,
                     size_t rows, size_t width, size_t height) {
  side.xBytes = x;
  side.y = y;
  side.z = z;
  side.pitch = pitch ? pitch : x + width;
  side.rows = rows ? rows : y + height;
}

Error driver::boxOf(const CUDA_MEMCPY3D *p, BoxCopy *box) {
  if (!p || p->srcLOD || p->dstLOD)
    return cudaErrorInvalidValue;
  if (Error error = sideOf(numberOf(p->srcMemoryType), p->srcHost, p->srcDevice,
                           p->srcArray, &box->from);
      error != cudaSuccess)
    return error;
  if (Error error = sideOf(numberOf(p->dstMemoryType), p->dstHost, p->dstDevice,
                           p->dstArray, &box->to);
      error != cudaSuccess)
    return error;
  setPlace(box->from, p->srcXInBytes, p->srcY, p->srcZ, p->srcPitch,
           p->srcHeight, p->WidthInBytes, p->Height);
  setPlace(box->to, p->dstXInBytes, p->dstY, p->dstZ, p->dstPitch, p->dstHeight,
           p->WidthInBytes, p->Height);
  box->widthBytes = p->WidthInBytes;
  box->height = p->Height;
  box->depth = p->Depth;
  return cudaSuccess;
}

CUDA_MEMCPY3D driver::descriptionOf(const BoxCopy &box) {
  CUDA_MEMCPY3D p;
  std::memset(&p, 0, sizeof(p));
  const auto typeOf = [](const BoxSide &side) {
    return side.array ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_UNIFIED;
  };
  p.srcXInBytes = box.from.xBytes;
  p.srcY = box.from.y;
  p.srcZ = box.from.z;
  p.srcMemoryType = typeOf(box.from);
  p.srcDevice = reinterpret_cast<CUdeviceptr>(box.from.memory);
  p.srcArray = static_cast<CUarray>(box.from.array);
  p.srcPitch = box.from.pitch;
  p.srcHeight = box.from.rows;
  p.dstXInBytes = box.to.xBytes;
  p.dstY = box.to.y;
  p.dstZ = box.to.z;
  p.dstMemoryType = typeOf(box.to);
  p.dstDevice = reinterpret_cast<CUdeviceptr>(box.to.memory);
  p.dstArray = static_cast<CUarray>(box.to.array);
  p.dstPitch = box.to.pitch;
  p.dstHeight = box.to.rows;
  p.WidthInBytes = box.widthBytes;
  p.Height = box.height;
  p.Depth = box.depth;
  return p;
}

static CUresult copy(const CUDA_MEMCPY3D *p, CUstream stream, bool async) {
  return onEngine([&](Engine &e) {
    BoxCopy box;
    if (Error error = boxOf(p, &box); error != cudaSuccess)
      return error;
    // What is said to be a device's has to be.
    const auto check = [&](int type, const BoxSide &side) {
      return type == CU_MEMORYTYPE_DEVICE && box.widthBytes && box.height
                 ? checkDeviceMemory(e, side.memory)
                 : cudaSuccess;
    };
    if (check(numberOf(p->srcMemoryType), box.from) != cudaSuccess ||
        check(numberOf(p->dstMemoryType), box.to) != cudaSuccess)
      return cudaErrorInvalidValue;
    const Error error = e.copyBox(box, stream, async);
    return error == cudaErrorInvalidPitchValue ? cudaErrorInvalidValue : error;
  });
}

static CUresult copy(const CUDA_MEMCPY2D *p, CUstream stream, bool async) {
  if (!p)
    return copy(static_cast<const CUDA_MEMCPY3D *>(nullptr), stream, async);
  CUDA_MEMCPY3D box;
  std::memset(&box, 0, sizeof(box));
  box.srcXInBytes = p->srcXInBytes;
  box.srcY = p->srcY;
  std::memcpy(&box.srcMemoryType, &p->srcMemoryType, sizeof(int));
  box.srcHost = p->srcHost;
  box.srcDevice = p->srcDevice;
  box.srcArray = p->srcArray;
  box.srcPitch = p->srcPitch;
  box.dstXInBytes = p->dstXInBytes;
  box.dstY = p->dstY;
  std::memcpy(&box.dstMemoryType, &p->dstMemoryType, sizeof(int));
  box.dstHost = p->dstHost;
  box.dstDevice = p->dstDevice;
  box.dstArray = p->dstArray;
  box.dstPitch = p->dstPitch;
  box.WidthInBytes = p->WidthInBytes;
  box.Height = p->Height;
  box.Depth = 1;
  return copy(&box, stream, async);
}

CUFORT_DRIVER_API CUresult cuMemcpy2D(const CUDA_MEMCPY2D *p) {
  return copy(p, nullptr, false);
}

CUFORT_DRIVER_API CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *p) {
  return copy(p, nullptr, false);
}

CUFORT_DRIVER_API CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *p,
                                           CUstream stream) {
  return copy(p, stream, true);
}

CUFORT_DRIVER_API CUresult cuMemcpy3D(const CUDA_MEMCPY3D *p) {
  return copy(p, nullptr, false);
}

CUFORT_DRIVER_API CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *p,
                                           CUstream stream) {
  return copy(p, stream, true);
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// Rows that are aligned for elements of 4, 8 or 16 bytes; those of the runtime
/// API are for all of them.
CUFORT_DRIVER_API CUresult cuMemAllocPitch(CUdeviceptr *memory, size_t *pitch,
                                           size_t width, size_t height,
                                           unsigned elementBytes) {
  return inContext([&] {
    if (!memory || !pitch || !width || !height ||
        (elementBytes != 4 && elementBytes != 8 && elementBytes != 16))
      return cudaErrorInvalidValue;
    return cudaMallocPitch(reinterpret_cast<void **>(memory), pitch, width,
                           height);
  });
}

CUFORT_DRIVER_API CUresult cuMemGetAddressRange(CUdeviceptr *base,
                                                size_t *bytes,
                                                CUdeviceptr address) {
  return onEngine([&](Engine &e) {
    void *begin = nullptr;
    size_t size = 0;
    if (!address)
      return cudaErrorInvalidValue;
    const Error error = e.addressRange(pointerOf(address), &begin, &size);
    if (error != cudaSuccess) // of which CUDA says that it is not found
      return error == cudaErrorInvalidValue ? cudaErrorSymbolNotFound : error;
    if (base)
      *base = reinterpret_cast<CUdeviceptr>(begin);
    if (bytes)
      *bytes = size;
    return cudaSuccess;
  });
}

/// Whether there is such an attribute, known here or not.
static bool exists(const CUpointer_attribute &which) {
  constexpr int last = 21; // CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID
  return numberOf(which) > 0 && numberOf(which) <= last;
}

/// One attribute; cudaErrorInvalidValue: the address has none.
static Error attribute(const PointerDescription &d, int which, void *value) {
  using Description = PointerDescription;
  if (d.type == Description::Unregistered)
    return cudaErrorInvalidValue;
  switch (which) {
  case CU_POINTER_ATTRIBUTE_CONTEXT: {
    // Retained and given back: the primary context of its device.
    CUcontext context = nullptr;
    const CUresult result = cuDevicePrimaryCtxRetain(&context, d.device);
    if (result)
      return cudaErrorInvalidValue;
    cuDevicePrimaryCtxRelease(d.device);
    *static_cast<CUcontext *>(value) = context;
    return cudaSuccess;
  }
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    *static_cast<unsigned *>(value) =
        d.type == Description::Host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    return cudaSuccess;
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    if (!d.devicePointer)
      return cudaErrorInvalidValue;
    *static_cast<void **>(value) = d.devicePointer;
    return cudaSuccess;
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    if (!d.hostPointer)
      return cudaErrorInvalidValue;
    *static_cast<void **>(value) = d.hostPointer;
    return cudaSuccess;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    *static_cast<unsigned *>(value) = d.type == Description::Managed;
    return cudaSuccess;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    *static_cast<int *>(value) = d.device;
    return cudaSuccess;
  case CU_POINTER_ATTRIBUTE_MAPPED:
    *static_cast<bool *>(value) = true;
    return cudaSuccess;
  default:
    return cudaErrorNotSupported;
  }
}

CUFORT_DRIVER_API CUresult cuPointerGetAttribute(void *value,
                                                 CUpointer_attribute which,
                                                 CUdeviceptr pointer) {
  if (!value || !exists(which))
    return CUDA_ERROR_INVALID_VALUE;
  return onEngine([&](Engine &e) {
    PointerDescription d;
    const Error error = e.describe(pointerOf(pointer), &d);
    return error == cudaSuccess ? attribute(d, which, value) : error;
  });
}

/// What the address has not is zero.
CUFORT_DRIVER_API CUresult cuPointerGetAttributes(unsigned count,
                                                  CUpointer_attribute *which,
                                                  void **values,
                                                  CUdeviceptr pointer) {
  if (!which || !values)
    return CUDA_ERROR_INVALID_VALUE;
  return onEngine([&](Engine &e) {
    PointerDescription d;
    if (const Error error = e.describe(pointerOf(pointer), &d);
        error != cudaSuccess)
      return error;
    for (unsigned i = 0; i < count; ++i) {
      if (!values[i] || !exists(which[i]))
        return cudaErrorInvalidValue;
      const Error error = attribute(d, which[i], values[i]);
      if (error == cudaSuccess)
        continue;
      if (error != cudaErrorInvalidValue)
        return error;
      switch (which[i]) {
      case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *static_cast<unsigned *>(values[i]) = 0;
        break;
      case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *static_cast<int *>(values[i]) = -2;
        break;
      case CU_POINTER_ATTRIBUTE_MAPPED:
        *static_cast<bool *>(values[i]) = false;
        break;
      default:
        *static_cast<void **>(values[i]) = nullptr;
      }
    }
    return cudaSuccess;
  });
}
