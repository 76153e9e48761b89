/*===- external_api.h - what comes from outside of CUDA ------------------===*\
|*
|* Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Included by cuda.h. On a GPU the driver's; no CPU has any of it.
|*
\*===----------------------------------------------------------------------===*/

#ifndef CUFORT_DRIVER_EXTERNAL_API_H
#define CUFORT_DRIVER_EXTERNAL_API_H

#if defined(__cplusplus)
extern "C" {
#endif

/* Memory */
CUresult
cuImportExternalMemory(CUexternalMemory *memory,
                       const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *description);
CUresult cuExternalMemoryGetMappedBuffer(
    CUdeviceptr *address, CUexternalMemory memory,
    const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *description);
CUresult cuExternalMemoryGetMappedMipmappedArray(
    CUmipmappedArray *mipmaps, CUexternalMemory memory,
    const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC *description);
CUresult cuDestroyExternalMemory(CUexternalMemory memory);

/* Semaphores */
CUresult cuImportExternalSemaphore(
    CUexternalSemaphore *semaphore,
    const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *description);
CUresult cuSignalExternalSemaphoresAsync(
    const CUexternalSemaphore *semaphores,
    const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *parameters, unsigned int count,
    CUstream stream);
CUresult cuWaitExternalSemaphoresAsync(
    const CUexternalSemaphore *semaphores,
    const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *parameters, unsigned int count,
    CUstream stream);
CUresult cuDestroyExternalSemaphore(CUexternalSemaphore semaphore);

/* Semaphores of graphs */
CUresult cuGraphAddExternalSemaphoresSignalNode(
    CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
    const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *parameters);
CUresult cuGraphAddExternalSemaphoresWaitNode(
    CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
    const CUDA_EXT_SEM_WAIT_NODE_PARAMS *parameters);
CUresult cuGraphExecExternalSemaphoresSignalNodeSetParams(
    CUgraphExec exec, CUgraphNode node,
    const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *parameters);
CUresult cuGraphExecExternalSemaphoresWaitNodeSetParams(
    CUgraphExec exec, CUgraphNode node,
    const CUDA_EXT_SEM_WAIT_NODE_PARAMS *parameters);
CUresult cuGraphExternalSemaphoresSignalNodeGetParams(
    CUgraphNode node, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *parameters);
CUresult cuGraphExternalSemaphoresSignalNodeSetParams(
    CUgraphNode node, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *parameters);
CUresult cuGraphExternalSemaphoresWaitNodeGetParams(
    CUgraphNode node, CUDA_EXT_SEM_WAIT_NODE_PARAMS *parameters);
CUresult cuGraphExternalSemaphoresWaitNodeSetParams(
    CUgraphNode node, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *parameters);

/* Graphics */
CUresult cuGraphicsMapResources(unsigned int count,
                                CUgraphicsResource *resources, CUstream stream);
CUresult cuGraphicsUnmapResources(unsigned int count,
                                  CUgraphicsResource *resources,
                                  CUstream stream);
CUresult cuGraphicsUnregisterResource(CUgraphicsResource resource);
CUresult cuGraphicsResourceSetMapFlags(CUgraphicsResource resource,
                                       unsigned int flags);
CUresult cuGraphicsResourceGetMappedPointer(CUdeviceptr *address, size_t *bytes,
                                            CUgraphicsResource resource);
CUresult cuGraphicsSubResourceGetMappedArray(CUarray *array,
                                             CUgraphicsResource resource,
                                             unsigned int index,
                                             unsigned int level);
CUresult cuGraphicsResourceGetMappedMipmappedArray(CUmipmappedArray *mipmaps,
                                                   CUgraphicsResource resource);

#if defined(__cplusplus)
}
#endif

#endif /* CUFORT_DRIVER_EXTERNAL_API_H */
