//===- ArgumentsDriver.cpp - wrong arguments: the driver API --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every function of cuda.h that can be given something wrong (entry_points.py
// compares).
//
//===----------------------------------------------------------------------===//

#include "ArgumentsDriver.h"
#include <cstring>

namespace {

TEST_F(DriverArguments, OfDevicesAndContexts) {
  CUdevice device;
  CUuuid uuid;
  unsigned long long id = 0;
  auto lost = none<CUcontext>();
  check({
      VALUE(cuInit(1)),
      VALUE(cuDriverGetVersion(nullptr)),
      VALUE(cuGetErrorName(CUresult(12345), (const char **)&room)),
      VALUE(cuGetErrorName(CUDA_SUCCESS, nullptr)),
      VALUE(cuGetErrorString(CUresult(12345), (const char **)&room)),
      VALUE(cuGetErrorString(CUDA_SUCCESS, nullptr)),
      VALUE(cuDeviceGetCount(nullptr)),
      VALUE(cuDeviceGet(nullptr, 0)),
      DEVICE(cuDeviceGet(&device, 99)),
      VALUE(cuDeviceGetName(nullptr, 10, 0)),
      DEVICE(cuDeviceGetName(text, 10, 99)),
      VALUE(cuDeviceGetName(text, 0, 0)),
      VALUE(cuDeviceGetUuid(nullptr, 0)),
      DEVICE(cuDeviceGetUuid(&uuid, 99)),
      VALUE(cuDeviceTotalMem(nullptr, 0)),
      DEVICE(cuDeviceTotalMem(&bytes, -1)),
      VALUE(cuDeviceGetAttribute(nullptr, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0)),
      VALUE(cuDeviceGetAttribute(&number, CUdevice_attribute(9999), 0)),
      DEVICE(cuDeviceGetAttribute(&number, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 99)),
      VALUE(cuDeviceComputeCapability(nullptr, &number, 0)),
      DEVICE(cuDeviceComputeCapability(&number, &number, 99)),
      VALUE(cuDeviceGetPCIBusId(nullptr, 20, 0)),
      DEVICE(cuDeviceGetPCIBusId(text, 20, 99)),
      VALUE(cuDeviceGetByPCIBusId(nullptr, "0000:00:00.0")),
      VALUE(cuDeviceGetByPCIBusId(&device, nullptr)),
      DEVICE(cuDeviceGetByPCIBusId(&device, "ffff:ff:1f.7")),
      VALUE(cuDeviceCanAccessPeer(nullptr, 0, 1)),
      DEVICE(cuDeviceCanAccessPeer(&number, 0, 99)),
      VALUE(cuDevicePrimaryCtxRetain(nullptr, 0)),
      DEVICE(cuDevicePrimaryCtxRetain(&context, 99)),
      DEVICE(cuDevicePrimaryCtxRelease(99)),
      DEVICE(cuDevicePrimaryCtxReset(99)),
      VALUE(cuDevicePrimaryCtxSetFlags(0, 0x1000)),
      DEVICE(cuDevicePrimaryCtxSetFlags(99, 0)),
      VALUE(cuDevicePrimaryCtxGetState(0, nullptr, &number)),
      VALUE(cuDevicePrimaryCtxGetState(0, &count, nullptr)),
      DEVICE(cuDevicePrimaryCtxGetState(99, &count, &number)),
      VALUE(cuCtxCreate(nullptr, 0, 0)),
      VALUE(cuCtxCreate(&context, 0x1000, 0)),
      DEVICE(cuCtxCreate(&context, 0, 99)),
      CONTEXT(cuCtxDestroy(nullptr)),
      CONTEXT(cuCtxDestroy(lost)),
      CONTEXT(cuCtxPushCurrent(nullptr)),
      CONTEXT(cuCtxPushCurrent(lost)),
      CONTEXT(cuCtxSetCurrent(lost)),
      VALUE(cuCtxGetCurrent(nullptr)),
      VALUE(cuCtxGetDevice(nullptr)),
      VALUE(cuCtxGetFlags(nullptr)),
      VALUE(cuCtxSetFlags(0x1000)),
      VALUE(cuCtxGetId(nullptr, nullptr)),
      CONTEXT(cuCtxGetId(lost, &id)),
      VALUE(cuDeviceGetTexture1DLinearMaxWidth(nullptr, CU_AD_FORMAT_FLOAT, 1,
                                               0)),
      VALUE(
          cuDeviceGetTexture1DLinearMaxWidth(&bytes, CU_AD_FORMAT_FLOAT, 3, 0)),
      VALUE(
          cuDeviceGetTexture1DLinearMaxWidth(&bytes, CUarray_format(4), 1, 0)),
      DEVICE(cuDeviceGetTexture1DLinearMaxWidth(&bytes, CU_AD_FORMAT_FLOAT, 1,
                                                99)),
      VALUE(cuCtxGetApiVersion(nullptr, nullptr)),
      CONTEXT(cuCtxGetApiVersion(lost, &count)),
      VALUE(cuCtxGetLimit(nullptr, CU_LIMIT_STACK_SIZE)),
      LINE(UNSUPPORTED_LIMIT, cuCtxGetLimit(&bytes, CUlimit(999))),
      LINE(UNSUPPORTED_LIMIT, cuCtxSetLimit(CUlimit(999), 1024)),
      VALUE(cuCtxGetCacheConfig(nullptr)),
      VALUE(cuCtxSetCacheConfig(CUfunc_cache(99))),
      CONTEXT(cuCtxEnablePeerAccess(nullptr, 0)),
      CONTEXT(cuCtxEnablePeerAccess(lost, 0)),
      CONTEXT(cuCtxDisablePeerAccess(nullptr)),
      CONTEXT(cuCtxDisablePeerAccess(lost)),
      VALUE(cuDeviceGetDefaultMemPool(nullptr, 0)),
      DEVICE(cuDeviceGetDefaultMemPool((CUmemoryPool *)&room, 99)),
      VALUE(cuDeviceGetMemPool(nullptr, 0)),
      VALUE(cuDeviceSetMemPool(0, nullptr)),
      VALUE(cuDeviceSetMemPool(0, none<CUmemoryPool>())),
      DEVICE(cuDeviceGraphMemTrim(99)),
      VALUE(cuDeviceGetGraphMemAttribute(0, CUgraphMem_attribute(99), room)),
      VALUE(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH,
                                         nullptr)),
      VALUE(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH,
                                         nullptr)),
  });
}

