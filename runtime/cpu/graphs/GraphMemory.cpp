//===- GraphMemory.cpp - memory that graphs allocate ----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/CpuEngine.h"
#include "runtime/cpu/graphs/GraphNodes.h"

namespace cufort::cpu {

using Lock = std::lock_guard<std::recursive_mutex>;

namespace {

/// Memory of a graph: everything that may be launched with it holds it.
struct GraphMemory {
  GraphMemory(void *address, std::shared_ptr<Pool> pool)
      : address(address), pool(std::move(pool)) {
    this->pool->count->add(2, this->pool->bytes);
  }
  GraphMemory(const GraphMemory &) = delete;
  GraphMemory &operator=(const GraphMemory &) = delete;
  ~GraphMemory() {
    pool->end();
    pool->count->values[2] -= pool->bytes;
    Memory::releaseOfGraph(address, *pool);
  }
  void *const address;
  const std::shared_ptr<Pool> pool;
};

} // namespace

Error CpuGraphs::makeAllocation(AllocationParameters &p, Action *action) {
  p.memory = nullptr;
  CpuEngine &device = *cpuEngines()[static_cast<size_t>(p.device)];
  auto pool = std::make_shared<Pool>();
  pool->device = p.device;
  pool->ofGraph = true;
  pool->bytes = p.bytes;
  pool->count = &device.graphSet.memoryCount;
  if (Error error = device.memory.allocate(&p.memory, p.bytes,
                                           MemoryKind::Device, 0, pool);
      error != cudaSuccess || !p.memory)
    return error;
  std::shared_ptr<GraphMemory> held;
  try {
    held = std::make_shared<GraphMemory>(p.memory, pool);
  } catch (const std::bad_alloc &) {
    Memory::releaseOfGraph(p.memory, *pool);
    throw;
  }
  action->make = [held] {
    return new CallOperation([pool = held->pool] { pool->begin(); });
  };
  action->work = p;
  return cudaSuccess;
}

Error CpuGraphs::makeRelease(const Graph &graph, void *memory, Action *action) {
  std::shared_ptr<Pool> pool = memory ? Memory::graphPool(memory) : nullptr;
  if (!pool)
    return cudaErrorInvalidValue;
  // Once in a graph, and not in the one that allocates it where another does.
  for (const auto &node : graph.nodes) {
    const auto *release = std::get_if<ReleaseWork>(&node->work);
    const auto *allocation = std::get_if<AllocationParameters>(&node->work);
    if ((release && release->memory == memory) ||
        (allocation && allocation->memory == memory &&
         !pool->release.expired()))
      return cudaErrorInvalidValue;
  }
  auto held = std::make_shared<std::shared_ptr<Pool>>(pool);
  action->make = [held] {
    return new CallOperation([pool = *held] { pool->end(); });
  };
  action->work = ReleaseWork{memory};
  pool->release = held;
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// By capture
//===----------------------------------------------------------------------===//

bool CpuGraphs::capturedAllocation(Stream &stream, void **memory, size_t bytes,
                                   int device, Error *error) {
  Lock lock(mutex);
  if (!memberOf(stream, error))
    return *error != cudaSuccess;
  AllocationParameters p{nullptr, bytes, device};
  Action action;
  *error = makeAllocation(p, &action);
  *memory = p.memory;
  if (*error != cudaSuccess || !p.memory)
    return true;
  return captured(stream, GraphNodeType::Allocate, std::move(action.make),
                  std::move(action.work), error);
}

bool CpuGraphs::capturedRelease(Stream &stream, void *memory, Error *error) {
  Lock lock(mutex);
  const Member *member = memberOf(stream, error);
  if (!member)
    return *error != cudaSuccess;
  Action action;
  if (*error = makeRelease(*member->capture->graph, memory, &action);
      *error != cudaSuccess)
    return true;
  return captured(stream, GraphNodeType::Release, std::move(action.make),
                  std::move(action.work), error);
}

//===----------------------------------------------------------------------===//
// By hand
//===----------------------------------------------------------------------===//

Error CpuGraphs::addAllocation(GraphNodeHandle *node, GraphHandle graph,
                               Dependencies after, AllocationParameters &p) {
  if (!p.bytes || p.device < 0 ||
      static_cast<size_t>(p.device) >= cpuEngines().size())
    return cudaErrorInvalidValue;
  Action action;
  if (Error error = makeAllocation(p, &action); error != cudaSuccess)
    return error;
  return addTo(node, graph, after, GraphNodeType::Allocate, std::move(action),
               "allocation");
}

Error CpuGraphs::addRelease(GraphNodeHandle *node, GraphHandle graph,
                            Dependencies after, void *memory) {
  Lock lock(mutex);
  // First the node: memory whose release failed can still be freed.
  if (Error error =
          addTo(node, graph, after, GraphNodeType::Release, {}, "release");
      error != cudaSuccess)
    return error;
  Action action;
  const auto undo = [&] {
    Graph &owner = *static_cast<GraphNode *>(*node)->graph;
    allNodes.erase(owner.nodes.back().get());
    owner.nodes.pop_back();
    *node = nullptr;
  };
  Error error;
  try {
    const auto &added = *static_cast<GraphNode *>(*node);
    error = makeRelease(*added.graph, memory, &action);
  } catch (const std::bad_alloc &) {
    undo();
    throw;
  }
  if (error != cudaSuccess) {
    undo();
    return error;
  }
  auto *added = static_cast<GraphNode *>(*node);
  added->make = std::move(action.make);
  added->work = std::move(action.work);
  return cudaSuccess;
}

Error CpuGraphs::allocationOf(GraphNodeHandle handle,
                              AllocationParameters *result) {
  Lock lock(mutex);
  GraphNode *node = findNode(handle);
  const auto *work =
      node ? std::get_if<AllocationParameters>(&node->work) : nullptr;
  if (!work)
    return cudaErrorInvalidValue;
  *result = *work;
  return cudaSuccess;
}

Error CpuGraphs::releaseOf(GraphNodeHandle handle, void **memory) {
  Lock lock(mutex);
  GraphNode *node = findNode(handle);
  const auto *work = node ? std::get_if<ReleaseWork>(&node->work) : nullptr;
  if (!work)
    return cudaErrorInvalidValue;
  *memory = work->memory;
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// What graphs hold
//===----------------------------------------------------------------------===//

Error CpuGraphs::memoryAttribute(int attribute, uint64_t *value) {
  if (attribute < 0 || attribute > 3)
    return cudaErrorInvalidValue;
  *value = memoryCount.values[attribute];
  return cudaSuccess;
}

Error CpuGraphs::resetMemoryAttribute(int attribute) {
  if (attribute != 1 && attribute != 3)
    return cudaErrorInvalidValue;
  memoryCount.values[attribute] = memoryCount.values[attribute - 1].load();
  return cudaSuccess;
}

// Memory that no graph holds has been given back already.
Error CpuGraphs::trimMemory() {
  engine.memory.trim();
  return cudaSuccess;
}

} // namespace cufort::cpu
