//===- GraphStructure.cpp - CUDA runtime API: nodes and edges -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/graphs/OnGraphs.h"
#include <algorithm>
#include <cstring>

// The public header, after the names it needs.

using namespace cufort;

/// Whether \p count edges have no data, which only programmatic launches have.
static bool plain(const cudaGraphEdgeData *edges, size_t count) {
  static constexpr cudaGraphEdgeData zero{};
  return !edges || std::all_of(edges, edges + count, [](const auto &edge) {
    return !std::memcmp(&edge, &zero, sizeof(zero));
  });
}

/// As many edges without data as a list has that was asked for.
static Error clear(Error error, const void *list, cudaGraphEdgeData *edges,
                   const size_t *count) {
  if (error == cudaSuccess && list && edges)
    std::fill_n(edges, *count, cudaGraphEdgeData{});
  return error;
}

CUFORT_API cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                                    cudaGraphNode_t *nodes,
                                                    cudaGraphEdgeData *edges,
                                                    size_t *count) {
  if (!count)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    return clear(g.dependencies(node, nodes, count), nodes, edges, count);
  });
}

CUFORT_API cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                                      cudaGraphNode_t *nodes,
                                                      cudaGraphEdgeData *edges,
                                                      size_t *count) {
  if (!count)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    return clear(g.dependents(node, nodes, count), nodes, edges, count);
  });
}

CUFORT_API cudaError_t cudaGraphRemoveDependencies(
    cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
    const cudaGraphEdgeData *edges, size_t count) {
  if (!plain(edges, count))
    return recordError(cudaErrorInvalidValue); // there is no such edge
  return onGraphs(
      [&](Graphs &g) { return g.removeDependencies(graph, from, to, count); });
}

CUFORT_API cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return onGraphs([&](Graphs &g) { return g.destroyNode(node); });
}

CUFORT_API cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node,
                                                cudaGraphNode_t original,
                                                cudaGraph_t clone) {
  if (!node)
    return recordError(cudaErrorInvalidValue);
  return onGraphs(
      [&](Graphs &g) { return g.findInClone(node, original, clone); });
}

CUFORT_API cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node,
                                                       cudaGraph_t *graph) {
  if (!graph)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) { return g.childOf(node, graph); });
}

CUFORT_API cudaError_t cudaGraphExecChildGraphNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child) {
  if (!exec)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) { return g.setChild({node, exec}, child); });
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

CUFORT_API cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node,
                                                   cudaGraph_t graph,
                                                   const cudaGraphNode_t *after,
                                                   size_t count,
                                                   cudaEvent_t event) {
  if (!node)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    return g.addEvent(node, graph, {after, count}, GraphNodeType::RecordEvent,
                      event);
  });
}

CUFORT_API cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node,
                                                 cudaGraph_t graph,
                                                 const cudaGraphNode_t *after,
                                                 size_t count,
                                                 cudaEvent_t event) {
  if (!node)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    return g.addEvent(node, graph, {after, count}, GraphNodeType::WaitEvent,
                      event);
  });
}

CUFORT_API cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node,
                                                        cudaEvent_t *event) {
  if (!event)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    return g.eventOf(node, GraphNodeType::RecordEvent, event);
  });
}

CUFORT_API cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node,
                                                      cudaEvent_t *event) {
  if (!event)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    return g.eventOf(node, GraphNodeType::WaitEvent, event);
  });
}

CUFORT_API cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node,
                                                        cudaEvent_t event) {
  return onGraphs([&](Graphs &g) {
    return g.setEvent({node}, GraphNodeType::RecordEvent, event);
  });
}

CUFORT_API cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node,
                                                      cudaEvent_t event) {
  return onGraphs([&](Graphs &g) {
    return g.setEvent({node}, GraphNodeType::WaitEvent, event);
  });
}

CUFORT_API cudaError_t cudaGraphExecEventRecordNodeSetEvent(
    cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
  if (!exec)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    return g.setEvent({node, exec}, GraphNodeType::RecordEvent, event);
  });
}

CUFORT_API cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec,
                                                          cudaGraphNode_t node,
                                                          cudaEvent_t event) {
  if (!exec)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    return g.setEvent({node, exec}, GraphNodeType::WaitEvent, event);
  });
}

CUFORT_API cudaError_t cudaGraphConditionalHandleCreate(
    cudaGraphConditionalHandle *handle, cudaGraph_t graph, unsigned value,
    unsigned flags) {
  if (!handle)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    return g.createCondition(handle, graph, value, flags);
  });
}

//===----------------------------------------------------------------------===//
// Nodes of any type
//===----------------------------------------------------------------------===//

/// The parameters of \p member's node, which have other names here.
template <typename Parameters, typename Member>
static Parameters *sameAs(Member *member) {
  static_assert(sizeof(Parameters) == sizeof(Member));
  return reinterpret_cast<Parameters *>(member);
}

