//===- Graph.cpp - CUDA driver API: nodes of graphs -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Graphs, nodes and executable graphs are those of the runtime API; what it
// has in the same form is in Calls.def. Here are kernels, which are functions
// instead of host stubs, and copies and fills, whose descriptions differ.
//
//===----------------------------------------------------------------------===//

#include "runtime/api/RuntimeApi.h"
#include "runtime/core/engine/Graphs.h"
#include "runtime/driver/Box.h"
#include "runtime/driver/Function.h"

using namespace cufort;
using namespace cufort::driver;

static const GraphNodeHandle *nodesOf(const CUgraphNode *nodes) {
  return reinterpret_cast<const GraphNodeHandle *>(nodes);
}
static GraphNodeHandle *nodesOf(CUgraphNode *nodes) {
  return reinterpret_cast<GraphNodeHandle *>(nodes);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Calls \p call(Graphs &, kernel, configuration) with what \p p says. Packed
/// parameters (extra) are for launches only.
template <typename Call>
static CUresult withKernel(const CUDA_KERNEL_NODE_PARAMS *p, Call call) {
  return onEngine([&](Engine &e) {
    if (!p || (!p->kernelParams && !p->func && !p->kern))
      return cudaErrorInvalidValue;
    if (p->extra)
      return p->kernelParams ? cudaErrorInvalidValue : cudaErrorNotSupported;
    // A kernel of a library may be named in a place of its own.
    FunctionHandle handle = nullptr;
    const Error error = p->func ? resolve(p->func, &handle)
                                : functionOfKernel(p->kern, &handle);
    if (error != cudaSuccess)
      return error;
    if (*handle && !p->kernelParams && handle->kernel->parameterCount)
      return cudaErrorInvalidValue;
    if (!*handle)
      return cudaErrorInvalidResourceHandle;
    const LaunchConfiguration configuration{
        {p->gridDimX, p->gridDimY, p->gridDimZ},
        {p->blockDimX, p->blockDimY, p->blockDimZ},
        p->sharedMemBytes};
    return call(e.graphs(), *handle, configuration);
  });
}

CUFORT_DRIVER_API CUresult
cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                     size_t count, const CUDA_KERNEL_NODE_PARAMS *p) {
  if (!node)
    return CUDA_ERROR_INVALID_VALUE;
  return withKernel(p, [&](Graphs &g, const auto &kernel, const auto &c) {
    return g.addKernel(nodesOf(node), graph, {nodesOf(after), count}, kernel, c,
                       p->kernelParams);
  });
}

CUFORT_DRIVER_API CUresult
cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *p) {
  return withKernel(p, [&](Graphs &g, const auto &kernel, const auto &c) {
    return g.setKernel({node}, kernel, c, p->kernelParams);
  });
}

CUFORT_DRIVER_API CUresult cuGraphExecKernelNodeSetParams(
    CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *p) {
  if (!exec)
    return CUDA_ERROR_INVALID_VALUE;
  return withKernel(p, [&](Graphs &g, const auto &kernel, const auto &c) {
    return g.setKernel({node, exec}, kernel, c, p->kernelParams);
  });
}

