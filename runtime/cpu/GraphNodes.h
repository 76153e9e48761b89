//===- GraphNodes.h - what graphs consist of on the CPU ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_GRAPHNODES_H
#define CUFORT_RUNTIME_CPU_GRAPHNODES_H

#include "runtime/cpu/Graphs.h"
#include "runtime/cpu/Operation.h"

namespace cufort::cpu {

struct GraphNode {
  Graph *graph;
  size_t index; ///< in the graph
  GraphNodeType type;
  CpuGraphs::Make make;         ///< makes the operation; none for some types
  NodeWork work;                ///< what it was told to do
  EventHandle event = nullptr;  ///< of nodes that record or wait
  std::unique_ptr<Graph> child; ///< of nodes that are a graph
  const image::Kernel *kernel = nullptr;
  std::string label;
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

  bool hasMemoryNodes() const {
    for (const auto &node : nodes)
      if (node->type == GraphNodeType::Allocate ||
          node->type == GraphNodeType::Release)
        return true;
    return false;
  }
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
  bool enabled = true;
};

/// What must stay the same for an update.
struct GraphShape {
  GraphNodeType type;
  const image::Kernel *kernel;
  std::vector<size_t> after;
};

struct GraphExec {
  explicit GraphExec(const CpuGraphs &home) : home(home) {}

  const CpuGraphs &home;
  std::mutex mutex;
  std::vector<GraphStep> steps;
  std::vector<GraphShape> shape;
  unsigned long long flags = 0;
  std::vector<std::shared_ptr<UserObject>> objects;
  std::vector<Stream *> lanes; ///< but the first
  RecordPointer end;           ///< of the last launch
};

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_GRAPHNODES_H
