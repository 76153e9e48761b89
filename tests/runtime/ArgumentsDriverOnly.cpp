//===- ArgumentsDriverOnly.cpp - what only drivers do: right and wrong ----===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nulls are wrong arguments; with others a CPU answers CUDA_ERROR_NOT_SUPPORTED
// and looks at none of them.
//
//===----------------------------------------------------------------------===//

#include "ArgumentsDriver.h"

namespace {

#define UNSUPPORTED(call) LINE(NOT_SUPPORTED, call)

/// An address of what is wanted.
struct Anything {
  char *room;
  template <typename T> operator T *() const {
    return reinterpret_cast<T *>(room);
  }
};

TEST_F(DriverArguments, OfWhatOnlyDriversDo) {
  check(
      {VALUE(cuImportExternalMemory(nullptr, nullptr)),
       VALUE(cuExternalMemoryGetMappedBuffer(nullptr, nullptr, nullptr)),
       VALUE(
           cuExternalMemoryGetMappedMipmappedArray(nullptr, nullptr, nullptr)),
       VALUE(cuDestroyExternalMemory(nullptr)),
       VALUE(cuImportExternalSemaphore(nullptr, nullptr)),
       VALUE(cuSignalExternalSemaphoresAsync(nullptr, nullptr, 0, nullptr)),
       VALUE(cuWaitExternalSemaphoresAsync(nullptr, nullptr, 0, nullptr)),
       VALUE(cuDestroyExternalSemaphore(nullptr)),
       VALUE(cuGraphAddExternalSemaphoresSignalNode(nullptr, nullptr, nullptr,
                                                    0, nullptr)),
       VALUE(cuGraphAddExternalSemaphoresWaitNode(nullptr, nullptr, nullptr, 0,
                                                  nullptr)),
       VALUE(cuGraphExecExternalSemaphoresSignalNodeSetParams(nullptr, nullptr,
                                                              nullptr)),
       VALUE(cuGraphExecExternalSemaphoresWaitNodeSetParams(nullptr, nullptr,
                                                            nullptr)),
       VALUE(cuGraphExternalSemaphoresSignalNodeGetParams(nullptr, nullptr)),
       VALUE(cuGraphExternalSemaphoresSignalNodeSetParams(nullptr, nullptr)),
       VALUE(cuGraphExternalSemaphoresWaitNodeGetParams(nullptr, nullptr)),
       VALUE(cuGraphExternalSemaphoresWaitNodeSetParams(nullptr, nullptr)),
       VALUE(cuGraphicsMapResources(0, nullptr, nullptr)),
       VALUE(cuGraphicsUnmapResources(0, nullptr, nullptr)),
       VALUE(cuGraphicsUnregisterResource(nullptr)),
       VALUE(cuGraphicsResourceSetMapFlags(nullptr, 0)),
       VALUE(cuGraphicsResourceGetMappedPointer(nullptr, nullptr, nullptr)),
       VALUE(cuGraphicsSubResourceGetMappedArray(nullptr, nullptr, 0, 0)),
       VALUE(cuGraphicsResourceGetMappedMipmappedArray(nullptr, nullptr)),
       VALUE(cuDeviceGetDevResource(0, nullptr, CUdevResourceType(0))),
       VALUE(cuCtxGetDevResource(nullptr, nullptr, CUdevResourceType(0))),
       VALUE(cuGreenCtxGetDevResource(nullptr, nullptr, CUdevResourceType(0))),
       VALUE(cuDevSmResourceSplitByCount(nullptr, nullptr, nullptr, nullptr, 0,
                                         0)),
       VALUE(cuDevResourceGenerateDesc(nullptr, nullptr, 0)),
       VALUE(cuGreenCtxCreate(nullptr, nullptr, 0, 0)),
       VALUE(cuGreenCtxDestroy(nullptr)),
       VALUE(cuGreenCtxGetId(nullptr, nullptr)),
       VALUE(cuGreenCtxStreamCreate(nullptr, nullptr, 0, 0)),
       VALUE(cuGreenCtxRecordEvent(nullptr, nullptr)),
       VALUE(cuGreenCtxWaitEvent(nullptr, nullptr)),
       VALUE(cuCtxFromGreenCtx(nullptr, nullptr)),
       VALUE(cuCtxRecordEvent(nullptr, nullptr)),
       VALUE(cuCtxWaitEvent(nullptr, nullptr)),
       VALUE(cuStreamGetGreenCtx(nullptr, nullptr)),
       VALUE(cuCtxGetExecAffinity(nullptr, CUexecAffinityType(0))),
       VALUE(cuDeviceGetLuid(nullptr, nullptr, 0)),
       VALUE(cuDeviceGetHostAtomicCapabilities(nullptr, nullptr, 0, 0)),
       VALUE(cuDeviceGetP2PAtomicCapabilities(nullptr, nullptr, 0, 0, 0)),
       VALUE(cuDeviceGetNvSciSyncAttributes(nullptr, 0, 0)),
       VALUE(cuPointerSetAttribute(nullptr, CUpointer_attribute(0), 0)),
       VALUE(cuMemGetHandleForAddressRange(nullptr, 0, 0,
                                           CUmemRangeHandleType(0), 0)),
       VALUE(cuMemBatchDecompressAsync(nullptr, 0, 0, nullptr, nullptr)),
       VALUE(cuMemMapArrayAsync(nullptr, 0, nullptr)),
       VALUE(cuMulticastCreate(nullptr, nullptr)),
       VALUE(cuMulticastAddDevice(0, 99)),
       VALUE(cuMulticastUnbind(0, 99, 0, 0)),
       VALUE(cuMulticastGetGranularity(nullptr, nullptr,
                                       CUmulticastGranularity_flags(0))),
       VALUE(cuTensorMapEncodeTiled(
           nullptr, CUtensorMapDataType(0), 0, nullptr, nullptr, nullptr,
           nullptr, nullptr, CUtensorMapInterleave(0), CUtensorMapSwizzle(0),
           CUtensorMapL2promotion(0), CUtensorMapFloatOOBfill(0))),
       VALUE(cuTensorMapEncodeIm2col(
           nullptr, CUtensorMapDataType(0), 0, nullptr, nullptr, nullptr,
           nullptr, nullptr, 0, 0, nullptr, CUtensorMapInterleave(0),
           CUtensorMapSwizzle(0), CUtensorMapL2promotion(0),
           CUtensorMapFloatOOBfill(0))),
       VALUE(cuTensorMapEncodeIm2colWide(
           nullptr, CUtensorMapDataType(0), 0, nullptr, nullptr, nullptr, 0, 0,
           0, 0, nullptr, CUtensorMapInterleave(0),
           CUtensorMapIm2ColWideMode(0), CUtensorMapSwizzle(0),
           CUtensorMapL2promotion(0), CUtensorMapFloatOOBfill(0))),
       VALUE(cuTensorMapReplaceAddress(nullptr, nullptr)),
       VALUE(cuLogsRegisterCallback(nullptr, nullptr, nullptr)),
       VALUE(cuLogsUnregisterCallback(nullptr)),
       VALUE(cuLogsCurrent(nullptr, 0)),
       VALUE(cuLogsDumpToFile(nullptr, nullptr, 0)),
       VALUE(cuLogsDumpToMemory(nullptr, nullptr, nullptr, 0)),
       VALUE(cuDeviceRegisterAsyncNotification(0, nullptr, nullptr, nullptr)),
       VALUE(cuDeviceUnregisterAsyncNotification(0, nullptr)),
       VALUE(cuCoredumpGetAttribute(CUcoredumpSettings(0), nullptr, nullptr)),
       VALUE(cuCoredumpGetAttributeGlobal(CUcoredumpSettings(0), nullptr,
                                          nullptr)),
       VALUE(cuCoredumpSetAttribute(CUcoredumpSettings(0), nullptr, nullptr)),
       VALUE(cuCoredumpSetAttributeGlobal(CUcoredumpSettings(0), nullptr,
                                          nullptr)),
       VALUE(cuGetExportTable(nullptr, nullptr)),
       VALUE(cuCheckpointProcessGetState(0, nullptr)),
       VALUE(cuCheckpointProcessGetRestoreThreadId(0, nullptr)),
       VALUE(cuCheckpointProcessLock(0, nullptr)),
       VALUE(cuCheckpointProcessCheckpoint(0, nullptr)),
       VALUE(cuCheckpointProcessRestore(0, nullptr)),
       VALUE(cuCheckpointProcessUnlock(0, nullptr)),
       VALUE(cuGraphAddBatchMemOpNode(nullptr, nullptr, nullptr, 0, nullptr)),
       VALUE(cuGraphBatchMemOpNodeGetParams(nullptr, nullptr)),
       VALUE(cuGraphBatchMemOpNodeSetParams(nullptr, nullptr)),
       VALUE(cuGraphExecBatchMemOpNodeSetParams(nullptr, nullptr, nullptr)),
       VALUE(cuCtxAttach(nullptr, 0)),
       VALUE(cuCtxDetach(nullptr)),
       VALUE(cuFuncSetBlockShape(nullptr, 0, 0, 0)),
       VALUE(cuFuncSetSharedSize(nullptr, 0)),
       VALUE(cuParamSetSize(nullptr, 0)),
       VALUE(cuParamSeti(nullptr, 0, 0)),
       VALUE(cuParamSetf(nullptr, 0, 0)),
       VALUE(cuParamSetv(nullptr, 0, nullptr, 0)),
       VALUE(cuParamSetTexRef(nullptr, 0, nullptr)),
       VALUE(cuLaunch(nullptr)),
       VALUE(cuLaunchGrid(nullptr, 0, 0)),
       VALUE(cuLaunchGridAsync(nullptr, 0, 0, nullptr)),
       VALUE(cuLaunchCooperativeKernelMultiDevice(nullptr, 0, 0)),
       VALUE(cuModuleGetTexRef(nullptr, nullptr, nullptr)),
       VALUE(cuModuleGetSurfRef(nullptr, nullptr, nullptr)),
       VALUE(cuTexRefCreate(nullptr)),
       VALUE(cuTexRefDestroy(nullptr)),
       VALUE(cuTexRefGetAddress(nullptr, nullptr)),
       VALUE(cuTexRefGetAddressMode(nullptr, nullptr, 0)),
       VALUE(cuTexRefGetArray(nullptr, nullptr)),
       VALUE(cuTexRefGetBorderColor(nullptr, nullptr)),
       VALUE(cuTexRefGetFilterMode(nullptr, nullptr)),
       VALUE(cuTexRefGetFlags(nullptr, nullptr)),
       VALUE(cuTexRefGetFormat(nullptr, nullptr, nullptr)),
       VALUE(cuTexRefGetMaxAnisotropy(nullptr, nullptr)),
       VALUE(cuTexRefGetMipmapFilterMode(nullptr, nullptr)),
       VALUE(cuTexRefGetMipmapLevelBias(nullptr, nullptr)),
       VALUE(cuTexRefGetMipmapLevelClamp(nullptr, nullptr, nullptr)),
       VALUE(cuTexRefGetMipmappedArray(nullptr, nullptr)),
       VALUE(cuTexRefSetAddress(nullptr, nullptr, 0, 0)),
       VALUE(cuTexRefSetAddress2D(nullptr, nullptr, 0, 0)),
       VALUE(cuTexRefSetAddressMode(nullptr, 0, CUaddress_mode(0))),
       VALUE(cuTexRefSetArray(nullptr, nullptr, 0)),
       VALUE(cuTexRefSetBorderColor(nullptr, nullptr)),
       VALUE(cuTexRefSetFilterMode(nullptr, CUfilter_mode(0))),
       VALUE(cuTexRefSetFlags(nullptr, 0)),
       VALUE(cuTexRefSetFormat(nullptr, CUarray_format(0), 0)),
       VALUE(cuTexRefSetMaxAnisotropy(nullptr, 0)),
       VALUE(cuTexRefSetMipmapFilterMode(nullptr, CUfilter_mode(0))),
       VALUE(cuTexRefSetMipmapLevelBias(nullptr, 0)),
       VALUE(cuTexRefSetMipmapLevelClamp(nullptr, 0, 0)),
       VALUE(cuTexRefSetMipmappedArray(nullptr, nullptr, 0)),
       VALUE(cuSurfRefSetArray(nullptr, nullptr, 0)),
       VALUE(cuSurfRefGetArray(nullptr, nullptr))});
}

TEST_F(DriverArguments, OfWhatNoCpuHas) {
  const Anything any = {room};
  check(
      {UNSUPPORTED(cuImportExternalMemory(any, any)),
       UNSUPPORTED(cuExternalMemoryGetMappedBuffer(any, any, any)),
       UNSUPPORTED(cuExternalMemoryGetMappedMipmappedArray(any, any, any)),
       UNSUPPORTED(cuDestroyExternalMemory(any)),
       UNSUPPORTED(cuImportExternalSemaphore(any, any)),
       UNSUPPORTED(cuSignalExternalSemaphoresAsync(any, any, 1, stream)),
       UNSUPPORTED(cuWaitExternalSemaphoresAsync(any, any, 1, stream)),
       UNSUPPORTED(cuDestroyExternalSemaphore(any)),
       UNSUPPORTED(
           cuGraphAddExternalSemaphoresSignalNode(any, any, any, 1, any)),
       UNSUPPORTED(cuGraphAddExternalSemaphoresWaitNode(any, any, any, 1, any)),
       UNSUPPORTED(
           cuGraphExecExternalSemaphoresSignalNodeSetParams(any, any, any)),
       UNSUPPORTED(
           cuGraphExecExternalSemaphoresWaitNodeSetParams(any, any, any)),
       UNSUPPORTED(cuGraphExternalSemaphoresSignalNodeGetParams(any, any)),
       UNSUPPORTED(cuGraphExternalSemaphoresSignalNodeSetParams(any, any)),
       UNSUPPORTED(cuGraphExternalSemaphoresWaitNodeGetParams(any, any)),
       UNSUPPORTED(cuGraphExternalSemaphoresWaitNodeSetParams(any, any)),
       UNSUPPORTED(cuGraphicsMapResources(1, any, stream)),
       UNSUPPORTED(cuGraphicsUnmapResources(1, any, stream)),
       UNSUPPORTED(cuGraphicsUnregisterResource(any)),
       UNSUPPORTED(cuGraphicsResourceSetMapFlags(any, 0)),
       UNSUPPORTED(cuGraphicsResourceGetMappedPointer(any, any, any)),
       UNSUPPORTED(cuGraphicsSubResourceGetMappedArray(any, any, 0, 0)),
       UNSUPPORTED(cuGraphicsResourceGetMappedMipmappedArray(any, any)),
       UNSUPPORTED(cuDeviceGetDevResource(0, any, CUdevResourceType(0))),
       UNSUPPORTED(cuCtxGetDevResource(any, any, CUdevResourceType(0))),
       UNSUPPORTED(cuGreenCtxGetDevResource(any, any, CUdevResourceType(0))),
       UNSUPPORTED(cuDevSmResourceSplitByCount(any, any, any, any, 0, 0)),
       UNSUPPORTED(cuDevResourceGenerateDesc(any, any, 1)),
       UNSUPPORTED(cuGreenCtxCreate(any, any, 0, 0)),
       UNSUPPORTED(cuGreenCtxDestroy(any)),
       UNSUPPORTED(cuGreenCtxGetId(any, any)),
       UNSUPPORTED(cuGreenCtxStreamCreate(any, any, 0, 0)),
       UNSUPPORTED(cuGreenCtxRecordEvent(any, event)),
       UNSUPPORTED(cuGreenCtxWaitEvent(any, event)),
       UNSUPPORTED(cuCtxFromGreenCtx(any, any)),
       UNSUPPORTED(cuCtxRecordEvent(any, event)),
       UNSUPPORTED(cuCtxWaitEvent(any, event)),
       UNSUPPORTED(cuStreamGetGreenCtx(stream, any)),
       UNSUPPORTED(cuCtxGetExecAffinity(any, CUexecAffinityType(0))),
       UNSUPPORTED(cuDeviceGetLuid(any, any, 0)),
       UNSUPPORTED(cuDeviceGetHostAtomicCapabilities(any, any, 1, 0)),
       UNSUPPORTED(cuDeviceGetP2PAtomicCapabilities(any, any, 1, 0, 0)),
       UNSUPPORTED(cuDeviceGetNvSciSyncAttributes(any, 0, 0)),
       UNSUPPORTED(
           cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget(0),
                                      CUflushGPUDirectRDMAWritesScope(0))),
       UNSUPPORTED(cuPointerSetAttribute(any, CUpointer_attribute(0), 0)),
       UNSUPPORTED(cuMemGetHandleForAddressRange(any, 0, 1,
                                                 CUmemRangeHandleType(0), 0)),
       UNSUPPORTED(cuMemBatchDecompressAsync(any, 1, 0, any, stream)),
       UNSUPPORTED(cuMemMapArrayAsync(any, 1, stream)),
       UNSUPPORTED(cuMulticastCreate(any, any)),
       UNSUPPORTED(cuMulticastAddDevice(0, 0)),
       UNSUPPORTED(cuMulticastBindMem(0, 0, 0, 0, 1, 0)),
       UNSUPPORTED(cuMulticastBindAddr(0, 0, 0, 1, 0)),
       UNSUPPORTED(cuMulticastUnbind(0, 0, 0, 1)),
       UNSUPPORTED(cuMulticastGetGranularity(any, any,
                                             CUmulticastGranularity_flags(0))),
       UNSUPPORTED(cuTensorMapEncodeTiled(
           any, CUtensorMapDataType(0), 0, any, any, any, any, any,
           CUtensorMapInterleave(0), CUtensorMapSwizzle(0),
           CUtensorMapL2promotion(0), CUtensorMapFloatOOBfill(0))),
       UNSUPPORTED(cuTensorMapEncodeIm2col(
           any, CUtensorMapDataType(0), 0, any, any, any, any, any, 0, 0, any,
           CUtensorMapInterleave(0), CUtensorMapSwizzle(0),
           CUtensorMapL2promotion(0), CUtensorMapFloatOOBfill(0))),
       UNSUPPORTED(cuTensorMapEncodeIm2colWide(
           any, CUtensorMapDataType(0), 0, any, any, any, 0, 0, 0, 0, any,
           CUtensorMapInterleave(0), CUtensorMapIm2ColWideMode(0),
           CUtensorMapSwizzle(0), CUtensorMapL2promotion(0),
           CUtensorMapFloatOOBfill(0))),
       UNSUPPORTED(cuTensorMapReplaceAddress(any, any)),
       UNSUPPORTED(cuLogsRegisterCallback(any, any, any)),
       UNSUPPORTED(cuLogsUnregisterCallback(any)),
       UNSUPPORTED(cuLogsCurrent(any, 0)),
       UNSUPPORTED(cuLogsDumpToFile(any, any, 0)),
       UNSUPPORTED(cuLogsDumpToMemory(any, any, any, 0)),
       UNSUPPORTED(cuDeviceRegisterAsyncNotification(0, any, any, any)),
       UNSUPPORTED(cuDeviceUnregisterAsyncNotification(0, any)),
       UNSUPPORTED(cuCoredumpGetAttribute(CUcoredumpSettings(0), any, any)),
       UNSUPPORTED(
           cuCoredumpGetAttributeGlobal(CUcoredumpSettings(0), any, any)),
       UNSUPPORTED(cuCoredumpSetAttribute(CUcoredumpSettings(0), any, any)),
       UNSUPPORTED(
           cuCoredumpSetAttributeGlobal(CUcoredumpSettings(0), any, any)),
       UNSUPPORTED(cuGetExportTable(any, any)),
       UNSUPPORTED(cuCheckpointProcessGetState(1, any)),
       UNSUPPORTED(cuCheckpointProcessGetRestoreThreadId(1, any)),
       UNSUPPORTED(cuCheckpointProcessLock(1, any)),
       UNSUPPORTED(cuCheckpointProcessCheckpoint(1, any)),
       UNSUPPORTED(cuCheckpointProcessRestore(1, any)),
       UNSUPPORTED(cuCheckpointProcessUnlock(1, any)),
       UNSUPPORTED(cuGraphAddBatchMemOpNode(any, any, any, 1, any)),
       UNSUPPORTED(cuGraphBatchMemOpNodeGetParams(any, any)),
       UNSUPPORTED(cuGraphBatchMemOpNodeSetParams(any, any)),
       UNSUPPORTED(cuGraphExecBatchMemOpNodeSetParams(any, any, any)),
       UNSUPPORTED(cuCtxAttach(any, 0)),
       UNSUPPORTED(cuCtxDetach(any)),
       UNSUPPORTED(cuFuncSetBlockShape(any, 0, 0, 0)),
       UNSUPPORTED(cuFuncSetSharedSize(any, 1)),
       UNSUPPORTED(cuParamSetSize(any, 1)),
       UNSUPPORTED(cuParamSeti(any, 0, 0)),
       UNSUPPORTED(cuParamSetf(any, 0, 0)),
       UNSUPPORTED(cuParamSetv(any, 0, any, 1)),
       UNSUPPORTED(cuParamSetTexRef(any, 0, any)),
       UNSUPPORTED(cuLaunch(any)),
       UNSUPPORTED(cuLaunchGrid(any, 0, 0)),
       UNSUPPORTED(cuLaunchGridAsync(any, 0, 0, stream)),
       UNSUPPORTED(cuLaunchCooperativeKernelMultiDevice(any, 1, 0)),
       UNSUPPORTED(cuModuleGetTexRef(any, any, any)),
       UNSUPPORTED(cuModuleGetSurfRef(any, any, any)),
       UNSUPPORTED(cuTexRefCreate(any)),
       UNSUPPORTED(cuTexRefDestroy(any)),
       UNSUPPORTED(cuTexRefGetAddress(any, any)),
       UNSUPPORTED(cuTexRefGetAddressMode(any, any, 0)),
       UNSUPPORTED(cuTexRefGetArray(any, any)),
       UNSUPPORTED(cuTexRefGetBorderColor(any, any)),
       UNSUPPORTED(cuTexRefGetFilterMode(any, any)),
       UNSUPPORTED(cuTexRefGetFlags(any, any)),
       UNSUPPORTED(cuTexRefGetFormat(any, any, any)),
       UNSUPPORTED(cuTexRefGetMaxAnisotropy(any, any)),
       UNSUPPORTED(cuTexRefGetMipmapFilterMode(any, any)),
       UNSUPPORTED(cuTexRefGetMipmapLevelBias(any, any)),
       UNSUPPORTED(cuTexRefGetMipmapLevelClamp(any, any, any)),
       UNSUPPORTED(cuTexRefGetMipmappedArray(any, any)),
       UNSUPPORTED(cuTexRefSetAddress(any, any, 0, 1)),
       UNSUPPORTED(cuTexRefSetAddress2D(any, any, 0, 0)),
       UNSUPPORTED(cuTexRefSetAddressMode(any, 0, CUaddress_mode(0))),
       UNSUPPORTED(cuTexRefSetArray(any, any, 0)),
       UNSUPPORTED(cuTexRefSetBorderColor(any, any)),
       UNSUPPORTED(cuTexRefSetFilterMode(any, CUfilter_mode(0))),
       UNSUPPORTED(cuTexRefSetFlags(any, 0)),
       UNSUPPORTED(cuTexRefSetFormat(any, CUarray_format(0), 0)),
       UNSUPPORTED(cuTexRefSetMaxAnisotropy(any, 0)),
       UNSUPPORTED(cuTexRefSetMipmapFilterMode(any, CUfilter_mode(0))),
       UNSUPPORTED(cuTexRefSetMipmapLevelBias(any, 0)),
       UNSUPPORTED(cuTexRefSetMipmapLevelClamp(any, 0, 0)),
       UNSUPPORTED(cuTexRefSetMipmappedArray(any, any, 0)),
       UNSUPPORTED(cuSurfRefSetArray(any, any, 0)),
       UNSUPPORTED(cuSurfRefGetArray(any, any))});
}

