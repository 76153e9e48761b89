/*===- system_api.h - the driver's own matters ---------------------------===*\
|*
|* Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Included by cuda.h. On a GPU the driver's, where docs/cuda-c.md does not say
no.
|*
\*===----------------------------------------------------------------------===*/

#ifndef CUFORT_DRIVER_SYSTEM_API_H
#define CUFORT_DRIVER_SYSTEM_API_H

#if defined(__cplusplus)
extern "C" {
#endif

/* Parts of a device */
CUresult cuDeviceGetDevResource(CUdevice device, CUdevResource *resource,
                                CUdevResourceType type);
CUresult cuCtxGetDevResource(CUcontext context, CUdevResource *resource,
                             CUdevResourceType type);
CUresult cuGreenCtxGetDevResource(CUgreenCtx part, CUdevResource *resource,
                                  CUdevResourceType type);
CUresult cuDevSmResourceSplitByCount(CUdevResource *result, unsigned int *count,
                                     const CUdevResource *input,
                                     CUdevResource *remaining,
                                     unsigned int flags, unsigned int least);
CUresult cuDevResourceGenerateDesc(CUdevResourceDesc *description,
                                   CUdevResource *resources,
                                   unsigned int count);
CUresult cuGreenCtxCreate(CUgreenCtx *part, CUdevResourceDesc description,
                          CUdevice device, unsigned int flags);
CUresult cuGreenCtxDestroy(CUgreenCtx part);
CUresult cuGreenCtxGetId(CUgreenCtx part, unsigned long long *id);
CUresult cuGreenCtxStreamCreate(CUstream *stream, CUgreenCtx part,
                                unsigned int flags, int priority);
CUresult cuGreenCtxRecordEvent(CUgreenCtx part, CUevent event);
CUresult cuGreenCtxWaitEvent(CUgreenCtx part, CUevent event);
CUresult cuCtxFromGreenCtx(CUcontext *context, CUgreenCtx part);
CUresult cuCtxRecordEvent(CUcontext context, CUevent event);
CUresult cuCtxWaitEvent(CUcontext context, CUevent event);
CUresult cuStreamGetGreenCtx(CUstream stream, CUgreenCtx *part);
CUresult cuCtxGetExecAffinity(CUexecAffinityParam *affinity,
                              CUexecAffinityType type);
CUresult cuDeviceGetExecAffinitySupport(int *supported, CUexecAffinityType type,
                                        CUdevice device);

/* Devices and their memory */
CUresult cuDeviceGetLuid(char *luid, unsigned int *mask, CUdevice device);
CUresult cuDeviceGetHostAtomicCapabilities(unsigned int *capabilities,
                                           const CUatomicOperation *operations,
                                           unsigned int count, CUdevice device);
CUresult cuDeviceGetP2PAtomicCapabilities(unsigned int *capabilities,
                                          const CUatomicOperation *operations,
                                          unsigned int count, CUdevice device,
                                          CUdevice peer);
CUresult cuDeviceGetNvSciSyncAttributes(void *attributes, CUdevice device,
                                        int flags);
CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target,
                                    CUflushGPUDirectRDMAWritesScope scope);
CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute,
                               CUdeviceptr pointer);
CUresult cuMemGetHandleForAddressRange(void *handle, CUdeviceptr address,
                                       size_t bytes, CUmemRangeHandleType type,
                                       unsigned long long flags);
CUresult cuMemBatchDecompressAsync(CUmemDecompressParams *parameters,
                                   size_t count, unsigned int flags,
                                   size_t *failed, CUstream stream);
CUresult cuMemMapArrayAsync(CUarrayMapInfo *maps, unsigned int count,
                            CUstream stream);
CUresult cuArrayGetPlane(CUarray *plane, CUarray array, unsigned int index);
CUresult cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *properties,
                                    CUarray array);
CUresult
cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *properties,
                                    CUmipmappedArray mipmaps);
CUresult
cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *requirements,
                             CUarray array, CUdevice device);
CUresult cuMipmappedArrayGetMemoryRequirements(
    CUDA_ARRAY_MEMORY_REQUIREMENTS *requirements, CUmipmappedArray mipmaps,
    CUdevice device);

/* One address for the memory of several devices */
CUresult cuMulticastCreate(CUmemGenericAllocationHandle *multicast,
                           const CUmulticastObjectProp *properties);
CUresult cuMulticastAddDevice(CUmemGenericAllocationHandle multicast,
                              CUdevice device);
CUresult cuMulticastBindMem(CUmemGenericAllocationHandle multicast,
                            size_t offset, CUmemGenericAllocationHandle memory,
                            size_t memoryOffset, size_t bytes,
                            unsigned long long flags);
