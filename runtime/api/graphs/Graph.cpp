//===- Graph.cpp - CUDA runtime API: graphs -------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/graphs/OnGraphs.h"
#include "runtime/core/engine/Captures.h"

using namespace cufort;

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
  const profile::Call recorded;
  return cudaGraphInstantiateWithFlags(exec, graph, flags);
}

// A launch uploads what has not been.
CUFORT_API cudaError_t cudaGraphUpload(cudaGraphExec_t exec,
                                       cudaStream_t stream) {
  if (!exec)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    unsigned long long flags;
    // Older drivers do not say what the flags are.
    const Error error = e.graphs().execFlags(exec, &flags);
    return error == cudaErrorInvalidValue ? error : refuseInCapture(e, stream);
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
  const profile::Call recorded;
  return cudaStreamGetCaptureInfo(stream, status, id, graph, after, nullptr,
                                  count);
}
