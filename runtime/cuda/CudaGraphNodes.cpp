//===- CudaGraphNodes.cpp - more of the driver's graphs
//----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/CudaGraphs.h"
#include "runtime/cuda/GraphHandles.h"
#include <vector>

namespace cufort::cuda {

//===----------------------------------------------------------------------===//
// Nodes and edges
//===----------------------------------------------------------------------===//

Error CudaGraphs::removeDependencies(GraphHandle graph,
                                     const GraphNodeHandle *from,
                                     const GraphNodeHandle *to, size_t count) {
  NEED(graph);
  return errorOf(engine.driver.graphRemoveDependencies(
      graphOf(graph), nodesOf(from), nodesOf(to), count));
}

Error CudaGraphs::destroyNode(GraphNodeHandle node) {
  NEED_PLACE(NodePlace{node});
  return errorOf(engine.driver.graphDestroyNode(nodeOf(node)));
}

Error CudaGraphs::dependencies(GraphNodeHandle node, GraphNodeHandle *place,
                               size_t *count) {
  NEED_PLACE(NodePlace{node});
  return errorOf(engine.driver.graphNodeGetDependencies(nodeOf(node),
                                                        nodesOf(place), count));
}

Error CudaGraphs::dependents(GraphNodeHandle node, GraphNodeHandle *place,
                             size_t *count) {
  NEED_PLACE(NodePlace{node});
  return errorOf(engine.driver.graphNodeGetDependents(nodeOf(node),
                                                      nodesOf(place), count));
}

Error CudaGraphs::findInClone(GraphNodeHandle *node, GraphNodeHandle original,
                              GraphHandle copy) {
  NEED(copy);
  if (!original)
    return cudaErrorInvalidValue;
  return errorOf(engine.driver.graphFindInClone(nodesOf(node), nodeOf(original),
                                                graphOf(copy)));
}

Error CudaGraphs::createCondition(ConditionHandle *condition, GraphHandle graph,
                                  unsigned value, unsigned flags) {
  NEED(graph);
  return errorOf(engine.driver.graphCreateCondition(
      condition, graphOf(graph), engine.context, value, flags));
}

Error CudaGraphs::addConditional(GraphNodeHandle *node, GraphHandle graph,
                                 Dependencies after, ConditionalParameters &p) {
  NEED(graph);
  AnyNode any;
  any.condition = p.condition;
  any.conditionType = p.type;
  any.count = p.count;
  any.graphs = nullptr;
  any.context = engine.context;
  if (CUresult code =
          engine.driver.graphAddNode(nodesOf(node), graphOf(graph),
                                     nodesOf(after.nodes), after.count, &any))
    return errorOf(code);
  p.graphs = reinterpret_cast<GraphHandle *>(any.graphs);
  std::lock_guard lock(mutex);
  for (unsigned i = 0; i < p.count; ++i)
    children.insert_or_assign(p.graphs[i], this);
  return cudaSuccess;
}

Error CudaGraphs::childOf(GraphNodeHandle node, GraphHandle *graph) {
  NEED_PLACE(NodePlace{node});
  CUgraph child = nullptr;
  if (CUresult code = engine.driver.graphGetChild(nodeOf(node), &child))
    return errorOf(code);
  std::lock_guard lock(mutex);
  children.insert_or_assign(child, this);
  *graph = child;
  return cudaSuccess;
}

void CudaGraphs::forgetChildren(GraphHandle graph) {
  {
    std::lock_guard lock(mutex);
    if (children.empty())
      return;
    children.erase(graph);
  }
  size_t count = 0;
  if (engine.driver.graphGetNodes(graphOf(graph), nullptr, &count))
    return;
  std::vector<CUgraphNode> nodes;
  try {
    nodes.resize(count);
  } catch (const std::bad_alloc &) {
    return; // they stay known, which harms nobody
  }
  if (engine.driver.graphGetNodes(graphOf(graph), nodes.data(), &count))
    return;
  for (CUgraphNode node : nodes) {
    int type = 0;
    CUgraph child = nullptr;
    if (!engine.driver.graphNodeGetType(node, &type) &&
        type == static_cast<int>(GraphNodeType::Graph) &&
        !engine.driver.graphGetChild(node, &child) && child != graph)
      forgetChildren(child);
  }
}

Error CudaGraphs::setChild(NodePlace place, GraphHandle child) {
  NEED_PLACE(place);
  if (!known(child))
    return cudaErrorInvalidValue;
  return errorOf(engine.driver.graphExecSetChild(
      execOf(place.exec), nodeOf(place), graphOf(child)));
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

Error CudaGraphs::addEvent(GraphNodeHandle *node, GraphHandle graph,
                           Dependencies after, GraphNodeType type,
                           EventHandle event) {
  NEED(graph);
  if (!CudaEngine::knownEvent(event))
    return cudaErrorInvalidValue;
  const auto add = type == GraphNodeType::RecordEvent
                       ? engine.driver.graphAddRecord
                       : engine.driver.graphAddWait;
  return errorOf(add(nodesOf(node), graphOf(graph), nodesOf(after.nodes),
                     after.count, static_cast<CUevent>(event)));
}

Error CudaGraphs::setEvent(NodePlace place, GraphNodeType type,
                           EventHandle handle) {
  NEED_PLACE(place);
  if (!CudaEngine::knownEvent(handle))
    return cudaErrorInvalidValue;
  const bool records = type == GraphNodeType::RecordEvent;
  auto *event = static_cast<CUevent>(handle);
  if (!place.exec)
    return errorOf(records ? engine.driver.graphSetRecord(nodeOf(place), event)
                           : engine.driver.graphSetWait(nodeOf(place), event));
  return errorOf(records ? engine.driver.graphExecSetRecord(
                               execOf(place.exec), nodeOf(place), event)
                         : engine.driver.graphExecSetWait(
                               execOf(place.exec), nodeOf(place), event));
}

Error CudaGraphs::eventOf(GraphNodeHandle node, GraphNodeType type,
                          EventHandle *result) {
  NEED_PLACE(NodePlace{node});
  CUevent event = nullptr;
  const CUresult code = type == GraphNodeType::RecordEvent
                            ? engine.driver.graphGetRecord(nodeOf(node), &event)
                            : engine.driver.graphGetWait(nodeOf(node), &event);
  *result = event;
  return errorOf(code);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Error CudaGraphs::addAllocation(GraphNodeHandle *node, GraphHandle graph,
                                Dependencies after, AllocationParameters &p) {
  NEED(graph);
  AllocationNode allocation{};
  allocation.pool.location = p.device;
  allocation.bytes = p.bytes;
  const CUresult code = engine.driver.graphAddAllocation(
      nodesOf(node), graphOf(graph), nodesOf(after.nodes), after.count,
      &allocation);
  p.memory = reinterpret_cast<void *>(allocation.memory);
  return errorOf(code);
}

Error CudaGraphs::allocationOf(GraphNodeHandle node,
                               AllocationParameters *result) {
  NEED_PLACE(NodePlace{node});
  AllocationNode allocation{};
  const CUresult code =
      engine.driver.graphGetAllocation(nodeOf(node), &allocation);
  *result = {reinterpret_cast<void *>(allocation.memory), allocation.bytes,
             allocation.pool.location};
  return errorOf(code);
}

Error CudaGraphs::addRelease(GraphNodeHandle *node, GraphHandle graph,
                             Dependencies after, void *memory) {
  NEED(graph);
  return errorOf(engine.driver.graphAddRelease(
      nodesOf(node), graphOf(graph), nodesOf(after.nodes), after.count,
      reinterpret_cast<CUdeviceptr>(memory)));
}

Error CudaGraphs::releaseOf(GraphNodeHandle node, void **memory) {
  NEED_PLACE(NodePlace{node});
  CUdeviceptr address = 0;
  const CUresult code = engine.driver.graphGetRelease(nodeOf(node), &address);
  *memory = reinterpret_cast<void *>(address);
  return errorOf(code);
}

Error CudaGraphs::memoryAttribute(int attribute, uint64_t *value) {
  BIND();
  return errorOf(engine.driver.graphMemoryGet(engine.device, attribute, value));
}

Error CudaGraphs::resetMemoryAttribute(int attribute) {
  BIND();
  uint64_t zero = 0;
  return errorOf(engine.driver.graphMemorySet(engine.device, attribute, &zero));
}

Error CudaGraphs::trimMemory() {
  BIND();
  return errorOf(engine.driver.graphMemoryTrim(engine.device));
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

Error CudaGraphs::kernelAttribute(GraphNodeHandle node, int attribute,
                                  AttributeValue *value) {
  NEED_PLACE(NodePlace{node});
  *value = {};
  return errorOf(
      engine.driver.graphKernelGetAttribute(nodeOf(node), attribute, value));
}

Error CudaGraphs::setKernelAttribute(GraphNodeHandle node, int attribute,
                                     const AttributeValue &value) {
  NEED_PLACE(NodePlace{node});
  return errorOf(
      engine.driver.graphKernelSetAttribute(nodeOf(node), attribute, &value));
}

Error CudaGraphs::copyKernelAttributes(GraphNodeHandle to,
                                       GraphNodeHandle from) {
  NEED_PLACE(NodePlace{to});
  return from ? errorOf(engine.driver.graphKernelCopyAttributes(nodeOf(to),
                                                                nodeOf(from)))
              : cudaErrorInvalidValue;
}

Error CudaGraphs::execFlags(GraphExecHandle exec, unsigned long long *flags) {
  BIND();
  return knownExec(exec)
             ? errorOf(engine.driver.graphExecGetFlags(execOf(exec), flags))
             : cudaErrorInvalidValue;
}

Error CudaGraphs::enable(NodePlace place, bool enabled) {
  NEED_PLACE(place);
  return errorOf(engine.driver.graphSetEnabled(execOf(place.exec),
                                               nodeOf(place), enabled));
}

Error CudaGraphs::isEnabled(NodePlace place, bool *enabled) {
  NEED_PLACE(place);
  unsigned value = 0;
  const CUresult code =
      engine.driver.graphGetEnabled(execOf(place.exec), nodeOf(place), &value);
  *enabled = value;
  return errorOf(code);
}

//===----------------------------------------------------------------------===//
// Objects of the program
//===----------------------------------------------------------------------===//

static CUuserObject objectOf(UserObjectHandle object) {
  return static_cast<CUuserObject>(object);
}

Error CudaGraphs::createObject(UserObjectHandle *object, void *pointer,
                               void (*destroy)(void *), unsigned count) {
  BIND();
  constexpr unsigned noDestructorSync = 1; // the only one there is
  CUuserObject created = nullptr;
  const CUresult code = engine.driver.userObjectCreate(
      &created, pointer, destroy, count, noDestructorSync);
  *object = created;
  return errorOf(code);
}

Error CudaGraphs::retainObject(UserObjectHandle object, unsigned count) {
  BIND();
  return object
             ? errorOf(engine.driver.userObjectRetain(objectOf(object), count))
             : cudaErrorInvalidValue;
}

Error CudaGraphs::releaseObject(UserObjectHandle object, unsigned count) {
  BIND();
  return object
             ? errorOf(engine.driver.userObjectRelease(objectOf(object), count))
             : cudaErrorInvalidValue;
}

Error CudaGraphs::retainInGraph(GraphHandle graph, UserObjectHandle object,
                                unsigned count, bool move) {
  NEED(graph);
  return object ? errorOf(engine.driver.graphRetainObject(
                      graphOf(graph), objectOf(object), count, move))
                : cudaErrorInvalidValue;
}

Error CudaGraphs::releaseInGraph(GraphHandle graph, UserObjectHandle object,
                                 unsigned count) {
  NEED(graph);
  return object ? errorOf(engine.driver.graphReleaseObject(
                      graphOf(graph), objectOf(object), count))
                : cudaErrorInvalidValue;
}

//===----------------------------------------------------------------------===//
// Capture
//===----------------------------------------------------------------------===//

Error CudaGraphs::updateCapture(StreamHandle stream, Dependencies nodes,
                                bool replace) {
  BIND();
  if (!CudaEngine::knownStream(stream))
    return cudaErrorInvalidResourceHandle;
  return errorOf(engine.driver.streamUpdateCapture(
      streamOf(stream), const_cast<CUgraphNode *>(nodesOf(nodes.nodes)),
      nodes.count, replace));
}

Error CudaGraphs::exchangeMode(int *mode) {
  BIND();
  return errorOf(engine.driver.threadExchangeCaptureMode(mode));
}

} // namespace cufort::cuda
