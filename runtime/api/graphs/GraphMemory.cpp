//===- GraphMemory.cpp - CUDA runtime API: what graphs hold -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/graphs/OnGraphs.h"
#include <cstring>

// The public header, after the names it needs.

using namespace cufort;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

CUFORT_API cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node,
                                                cudaGraph_t graph,
                                                const cudaGraphNode_t *after,
                                                size_t count,
                                                cudaMemAllocNodeParams *p) {
  constexpr int pinned = 1, onDevice = 1;
  if (!node || !p || p->poolProps.allocType != pinned ||
      p->poolProps.location.type != onDevice ||
      (p->accessDescCount && !p->accessDescs))
    return recordError(cudaErrorInvalidValue);
  if (!deviceAt(p->poolProps.location.id))
    return recordError(cudaErrorInvalidValue);
  if (p->poolProps.handleTypes)
    return recordError(cudaErrorNotSupported);
  return onGraphs([&](Graphs &g) {
    AllocationParameters a{nullptr, p->bytesize, p->poolProps.location.id};
    const Error error = g.addAllocation(node, graph, {after, count}, a);
    p->dptr = a.memory;
    return error;
  });
}

CUFORT_API cudaError_t cudaGraphMemAllocNodeGetParams(
    cudaGraphNode_t node, cudaMemAllocNodeParams *p) {
  if (!p)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    AllocationParameters a{};
    const Error error = g.allocationOf(node, &a);
    if (error == cudaSuccess) {
      *p = {};
      p->poolProps.allocType = 1;
      p->poolProps.location = {1, a.device};
      p->bytesize = a.bytes;
      p->dptr = a.memory;
    }
    return error;
  });
}

CUFORT_API cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node,
                                               cudaGraph_t graph,
                                               const cudaGraphNode_t *after,
                                               size_t count, void *memory) {
  if (!node || !memory)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    return g.addRelease(node, graph, {after, count}, memory);
  });
}

CUFORT_API cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node,
                                                     void *result) {
  if (!result)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    void *memory = nullptr;
    const Error error = g.releaseOf(node, &memory);
    if (error == cudaSuccess)
      std::memcpy(result, &memory, sizeof(memory));
    return error;
  });
}

/// Calls \p call(Graphs &) for the device \p device.
template <typename Call>
static cudaError_t onGraphsOf(
    int device, Call call,
    const std::source_location &where = std::source_location::current()) {
  const profile::Call recorded(where);
  Engine *engine = deviceAt(device);
  if (!engine)
    return recordError(cudaErrorInvalidDevice);
  return onDevice([&](Engine &) { return call(engine->graphs()); });
}

CUFORT_API cudaError_t cudaDeviceGraphMemTrim(int device) {
  return onGraphsOf(device, [](Graphs &g) { return g.trimMemory(); });
}

CUFORT_API cudaError_t cudaDeviceGetGraphMemAttribute(int device, int attribute,
                                                      void *value) {
  if (!value)
    return recordError(cudaErrorInvalidValue);
  return onGraphsOf(device, [&](Graphs &g) {
    uint64_t number = 0;
    const Error error = g.memoryAttribute(attribute, &number);
    if (error == cudaSuccess)
      std::memcpy(value, &number, sizeof(number));
    return error;
  });
}

// Only highest values can be set, and only to zero.
CUFORT_API cudaError_t cudaDeviceSetGraphMemAttribute(int device, int attribute,
                                                      void *value) {
  uint64_t number = 1;
  if (value)
    std::memcpy(&number, value, sizeof(number));
  if (number)
    return recordError(cudaErrorInvalidValue);
  return onGraphsOf(
      device, [&](Graphs &g) { return g.resetMemoryAttribute(attribute); });
}

//===----------------------------------------------------------------------===//
// Objects of the program
//===----------------------------------------------------------------------===//

CUFORT_API cudaError_t cudaUserObjectCreate(cudaUserObject_t *object,
                                            void *pointer, cudaHostFn_t destroy,
                                            unsigned count, unsigned flags) {
  // The destructor cannot be waited for, and the program has to know it.
  if (!object || !destroy || !count || count > INT32_MAX ||
      flags != cudaUserObjectNoDestructorSync)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    UserObjectHandle created = nullptr;
    const Error error = g.createObject(&created, pointer, destroy, count);
    if (error == cudaSuccess)
      *object = static_cast<cudaUserObject_t>(created);
    return error;
  });
}

CUFORT_API cudaError_t cudaUserObjectRetain(cudaUserObject_t object,
                                            unsigned count) {
  return onGraphs([&](Graphs &g) { return g.retainObject(object, count); });
}

CUFORT_API cudaError_t cudaUserObjectRelease(cudaUserObject_t object,
                                             unsigned count) {
  return onGraphs([&](Graphs &g) { return g.releaseObject(object, count); });
}

CUFORT_API cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph,
                                                 cudaUserObject_t object,
                                                 unsigned count,
                                                 unsigned flags) {
  if (flags > cudaGraphUserObjectMove)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    return g.retainInGraph(graph, object, count,
                           flags & cudaGraphUserObjectMove);
  });
}

CUFORT_API cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph,
                                                  cudaUserObject_t object,
                                                  unsigned count) {
  return onGraphs(
      [&](Graphs &g) { return g.releaseInGraph(graph, object, count); });
}