CUFORT_API cudaError_t cudaGraphAddNode(cudaGraphNode_t *node,
                                        cudaGraph_t graph,
                                        const cudaGraphNode_t *after,
                                        const cudaGraphEdgeData *edges,
                                        size_t count, cudaGraphNodeParams *p) {
  const profile::Call recorded;
  if (!node || !p)
    return recordError(cudaErrorInvalidValue);
  if (!plain(edges, count))
    return recordError(cudaErrorNotSupported);
  switch (static_cast<GraphNodeType>(p->type)) {
  case GraphNodeType::Kernel:
    return cudaGraphAddKernelNode(node, graph, after, count,
                                  sameAs<cudaKernelNodeParams>(&p->kernel));
  case GraphNodeType::Copy:
    return cudaGraphAddMemcpyNode(node, graph, after, count,
                                  &p->memcpy.copyParams);
  case GraphNodeType::Fill:
    return cudaGraphAddMemsetNode(node, graph, after, count,
                                  sameAs<cudaMemsetParams>(&p->memset));
  case GraphNodeType::Host:
    return cudaGraphAddHostNode(node, graph, after, count,
                                sameAs<cudaHostNodeParams>(&p->host));
  case GraphNodeType::Graph:
    if (p->graph.ownership != cudaGraphChildGraphOwnershipClone)
      return recordError(cudaErrorNotSupported);
    return cudaGraphAddChildGraphNode(node, graph, after, count,
                                      p->graph.graph);
  case GraphNodeType::Empty:
    return cudaGraphAddEmptyNode(node, graph, after, count);
  case GraphNodeType::WaitEvent:
    return cudaGraphAddEventWaitNode(node, graph, after, count,
                                     p->eventWait.event);
  case GraphNodeType::RecordEvent:
    return cudaGraphAddEventRecordNode(node, graph, after, count,
                                       p->eventRecord.event);
  case GraphNodeType::Allocate:
    return cudaGraphAddMemAllocNode(node, graph, after, count,
                                    sameAs<cudaMemAllocNodeParams>(&p->alloc));
  case GraphNodeType::Release:
    return cudaGraphAddMemFreeNode(node, graph, after, count, p->free.dptr);
  case GraphNodeType::Conditional:
    return onGraphs([&](Graphs &g) {
      ConditionalParameters c{p->conditional.handle, p->conditional.type,
                              p->conditional.size, nullptr};
      const Error error = g.addConditional(node, graph, {after, count}, c);
      if (error == cudaSuccess)
        p->conditional.phGraph_out = reinterpret_cast<cudaGraph_t *>(c.graphs);
      return error;
    });
  case GraphNodeType::Values:
    break;
  }
  // Semaphores of other programs.
  return recordError(p->type == 8 || p->type == 9 ? cudaErrorNotSupported
                                                  : cudaErrorInvalidValue);
}

CUFORT_API cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node,
                                              cudaGraphNodeParams *p) {
  const profile::Call recorded;
  if (!p)
    return recordError(cudaErrorInvalidValue);
  switch (static_cast<GraphNodeType>(p->type)) {
  case GraphNodeType::Kernel:
    return cudaGraphKernelNodeSetParams(
        node, sameAs<cudaKernelNodeParams>(&p->kernel));
  case GraphNodeType::Copy:
    return cudaGraphMemcpyNodeSetParams(node, &p->memcpy.copyParams);
  case GraphNodeType::Fill:
    return cudaGraphMemsetNodeSetParams(node,
                                        sameAs<cudaMemsetParams>(&p->memset));
  case GraphNodeType::Host:
    return cudaGraphHostNodeSetParams(node,
                                      sameAs<cudaHostNodeParams>(&p->host));
  case GraphNodeType::WaitEvent:
    return cudaGraphEventWaitNodeSetEvent(node, p->eventWait.event);
  case GraphNodeType::RecordEvent:
    return cudaGraphEventRecordNodeSetEvent(node, p->eventRecord.event);
  case GraphNodeType::Conditional:
    return recordError(cudaErrorNotSupported);
  default:
    return recordError(cudaErrorInvalidValue);
  }
}

CUFORT_API cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec,
                                                  cudaGraphNode_t node,
                                                  cudaGraphNodeParams *p) {
  const profile::Call recorded;
  if (!p)
    return recordError(cudaErrorInvalidValue);
  switch (static_cast<GraphNodeType>(p->type)) {
  case GraphNodeType::Kernel:
    return cudaGraphExecKernelNodeSetParams(
        exec, node, sameAs<cudaKernelNodeParams>(&p->kernel));
  case GraphNodeType::Copy:
    return cudaGraphExecMemcpyNodeSetParams(exec, node, &p->memcpy.copyParams);
  case GraphNodeType::Fill:
    return cudaGraphExecMemsetNodeSetParams(
        exec, node, sameAs<cudaMemsetParams>(&p->memset));
  case GraphNodeType::Host:
    return cudaGraphExecHostNodeSetParams(exec, node,
                                          sameAs<cudaHostNodeParams>(&p->host));
  case GraphNodeType::Graph:
    return cudaGraphExecChildGraphNodeSetParams(exec, node, p->graph.graph);
  case GraphNodeType::WaitEvent:
    return cudaGraphExecEventWaitNodeSetEvent(exec, node, p->eventWait.event);
  case GraphNodeType::RecordEvent:
    return cudaGraphExecEventRecordNodeSetEvent(exec, node,
                                                p->eventRecord.event);
  case GraphNodeType::Conditional:
    return recordError(cudaErrorNotSupported);
  default:
    return recordError(cudaErrorInvalidValue);
  }
}
