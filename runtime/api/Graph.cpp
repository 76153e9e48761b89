//===- Graph.cpp - CUDA runtime API: graphs -------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/Types.h"
#include "runtime/core/Device.h"
#include "runtime/core/Graphs.h"

using namespace cufort;

/// Calls \p call(Graphs &) for the thread's device.
template <typename Call> static cudaError_t onGraphs(Call call) {
  return onDevice([&](Engine &e) { return call(e.graphs()); });
}

//===----------------------------------------------------------------------===//
// Making graphs
//===----------------------------------------------------------------------===//

CUFORT_API cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags) {
  if (!graph || flags)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) { return g.create(graph); });
}

CUFORT_API cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return onGraphs([&](Graphs &g) { return g.destroy(graph); });
}

CUFORT_API cudaError_t cudaGraphClone(cudaGraph_t *copy, cudaGraph_t graph) {
  if (!copy)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) { return g.clone(copy, graph); });
}

CUFORT_API cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node,
                                             cudaGraph_t graph,
                                             const cudaGraphNode_t *after,
                                             size_t count) {
  if (!node)
    return recordError(cudaErrorInvalidValue);
  return onGraphs(
      [&](Graphs &g) { return g.addEmpty(node, graph, {after, count}); });
}

/// Calls \p call(Graphs &, kernel, configuration) with what \p p says.
template <typename Call>
static cudaError_t withKernel(const cudaKernelNodeParams *p, Call call) {
  if (!p || p->extra || !p->kernelParams)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    KernelReference kernel = findKernel(p->func);
    if (!kernel)
      return cudaErrorInvalidDeviceFunction;
    const LaunchConfiguration configuration{
        {p->gridDim.x, p->gridDim.y, p->gridDim.z},
        {p->blockDim.x, p->blockDim.y, p->blockDim.z},
        p->sharedMemBytes,
        nullptr,
        false};
    return call(g, kernel, configuration);
  });
}

static BoxCopy lineCopy(void *to, const void *from, size_t bytes,
                        cudaMemcpyKind kind) {
  BoxCopy box;
  box.to.memory = to;
  box.from.memory = const_cast<void *>(from);
  box.to.pitch = box.from.pitch = box.widthBytes = bytes;
  box.to.rows = box.from.rows = 1;
  box.kind = kind;
  return box;
}

static FillParameters fillOf(const cudaMemsetParams &p) {
  return {p.dst, p.pitch, p.value, p.elementSize, p.width, p.height};
}

CUFORT_API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node,
                                              cudaGraph_t graph,
                                              const cudaGraphNode_t *after,
                                              size_t count,
                                              const cudaKernelNodeParams *p) {
  if (!node)
    return recordError(cudaErrorInvalidValue);
  return withKernel(p, [&](Graphs &g, auto &kernel, auto &configuration) {
    return g.addKernel(node, graph, {after, count}, kernel, configuration,
                       p->kernelParams);
  });
}

CUFORT_API cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node,
                                                cudaGraph_t graph,
                                                const cudaGraphNode_t *after,
                                                size_t count, void *to,
                                                const void *from, size_t bytes,
                                                cudaMemcpyKind kind) {
  if (!node || !to || !from || !bytes)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    return g.addCopy(node, graph, {after, count},
                     lineCopy(to, from, bytes, kind));
  });
}

CUFORT_API cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node,
                                              cudaGraph_t graph,
                                              const cudaGraphNode_t *after,
                                              size_t count,
                                              const cudaMemsetParams *p) {
  if (!node || !p)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    return g.addFill(node, graph, {after, count}, fillOf(*p));
  });
}

CUFORT_API cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node,
                                            cudaGraph_t graph,
                                            const cudaGraphNode_t *after,
                                            size_t count,
                                            const cudaHostNodeParams *p) {
  if (!node || !p)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    return g.addHost(node, graph, {after, count}, p->fn, p->userData);
  });
}

CUFORT_API cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node,
                                                  cudaGraph_t graph,
                                                  const cudaGraphNode_t *after,
                                                  size_t count,
                                                  cudaGraph_t child) {
  if (!node)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    return g.addChild(node, graph, {after, count}, child);
  });
}

//===----------------------------------------------------------------------===//
// Changing what nodes do
//===----------------------------------------------------------------------===//

CUFORT_API cudaError_t cudaGraphKernelNodeSetParams(
    cudaGraphNode_t node, const cudaKernelNodeParams *p) {
  return withKernel(p, [&](Graphs &g, auto &kernel, auto &configuration) {
    return g.setKernel({node}, kernel, configuration, p->kernelParams);
  });
}

CUFORT_API cudaError_t cudaGraphExecKernelNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node, const cudaKernelNodeParams *p) {
  if (!exec)
    return recordError(cudaErrorInvalidValue);
  return withKernel(p, [&](Graphs &g, auto &kernel, auto &configuration) {
    return g.setKernel({node, exec}, kernel, configuration, p->kernelParams);
  });
}

CUFORT_API cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node,
                                                      void *to,
                                                      const void *from,
                                                      size_t bytes,
                                                      cudaMemcpyKind kind) {
  if (!to || !from || !bytes)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    return g.setCopy({node}, lineCopy(to, from, bytes, kind));
  });
}

CUFORT_API cudaError_t cudaGraphExecMemcpyNodeSetParams1D(
    cudaGraphExec_t exec, cudaGraphNode_t node, void *to, const void *from,
    size_t bytes, cudaMemcpyKind kind) {
  if (!exec || !to || !from || !bytes)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    return g.setCopy({node, exec}, lineCopy(to, from, bytes, kind));
  });
}

CUFORT_API cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                                    const cudaMemsetParams *p) {
  if (!p)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) { return g.setFill({node}, fillOf(*p)); });
}

