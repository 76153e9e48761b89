//===- Graphs.h - graphs and capture ----------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_ENGINE_GRAPHS_H
#define CUFORT_RUNTIME_CORE_ENGINE_GRAPHS_H

#include "runtime/core/engine/Engine.h"

namespace cufort {

/// cudaGraph_t, cudaGraphExec_t, cudaGraphNode_t.
using GraphHandle = void *;
using GraphExecHandle = void *;
using GraphNodeHandle = void *;

/// cudaUserObject_t.
using UserObjectHandle = void *;

/// cudaGraphNodeType.
enum class GraphNodeType : int {
  Kernel = 0,
  Copy = 1,
  Fill = 2,
  Host = 3,
  Graph = 4,
  Empty = 5,
  WaitEvent = 6,
  RecordEvent = 7,
  Allocate = 10,
  Release = 11,
  Values = 12,
  Conditional = 13
};

/// cudaStreamCaptureStatus.
enum class CaptureStatus : int { None = 0, Active = 1, Invalidated = 2 };

struct CaptureInformation {
  CaptureStatus status = CaptureStatus::None;
  unsigned long long id = 0;
  GraphHandle graph = nullptr;
  /// What the stream's next operation will depend on; valid until the next
  /// call that concerns the stream.
  const GraphNodeHandle *dependencies = nullptr;
  size_t dependencyCount = 0;
};

/// A fill of rows as a graph's node: cudaMemsetParams.
struct FillParameters {
  void *memory;
  size_t pitch;
  unsigned value, elementBytes; ///< 1, 2 or 4
  size_t width, height;         ///< elements and rows
};

/// A launch as a graph's node.
struct KernelParameters {
  KernelReference kernel;
  LaunchConfiguration configuration;
  void **parameters; ///< the node's own copies
};

/// A host function as a graph's node: cudaHostNodeParams.
struct HostCall {
  void (*function)(void *);
  void *data;
};

/// An allocation as a graph's node; the graph says where it lies.
struct AllocationParameters {
  void *memory;
  size_t bytes;
  int device;
};

/// cudaGraphConditionalHandle.
using ConditionHandle = unsigned long long;

/// A node whose graphs are launched as its condition says:
/// cudaConditionalNodeParams.
struct ConditionalParameters {
  enum Type : int {
    If = 0,    ///< the first graph, or the second one if there is one
    While = 1, ///< again and again
    Switch = 2 ///< the graph with the number
  };
  ConditionHandle condition;
  int type;
  unsigned count;      ///< of graphs
  GraphHandle *graphs; ///< the node's own list, a result
};

/// cudaLaunchAttributeValue. The numbers of attributes are
/// cudaLaunchAttributeID's.
union AttributeValue {
  char bytes[64];
  int number;
  unsigned three[3];
};
static_assert(sizeof(AttributeValue) == 64);

/// Numbers of attributes that launches, nodes or streams have.
enum AttributeNumber : int {
  AttributeAccessWindow = 1,
  AttributeCooperative = 2,
  AttributeSynchronization = 3,
  AttributeCluster = 4,
  AttributeClusterScheduling = 5,
  AttributePriority = 8,
  AttributeDomainMap = 9,
  AttributeDomain = 10
};

/// A list of nodes that a new node depends on.
struct Dependencies {
  const GraphNodeHandle *nodes = nullptr;
  size_t count = 0;
};

/// Where new parameters of \p node go: into its graph, or into the executable
/// graph \p exec that was made of it, whose next launches have them.
struct NodePlace {
  GraphNodeHandle node;
  GraphExecHandle exec = nullptr;
};

/// Graphs of one engine: the second half of the interface Engine. A list is
/// returned as CUDA does: where the place for it is null only its length is;
/// else as many elements as there is room for, the rest set to null.
class Graphs {
public:
  virtual ~Graphs() = default;

#define CUFORT_GRAPHS(result, name, parameters)                                \
  virtual result name parameters = 0;
#include "runtime/core/engine/Graphs.def"
};

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_ENGINE_GRAPHS_H
