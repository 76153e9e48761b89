//===- Graphs.cpp - graphs on the CPU -------------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/graphs/Graphs.h"
#include "runtime/core/Names.h"
#include "runtime/cpu/CpuEngine.h"
#include "runtime/cpu/graphs/GraphNodes.h"
#include "runtime/cpu/memory/CopyOperation.h"
#include <algorithm>
#include <cstdio>
#include <cstring>

namespace cufort::cpu {

using Lock = std::lock_guard<std::recursive_mutex>;

CpuGraphs::CpuGraphs(CpuEngine &engine) : engine(engine) {}
CpuGraphs::~CpuGraphs() = default;

CpuGraphs::Tables &CpuGraphs::tables() {
  static auto *instance = new Tables;
  return *instance;
}

bool CpuGraphs::isOurs(const Stream &stream) const {
  return &stream.scheduler == &engine.scheduler;
}

//===----------------------------------------------------------------------===//
// Making graphs
//===----------------------------------------------------------------------===//

Graph *CpuGraphs::findGraph(GraphHandle handle) {
  auto *graph = static_cast<Graph *>(handle);
  return graphs.count(graph) || owned.count(graph) ? graph : nullptr;
}

Error CpuGraphs::create(GraphHandle *handle) {
  auto graph = std::make_unique<Graph>(*this);
  Lock lock(mutex);
  graphs.insert(graph.get());
  *handle = graph.release();
  return cudaSuccess;
}

/// The nodes of \p graph are no longer known.
void CpuGraphs::forgetGraph(Graph *graph) {
  for (const auto &node : graph->nodes)
    forgetNode(*node);
}

void CpuGraphs::forgetNode(GraphNode &node) {
  allNodes.erase(&node);
  Graph::forEachWithin(node, [this](Graph &within) {
    owned.erase(&within);
    forgetGraph(&within);
  });
}

Error CpuGraphs::destroy(GraphHandle handle) {
  Lock lock(mutex);
  auto *graph = static_cast<Graph *>(handle);
  if (!graphs.count(graph)) // a child is its node's
    return cudaErrorInvalidValue;
  for (const auto &[stream, member] : members)
    if (member.capture->graph == graph)
      return cudaErrorIllegalState;
  graphs.erase(graph);
  forgetGraph(graph);
  delete graph;
  return cudaSuccess;
}

std::unique_ptr<Graph> CpuGraphs::copyOf(const Graph &graph) {
  auto copy = std::make_unique<Graph>(*this);
  try {
    copyInto(*copy, graph);
  } catch (const std::bad_alloc &) {
    forgetGraph(copy.get());
    throw;
  }
  return copy;
}

void CpuGraphs::copyInto(Graph &to, const Graph &from) {
  to.objects = from.objects;
  for (const auto &node : from.nodes) {
    to.nodes.push_back(std::make_unique<GraphNode>());
    GraphNode *copy = to.nodes.back().get();
    copy->graph = &to;
    copy->index = node->index;
    copy->type = node->type;
    copy->make = node->make;
    copy->work = node->work;
    copy->event = node->event;
    copy->kernel = node->kernel;
    copy->label = node->label;
    copy->place = node->place;
    copy->origin = node.get();
    copy->hints = node->hints;
    if (node->child) {
      copy->child = copyOf(*node->child);
      owned.insert(copy->child.get());
    }
    allNodes.insert(copy);
  }
  for (const auto &node : from.nodes)
    for (const GraphNode *earlier : node->after)
      to.nodes[node->index]->after.push_back(to.nodes[earlier->index].get());
}

Error CpuGraphs::clone(GraphHandle *copy, GraphHandle handle) {
  Lock lock(mutex);
  Graph *graph = findGraph(handle);
  if (!graph)
    return cudaErrorInvalidValue;
  if (graph->hasConditions() || graph->hasMemoryNodes())
    return cudaErrorNotSupported;
  std::unique_ptr<Graph> fresh = copyOf(*graph);
  try {
    graphs.insert(fresh.get());
  } catch (const std::bad_alloc &) {
    forgetGraph(fresh.get());
    throw;
  }
  *copy = fresh.release();
  return cudaSuccess;
}

/// A new node of \p graph; null if a dependency is none of its nodes.
GraphNode *CpuGraphs::add(Graph &graph, GraphNodeType type,
                          Dependencies after) {
  auto node = std::make_unique<GraphNode>();
  node->graph = &graph;
  node->index = graph.nodes.size();
  node->type = type;
  if (after.count && !after.nodes)
    return nullptr;
  for (size_t i = 0; i < after.count; ++i) {
    auto *earlier = static_cast<GraphNode *>(after.nodes[i]);
    if (!allNodes.count(earlier) || earlier->graph != &graph ||
        std::find(node->after.begin(), node->after.end(), earlier) !=
            node->after.end())
      return nullptr;
    node->after.push_back(earlier);
  }
  GraphNode *added = node.get();
  graph.nodes.push_back(std::move(node));
  try {
    allNodes.insert(added);
  } catch (const std::bad_alloc &) {
    graph.nodes.pop_back();
    throw;
  }
  return added;
}

Error CpuGraphs::addTo(GraphNodeHandle *handle, GraphHandle graphHandle,
                       Dependencies after, GraphNodeType type, Action action,
                       std::string label) {
  Lock lock(mutex);
  Graph *graph = findGraph(graphHandle);
  GraphNode *node = graph ? add(*graph, type, after) : nullptr;
  if (!node)
    return cudaErrorInvalidValue;
  node->make = std::move(action.make);
  node->work = std::move(action.work);
  node->label = std::move(label);
  *handle = node;
  return cudaSuccess;
}

Error CpuGraphs::addEmpty(GraphNodeHandle *node, GraphHandle graph,
                          Dependencies after) {
  return addTo(node, graph, after, GraphNodeType::Empty, {}, "empty");
}

Error CpuGraphs::addKernel(GraphNodeHandle *handle, GraphHandle graph,
                           Dependencies after, const KernelReference &kernel,
                           const LaunchConfiguration &configuration,
                           void *const *parameters) {
  Action action;
  if (Error error = makeKernel(kernel, configuration, parameters, &action);
      error != cudaSuccess)
    return error;
  Lock lock(mutex);
  Error error = addTo(handle, graph, after, GraphNodeType::Kernel,
                      std::move(action), procedureName(kernel.kernel->name));
  if (error == cudaSuccess)
    static_cast<GraphNode *>(*handle)->kernel = kernel.kernel;
  return error;
}

Error CpuGraphs::addCopy(GraphNodeHandle *node, GraphHandle graph,
                         Dependencies after, const BoxCopy &copy) {
  Action action;
  if (Error error = makeCopy(copy, &action); error != cudaSuccess)
    return error;
  return addTo(node, graph, after, GraphNodeType::Copy, std::move(action),
               "copy");
}

Error CpuGraphs::addFill(GraphNodeHandle *node, GraphHandle graph,
                         Dependencies after, const FillParameters &fill) {
  Action action;
  if (Error error = makeFill(fill, &action); error != cudaSuccess)
    return error;
  return addTo(node, graph, after, GraphNodeType::Fill, std::move(action),
               "fill");
}

Error CpuGraphs::addHost(GraphNodeHandle *node, GraphHandle graph,
                         Dependencies after, void (*function)(void *),
                         void *data) {
  Action action;
  if (Error error = makeHost(function, data, &action); error != cudaSuccess)
    return error;
  return addTo(node, graph, after, GraphNodeType::Host, std::move(action),
               "host function");
}

Error CpuGraphs::addChild(GraphNodeHandle *handle, GraphHandle graph,
                          Dependencies after, GraphHandle child) {
  Lock lock(mutex);
  Graph *source = findGraph(child);
  if (!source || child == graph)
    return cudaErrorInvalidValue;
  if (source->hasConditions() || source->hasMemoryNodes())
    return cudaErrorNotSupported;
  std::unique_ptr<Graph> copy = copyOf(*source);
  Error error;
  try {
    owned.insert(copy.get());
    error = addTo(handle, graph, after, GraphNodeType::Graph, {}, "graph");
  } catch (const std::bad_alloc &) {
    error = cudaErrorMemoryAllocation;
  }
  if (error == cudaSuccess) {
    static_cast<GraphNode *>(*handle)->child = std::move(copy);
  } else {
    owned.erase(copy.get());
    forgetGraph(copy.get());
  }
  return error;
}

void CpuGraphs::reset() {
  Lock lock(mutex);
  std::unordered_set<const Capture *> ended;
  for (auto &[stream, member] : members)
    if (isOurs(*member.capture->origin) &&
        ended.insert(member.capture.get()).second)
      if (Capture &capture = *member.capture; capture.ownGraph) {
        owned.erase(capture.graph);
        forgetGraph(capture.graph);
        delete capture.graph;
        capture.graph = nullptr;
      }
  const auto hasEnded = [&](const auto &entry) {
    return ended.count(entry.second.capture.get()) != 0;
  };
  std::erase_if(capturedEvents, hasEnded);
  spentEvents.clear();
  hasSpentEvents.store(false, std::memory_order_release);
  std::erase_if(members, hasEnded);
  activeCaptures.fetch_sub(static_cast<unsigned>(ended.size()),
                           std::memory_order_release);
  std::erase_if(execs, [&](GraphExec *exec) {
    const bool ours = &exec->home == this;
    if (ours)
      endExec(exec);
    return ours;
  });
  std::erase_if(graphs, [&](Graph *graph) {
    const bool ours = &graph->home == this;
    if (ours) {
      forgetGraph(graph);
      delete graph;
    }
    return ours;
  });
}

} // namespace cufort::cpu