CUFORT_API cudaError_t cudaGraphExecMemsetNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node, const cudaMemsetParams *p) {
  if (!exec || !p)
    return recordError(cudaErrorInvalidValue);
  return onGraphs(
      [&](Graphs &g) { return g.setFill({node, exec}, fillOf(*p)); });
}

CUFORT_API cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                                  const cudaHostNodeParams *p) {
  if (!p)
    return recordError(cudaErrorInvalidValue);
  return onGraphs(
      [&](Graphs &g) { return g.setHost({node}, p->fn, p->userData); });
}

CUFORT_API cudaError_t cudaGraphExecHostNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node, const cudaHostNodeParams *p) {
  if (!exec || !p)
    return recordError(cudaErrorInvalidValue);
  return onGraphs(
      [&](Graphs &g) { return g.setHost({node, exec}, p->fn, p->userData); });
}

CUFORT_API cudaError_t cudaGraphAddDependencies(cudaGraph_t graph,
                                                const cudaGraphNode_t *from,
                                                const cudaGraphNode_t *to,
                                                size_t count) {
  return onGraphs(
      [&](Graphs &g) { return g.addDependencies(graph, from, to, count); });
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

CUFORT_API cudaError_t cudaGraphGetNodes(cudaGraph_t graph,
                                         cudaGraphNode_t *nodes,
                                         size_t *count) {
  if (!count)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) { return g.nodes(graph, nodes, count); });
}

CUFORT_API cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph,
                                             cudaGraphNode_t *nodes,
                                             size_t *count) {
  if (!count)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) { return g.roots(graph, nodes, count); });
}

CUFORT_API cudaError_t cudaGraphGetEdges(cudaGraph_t graph,
                                         cudaGraphNode_t *from,
                                         cudaGraphNode_t *to, size_t *count) {
  if (!count)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) { return g.edges(graph, from, to, count); });
}

CUFORT_API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, int *type) {
  if (!type)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    GraphNodeType found{};
    const Error error = g.nodeType(node, &found);
    if (error == cudaSuccess)
      *type = static_cast<int>(found);
    return error;
  });
}

CUFORT_API cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph,
                                              const char *path,
                                              unsigned flags) {
  if (!path)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) { return g.print(graph, path, flags); });
}

//===----------------------------------------------------------------------===//
// Executable graphs
//===----------------------------------------------------------------------===//

CUFORT_API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec,
                                                     cudaGraph_t graph,
                                                     unsigned long long flags) {
  if (!exec || flags & ~15ull)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) { return g.instantiate(exec, graph, flags); });
}

CUFORT_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec,
                                            cudaGraph_t graph,
                                            unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(exec, graph, flags);
}

// A launch uploads what has not been.
CUFORT_API cudaError_t cudaGraphUpload(cudaGraphExec_t exec,
                                       cudaStream_t stream) {
  if (!exec)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    bool blocking;
    return e.streamBlocking(stream, &blocking);
  });
}

CUFORT_API cudaError_t cudaGraphLaunch(cudaGraphExec_t exec,
                                       cudaStream_t stream) {
  return onGraphs([&](Graphs &g) { return g.launch(exec, stream); });
}

CUFORT_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return onGraphs([&](Graphs &g) { return g.destroyExec(exec); });
}

CUFORT_API cudaError_t
cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                    cudaGraphExecUpdateResultInfo *information) {
  return onGraphs([&](Graphs &g) {
    cudaGraphExecUpdateResultInfo result{};
    const Error error =
        g.update(exec, graph, &result.errorNode, &result.result);
    if (information)
      *information = result;
    return error;
  });
}

//===----------------------------------------------------------------------===//
// Capture
//===----------------------------------------------------------------------===//

CUFORT_API cudaError_t cudaStreamBeginCapture(cudaStream_t stream, int mode) {
  return onGraphs(
      [&](Graphs &g) { return g.beginCapture(stream, nullptr, {}, mode); });
}

CUFORT_API cudaError_t cudaStreamBeginCaptureToGraph(
    cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *after,
    const void *edges, size_t count, int mode) {
  // Edges with data are those of programmatic launches.
  if (!graph || edges)
    return recordError(graph ? cudaErrorNotSupported : cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    return g.beginCapture(stream, graph, {after, count}, mode);
  });
}

CUFORT_API cudaError_t cudaStreamEndCapture(cudaStream_t stream,
                                            cudaGraph_t *graph) {
  if (!graph)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) { return g.endCapture(stream, graph); });
}

CUFORT_API cudaError_t cudaStreamIsCapturing(cudaStream_t stream, int *status) {
  if (!status)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    CaptureInformation information;
    const Error error = g.captureInformation(stream, &information);
    *status = static_cast<int>(information.status);
    return error;
  });
}

CUFORT_API cudaError_t cudaStreamGetCaptureInfo(
    cudaStream_t stream, int *status, unsigned long long *id,
    cudaGraph_t *graph, const cudaGraphNode_t **after, const void **edges,
    size_t *count) {
  if (!status)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    CaptureInformation information;
    const Error error = g.captureInformation(stream, &information);
    *status = static_cast<int>(information.status);
    if (id)
      *id = information.id;
    if (graph)
      *graph = information.graph;
    if (after)
      *after = information.dependencies;
    if (edges)
      *edges = nullptr;
    if (count)
      *count = information.dependencyCount;
    return error;
  });
}

CUFORT_API cudaError_t cudaStreamGetCaptureInfo_v2(
    cudaStream_t stream, int *status, unsigned long long *id,
    cudaGraph_t *graph, const cudaGraphNode_t **after, size_t *count) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, after, nullptr,
                                  count);
}