CUresult cuMulticastBindAddr(CUmemGenericAllocationHandle multicast,
                             size_t offset, CUdeviceptr memory, size_t bytes,
                             unsigned long long flags);
CUresult cuMulticastUnbind(CUmemGenericAllocationHandle multicast,
                           CUdevice device, size_t offset, size_t bytes);
CUresult cuMulticastGetGranularity(size_t *granularity,
                                   const CUmulticastObjectProp *properties,
                                   CUmulticastGranularity_flags option);

/* Descriptions of tensors */
CUresult cuTensorMapEncodeTiled(
    CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
    const cuuint64_t *extents, const cuuint64_t *strides, const cuuint32_t *box,
    const cuuint32_t *steps, CUtensorMapInterleave interleave,
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
    CUtensorMapFloatOOBfill fill);
CUresult cuTensorMapEncodeIm2col(
    CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
    const cuuint64_t *extents, const cuuint64_t *strides, const int *lower,
    const int *upper, cuuint32_t channels, cuuint32_t pixels,
    const cuuint32_t *steps, CUtensorMapInterleave interleave,
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
    CUtensorMapFloatOOBfill fill);
CUresult cuTensorMapEncodeIm2colWide(
    CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
    const cuuint64_t *extents, const cuuint64_t *strides, int lower, int upper,
    cuuint32_t channels, cuuint32_t pixels, const cuuint32_t *steps,
    CUtensorMapInterleave interleave, CUtensorMapIm2ColWideMode mode,
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
    CUtensorMapFloatOOBfill fill);
CUresult cuTensorMapReplaceAddress(CUtensorMap *map, void *address);

/* Messages, notifications, core files, tables of tools */
CUresult cuLogsRegisterCallback(CUlogsCallback function, void *data,
                                CUlogsCallbackHandle *callback);
CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle callback);
CUresult cuLogsCurrent(CUlogIterator *iterator, unsigned int flags);
CUresult cuLogsDumpToFile(CUlogIterator *iterator, const char *path,
                          unsigned int flags);
CUresult cuLogsDumpToMemory(CUlogIterator *iterator, char *buffer,
                            size_t *bytes, unsigned int flags);
CUresult cuDeviceRegisterAsyncNotification(CUdevice device,
                                           CUasyncCallback function, void *data,
                                           CUasyncCallbackHandle *callback);
CUresult cuDeviceUnregisterAsyncNotification(CUdevice device,
                                             CUasyncCallbackHandle callback);
CUresult cuCoredumpGetAttribute(CUcoredumpSettings setting, void *value,
                                size_t *bytes);
CUresult cuCoredumpGetAttributeGlobal(CUcoredumpSettings setting, void *value,
                                      size_t *bytes);
CUresult cuCoredumpSetAttribute(CUcoredumpSettings setting, void *value,
                                size_t *bytes);
CUresult cuCoredumpSetAttributeGlobal(CUcoredumpSettings setting, void *value,
                                      size_t *bytes);
CUresult cuGetExportTable(const void **table, const CUuuid *id);

/* Processes that are stopped and go on elsewhere */
CUresult cuCheckpointProcessGetState(int pid, CUprocessState *state);
CUresult cuCheckpointProcessGetRestoreThreadId(int pid, int *tid);
CUresult cuCheckpointProcessLock(int pid, CUcheckpointLockArgs *args);
CUresult cuCheckpointProcessCheckpoint(int pid,
                                       CUcheckpointCheckpointArgs *args);
CUresult cuCheckpointProcessRestore(int pid, CUcheckpointRestoreArgs *args);
CUresult cuCheckpointProcessUnlock(int pid, CUcheckpointUnlockArgs *args);

/* Nodes of graphs that wait for values and write them */
CUresult
cuGraphAddBatchMemOpNode(CUgraphNode *node, CUgraph graph,
                         const CUgraphNode *after, size_t count,
                         const CUDA_BATCH_MEM_OP_NODE_PARAMS *parameters);
CUresult
cuGraphBatchMemOpNodeGetParams(CUgraphNode node,
                               CUDA_BATCH_MEM_OP_NODE_PARAMS *parameters);
CUresult
cuGraphBatchMemOpNodeSetParams(CUgraphNode node,
                               const CUDA_BATCH_MEM_OP_NODE_PARAMS *parameters);
CUresult cuGraphExecBatchMemOpNodeSetParams(
    CUgraphExec exec, CUgraphNode node,
    const CUDA_BATCH_MEM_OP_NODE_PARAMS *parameters);

#if defined(__cplusplus)
}
#endif

#endif /* CUFORT_DRIVER_SYSTEM_API_H */