TEST_F(DriverArguments, OfWhatCudaHasReplaced) {
  const Anything any = {room};
  CUdevprop properties{};
  CUDA_ARRAY_SPARSE_PROPERTIES sparse;
  CUDA_ARRAY_MEMORY_REQUIREMENTS requirements;
  check(
      {VALUE(cuDeviceGetProperties(nullptr, 0)),
       DEVICE(cuDeviceGetProperties(&properties, 99)),
       VALUE(cuCtxGetSharedMemConfig(nullptr)),
       VALUE(cuCtxSetSharedMemConfig(CUsharedconfig(9))),
       HANDLE(cuFuncSetSharedMemConfig(nullptr,
                                       CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE)),
       VALUE(cuDeviceGetExecAffinitySupport(nullptr,
                                            CU_EXEC_AFFINITY_TYPE_SM_COUNT, 0)),
       VALUE(cuDeviceGetExecAffinitySupport(&number, CUexecAffinityType(9), 0)),
       DEVICE(cuDeviceGetExecAffinitySupport(
           &number, CU_EXEC_AFFINITY_TYPE_SM_COUNT, 99)),
       VALUE(cuArrayGetPlane(nullptr, nullptr, 0)),
       VALUE(cuArrayGetSparseProperties(nullptr, nullptr)),
       HANDLE(cuMipmappedArrayGetSparseProperties(&sparse, any)),
       VALUE(cuArrayGetMemoryRequirements(&requirements, nullptr, 0)),
       DEVICE(cuMipmappedArrayGetMemoryRequirements(&requirements, any, 99)),
       VALUE(cuTexObjectGetResourceViewDesc(nullptr, 0))});
  EXPECT_EQ(cuDeviceGetProperties(&properties, 0), CUDA_SUCCESS);
  int warp = 0;
  EXPECT_EQ(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0),
            CUDA_SUCCESS);
  EXPECT_EQ(properties.SIMDWidth, warp);
  EXPECT_EQ(properties.maxThreadsDim[0], 1024);
  EXPECT_EQ(cuDeviceGetExecAffinitySupport(&number,
                                           CU_EXEC_AFFINITY_TYPE_SM_COUNT, 0),
            CUDA_SUCCESS);
  EXPECT_EQ(number, 0);
}