CUFORT_DRIVER_API CUresult
cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *p) {
  return onEngine([&](Engine &e) {
    if (!p)
      return cudaErrorInvalidValue;
    KernelParameters k;
    if (const Error error = e.graphs().kernelOf(node, &k); error != cudaSuccess)
      return error;
    CUfunction function = knownFunction(k.kernel);
    const void *name = function ? nullptr : nameOfKernel(k.kernel);
    CUkernel kernel = nullptr;
    if (LibraryHandle library = nullptr; name) {
      const char *text = nullptr;
      if (libraryOfKernel(name, &library, &text) == cudaSuccess)
        kernel = static_cast<CUkernel>(const_cast<void *>(name));
      else if (const Error error = cudaGetFuncBySymbol(&function, name);
               error != cudaSuccess)
        return error;
    }
    const image::Dim3 grid = k.configuration.grid,
                      block = k.configuration.block;
    *p = {function,     grid.x,  grid.y,  grid.z,
          block.x,      block.y, block.z, k.configuration.dynamicSharedBytes,
          k.parameters, nullptr, kernel,  nullptr};
    return cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Calls \p call(Graphs &, box) with a copy that is not empty.
template <typename Call>
static CUresult withBox(const CUDA_MEMCPY3D *p, Call call) {
  return onEngine([&](Engine &e) {
    BoxCopy box;
    if (const Error error = boxOf(p, &box); error != cudaSuccess)
      return error;
    return box.widthBytes && box.height && box.depth ? call(e.graphs(), box)
                                                     : cudaErrorInvalidValue;
  });
}

CUFORT_DRIVER_API CUresult
cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                     size_t count, const CUDA_MEMCPY3D *p, CUcontext) {
  if (!node)
    return CUDA_ERROR_INVALID_VALUE;
  return withBox(p, [&](Graphs &g, const BoxCopy &box) {
    return g.addCopy(nodesOf(node), graph, {nodesOf(after), count}, box);
  });
}

CUFORT_DRIVER_API CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node,
                                                      const CUDA_MEMCPY3D *p) {
  return withBox(
      p, [&](Graphs &g, const BoxCopy &box) { return g.setCopy({node}, box); });
}

CUFORT_DRIVER_API CUresult cuGraphExecMemcpyNodeSetParams(
    CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *p, CUcontext) {
  if (!exec)
    return CUDA_ERROR_INVALID_VALUE;
  return withBox(p, [&](Graphs &g, const BoxCopy &box) {
    return g.setCopy({node, exec}, box);
  });
}

CUFORT_DRIVER_API CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node,
                                                      CUDA_MEMCPY3D *p) {
  return onEngine([&](Engine &e) {
    BoxCopy box;
    const Error error =
        p ? e.graphs().copyOf(node, &box) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
      *p = descriptionOf(box);
    return error;
  });
}

//===----------------------------------------------------------------------===//
// Fills
//===----------------------------------------------------------------------===//

template <typename Call>
static CUresult withFill(const CUDA_MEMSET_NODE_PARAMS *p, Call call) {
  return onEngine([&](Engine &e) {
    return p ? call(e.graphs(),
                    FillParameters{pointerOf(p->dst), p->pitch, p->value,
                                   p->elementSize, p->width, p->height})
             : cudaErrorInvalidValue;
  });
}

CUFORT_DRIVER_API CUresult cuGraphAddMemsetNode(
    CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
    const CUDA_MEMSET_NODE_PARAMS *p, CUcontext) {
  if (!node)
    return CUDA_ERROR_INVALID_VALUE;
  return withFill(p, [&](Graphs &g, const FillParameters &fill) {
    return g.addFill(nodesOf(node), graph, {nodesOf(after), count}, fill);
  });
}

CUFORT_DRIVER_API CUresult
cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *p) {
  return withFill(p, [&](Graphs &g, const FillParameters &fill) {
    return g.setFill({node}, fill);
  });
}

CUFORT_DRIVER_API CUresult
cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                               const CUDA_MEMSET_NODE_PARAMS *p, CUcontext) {
  if (!exec)
    return CUDA_ERROR_INVALID_VALUE;
  return withFill(p, [&](Graphs &g, const FillParameters &fill) {
    return g.setFill({node, exec}, fill);
  });
}

CUFORT_DRIVER_API CUresult
cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *p) {
  return onEngine([&](Engine &e) {
    FillParameters fill{};
    const Error error =
        p ? e.graphs().fillOf(node, &fill) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
      *p = {reinterpret_cast<CUdeviceptr>(fill.memory),
            fill.pitch,
            fill.value,
            fill.elementBytes,
            fill.width,
            fill.height};
    return error;
  });
}
