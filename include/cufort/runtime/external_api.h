/*===- external_api.h - what comes from outside of CUDA ------------------===*\
|*
|* Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Included by cuda_runtime_api.h. On a GPU the driver's; no CPU has any of it.
|*
\*===----------------------------------------------------------------------===*/

#ifndef CUFORT_RUNTIME_EXTERNAL_API_H
#define CUFORT_RUNTIME_EXTERNAL_API_H

#include "external_types.h"
#include "memory_types.h"

#if defined(__cplusplus)
#define CUFORT_DEFAULT(value) = value
extern "C" {
#else
#define CUFORT_DEFAULT(value)
#endif

/* Memory of other interfaces */
cudaError_t cudaImportExternalMemory(
    cudaExternalMemory_t *memory,
    const struct cudaExternalMemoryHandleDesc *description);
cudaError_t cudaExternalMemoryGetMappedBuffer(
    void **address, cudaExternalMemory_t memory,
    const struct cudaExternalMemoryBufferDesc *description);
cudaError_t cudaExternalMemoryGetMappedMipmappedArray(
    cudaMipmappedArray_t *mipmaps, cudaExternalMemory_t memory,
    const struct cudaExternalMemoryMipmappedArrayDesc *description);
cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t memory);

/* Semaphores of other interfaces */
cudaError_t cudaImportExternalSemaphore(
    cudaExternalSemaphore_t *semaphore,
    const struct cudaExternalSemaphoreHandleDesc *description);
cudaError_t cudaSignalExternalSemaphoresAsync(
    const cudaExternalSemaphore_t *semaphores,
    const struct cudaExternalSemaphoreSignalParams *parameters,
    unsigned int count, cudaStream_t stream CUFORT_DEFAULT(0));
cudaError_t cudaWaitExternalSemaphoresAsync(
    const cudaExternalSemaphore_t *semaphores,
    const struct cudaExternalSemaphoreWaitParams *parameters,
    unsigned int count, cudaStream_t stream CUFORT_DEFAULT(0));
cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t semaphore);

/* Semaphores of graphs */
cudaError_t cudaGraphAddExternalSemaphoresSignalNode(
    cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
    size_t count,
    const struct cudaExternalSemaphoreSignalNodeParams *parameters);
cudaError_t cudaGraphAddExternalSemaphoresWaitNode(
    cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
    size_t count, const struct cudaExternalSemaphoreWaitNodeParams *parameters);
cudaError_t cudaGraphExecExternalSemaphoresSignalNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node,
    const struct cudaExternalSemaphoreSignalNodeParams *parameters);
cudaError_t cudaGraphExecExternalSemaphoresWaitNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node,
    const struct cudaExternalSemaphoreWaitNodeParams *parameters);
cudaError_t cudaGraphExternalSemaphoresSignalNodeGetParams(
    cudaGraphNode_t node,
    struct cudaExternalSemaphoreSignalNodeParams *parameters);
cudaError_t cudaGraphExternalSemaphoresSignalNodeSetParams(
    cudaGraphNode_t node,
    const struct cudaExternalSemaphoreSignalNodeParams *parameters);
cudaError_t cudaGraphExternalSemaphoresWaitNodeGetParams(
    cudaGraphNode_t node,
    struct cudaExternalSemaphoreWaitNodeParams *parameters);
cudaError_t cudaGraphExternalSemaphoresWaitNodeSetParams(
    cudaGraphNode_t node,
    const struct cudaExternalSemaphoreWaitNodeParams *parameters);

/* Graphics */
cudaError_t cudaGraphicsMapResources(int count,
                                     cudaGraphicsResource_t *resources,
                                     cudaStream_t stream CUFORT_DEFAULT(0));
cudaError_t cudaGraphicsUnmapResources(int count,
                                       cudaGraphicsResource_t *resources,
                                       cudaStream_t stream CUFORT_DEFAULT(0));
cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource);
cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource,
                                            unsigned int flags);
cudaError_t
cudaGraphicsResourceGetMappedPointer(void **address, size_t *bytes,
                                     cudaGraphicsResource_t resource);
cudaError_t
cudaGraphicsSubResourceGetMappedArray(cudaArray_t *array,
                                      cudaGraphicsResource_t resource,
                                      unsigned int index, unsigned int level);
cudaError_t
cudaGraphicsResourceGetMappedMipmappedArray(cudaMipmappedArray_t *mipmaps,
                                            cudaGraphicsResource_t resource);

/* Devices */
cudaError_t
cudaDeviceGetHostAtomicCapabilities(unsigned int *capabilities,
                                    const enum cudaAtomicOperation *operations,
                                    unsigned int count, int device);
cudaError_t
cudaDeviceGetP2PAtomicCapabilities(unsigned int *capabilities,
                                   const enum cudaAtomicOperation *operations,
                                   unsigned int count, int device, int peer);
cudaError_t cudaDeviceGetNvSciSyncAttributes(void *attributes, int device,
                                             int flags);
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(
    enum cudaFlushGPUDirectRDMAWritesTarget target,
    enum cudaFlushGPUDirectRDMAWritesScope scope);

/* Messages, notifications, tables of tools */
cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t function, void *data,
                                     cudaLogsCallbackHandle *callback);
cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle callback);
cudaError_t cudaLogsCurrent(cudaLogIterator *iterator, unsigned int flags);
cudaError_t cudaLogsDumpToFile(cudaLogIterator *iterator, const char *path,
                               unsigned int flags);
cudaError_t cudaLogsDumpToMemory(cudaLogIterator *iterator, char *buffer,
                                 size_t *bytes, unsigned int flags);
cudaError_t
cudaDeviceRegisterAsyncNotification(int device, cudaAsyncCallback function,
                                    void *data,
                                    cudaAsyncCallbackHandle_t *callback);
cudaError_t
cudaDeviceUnregisterAsyncNotification(int device,
                                      cudaAsyncCallbackHandle_t callback);
cudaError_t cudaGetExportTable(const void **table, const cudaUUID_t *id);

#if defined(__cplusplus)
}
#endif
#undef CUFORT_DEFAULT

#endif /* CUFORT_RUNTIME_EXTERNAL_API_H */
