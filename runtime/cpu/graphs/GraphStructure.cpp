//===- GraphStructure.cpp - nodes and edges of graphs on the CPU ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/CpuEngine.h"
#include "runtime/cpu/graphs/GraphNodes.h"
#include <algorithm>
#include <cstdio>

namespace cufort::cpu {

using Lock = std::lock_guard<std::recursive_mutex>;

GraphNode *CpuGraphs::findNode(GraphNodeHandle handle) {
  auto *node = static_cast<GraphNode *>(handle);
  return allNodes.count(node) ? node : nullptr;
}

/// Whether the ends of \p count edges are different nodes of \p graph.
bool CpuGraphs::ownsAll(const Graph &graph, const GraphNodeHandle *from,
                        const GraphNodeHandle *to, size_t count) {
  const auto ours = [&](GraphNodeHandle handle) {
    const GraphNode *node = findNode(handle);
    return node && node->graph == &graph;
  };
  for (size_t i = 0; i < count; ++i)
    if (!ours(from[i]) || !ours(to[i]) || from[i] == to[i])
      return false;
  return true;
}

Error CpuGraphs::addDependencies(GraphHandle handle,
                                 const GraphNodeHandle *from,
                                 const GraphNodeHandle *to, size_t count) {
  Lock lock(mutex);
  Graph *graph = findGraph(handle);
  if (!graph || (count && (!from || !to)) || !ownsAll(*graph, from, to, count))
    return cudaErrorInvalidValue;
  size_t added = 0;
  const auto undo = [&] {
    while (added--)
      static_cast<GraphNode *>(to[added])->after.pop_back();
  };
  for (; added < count; ++added) {
    auto &after = static_cast<GraphNode *>(to[added])->after;
    auto *earlier = static_cast<GraphNode *>(from[added]);
    if (std::find(after.begin(), after.end(), earlier) != after.end()) {
      undo();
      return cudaErrorInvalidValue;
    }
    try {
      after.push_back(earlier);
    } catch (const std::bad_alloc &) {
      undo();
      throw;
    }
  }
  return cudaSuccess;
}

Error CpuGraphs::removeDependencies(GraphHandle handle,
                                    const GraphNodeHandle *from,
                                    const GraphNodeHandle *to, size_t count) {
  Lock lock(mutex);
  Graph *graph = findGraph(handle);
  if (!graph || (count && (!from || !to)) || !ownsAll(*graph, from, to, count))
    return cudaErrorInvalidValue;
  // As in CUDA: memory that is allocated or freed needs its edges.
  if (count && graph->hasMemoryNodes())
    return cudaErrorNotSupported;
  for (size_t i = 0; i < count; ++i) {
    const auto &after = static_cast<GraphNode *>(to[i])->after;
    if (std::find(after.begin(), after.end(), from[i]) == after.end())
      return cudaErrorInvalidValue;
    for (size_t k = 0; k < i; ++k)
      if (from[k] == from[i] && to[k] == to[i])
        return cudaErrorInvalidValue;
  }
  for (size_t i = 0; i < count; ++i)
    std::erase(static_cast<GraphNode *>(to[i])->after,
               static_cast<GraphNode *>(from[i]));
  return cudaSuccess;
}

Error CpuGraphs::destroyNode(GraphNodeHandle handle) {
  Lock lock(mutex);
  GraphNode *node = findNode(handle);
  if (!node)
    return cudaErrorInvalidValue;
  Graph &graph = *node->graph;
  if (graph.hasMemoryNodes())
    return cudaErrorNotSupported;
  for (const auto &other : graph.nodes)
    std::erase(other->after, node);
  for (auto &[stream, member] : members)
    std::erase(member.tail, handle);
  for (auto &[event, member] : capturedEvents)
    std::erase(member.tail, handle);
  // A node that is made at its address later is another one.
  for (GraphExec *exec : execs)
    for (GraphStep &step : exec->steps)
      if (step.node == node)
        step.node = nullptr;
  for (GraphNode *other : allNodes)
    if (other->origin == node)
      other->origin = nullptr;
  forgetNode(*node);
  graph.nodes.erase(graph.nodes.begin() + static_cast<ptrdiff_t>(node->index));
  for (size_t i = 0; i < graph.nodes.size(); ++i)
    graph.nodes[i]->index = i;
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

/// Hands out a list as class Graphs says.
static void give(const std::vector<GraphNodeHandle> &list,
                 GraphNodeHandle *place, size_t *count) {
  if (place)
    for (size_t i = 0; i < *count; ++i)
      place[i] = i < list.size() ? list[i] : nullptr;
  *count = place ? std::min(*count, list.size()) : list.size();
}

Error CpuGraphs::nodes(GraphHandle handle, GraphNodeHandle *place,
                       size_t *count) {
  Lock lock(mutex);
  Graph *graph = findGraph(handle);
  if (!graph || !count)
    return cudaErrorInvalidValue;
  std::vector<GraphNodeHandle> list;
  list.reserve(graph->nodes.size());
  for (const auto &node : graph->nodes)
    list.push_back(node.get());
  give(list, place, count);
  return cudaSuccess;
}

Error CpuGraphs::roots(GraphHandle handle, GraphNodeHandle *place,
                       size_t *count) {
  Lock lock(mutex);
  Graph *graph = findGraph(handle);
  if (!graph || !count)
    return cudaErrorInvalidValue;
  std::vector<GraphNodeHandle> list;
  for (const auto &node : graph->nodes)
    if (node->after.empty())
      list.push_back(node.get());
  give(list, place, count);
  return cudaSuccess;
}

Error CpuGraphs::edges(GraphHandle handle, GraphNodeHandle *from,
                       GraphNodeHandle *to, size_t *count) {
  Lock lock(mutex);
  Graph *graph = findGraph(handle);
  if (!graph || !count || !from != !to)
    return cudaErrorInvalidValue;
  std::vector<GraphNodeHandle> begins, ends;
  for (const auto &node : graph->nodes)
    for (GraphNode *earlier : node->after) {
      begins.push_back(earlier);
      ends.push_back(node.get());
    }
  size_t capacity = *count;
  give(begins, from, &capacity);
  give(ends, to, count);
  return cudaSuccess;
}

Error CpuGraphs::nodeType(GraphNodeHandle handle, GraphNodeType *type) {
  Lock lock(mutex);
  auto *node = static_cast<GraphNode *>(handle);
  if (!allNodes.count(node) || !type)
    return cudaErrorInvalidValue;
  *type = node->type;
  return cudaSuccess;
}

Error CpuGraphs::dependencies(GraphNodeHandle handle, GraphNodeHandle *place,
                              size_t *count) {
  Lock lock(mutex);
  GraphNode *node = findNode(handle);
  if (!node || !count)
    return cudaErrorInvalidValue;
  give({node->after.begin(), node->after.end()}, place, count);
  return cudaSuccess;
}

Error CpuGraphs::dependents(GraphNodeHandle handle, GraphNodeHandle *place,
                            size_t *count) {
  Lock lock(mutex);
  GraphNode *node = findNode(handle);
  if (!node || !count)
    return cudaErrorInvalidValue;
  std::vector<GraphNodeHandle> list;
  for (const auto &other : node->graph->nodes)
    if (std::find(other->after.begin(), other->after.end(), node) !=
        other->after.end())
      list.push_back(other.get());
  give(list, place, count);
  return cudaSuccess;
}

Error CpuGraphs::findInClone(GraphNodeHandle *result, GraphNodeHandle original,
                             GraphHandle copy) {
  Lock lock(mutex);
  Graph *graph = findGraph(copy);
  if (!graph || !findNode(original))
    return cudaErrorInvalidValue;
  for (const auto &node : graph->nodes)
    if (node->origin == original) {
      *result = node.get();
      return cudaSuccess;
    }
  return cudaErrorInvalidValue;
}

Error CpuGraphs::childOf(GraphNodeHandle handle, GraphHandle *graph) {
  Lock lock(mutex);
  GraphNode *node = findNode(handle);
  if (!node || !node->child)
    return cudaErrorInvalidValue;
  *graph = node->child.get();
  return cudaSuccess;
}

Error CpuGraphs::print(GraphHandle handle, const char *path, unsigned) {
  Lock lock(mutex);
  Graph *graph = findGraph(handle);
  if (!graph || !path)
    return cudaErrorInvalidValue;
  std::FILE *file = std::fopen(path, "we");
  if (!file)
    return cudaErrorOperatingSystem;
  std::fputs("digraph dot {\n", file);
  for (const auto &node : graph->nodes) {
    std::fprintf(file, "  n%zu [label=\"%s\"];\n", node->index,
                 node->label.c_str());
    for (const GraphNode *earlier : node->after)
      std::fprintf(file, "  n%zu -> n%zu;\n", earlier->index, node->index);
  }
  std::fputs("}\n", file);
  return std::fclose(file) ? cudaErrorOperatingSystem : cudaSuccess;
}

} // namespace cufort::cpu
