//===- PublicHeader.cpp - the header that programs include ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime's own types and numbers are those of include/driver_types.h. All
// is known when this is compiled.
//
//===----------------------------------------------------------------------===//

#include "CudaApi.h"
#include "runtime/core/Graphs.h"
#include <cstddef>
#include <stddef.h>

namespace open {
#include "include/driver_types.h"
} // namespace open

// As CUDA keeps it: a member in the same place with the same size.
#define SAME(type, member)                                                     \
  static_assert(offsetof(type, member) == offsetof(open::type, member) &&      \
                sizeof(type::member) == sizeof(open::type::member))
#define SAME_SIZE(type) static_assert(sizeof(type) == sizeof(open::type))

SAME_SIZE(cudaChannelFormatDesc);
SAME(cudaChannelFormatDesc, x);
SAME(cudaChannelFormatDesc, y);
SAME(cudaChannelFormatDesc, z);
SAME(cudaChannelFormatDesc, w);
SAME(cudaChannelFormatDesc, f);
SAME_SIZE(cudaExtent);
SAME(cudaExtent, width);
SAME(cudaExtent, height);
SAME(cudaExtent, depth);
SAME_SIZE(cudaPos);
SAME(cudaPos, x);
SAME(cudaPos, y);
SAME(cudaPos, z);
SAME_SIZE(cudaPitchedPtr);
SAME(cudaPitchedPtr, ptr);
SAME(cudaPitchedPtr, pitch);
SAME(cudaPitchedPtr, xsize);
SAME(cudaPitchedPtr, ysize);
SAME_SIZE(cudaMemcpy3DParms);
SAME(cudaMemcpy3DParms, srcArray);
SAME(cudaMemcpy3DParms, srcPos);
SAME(cudaMemcpy3DParms, srcPtr);
SAME(cudaMemcpy3DParms, dstArray);
SAME(cudaMemcpy3DParms, dstPos);
SAME(cudaMemcpy3DParms, dstPtr);
SAME(cudaMemcpy3DParms, extent);
SAME(cudaMemcpy3DParms, kind);
SAME_SIZE(cudaMemcpy3DPeerParms);
SAME(cudaMemcpy3DPeerParms, srcArray);
SAME(cudaMemcpy3DPeerParms, srcPos);
SAME(cudaMemcpy3DPeerParms, srcPtr);
SAME(cudaMemcpy3DPeerParms, srcDevice);
SAME(cudaMemcpy3DPeerParms, dstArray);
SAME(cudaMemcpy3DPeerParms, dstPos);
SAME(cudaMemcpy3DPeerParms, dstPtr);
SAME(cudaMemcpy3DPeerParms, dstDevice);
SAME(cudaMemcpy3DPeerParms, extent);
SAME_SIZE(cudaMemLocation);
SAME(cudaMemLocation, type);
SAME(cudaMemLocation, id);
SAME_SIZE(cudaMemPoolProps);
SAME(cudaMemPoolProps, allocType);
SAME(cudaMemPoolProps, handleTypes);
SAME(cudaMemPoolProps, location);
SAME(cudaMemPoolProps, win32SecurityAttributes);
SAME(cudaMemPoolProps, maxSize);
SAME(cudaMemPoolProps, usage);
SAME(cudaMemPoolProps, reserved);
SAME_SIZE(cudaMemsetParams);
SAME(cudaMemsetParams, dst);
SAME(cudaMemsetParams, pitch);
SAME(cudaMemsetParams, value);
SAME(cudaMemsetParams, elementSize);
SAME(cudaMemsetParams, width);
SAME(cudaMemsetParams, height);
SAME_SIZE(cudaHostNodeParams);
SAME(cudaHostNodeParams, fn);
SAME(cudaHostNodeParams, userData);
SAME_SIZE(cudaGraphExecUpdateResultInfo);
SAME_SIZE(dim3);
SAME_SIZE(cudaKernelNodeParams);
SAME(cudaKernelNodeParams, func);
SAME(cudaKernelNodeParams, gridDim);
SAME(cudaKernelNodeParams, blockDim);
SAME(cudaKernelNodeParams, sharedMemBytes);
SAME(cudaKernelNodeParams, kernelParams);
SAME(cudaKernelNodeParams, extra);
SAME_SIZE(cudaLaunchAttribute);
SAME_SIZE(cudaLaunchConfig_t);
SAME(cudaLaunchConfig_t, gridDim);
SAME(cudaLaunchConfig_t, blockDim);
SAME(cudaLaunchConfig_t, dynamicSmemBytes);
SAME(cudaLaunchConfig_t, stream);
SAME(cudaLaunchConfig_t, attrs);
SAME(cudaLaunchConfig_t, numAttrs);
SAME_SIZE(cudaUUID_t);
SAME_SIZE(cudaDeviceProp);
SAME(cudaDeviceProp, name);
SAME(cudaDeviceProp, uuid);
SAME(cudaDeviceProp, luid);
SAME(cudaDeviceProp, luidDeviceNodeMask);
SAME(cudaDeviceProp, totalGlobalMem);
SAME(cudaDeviceProp, sharedMemPerBlock);
SAME(cudaDeviceProp, regsPerBlock);
SAME(cudaDeviceProp, warpSize);
SAME(cudaDeviceProp, memPitch);
SAME(cudaDeviceProp, maxThreadsPerBlock);
SAME(cudaDeviceProp, maxThreadsDim);
SAME(cudaDeviceProp, maxGridSize);
SAME(cudaDeviceProp, totalConstMem);
SAME(cudaDeviceProp, major);
SAME(cudaDeviceProp, minor);
SAME(cudaDeviceProp, textureAlignment);
SAME(cudaDeviceProp, texturePitchAlignment);
SAME(cudaDeviceProp, multiProcessorCount);
SAME(cudaDeviceProp, integrated);
SAME(cudaDeviceProp, canMapHostMemory);
SAME(cudaDeviceProp, maxTexture1D);
SAME(cudaDeviceProp, maxTexture1DMipmap);
SAME(cudaDeviceProp, maxTexture2D);
SAME(cudaDeviceProp, maxTexture2DMipmap);
SAME(cudaDeviceProp, maxTexture2DLinear);
SAME(cudaDeviceProp, maxTexture2DGather);
SAME(cudaDeviceProp, maxTexture3D);
SAME(cudaDeviceProp, maxTexture3DAlt);
SAME(cudaDeviceProp, maxTextureCubemap);
SAME(cudaDeviceProp, maxTexture1DLayered);
SAME(cudaDeviceProp, maxTexture2DLayered);
SAME(cudaDeviceProp, maxTextureCubemapLayered);
SAME(cudaDeviceProp, maxSurface1D);
SAME(cudaDeviceProp, maxSurface2D);
SAME(cudaDeviceProp, maxSurface3D);
SAME(cudaDeviceProp, maxSurface1DLayered);
SAME(cudaDeviceProp, maxSurface2DLayered);
SAME(cudaDeviceProp, maxSurfaceCubemap);
SAME(cudaDeviceProp, maxSurfaceCubemapLayered);
SAME(cudaDeviceProp, surfaceAlignment);
SAME(cudaDeviceProp, concurrentKernels);
SAME(cudaDeviceProp, ECCEnabled);
SAME(cudaDeviceProp, pciBusID);
SAME(cudaDeviceProp, pciDeviceID);
SAME(cudaDeviceProp, pciDomainID);
SAME(cudaDeviceProp, tccDriver);
SAME(cudaDeviceProp, asyncEngineCount);
SAME(cudaDeviceProp, unifiedAddressing);
SAME(cudaDeviceProp, memoryBusWidth);
SAME(cudaDeviceProp, l2CacheSize);
SAME(cudaDeviceProp, persistingL2CacheMaxSize);
SAME(cudaDeviceProp, maxThreadsPerMultiProcessor);
SAME(cudaDeviceProp, streamPrioritiesSupported);
SAME(cudaDeviceProp, globalL1CacheSupported);
SAME(cudaDeviceProp, localL1CacheSupported);
SAME(cudaDeviceProp, sharedMemPerMultiprocessor);
SAME(cudaDeviceProp, regsPerMultiprocessor);
SAME(cudaDeviceProp, managedMemory);
SAME(cudaDeviceProp, isMultiGpuBoard);
SAME(cudaDeviceProp, multiGpuBoardGroupID);
SAME(cudaDeviceProp, hostNativeAtomicSupported);
SAME(cudaDeviceProp, pageableMemoryAccess);
SAME(cudaDeviceProp, concurrentManagedAccess);
SAME(cudaDeviceProp, computePreemptionSupported);
SAME(cudaDeviceProp, canUseHostPointerForRegisteredMem);
SAME(cudaDeviceProp, cooperativeLaunch);
SAME(cudaDeviceProp, sharedMemPerBlockOptin);
SAME(cudaDeviceProp, pageableMemoryAccessUsesHostPageTables);
SAME(cudaDeviceProp, directManagedMemAccessFromHost);
SAME(cudaDeviceProp, maxBlocksPerMultiProcessor);
SAME(cudaDeviceProp, accessPolicyMaxWindowSize);
SAME(cudaDeviceProp, reservedSharedMemPerBlock);
SAME(cudaDeviceProp, hostRegisterSupported);
SAME(cudaDeviceProp, sparseCudaArraySupported);
SAME(cudaDeviceProp, hostRegisterReadOnlySupported);
SAME(cudaDeviceProp, timelineSemaphoreInteropSupported);
SAME(cudaDeviceProp, memoryPoolsSupported);
SAME(cudaDeviceProp, gpuDirectRDMASupported);
SAME(cudaDeviceProp, gpuDirectRDMAFlushWritesOptions);
SAME(cudaDeviceProp, gpuDirectRDMAWritesOrdering);
SAME(cudaDeviceProp, memoryPoolSupportedHandleTypes);
SAME(cudaDeviceProp, deferredMappingCudaArraySupported);
SAME(cudaDeviceProp, ipcEventSupported);
SAME(cudaDeviceProp, clusterLaunch);
SAME(cudaDeviceProp, unifiedFunctionPointers);
SAME(cudaDeviceProp, deviceNumaConfig);
SAME(cudaDeviceProp, deviceNumaId);
SAME(cudaDeviceProp, mpsEnabled);
SAME(cudaDeviceProp, hostNumaId);
SAME(cudaDeviceProp, gpuPciDeviceID);
SAME(cudaDeviceProp, gpuPciSubsystemID);
SAME(cudaDeviceProp, hostNumaMultinodeIpcSupported);
SAME(cudaDeviceProp, clockRate);
SAME(cudaDeviceProp, memoryClockRate);
SAME(cudaDeviceProp, deviceOverlap);
SAME(cudaDeviceProp, kernelExecTimeoutEnabled);
SAME(cudaDeviceProp, computeMode);
SAME(cudaDeviceProp, singleToDoublePrecisionPerfRatio);
SAME(cudaDeviceProp, cooperativeMultiDeviceLaunch);
SAME(cudaDeviceProp, reserved);
SAME_SIZE(cudaFuncAttributes);
SAME(cudaFuncAttributes, sharedSizeBytes);
SAME(cudaFuncAttributes, constSizeBytes);
SAME(cudaFuncAttributes, localSizeBytes);
SAME(cudaFuncAttributes, maxThreadsPerBlock);
SAME(cudaFuncAttributes, numRegs);
SAME(cudaFuncAttributes, ptxVersion);
SAME(cudaFuncAttributes, binaryVersion);
SAME(cudaFuncAttributes, cacheModeCA);
SAME(cudaFuncAttributes, maxDynamicSharedSizeBytes);
SAME(cudaFuncAttributes, preferredShmemCarveout);
SAME(cudaFuncAttributes, clusterDimMustBeSet);
SAME(cudaFuncAttributes, requiredClusterWidth);
SAME(cudaFuncAttributes, requiredClusterHeight);
SAME(cudaFuncAttributes, requiredClusterDepth);
SAME(cudaFuncAttributes, clusterSchedulingPolicyPreference);
SAME(cudaFuncAttributes, nonPortableClusterSizeAllowed);
SAME(cudaFuncAttributes, reserved);
SAME_SIZE(cudaPointerAttributes);
SAME(cudaPointerAttributes, type);
SAME(cudaPointerAttributes, device);
SAME(cudaPointerAttributes, devicePointer);
SAME(cudaPointerAttributes, hostPointer);
SAME(cudaPointerAttributes, reserved);

