/*===- graph_api.h - more functions for graphs and streams ---------------===*\
|*
|* Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#ifndef CUFORT_RUNTIME_GRAPH_API_H
#define CUFORT_RUNTIME_GRAPH_API_H

#include "cufort/runtime/graph_types.h"

#if defined(__cplusplus)
#define CUFORT_DEFAULT(v) = v
extern "C" {
#else
#define CUFORT_DEFAULT(v)
#endif

/* Streams */
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream,
                                   cudaStreamAttrID attribute,
                                   cudaStreamAttrValue *value);
cudaError_t cudaStreamSetAttribute(cudaStream_t stream,
                                   cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue *value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
cudaError_t
cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);
cudaError_t cudaStreamUpdateCaptureDependencies(
    cudaStream_t stream, cudaGraphNode_t *nodes, const cudaGraphEdgeData *edges,
    size_t count, unsigned int flags CUFORT_DEFAULT(0));

/* Nodes and edges */
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                         cudaGraphNode_t *nodes,
                                         cudaGraphEdgeData *edges,
                                         size_t *count);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                           cudaGraphNode_t *nodes,
                                           cudaGraphEdgeData *edges,
                                           size_t *count);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph,
                                        const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to,
                                        const cudaGraphEdgeData *edges,
                                        size_t count);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node,
                                     cudaGraphNode_t original,
                                     cudaGraph_t clone);
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node,
                                            cudaGraph_t *graph);
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec,
                                                 cudaGraphNode_t node,
                                                 cudaGraph_t child);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                             const cudaGraphNode_t *after,
                             const cudaGraphEdgeData *edges, size_t count,
                             struct cudaGraphNodeParams *parameters);
cudaError_t cudaGraphConditionalHandleCreate(
    cudaGraphConditionalHandle *handle, cudaGraph_t graph,
    unsigned int defaultLaunchValue CUFORT_DEFAULT(0),
    unsigned int flags CUFORT_DEFAULT(0));
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node,
                                   struct cudaGraphNodeParams *parameters);
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec,
                                       cudaGraphNode_t node,
                                       struct cudaGraphNodeParams *parameters);

/* Copies from and to symbols */
cudaError_t cudaGraphAddMemcpyNodeToSymbol(
    cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
    size_t count, const void *symbol, const void *from, size_t bytes,
    size_t offset, enum cudaMemcpyKind kind);
cudaError_t
cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *after, size_t count,
                                 void *to, const void *symbol, size_t bytes,
                                 size_t offset, enum cudaMemcpyKind kind);
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node,
                                                 const void *symbol,
                                                 const void *from, size_t bytes,
                                                 size_t offset,
                                                 enum cudaMemcpyKind kind);
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node,
                                                   void *to, const void *symbol,
                                                   size_t bytes, size_t offset,
                                                   enum cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(
    cudaGraphExec_t exec, cudaGraphNode_t node, const void *symbol,
    const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(
    cudaGraphExec_t exec, cudaGraphNode_t node, void *to, const void *symbol,
    size_t bytes, size_t offset, enum cudaMemcpyKind kind);

/* Events */
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node,
                                        cudaGraph_t graph,
                                        const cudaGraphNode_t *after,
                                        size_t count, cudaEvent_t event);
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                      const cudaGraphNode_t *after,
                                      size_t count, cudaEvent_t event);
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node,
                                             cudaEvent_t *event);
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node,
                                           cudaEvent_t *event);
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node,
                                             cudaEvent_t event);
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node,
                                           cudaEvent_t event);
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec,
                                                 cudaGraphNode_t node,
                                                 cudaEvent_t event);
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec,
                                               cudaGraphNode_t node,
                                               cudaEvent_t event);

/* Memory */
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count,
                                     struct cudaMemAllocNodeParams *parameters);