TEST_F(DriverArguments, OfMemory) {
  CUdeviceptr unknown = reinterpret_cast<CUdeviceptr>(room);
  void *host = nullptr;
  CUmemoryPool pool = nullptr;
  CUipcMemHandle shared{};
  CUipcEventHandle handle{};
  CUpointer_attribute attribute = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
  void *data = &number;
  auto lost = none<CUmemoryPool>();
  check({
      VALUE(cuMemGetInfo(nullptr, nullptr)),
      VALUE(cuMemAlloc(nullptr, 16)),
      VALUE(cuMemAlloc(&place, 0)),
      LINE(OUT_OF_MEMORY, cuMemAlloc(&place, size_t(1) << 60)),
      VALUE(cuMemAllocPitch(nullptr, &bytes, 4, 4, 4)),
      VALUE(cuMemAllocPitch(&place, nullptr, 4, 4, 4)),
      VALUE(cuMemAllocPitch(&place, &bytes, 0, 4, 4)),
      VALUE(cuMemAllocPitch(&place, &bytes, 4, 4, 3)),
      VALUE(cuMemAllocManaged(nullptr, 16, CU_MEM_ATTACH_GLOBAL)),
      VALUE(cuMemAllocManaged(&place, 16, 99)),
      VALUE(cuMemFree(unknown)),
      VALUE(cuMemGetAddressRange(&place, &bytes, 0)),
      LINE(NOT_FOUND, cuMemGetAddressRange(&place, &bytes, unknown)),
      VALUE(cuMemAllocHost(nullptr, 16)),
      VALUE(cuMemAllocHost(&host, 0)),
      VALUE(cuMemHostAlloc(nullptr, 16, 0)),
      VALUE(cuMemHostAlloc(&host, 16, 0x1000)),
      VALUE(cuMemFreeHost(nullptr)),
      VALUE(cuMemFreeHost(room)),
      VALUE(cuMemHostRegister(nullptr, 16, 0)),
      VALUE(cuMemHostRegister(room, 0, 0)),
      LINE(HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(room)),
      VALUE(cuMemHostGetFlags(nullptr, room)),
      VALUE(cuMemHostGetFlags(&count, room)),
      VALUE(cuMemHostGetDevicePointer(nullptr, room, 0)),
      VALUE(cuMemHostGetDevicePointer(&place, room, 0)),
      VALUE(cuMemAllocAsync(nullptr, 16, nullptr)),
      VALUE(cuMemAllocAsync(&place, 0, nullptr)),
      HANDLE(cuMemAllocAsync(&place, 16, none<CUstream>())),
      VALUE(cuMemFreeAsync(unknown, nullptr)),
      VALUE(cuMemAllocFromPoolAsync(&place, 16, nullptr, nullptr)),
      VALUE(cuMemAllocFromPoolAsync(&place, 16, lost, nullptr)),
      VALUE(cuMemPoolCreate(nullptr, nullptr)),
      VALUE(cuMemPoolCreate(&pool, nullptr)),
      VALUE(cuMemPoolDestroy(lost)),
      VALUE(cuMemPoolTrimTo(lost, 0)),
      VALUE(cuMemPoolGetAttribute(lost, CU_MEMPOOL_ATTR_USED_MEM_HIGH, room)),
      VALUE(cuMemPoolSetAttribute(lost, CU_MEMPOOL_ATTR_USED_MEM_HIGH, room)),
      VALUE(cuPointerGetAttribute(nullptr, attribute, memory)),
      VALUE(cuPointerGetAttribute(&number, CUpointer_attribute(999), memory)),
      VALUE(cuPointerGetAttribute(&number, attribute, unknown)),
      VALUE(cuPointerGetAttributes(1, nullptr, &data, memory)),
      VALUE(cuPointerGetAttributes(1, &attribute, nullptr, memory)),
      VALUE(cuIpcGetMemHandle(nullptr, memory)),
      VALUE(cuIpcGetMemHandle(&shared, 0)),
      VALUE(cuIpcGetMemHandle(&shared, unknown)),
      VALUE(cuIpcOpenMemHandle(nullptr, shared, 1)),
      VALUE(cuIpcOpenMemHandle(&place, shared, 1)),
      VALUE(cuIpcOpenMemHandle(&place, shared, 0)),
      VALUE(cuIpcCloseMemHandle(0)),
      VALUE(cuIpcCloseMemHandle(unknown)),
      HANDLE(cuIpcGetEventHandle(nullptr, event)),
      HANDLE(cuIpcGetEventHandle(&handle, event)),
      HANDLE(cuIpcGetEventHandle(&handle, none<CUevent>())),
      VALUE(cuIpcOpenEventHandle(nullptr, handle)),
      LINE(MAP_FAILED, cuIpcOpenEventHandle((CUevent *)&room, handle)),
  });
}