// The errors, and the other numbers that the runtime has names for.
#define CUFORT_ERROR(name, number, text)                                       \
  static_assert(int(open::name) == (number));
#include "runtime/core/ErrorCodes.def"
static_assert(int(cufort::CopyKind::HostToDevice) ==
              open::cudaMemcpyHostToDevice);
static_assert(int(cufort::CopyKind::DeviceToHost) ==
              open::cudaMemcpyDeviceToHost);
static_assert(int(cufort::CopyKind::Default) == open::cudaMemcpyDefault);
static_assert(int(cudaLaunchAttributeClusterDimension) ==
              open::cudaLaunchAttributeClusterDimension);
static_assert(int(cudaLaunchAttributePriority) ==
              open::cudaLaunchAttributePriority);
#define SAME_NUMBER(ours, theirs)                                              \
  static_assert(int(cufort::ours) == int(open::theirs))
SAME_NUMBER(AttributeAccessWindow, cudaLaunchAttributeAccessPolicyWindow);
SAME_NUMBER(AttributeCooperative, cudaLaunchAttributeCooperative);
SAME_NUMBER(AttributeSynchronization, cudaLaunchAttributeSynchronizationPolicy);
SAME_NUMBER(AttributeCluster, cudaLaunchAttributeClusterDimension);
SAME_NUMBER(AttributeClusterScheduling,
            cudaLaunchAttributeClusterSchedulingPolicyPreference);
SAME_NUMBER(AttributePriority, cudaLaunchAttributePriority);
SAME_NUMBER(AttributeDomainMap, cudaLaunchAttributeMemSyncDomainMap);
SAME_NUMBER(AttributeDomain, cudaLaunchAttributeMemSyncDomain);
static_assert(sizeof(cufort::AttributeValue) ==
              sizeof(open::cudaLaunchAttributeValue));
