/*===- forms.h - functions under the names of their versions -------------===*\
|*
|* Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Included by cuda.h at its end. Edges have no data but zeros.
|*
\*===----------------------------------------------------------------------===*/

#ifndef CUFORT_DRIVER_FORMS_H
#define CUFORT_DRIVER_FORMS_H

static inline CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
  return cuDeviceGetUuid(uuid, device);
}
static inline CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start,
                                             CUevent end) {
  return cuEventElapsedTime(milliseconds, start, end);
}

/* Contexts. None is of a part of a device. */
static inline CUresult cuCtxCreate_v3(CUcontext *context,
                                      CUexecAffinityParam *affinity, int count,
                                      unsigned int flags, CUdevice device) {
  return affinity || count ? CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY
                           : cuCtxCreate(context, flags, device);
}
static inline CUresult cuCtxCreate_v4(CUcontext *context,
                                      CUctxCreateParams *parameters,
                                      unsigned int flags, CUdevice device) {
  return parameters ? CUDA_ERROR_NOT_SUPPORTED
                    : cuCtxCreate(context, flags, device);
}
/* Null is the current one. */
static inline CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext context) {
  CUcontext same;
  CUresult result;
  if (!context)
    return cuCtxGetDevice(device);
  result = cuCtxPushCurrent(context);
  if (result != CUDA_SUCCESS)
    return result;
  result = cuCtxGetDevice(device);
  cuCtxPopCurrent(&same);
  return result;
}
static inline CUresult cuCtxSynchronize_v2(CUcontext context) {
  CUcontext same;
  CUresult result;
  if (!context)
    return cuCtxSynchronize();
  result = cuCtxPushCurrent(context);
  if (result != CUDA_SUCCESS)
    return result;
  result = cuCtxSynchronize();
  cuCtxPopCurrent(&same);
  return result;
}
static inline CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext *context,
                                         CUgreenCtx *part) {
  CUresult result = cuStreamGetCtx(stream, context);
  if (result == CUDA_SUCCESS && part)
    *part = NULL;
  return result;
}

/* Graphs */
static inline CUresult cuGraphInstantiate_v2(CUgraphExec *exec, CUgraph graph,
                                             CUgraphNode *node, char *text,
                                             size_t bytes) {
  if (node)
    *node = NULL;
  if (text && bytes)
    *text = '\0';
  return cuGraphInstantiate(exec, graph, 0);
}
static inline int __cufort_hasData(const CUgraphEdgeData *edges, size_t count) {
  for (size_t i = 0; edges && i < count; ++i)
    if (edges[i].from_port || edges[i].to_port || edges[i].type)
      return 1;
  return 0;
}
static inline CUresult __cufort_withoutData(CUresult result,
                                            CUgraphEdgeData *edges,
                                            const size_t *count) {
  const CUgraphEdgeData none = {0, 0, 0, {0, 0, 0, 0, 0}};
  for (size_t i = 0; result == CUDA_SUCCESS && edges && i < *count; ++i)
    edges[i] = none;
  return result;
}
static inline CUresult cuGraphAddDependencies_v2(CUgraph graph,
                                                 const CUgraphNode *from,
                                                 const CUgraphNode *to,
                                                 const CUgraphEdgeData *edges,
                                                 size_t count) {
  return __cufort_hasData(edges, count)
             ? CUDA_ERROR_NOT_SUPPORTED
             : cuGraphAddDependencies(graph, from, to, count);
}
static inline CUresult
cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from,
                             const CUgraphNode *to,
                             const CUgraphEdgeData *edges, size_t count) {
  return __cufort_hasData(edges, count)
             ? CUDA_ERROR_INVALID_VALUE
             : cuGraphRemoveDependencies(graph, from, to, count);
}
static inline CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from,
                                          CUgraphNode *to,
                                          CUgraphEdgeData *edges,
                                          size_t *count) {
  CUresult result = cuGraphGetEdges(graph, from, to, count);
  return __cufort_withoutData(result, from ? edges : NULL, count);
}
static inline CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node,
                                                     CUgraphNode *nodes,
                                                     CUgraphEdgeData *edges,
                                                     size_t *count) {
  CUresult result = cuGraphNodeGetDependencies(node, nodes, count);
  return __cufort_withoutData(result, nodes ? edges : NULL, count);
}
static inline CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node,
                                                       CUgraphNode *nodes,
                                                       CUgraphEdgeData *edges,
                                                       size_t *count) {
  CUresult result = cuGraphNodeGetDependentNodes(node, nodes, count);
  return __cufort_withoutData(result, nodes ? edges : NULL, count);
}
static inline CUresult cuStreamGetCaptureInfo_v3(CUstream stream,
                                                 CUstreamCaptureStatus *status,
                                                 cuuint64_t *id, CUgraph *graph,
                                                 const CUgraphNode **after,
                                                 const CUgraphEdgeData **edges,
                                                 size_t *count) {
  if (edges)
    *edges = NULL;
  return cuStreamGetCaptureInfo(stream, status, id, graph, after, count);
}

#if defined(__cplusplus)
/* CUDA 13's forms under their plain names, beside those of CUDA 12. */
static inline CUresult cuCtxCreate(CUcontext *context,
                                   CUctxCreateParams *parameters,
                                   unsigned int flags, CUdevice device) {
  return cuCtxCreate_v4(context, parameters, flags, device);
}
static inline CUresult cuGraphAddDependencies(CUgraph graph,
                                              const CUgraphNode *from,
                                              const CUgraphNode *to,
                                              const CUgraphEdgeData *edges,
                                              size_t count) {
  return cuGraphAddDependencies_v2(graph, from, to, edges, count);
}
static inline CUresult cuGraphRemoveDependencies(CUgraph graph,
                                                 const CUgraphNode *from,
                                                 const CUgraphNode *to,
                                                 const CUgraphEdgeData *edges,
                                                 size_t count) {
  return cuGraphRemoveDependencies_v2(graph, from, to, edges, count);
}
static inline CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from,
                                       CUgraphNode *to, CUgraphEdgeData *edges,
                                       size_t *count) {
  return cuGraphGetEdges_v2(graph, from, to, edges, count);
}
static inline CUresult cuGraphNodeGetDependencies(CUgraphNode node,
                                                  CUgraphNode *nodes,
                                                  CUgraphEdgeData *edges,
                                                  size_t *count) {
  return cuGraphNodeGetDependencies_v2(node, nodes, edges, count);
}
static inline CUresult cuGraphNodeGetDependentNodes(CUgraphNode node,
                                                    CUgraphNode *nodes,
                                                    CUgraphEdgeData *edges,
                                                    size_t *count) {
  return cuGraphNodeGetDependentNodes_v2(node, nodes, edges, count);
}
#endif

#endif /* CUFORT_DRIVER_FORMS_H */