TEST_F(DriverArguments, OfCopiesAndFills) {
  auto lost = none<CUstream>();
  CUarray array = nullptr;
  auto noArray = none<CUarray>();
  CUDA_MEMCPY2D two;
  CUDA_MEMCPY3D three;
  std::memset(&two, 0, sizeof(two));
  std::memset(&three, 0, sizeof(three));
  CUcontext now = nullptr;
  ASSERT_EQ(cuCtxGetCurrent(&now), CUDA_SUCCESS);
  check({
      VALUE(cuMemcpy(memory, memory + 512, 4096)),
      VALUE(cuMemcpy(0, memory, 16)),
      HANDLE(cuMemcpyAsync(memory, memory + 512, 16, lost)),
      VALUE(cuMemcpyHtoD(memory, nullptr, 16)),
      VALUE(cuMemcpyHtoD(0, room, 16)),
      VALUE(cuMemcpyDtoH(nullptr, memory, 16)),
      VALUE(cuMemcpyDtoH(room, memory, 4096)),
      VALUE(cuMemcpyDtoD(0, memory, 16)),
      VALUE(cuMemcpyHtoDAsync(memory, nullptr, 16, stream)),
      HANDLE(cuMemcpyHtoDAsync(memory, room, 16, lost)),
      VALUE(cuMemcpyDtoHAsync(nullptr, memory, 16, stream)),
      HANDLE(cuMemcpyDtoHAsync(room, memory, 16, lost)),
      VALUE(cuMemcpyDtoDAsync(0, memory, 16, stream)),
      HANDLE(cuMemcpyDtoDAsync(memory, memory + 512, 16, lost)),
      CONTEXT(cuMemcpyPeer(memory, nullptr, memory, now, 16)),
      CONTEXT(cuMemcpyPeer(memory, now, memory, nullptr, 16)),
      CONTEXT(cuMemcpyPeerAsync(memory, nullptr, memory, now, 16, stream)),
      HANDLE(cuMemcpyPeerAsync(memory, now, memory + 512, now, 16, lost)),
      VALUE(cuMemcpy2D(nullptr)),
      VALUE(cuMemcpy2DUnaligned(nullptr)),
      VALUE(cuMemcpy2DAsync(nullptr, stream)),
      VALUE(cuMemcpy2D(&two)),
      VALUE(cuMemcpy3D(nullptr)),
      VALUE(cuMemcpy3D(&three)),
      VALUE(cuMemcpy3DAsync(nullptr, stream)),
      HANDLE(cuMemcpyDtoA(nullptr, 0, memory, 16)),
      HANDLE(cuMemcpyDtoA(noArray, 0, memory, 16)),
      HANDLE(cuMemcpyAtoD(memory, noArray, 0, 16)),
      HANDLE(cuMemcpyHtoA(noArray, 0, room, 16)),
      HANDLE(cuMemcpyAtoH(room, noArray, 0, 16)),
      HANDLE(cuMemcpyAtoA(noArray, 0, noArray, 0, 16)),
      HANDLE(cuMemcpyHtoAAsync(noArray, 0, room, 16, stream)),
      HANDLE(cuMemcpyAtoHAsync(room, noArray, 0, 16, stream)),
      VALUE(cuMemsetD8(0, 1, 16)),
      VALUE(cuMemsetD8(memory, 1, 4096)),
      VALUE(cuMemsetD16(0, 1, 16)),
      VALUE(cuMemsetD16(memory + 1, 1, 16)),
      VALUE(cuMemsetD32(0, 1, 16)),
      VALUE(cuMemsetD32(memory + 2, 1, 16)),
      HANDLE(cuMemsetD8Async(memory, 1, 16, lost)),
      HANDLE(cuMemsetD16Async(memory, 1, 16, lost)),
      HANDLE(cuMemsetD32Async(memory, 1, 16, lost)),
      VALUE(cuMemsetD2D8(memory, 4, 1, 8, 8)),
      VALUE(cuMemsetD2D16(memory, 3, 1, 1, 2)),
      VALUE(cuMemsetD2D32(memory, 6, 1, 1, 2)),
      VALUE(cuArrayCreate(nullptr, nullptr)),
      VALUE(cuArrayCreate(&array, nullptr)),
      VALUE(cuArray3DCreate(nullptr, nullptr)),
      VALUE(cuArray3DCreate(&array, nullptr)),
      HANDLE(cuArrayDestroy(noArray)),
      VALUE(cuArrayGetDescriptor(nullptr, noArray)),
      VALUE(cuArray3DGetDescriptor(nullptr, noArray)),
      VALUE(cuMipmappedArrayCreate(nullptr, nullptr, 1)),
      HANDLE(cuMipmappedArrayDestroy(nullptr)),
      HANDLE(cuMipmappedArrayDestroy(none<CUmipmappedArray>())),
      VALUE(cuMipmappedArrayGetLevel(nullptr, none<CUmipmappedArray>(), 0)),
      VALUE(cuTexObjectCreate(nullptr, nullptr, nullptr, nullptr)),
      VALUE(cuTexObjectGetResourceDesc(nullptr, 1)),
      VALUE(cuTexObjectGetTextureDesc(nullptr, 1)),
      VALUE(cuTexObjectDestroy(12345)),
      VALUE(cuSurfObjectCreate(nullptr, nullptr)),
      VALUE(cuSurfObjectGetResourceDesc(nullptr, 1)),
      VALUE(cuSurfObjectDestroy(12345)),
  });
}

