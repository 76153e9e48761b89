//===- AnyNode.cpp - CUDA driver API: nodes of any type -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels, copies and fills are described otherwise than in the runtime API;
// the other nodes in the same way.
//
//===----------------------------------------------------------------------===//

#include "runtime/api/RuntimeApi.h"
#include "runtime/driver/Call.h"
#include <algorithm>
#include <cstddef>

using namespace cufort;
using namespace cufort::driver;

static_assert(sizeof(CUgraphNodeParams) == sizeof(cudaGraphNodeParams) &&
              offsetof(CUgraphNodeParams, kernel) ==
                  offsetof(cudaGraphNodeParams, kernel) &&
              offsetof(CUDA_CONDITIONAL_NODE_PARAMS, phGraph_out) ==
                  offsetof(cudaConditionalNodeParams, phGraph_out) &&
              sizeof(CUDA_MEM_ALLOC_NODE_PARAMS) ==
                  sizeof(cudaMemAllocNodeParams));

static cudaGraphNodeParams *sameAs(CUgraphNodeParams *p) {
  return reinterpret_cast<cudaGraphNodeParams *>(p);
}

static CUDA_KERNEL_NODE_PARAMS *kernelOf(CUgraphNodeParams *p) {
  static_assert(sizeof(p->kernel) == sizeof(CUDA_KERNEL_NODE_PARAMS));
  return reinterpret_cast<CUDA_KERNEL_NODE_PARAMS *>(&p->kernel);
}

/// Without the context, which is that of the device.
static CUDA_MEMSET_NODE_PARAMS fillOf(const CUDA_MEMSET_NODE_PARAMS_v2 &p) {
  return {p.dst, p.pitch, p.value, p.elementSize, p.width, p.height};
}

static bool isPlain(const CUgraphEdgeData &edge) {
  return !(edge.from_port | edge.to_port | edge.type) &&
         std::all_of(edge.reserved, edge.reserved + sizeof(edge.reserved),
                     [](unsigned char byte) { return !byte; });
}

CUFORT_DRIVER_API CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph,
                                          const CUgraphNode *after,
                                          const CUgraphEdgeData *edges,
                                          size_t count, CUgraphNodeParams *p) {
  if (!node || !p)
    return CUDA_ERROR_INVALID_VALUE;
  if (edges && !std::all_of(edges, edges + count, isPlain))
    return CUDA_ERROR_NOT_SUPPORTED;
  switch (numberOf(p->type)) {
  case CU_GRAPH_NODE_TYPE_KERNEL:
    return cuGraphAddKernelNode(node, graph, after, count, kernelOf(p));
  case CU_GRAPH_NODE_TYPE_MEMCPY:
    return cuGraphAddMemcpyNode(node, graph, after, count,
                                &p->memcpy.copyParams, p->memcpy.copyCtx);
  case CU_GRAPH_NODE_TYPE_MEMSET: {
    const CUDA_MEMSET_NODE_PARAMS fill = fillOf(p->memset);
    return cuGraphAddMemsetNode(node, graph, after, count, &fill,
                                p->memset.ctx);
  }
  default:
    return inContext([&] {
      return cudaGraphAddNode(reinterpret_cast<cudaGraphNode_t *>(node), graph,
                              reinterpret_cast<const cudaGraphNode_t *>(after),
                              nullptr, count, sameAs(p));
    });
  }
}

CUFORT_DRIVER_API CUresult cuGraphNodeSetParams(CUgraphNode node,
                                                CUgraphNodeParams *p) {
  if (!p)
    return CUDA_ERROR_INVALID_VALUE;
  switch (numberOf(p->type)) {
  case CU_GRAPH_NODE_TYPE_KERNEL:
    return cuGraphKernelNodeSetParams(node, kernelOf(p));
  case CU_GRAPH_NODE_TYPE_MEMCPY:
    return cuGraphMemcpyNodeSetParams(node, &p->memcpy.copyParams);
  case CU_GRAPH_NODE_TYPE_MEMSET: {
    const CUDA_MEMSET_NODE_PARAMS fill = fillOf(p->memset);
    return cuGraphMemsetNodeSetParams(node, &fill);
  }
  default:
    return inContext([&] { return cudaGraphNodeSetParams(node, sameAs(p)); });
  }
}

CUFORT_DRIVER_API CUresult cuGraphExecNodeSetParams(CUgraphExec exec,
                                                    CUgraphNode node,
                                                    CUgraphNodeParams *p) {
  if (!p)
    return CUDA_ERROR_INVALID_VALUE;
  switch (numberOf(p->type)) {
  case CU_GRAPH_NODE_TYPE_KERNEL:
    return cuGraphExecKernelNodeSetParams(exec, node, kernelOf(p));
  case CU_GRAPH_NODE_TYPE_MEMCPY:
    return cuGraphExecMemcpyNodeSetParams(exec, node, &p->memcpy.copyParams,
                                          p->memcpy.copyCtx);
  case CU_GRAPH_NODE_TYPE_MEMSET: {
    const CUDA_MEMSET_NODE_PARAMS fill = fillOf(p->memset);
    return cuGraphExecMemsetNodeSetParams(exec, node, &fill, p->memset.ctx);
  }
  default:
    return inContext(
        [&] { return cudaGraphExecNodeSetParams(exec, node, sameAs(p)); });
  }
}