cudaError_t
cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                               struct cudaMemAllocNodeParams *parameters);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *after, size_t count,
                                    void *memory);
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *memory);
cudaError_t cudaDeviceGraphMemTrim(int device);
cudaError_t cudaDeviceGetGraphMemAttribute(
    int device, enum cudaGraphMemAttributeType attribute, void *value);
cudaError_t cudaDeviceSetGraphMemAttribute(
    int device, enum cudaGraphMemAttributeType attribute, void *value);

/* Attributes of kernels and executable graphs */
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node,
                                            cudaKernelNodeAttrID attribute,
                                            cudaKernelNodeAttrValue *value);
cudaError_t
cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node,
                                cudaKernelNodeAttrID attribute,
                                const cudaKernelNodeAttrValue *value);
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to,
                                              cudaGraphNode_t from);
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int enabled);
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int *enabled);
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec,
                                  unsigned long long *flags);
cudaError_t
cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
                               cudaGraphInstantiateParams *parameters);

/* Objects of the program that live as long as graphs that need them */
cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *pointer,
                                 cudaHostFn_t destroy, unsigned int count,
                                 unsigned int flags);
cudaError_t cudaUserObjectRetain(cudaUserObject_t object,
                                 unsigned int count CUFORT_DEFAULT(1));
cudaError_t cudaUserObjectRelease(cudaUserObject_t object,
                                  unsigned int count CUFORT_DEFAULT(1));
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph,
                                      cudaUserObject_t object,
                                      unsigned int count CUFORT_DEFAULT(1),
                                      unsigned int flags CUFORT_DEFAULT(0));
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph,
                                       cudaUserObject_t object,
                                       unsigned int count CUFORT_DEFAULT(1));

#if defined(__cplusplus)
}

/* With edges that have data, as since CUDA 13, or without, as before. */
static inline cudaError_t
cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                         const cudaGraphNode_t *to,
                         const cudaGraphEdgeData *edges, size_t count) {
  if (edges)
    for (size_t i = 0; i < count; ++i)
      if (edges[i].from_port || edges[i].to_port || edges[i].type)
        return cudaErrorNotSupported;
  return cudaGraphAddDependencies(graph, from, to, count);
}
static inline cudaError_t
cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                  cudaGraphEdgeData *edges, size_t *count) {
  cudaError_t error = cudaGraphGetEdges(graph, from, to, count);
  if (error == cudaSuccess && edges)
    for (size_t i = 0; i < *count; ++i)
      edges[i] = cudaGraphEdgeData();
  return error;
}
static inline cudaError_t
cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                            const cudaGraphNode_t *to, size_t count) {
  return cudaGraphRemoveDependencies(graph, from, to,
                                     (const cudaGraphEdgeData *)0, count);
}
static inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                                       cudaGraphNode_t *nodes,
                                                       size_t *count) {
  return cudaGraphNodeGetDependencies(node, nodes, (cudaGraphEdgeData *)0,
                                      count);
}
static inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                                         cudaGraphNode_t *nodes,
                                                         size_t *count) {
  return cudaGraphNodeGetDependentNodes(node, nodes, (cudaGraphEdgeData *)0,
                                        count);
}
static inline cudaError_t
cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                 const cudaGraphNode_t *after, size_t count,
                 struct cudaGraphNodeParams *parameters) {
  return cudaGraphAddNode(node, graph, after, (const cudaGraphEdgeData *)0,
                          count, parameters);
}
static inline cudaError_t
cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes,
                                    size_t count, unsigned int flags = 0) {
  return cudaStreamUpdateCaptureDependencies(
      stream, nodes, (const cudaGraphEdgeData *)0, count, flags);
}
static inline cudaError_t
cudaStreamGetCaptureInfo(cudaStream_t stream,
                         enum cudaStreamCaptureStatus *status,
                         unsigned long long *id, cudaGraph_t *graph,
                         const cudaGraphNode_t **after, size_t *count) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, after,
                                  (const void **)0, count);
}
#endif
#undef CUFORT_DEFAULT

#endif /* CUFORT_RUNTIME_GRAPH_API_H */
