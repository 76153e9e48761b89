//===- GraphNodes.cpp - CUDA runtime API: nodes of graphs
//----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/Direction.h"
#include "runtime/api/arrays/Box.h"
#include "runtime/api/graphs/OnGraphs.h"
#include "runtime/core/Libraries.h"

using namespace cufort;

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
static cudaError_t withKernel(
    const cudaKernelNodeParams *p, Call call,
    const std::source_location &where = std::source_location::current()) {
  const profile::Call recorded(where);
  if (!p || p->extra)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    KernelReference kernel = kernelNamed(p->func);
    if (!kernel)
      return cudaErrorInvalidDeviceFunction;
    if (!p->kernelParams && kernel.kernel->parameterCount)
      return cudaErrorInvalidValue;
    const LaunchConfiguration configuration{
        {p->gridDim.x, p->gridDim.y, p->gridDim.z},
        {p->blockDim.x, p->blockDim.y, p->blockDim.z},
        p->sharedMemBytes,
        nullptr,
        false};
    return call(g, kernel, configuration);
  });
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

/// The box of \p p, which must not be empty, and a copy that can be made.
static cudaError_t boxOfNode(Engine &e, const cudaMemcpy3DParms &p,
                             BoxCopy *box) {
  if (const Error error = boxOf(e, p, box); error != cudaSuccess)
    return error;
  if (!box->widthBytes || !box->height || !box->depth)
    return cudaErrorInvalidValue;
  if (const Error error = checkSides(e, *box); error != cudaSuccess)
    return error;
  return checkNodeDirection(e, box->to.memory, box->from.memory, box->kind);
}

/// Calls \p call(Graphs &, line) with the copy of a line of bytes.
template <typename Call>
static cudaError_t
withLine(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
         Call call,
         const std::source_location &where = std::source_location::current()) {
  const profile::Call recorded(where);
  if (!to || !from || !bytes)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    const Error error = checkNodeDirection(e, to, from, kind);
    return error == cudaSuccess
               ? call(e.graphs(), lineCopy(to, from, bytes, kind))
               : error;
  });
}

CUFORT_API cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node,
                                              cudaGraph_t graph,
                                              const cudaGraphNode_t *after,
                                              size_t count,
                                              const cudaMemcpy3DParms *p) {
  if (!node || !p)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    BoxCopy box;
    const Error error = boxOfNode(e, *p, &box);
    return error == cudaSuccess
               ? e.graphs().addCopy(node, graph, {after, count}, box)
               : error;
  });
}

CUFORT_API cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node,
                                                cudaGraph_t graph,
                                                const cudaGraphNode_t *after,
                                                size_t count, void *to,
                                                const void *from, size_t bytes,
                                                cudaMemcpyKind kind) {
  if (!node)
    return recordError(cudaErrorInvalidValue);
  return withLine(to, from, bytes, kind, [&](Graphs &g, const BoxCopy &line) {
    return g.addCopy(node, graph, {after, count}, line);
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

static cudaError_t
setCopy(NodePlace place, const cudaMemcpy3DParms *p,
        const std::source_location &where = std::source_location::current()) {
  const profile::Call recorded(where);
  if (!p)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    BoxCopy box;
    const Error error = boxOfNode(e, *p, &box);
    return error == cudaSuccess ? e.graphs().setCopy(place, box) : error;
  });
}

CUFORT_API cudaError_t
cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms *p) {
  return setCopy({node}, p);
}

CUFORT_API cudaError_t cudaGraphExecMemcpyNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node, const cudaMemcpy3DParms *p) {
  return exec ? setCopy({node, exec}, p) : recordError(cudaErrorInvalidValue);
}

CUFORT_API cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node,
                                                      void *to,
                                                      const void *from,
                                                      size_t bytes,
                                                      cudaMemcpyKind kind) {
  return withLine(to, from, bytes, kind, [&](Graphs &g, const BoxCopy &line) {
    return g.setCopy({node}, line);
  });
}

CUFORT_API cudaError_t cudaGraphExecMemcpyNodeSetParams1D(
    cudaGraphExec_t exec, cudaGraphNode_t node, void *to, const void *from,
    size_t bytes, cudaMemcpyKind kind) {
  if (!exec)
    return recordError(cudaErrorInvalidValue);
  return withLine(to, from, bytes, kind, [&](Graphs &g, const BoxCopy &line) {
    return g.setCopy({node, exec}, line);
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

//===----------------------------------------------------------------------===//
// Reading what nodes do
//===----------------------------------------------------------------------===//

CUFORT_API cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                                    cudaKernelNodeParams *p) {
  if (!p)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    KernelParameters k;
    if (const Error error = g.kernelOf(node, &k); error != cudaSuccess)
      return error;
    const image::Dim3 grid = k.configuration.grid,
                      block = k.configuration.block;
    *p = {const_cast<void *>(nameOfKernel(k.kernel)),
          {grid.x, grid.y, grid.z},
          {block.x, block.y, block.z},
          k.configuration.dynamicSharedBytes,
          k.parameters,
          nullptr};
    return cudaSuccess;
  });
}

CUFORT_API cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node,
                                                    cudaMemcpy3DParms *p) {
  if (!p)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    BoxCopy box;
    const Error error = e.graphs().copyOf(node, &box);
    return error == cudaSuccess ? parametersOf(e, box, p) : error;
  });
}

CUFORT_API cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node,
                                                    cudaMemsetParams *p) {
  if (!p)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    FillParameters fill;
    const Error error = g.fillOf(node, &fill);
    if (error == cudaSuccess)
      *p = {fill.memory,       fill.pitch, fill.value,
            fill.elementBytes, fill.width, fill.height};
    return error;
  });
}

CUFORT_API cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node,
                                                  cudaHostNodeParams *p) {
  if (!p)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    HostCall call;
    const Error error = g.hostOf(node, &call);
    if (error == cudaSuccess)
      *p = {call.function, call.data};
    return error;
  });
}
