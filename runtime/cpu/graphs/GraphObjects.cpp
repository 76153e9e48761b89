//===- GraphObjects.cpp - what nodes and graphs refer to on the CPU -------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/CpuEngine.h"
#include "runtime/cpu/graphs/GraphNodes.h"
#include <algorithm>

namespace cufort::cpu {

using Lock = std::lock_guard<std::recursive_mutex>;

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

Error CpuGraphs::checkEvent(EventHandle event) {
  EventRecord *record;
  if (!engine.findRecord(event, &record, nullptr))
    return cudaErrorInvalidValue;
  if (record)
    record->drop();
  return cudaSuccess;
}

Error CpuGraphs::addEvent(GraphNodeHandle *handle, GraphHandle graph,
                          Dependencies after, GraphNodeType type,
                          EventHandle event) {
  if (Error error = checkEvent(event); error != cudaSuccess)
    return error;
  Lock lock(mutex);
  const Error error = addTo(
      handle, graph, after, type, {},
      type == GraphNodeType::RecordEvent ? "record event" : "wait for event");
  if (error == cudaSuccess)
    static_cast<GraphNode *>(*handle)->event = event;
  return error;
}

Error CpuGraphs::setEvent(NodePlace place, GraphNodeType type,
                          EventHandle event) {
  if (Error error = checkEvent(event); error != cudaSuccess)
    return error;
  Lock lock(mutex);
  GraphNode *node = findNode(place.node);
  if (!node || node->type != type)
    return cudaErrorInvalidValue;
  if (!place.exec) {
    node->event = event;
    return cudaSuccess;
  }
  GraphStep *step;
  if (Error error = stepOf(place, &step); error != cudaSuccess)
    return error;
  step->event = event;
  return cudaSuccess;
}

Error CpuGraphs::eventOf(GraphNodeHandle handle, GraphNodeType type,
                         EventHandle *event) {
  Lock lock(mutex);
  GraphNode *node = findNode(handle);
  if (!node || node->type != type)
    return cudaErrorInvalidValue;
  *event = node->event;
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Attributes of kernels
//===----------------------------------------------------------------------===//

static std::shared_ptr<KernelWork> kernelWork(const GraphNode *node) {
  const auto *work =
      node ? std::get_if<std::shared_ptr<KernelWork>>(&node->work) : nullptr;
  return work ? *work : nullptr;
}

/// Attributes that nothing here depends on.
static bool isHint(int attribute) {
  return attribute == AttributeAccessWindow ||
         attribute == AttributeClusterScheduling ||
         attribute == AttributePriority || attribute == AttributeDomainMap ||
         attribute == AttributeDomain;
}

Error CpuGraphs::kernelAttribute(GraphNodeHandle handle, int attribute,
                                 AttributeValue *value) {
  Lock lock(mutex);
  GraphNode *node = findNode(handle);
  const std::shared_ptr<KernelWork> work = kernelWork(node);
  if (!work)
    return cudaErrorInvalidValue;
  *value = {};
  const LaunchConfiguration &c = work->configuration;
  if (attribute == AttributeCooperative) {
    value->number = c.cooperative;
  } else if (attribute == AttributeCluster) {
    value->three[0] = c.cluster.x;
    value->three[1] = c.cluster.y;
    value->three[2] = c.cluster.z;
  } else if (isHint(attribute)) {
    if (auto found = node->hints.find(attribute); found != node->hints.end())
      *value = found->second;
  } else {
    return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

Error CpuGraphs::setKernelAttribute(GraphNodeHandle handle, int attribute,
                                    const AttributeValue &value) {
  Lock lock(mutex);
  GraphNode *node = findNode(handle);
  const std::shared_ptr<KernelWork> work = kernelWork(node);
  if (!work)
    return cudaErrorInvalidValue;
  if (isHint(attribute)) {
    node->hints[attribute] = value;
    return cudaSuccess;
  }
  LaunchConfiguration c = work->configuration;
  if (attribute == AttributeCooperative)
    c.cooperative = value.number;
  else if (attribute == AttributeCluster)
    c.cluster = {value.three[0], value.three[1], value.three[2]};
  else
    return cudaErrorInvalidValue;
  Action action;
  if (Error error = makeKernel(work->kernel, c, work->pointers.data(), &action);
      error != cudaSuccess)
    return error;
  node->make = std::move(action.make);
  node->work = std::move(action.work);
  return cudaSuccess;
}

Error CpuGraphs::copyKernelAttributes(GraphNodeHandle to,
                                      GraphNodeHandle from) {
  Lock lock(mutex);
  const GraphNode *source = findNode(from);
  const std::shared_ptr<KernelWork> work = kernelWork(source);
  if (!work || !kernelWork(findNode(to)))
    return cudaErrorInvalidValue;
  AttributeValue value{};
  value.number = work->configuration.cooperative;
  if (Error error = setKernelAttribute(to, AttributeCooperative, value);
      error != cudaSuccess)
    return error;
  const image::Dim3 cluster = work->configuration.cluster;
  value = {};
  value.three[0] = cluster.x;
  value.three[1] = cluster.y;
  value.three[2] = cluster.z;
  if (Error error = setKernelAttribute(to, AttributeCluster, value);
      error != cudaSuccess)
    return error;
  findNode(to)->hints = source->hints;
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Objects of the program
//===----------------------------------------------------------------------===//

UserObject *CpuGraphs::findObject(UserObjectHandle handle) {
  auto found = objects.find(static_cast<UserObject *>(handle));
  if (found == objects.end())
    return nullptr;
  if (found->second.expired()) {
    objects.erase(found);
    return nullptr;
  }
  return found->first;
}

Error CpuGraphs::createObject(UserObjectHandle *handle, void *pointer,
                              void (*destroy)(void *), unsigned count) {
  // Whose destructor runs is decided only when nothing can fail any more.
  auto object =
      std::make_shared<UserObject>(UserObject{pointer, [](void *) {}, count});
  Lock lock(mutex);
  std::erase_if(objects,
                [](const auto &entry) { return entry.second.expired(); });
  objects.emplace(object.get(), object);
  object->destroy = destroy;
  *handle = object.get();
  object->self = object;
  return cudaSuccess;
}

Error CpuGraphs::retainObject(UserObjectHandle handle, unsigned count) {
  Lock lock(mutex);
  UserObject *object = findObject(handle);
  if (!object || !count || count > INT32_MAX - object->count)
    return cudaErrorInvalidValue;
  object->count += count;
  object->self = objects.find(object)->second.lock();
  return cudaSuccess;
}

Error CpuGraphs::releaseObject(UserObjectHandle handle, unsigned count) {
  std::shared_ptr<UserObject> last; // ends without the lock
  Lock lock(mutex);
  UserObject *object = findObject(handle);
  if (!object || !count || count > object->count)
    return cudaErrorInvalidValue;
  object->count -= count;
  if (!object->count)
    last = std::move(object->self);
  return cudaSuccess;
}

Error CpuGraphs::retainInGraph(GraphHandle handle, UserObjectHandle object,
                               unsigned count, bool move) {
  Lock lock(mutex);
  Graph *graph = findGraph(handle);
  UserObject *found = findObject(object);
  if (!graph || !found || !count || (move && count > found->count))
    return cudaErrorInvalidValue;
  auto place = std::find_if(
      graph->objects.begin(), graph->objects.end(),
      [&](const ObjectReference &r) { return r.object.get() == found; });
  if (place == graph->objects.end())
    graph->objects.push_back({objects.find(found)->second.lock(), count});
  else
    place->count += count;
  return move ? releaseObject(object, count) : cudaSuccess;
}

Error CpuGraphs::releaseInGraph(GraphHandle handle, UserObjectHandle object,
                                unsigned count) {
  std::shared_ptr<UserObject> last;
  Lock lock(mutex);
  Graph *graph = findGraph(handle);
  UserObject *found = findObject(object);
  if (!graph || !found || !count)
    return cudaErrorInvalidValue;
  for (auto i = graph->objects.begin(); i != graph->objects.end(); ++i) {
    if (i->object.get() != found || i->count < count)
      continue;
    i->count -= count;
    if (!i->count) {
      last = std::move(i->object);
      graph->objects.erase(i);
    }
    return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

} // namespace cufort::cpu
