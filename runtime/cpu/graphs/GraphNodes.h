//===- GraphNodes.h - what graphs consist of on the CPU ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_GRAPHS_GRAPHNODES_H
#define CUFORT_RUNTIME_CPU_GRAPHS_GRAPHNODES_H

#include "runtime/cpu/graphs/Graphs.h"
#include "runtime/cpu/streams/Operation.h"

namespace cufort::cpu {

/// What device code sets and nodes ask. Its address is its handle.
struct Condition {
  Condition(unsigned first, bool assigned)
      : value(first), first(first), assigned(assigned) {}
  std::atomic<unsigned> value;
  const unsigned first;
  const bool assigned; ///< at every launch
  bool used = false;   ///< by a node
};

/// What a node with a condition has.
struct ConditionalNode {
  std::shared_ptr<Condition> condition;
  ConditionalParameters::Type type;
  std::vector<std::unique_ptr<Graph>> graphs;
  std::vector<GraphHandle> handles; ///< the same, for the program
};

struct GraphNode {
  Graph *graph;
  size_t index; ///< in the graph
  GraphNodeType type;
  CpuGraphs::Make make;         ///< makes the operation; none for some types
  NodeWork work;                ///< what it was told to do
  EventHandle event = nullptr;  ///< of nodes that record or wait
  std::unique_ptr<Graph> child; ///< of nodes that are a graph
  std::unique_ptr<ConditionalNode> conditional;
  const image::Kernel *kernel = nullptr;
  std::string label;
  /// The statement that made it, where order is checked.
  const check::HostPlace *place = check::hostStatement();
  const GraphNode *origin = nullptr; ///< as a name: what this is a copy of
  /// Attributes of kernels that are hints, to be read back.
  std::map<int, AttributeValue> hints;
  std::vector<GraphNode *> after; ///< what it depends on
};

/// A cudaUserObject_t: ends with the last graph, executable graph or launch
/// that needs it, when the program holds no reference either.
struct UserObject {
  ~UserObject() { destroy(pointer); }

  void *pointer;
  void (*destroy)(void *);
  unsigned count;                             ///< the program's own references
  std::shared_ptr<UserObject> self = nullptr; ///< while there are any
};

/// The references of a graph to an object.
struct ObjectReference {
  std::shared_ptr<UserObject> object;
  unsigned count;
};

struct Graph {
  explicit Graph(const CpuGraphs &home) : home(home) {}

  const CpuGraphs &home; ///< of the device with whose reset it ends
  std::vector<std::unique_ptr<GraphNode>> nodes;
  std::vector<ObjectReference> objects;
  std::vector<std::shared_ptr<Condition>> conditions;
  /// The executable graph of one with nodes for memory, which has no second
  /// while it lives: both would have the same addresses.
  std::weak_ptr<void> executable;

  /// Calls \p call(Graph &) for the graphs within its nodes.
  template <typename Call> void forEachWithin(Call call) const {
    for (const auto &node : nodes)
      forEachWithin(*node, call);
  }
  template <typename Call>
  static void forEachWithin(const GraphNode &node, Call call) {
    if (node.child)
      call(*node.child);
    if (node.conditional)
      for (const auto &graph : node.conditional->graphs)
        call(*graph);
  }

  /// Such graphs have no copies.
  bool hasConditions() const {
    bool any = !conditions.empty();
    forEachWithin([&](const Graph &within) { any |= within.hasConditions(); });
    return any;
  }

  bool hasMemoryNodes() const {
    for (const auto &node : nodes)
      if (node->type == GraphNodeType::Allocate ||
          node->type == GraphNodeType::Release)
        return true;
    return false;
  }
};

struct GraphStep;

/// What a node with a condition does in an executable graph; once that may have
/// been launched, changes are made to a copy.
struct ConditionalWork {
  std::shared_ptr<Condition> condition;
  ConditionalParameters::Type type;
  std::vector<std::vector<GraphStep>> graphs;
};

/// One operation of an executable graph.
struct GraphStep {
  const GraphNode *node; ///< as a name: it may be gone
  CpuGraphs::Make make;
  NodeWork work;
  EventHandle event;
  GraphNodeType type;
  unsigned lane = 0;
  bool firstInLane = false, lastInLane = false;
  std::vector<size_t> waits; ///< steps in other lanes
  bool awaited = false;      ///< a step in another lane waits for it
  /// Of nodes with conditions.
  std::shared_ptr<ConditionalWork> conditional = nullptr;
  bool enabled = true;
  const check::HostPlace *place = nullptr; ///< of the node
};

/// What must stay the same for an update.
struct GraphShape {
  const GraphNode *node; ///< as a name
  GraphNodeType type;
  std::vector<size_t> after;
  std::vector<std::vector<GraphShape>> within; ///< of graphs within the node
};

struct GraphExec {
  explicit GraphExec(const CpuGraphs &home) : home(home) {}

  const CpuGraphs &home;
  std::mutex mutex;
  std::vector<GraphStep> steps;
  std::vector<GraphShape> shape;
  unsigned long long flags = 0;
  std::vector<std::shared_ptr<UserObject>> objects;
  std::vector<std::shared_ptr<Condition>> conditions; ///< assigned at launches
  /// Memory of graphs that a launch leaves allocated, and that of others which
  /// it frees.
  std::vector<std::shared_ptr<Pool>> leaves, frees;
  std::vector<Stream *> lanes; ///< but the first
  RecordPointer end;           ///< of the last launch
  std::shared_ptr<void> claim; ///< to the graph's memory (Graph::executable)
};

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_GRAPHS_GRAPHNODES_H