/// The forms of versions, which the header makes of the others.
TEST_F(DriverArguments, OfVersions) {
  CUcontext own = nullptr, other = nullptr;
  CUgreenCtx part = nullptr;
  CUdevice device = 9;
  CUexecAffinityParam affinity{};
  CUgraphEdgeData data{1, 0, 0, {}};
  ASSERT_EQ(cuCtxGetCurrent(&own), CUDA_SUCCESS);
  check({
      LINE(UNSUPPORTED_EXEC_AFFINITY,
           cuCtxCreate_v3(&other, &affinity, 1, 0, 0)),
      VALUE(cuCtxCreate_v4(nullptr, nullptr, 0, 0)),
      CONTEXT(cuCtxGetDevice_v2(&device, none<CUcontext>())),
      VALUE(cuCtxGetDevice_v2(nullptr, own)),
      CONTEXT(cuCtxSynchronize_v2(none<CUcontext>())),
      VALUE(cuStreamGetCtx_v2(stream, nullptr, &part)),
      VALUE(cuGraphGetEdges_v2(graph, nullptr, nullptr, &data, nullptr)),
      LINE(NOT_SUPPORTED,
           cuGraphAddDependencies_v2(graph, nullptr, nullptr, &data, 1)),
      VALUE(cuGraphRemoveDependencies_v2(graph, nullptr, nullptr, &data, 1)),
  });
  EXPECT_EQ(cuCtxGetDevice_v2(&device, own), CUDA_SUCCESS);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cuCtxSynchronize_v2(own), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamGetCtx_v2(stream, &other, &part), CUDA_SUCCESS);
  EXPECT_EQ(other, own);
  void *function = nullptr;
  ASSERT_EQ(cuGetProcAddress("cuCtxGetDevice", &function, 13000, 0, nullptr),
            CUDA_SUCCESS);
  EXPECT_EQ(reinterpret_cast<CUresult (*)(CUdevice *, CUcontext)>(function)(
                &device, none<CUcontext>()),
            CUDA_ERROR_INVALID_CONTEXT);
}

} // namespace
