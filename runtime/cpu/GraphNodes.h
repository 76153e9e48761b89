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
  std::vector<GraphNode *> after; ///< what it depends on
};

struct Graph {
  std::vector<std::unique_ptr<GraphNode>> nodes;
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
};

/// What must stay the same for an update.
struct GraphShape {
  GraphNodeType type;
  const image::Kernel *kernel;
  std::vector<size_t> after;
};

struct GraphExec {
  std::mutex mutex;
  std::vector<GraphStep> steps;
  std::vector<GraphShape> shape;
  std::vector<Stream *> lanes; ///< but the first
  RecordPointer end;           ///< of the last launch
};

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_GRAPHNODES_H
