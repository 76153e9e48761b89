//===- GraphMemory.cpp - CUDA driver API: memory of graphs, pools ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/RuntimeApi.h"
#include "runtime/core/engine/Graphs.h"
#include "runtime/driver/Call.h"
#include <cstring>

using namespace cufort;
using namespace cufort::driver;

static GraphNodeHandle *handleOf(CUgraphNode *node) {
  return reinterpret_cast<GraphNodeHandle *>(node);
}
static PoolHandle *handleOf(CUmemoryPool *pool) {
  return reinterpret_cast<PoolHandle *>(pool);
}

//===----------------------------------------------------------------------===//
// Nodes that allocate and free
//===----------------------------------------------------------------------===//

CUFORT_DRIVER_API CUresult cuGraphAddMemAllocNode(
    CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
    CUDA_MEM_ALLOC_NODE_PARAMS *p) {
  return onEngine([&](Engine &e) {
    if (!node || !p ||
        numberOf(p->poolProps.allocType) != CU_MEM_ALLOCATION_TYPE_PINNED ||
        numberOf(p->poolProps.location.type) != CU_MEM_LOCATION_TYPE_DEVICE ||
        !deviceAt(p->poolProps.location.id) ||
        (p->accessDescCount && !p->accessDescs))
      return cudaErrorInvalidValue;
    if (numberOf(p->poolProps.handleTypes))
      return cudaErrorNotSupported;
    AllocationParameters a{nullptr, p->bytesize, p->poolProps.location.id};
    const auto *nodes = reinterpret_cast<const GraphNodeHandle *>(after);
    const Error error =
        e.graphs().addAllocation(handleOf(node), graph, {nodes, count}, a);
    p->dptr = reinterpret_cast<CUdeviceptr>(a.memory);
    return error;
  });
}

CUFORT_DRIVER_API CUresult
cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *p) {
  return onEngine([&](Engine &e) {
    AllocationParameters a{};
    const Error error =
        p ? e.graphs().allocationOf(node, &a) : cudaErrorInvalidValue;
    if (error != cudaSuccess)
      return error;
    std::memset(p, 0, sizeof(*p));
    p->poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    p->poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, a.device};
    p->bytesize = a.bytes;
    p->dptr = reinterpret_cast<CUdeviceptr>(a.memory);
    return cudaSuccess;
  });
}

CUFORT_DRIVER_API CUresult cuGraphAddMemFreeNode(CUgraphNode *node,
                                                 CUgraph graph,
                                                 const CUgraphNode *after,
                                                 size_t count,
                                                 CUdeviceptr memory) {
  return onEngine([&](Engine &e) {
    const auto *nodes = reinterpret_cast<const GraphNodeHandle *>(after);
    return node && memory
               ? e.graphs().addRelease(handleOf(node), graph, {nodes, count},
                                       pointerOf(memory))
               : cudaErrorInvalidValue;
  });
}

CUFORT_DRIVER_API CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node,
                                                       CUdeviceptr *result) {
  return onEngine([&](Engine &e) {
    void *memory = nullptr;
    const Error error =
        result ? e.graphs().releaseOf(node, &memory) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
      *result = reinterpret_cast<CUdeviceptr>(memory);
    return error;
  });
}

//===----------------------------------------------------------------------===//
// What a device holds: no context is needed
//===----------------------------------------------------------------------===//

/// Calls \p call(Engine &) for \p device.
template <typename Call>
static CUresult onDeviceOf(CUdevice device, Call call) {
  return withDevice(device, [&] { return resultOf(call(*deviceAt(device))); });
}

CUFORT_DRIVER_API CUresult cuDeviceGraphMemTrim(CUdevice device) {
  return onDeviceOf(device, [](Engine &e) { return e.graphs().trimMemory(); });
}

CUFORT_DRIVER_API CUresult cuDeviceGetGraphMemAttribute(
    CUdevice device, CUgraphMem_attribute attribute, void *value) {
  return onDeviceOf(device, [&](Engine &e) {
    uint64_t number = 0;
    const Error error =
        value ? e.graphs().memoryAttribute(numberOf(attribute), &number)
              : cudaErrorInvalidValue;
    if (error == cudaSuccess)
      std::memcpy(value, &number, sizeof(number));
    return error;
  });
}

CUFORT_DRIVER_API CUresult cuDeviceSetGraphMemAttribute(
    CUdevice device, CUgraphMem_attribute attribute, void *value) {
  return onDeviceOf(device, [&](Engine &e) {
    uint64_t number = 1;
    if (value)
      std::memcpy(&number, value, sizeof(number));
    return number ? cudaErrorInvalidValue
                  : e.graphs().resetMemoryAttribute(numberOf(attribute));
  });
}

CUFORT_DRIVER_API CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool,
                                                     CUdevice device) {
  return onDeviceOf(device, [&](Engine &e) {
    return pool ? e.defaultPool(handleOf(pool)) : cudaErrorInvalidValue;
  });
}

CUFORT_DRIVER_API CUresult cuDeviceGetMemPool(CUmemoryPool *pool,
                                              CUdevice device) {
  return onDeviceOf(device, [&](Engine &e) {
    return pool ? e.currentPool(handleOf(pool)) : cudaErrorInvalidValue;
  });
}

CUFORT_DRIVER_API CUresult cuDeviceSetMemPool(CUdevice device,
                                              CUmemoryPool pool) {
  return onDeviceOf(device, [&](Engine &e) {
    return pool ? e.setCurrentPool(pool) : cudaErrorInvalidValue;
  });
}