TEST_F(DriverArguments, OfStreamsAndEvents) {
  auto lost = none<CUstream>();
  auto noEvent = none<CUevent>();
  CUstream made = nullptr;
  CUevent other = nullptr;
  CUstreamCaptureStatus status;
  CUgraph captured = nullptr;
  CUstreamBatchMemOpParams batch{};
  float time = 0;
  check({
      VALUE(cuStreamCreate(nullptr, 0)),
      VALUE(cuStreamCreate(&made, 99)),
      VALUE(cuStreamCreateWithPriority(nullptr, 0, 0)),
      VALUE(cuStreamCreateWithPriority(&made, 99, 0)),
      HANDLE(cuStreamDestroy(lost)),
      HANDLE(cuStreamSynchronize(lost)),
      HANDLE(cuStreamQuery(lost)),
      HANDLE(cuStreamWaitEvent(lost, event, 0)),
      HANDLE(cuStreamWaitEvent(stream, noEvent, 0)),
      VALUE(cuStreamWaitEvent(stream, event, 99)),
      VALUE(cuStreamGetPriority(stream, nullptr)),
      HANDLE(cuStreamGetPriority(lost, &number)),
      VALUE(cuStreamGetFlags(stream, nullptr)),
      HANDLE(cuStreamGetFlags(lost, &count)),
      VALUE(cuStreamGetCtx(stream, nullptr)),
      HANDLE(cuStreamGetCtx(lost, &context)),
      VALUE(cuStreamAddCallback(stream, nullptr, nullptr, 0)),
      VALUE(cuStreamAddCallback(
          stream, [](CUstream, CUresult, void *) {}, nullptr, 1)),
      HANDLE(cuStreamAddCallback(
          lost, [](CUstream, CUresult, void *) {}, nullptr, 0)),
      VALUE(cuLaunchHostFunc(stream, nullptr, nullptr)),
      HANDLE(cuLaunchHostFunc(
          lost, [](void *) {}, nullptr)),
      VALUE(cuStreamAttachMemAsync(stream, memory, 0, 99)),
      HANDLE(cuStreamWaitValue32(lost, memory, 0, 0)),
      VALUE(cuStreamWaitValue32(stream, 0, 0, 0)),
      VALUE(cuStreamWaitValue32(stream, reinterpret_cast<CUdeviceptr>(room), 0,
                                0)),
      VALUE(cuStreamWaitValue64(stream, memory + 4, 0, 0)),
      VALUE(cuStreamWaitValue64(stream, memory, 0, 99)),
      LINE(NOT_SUPPORTED,
           cuStreamWaitValue32(stream, memory, 0, CU_STREAM_WAIT_VALUE_FLUSH)),
      HANDLE(cuStreamWriteValue32(lost, memory, 0, 0)),
      VALUE(cuStreamWriteValue32(stream, memory, 0, 99)),
      VALUE(cuStreamWriteValue64(stream, 0, 0, 0)),
      VALUE(cuStreamBatchMemOp(stream, 1, nullptr, 0)),
      VALUE(cuStreamBatchMemOp(stream, 1, &batch, 0)),
      VALUE(cuEventCreate(nullptr, 0)),
      VALUE(cuEventCreate(&other, 99)),
      VALUE(cuEventCreate(&other, CU_EVENT_INTERPROCESS)),
      HANDLE(cuEventDestroy(noEvent)),
      HANDLE(cuEventRecord(noEvent, stream)),
      HANDLE(cuEventRecord(event, lost)),
      HANDLE(cuEventRecordWithFlags(noEvent, stream, 0)),
      VALUE(cuEventRecordWithFlags(event, stream, 99)),
      HANDLE(cuEventSynchronize(noEvent)),
      HANDLE(cuEventQuery(noEvent)),
      VALUE(cuEventElapsedTime(nullptr, event, event)),
      HANDLE(cuEventElapsedTime(&time, event, noEvent)),
      HANDLE(cuStreamBeginCapture(lost, CU_STREAM_CAPTURE_MODE_GLOBAL)),
      VALUE(cuStreamBeginCapture(stream, CUstreamCaptureMode(99))),
      LINE(ILLEGAL_STATE, cuStreamEndCapture(stream, &captured)),
      LINE(ILLEGAL_STATE, cuStreamEndCapture(stream, nullptr)),
      VALUE(cuStreamIsCapturing(stream, nullptr)),
      HANDLE(cuStreamIsCapturing(lost, &status)),
      VALUE(cuStreamGetCaptureInfo(stream, nullptr, nullptr, nullptr, nullptr,
                                   nullptr)),
      HANDLE(cuStreamGetCaptureInfo(lost, &status, nullptr, nullptr, nullptr,
                                    nullptr)),
  });
}

} // namespace
