//===- Graphs.h - graphs and capture ----------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_GRAPHS_H
#define CUFORT_RUNTIME_CORE_GRAPHS_H

#include "runtime/core/Engine.h"

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
  Release = 11
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

  virtual Error create(GraphHandle *graph) = 0;
  virtual Error destroy(GraphHandle graph) = 0;
  virtual Error clone(GraphHandle *copy, GraphHandle graph) = 0;

  virtual Error addEmpty(GraphNodeHandle *node, GraphHandle graph,
                         Dependencies after) = 0;
  virtual Error addKernel(GraphNodeHandle *node, GraphHandle graph,
                          Dependencies after, const KernelReference &kernel,
                          const LaunchConfiguration &configuration,
                          void *const *parameters) = 0;
  virtual Error addCopy(GraphNodeHandle *node, GraphHandle graph,
                        Dependencies after, const BoxCopy &copy) = 0;
  virtual Error addFill(GraphNodeHandle *node, GraphHandle graph,
                        Dependencies after, const FillParameters &fill) = 0;
  virtual Error addHost(GraphNodeHandle *node, GraphHandle graph,
                        Dependencies after, void (*function)(void *),
                        void *data) = 0;
  virtual Error addChild(GraphNodeHandle *node, GraphHandle graph,
                         Dependencies after, GraphHandle child) = 0;
  virtual Error setKernel(NodePlace place, const KernelReference &kernel,
                          const LaunchConfiguration &configuration,
                          void *const *parameters) = 0;
  virtual Error setCopy(NodePlace place, const BoxCopy &copy) = 0;
  virtual Error setFill(NodePlace place, const FillParameters &fill) = 0;
  virtual Error setHost(NodePlace place, void (*function)(void *),
                        void *data) = 0;
  // What nodes do, also those that come from a capture.
  virtual Error kernelOf(GraphNodeHandle node, KernelParameters *result) = 0;
  virtual Error copyOf(GraphNodeHandle node, BoxCopy *result) = 0;
  virtual Error fillOf(GraphNodeHandle node, FillParameters *result) = 0;
  virtual Error hostOf(GraphNodeHandle node, HostCall *result) = 0;
  virtual Error addDependencies(GraphHandle graph, const GraphNodeHandle *from,
                                const GraphNodeHandle *to, size_t count) = 0;

  virtual Error removeDependencies(GraphHandle graph,
                                   const GraphNodeHandle *from,
                                   const GraphNodeHandle *to, size_t count) = 0;
  virtual Error destroyNode(GraphNodeHandle node) = 0;

  // Nodes that record an event or wait for one.
  virtual Error addEvent(GraphNodeHandle *node, GraphHandle graph,
                         Dependencies after, GraphNodeType type,
                         EventHandle event) = 0;
  virtual Error setEvent(NodePlace place, GraphNodeType type,
                         EventHandle event) = 0;
  virtual Error eventOf(GraphNodeHandle node, GraphNodeType type,
                        EventHandle *event) = 0;

  // Nodes that allocate \p p's bytes on its device, and nodes that free them.
  virtual Error addAllocation(GraphNodeHandle *node, GraphHandle graph,
                              Dependencies after, AllocationParameters &p) = 0;
  virtual Error allocationOf(GraphNodeHandle node,
                             AllocationParameters *result) = 0;
  virtual Error addRelease(GraphNodeHandle *node, GraphHandle graph,
                           Dependencies after, void *memory) = 0;
  virtual Error releaseOf(GraphNodeHandle node, void **memory) = 0;
  /// cudaGraphMemAttributeType of what graphs hold on this device.
  virtual Error memoryAttribute(int attribute, uint64_t *value) = 0;
  /// Sets a highest value back to the present one.
  virtual Error resetMemoryAttribute(int attribute) = 0;
  virtual Error trimMemory() = 0;

  /// The graph within \p node, which owns it.
  virtual Error childOf(GraphNodeHandle node, GraphHandle *graph) = 0;
  /// Gives the graph within a node of an executable graph the parameters of
  /// \p child, which has the same shape.
  virtual Error setChild(NodePlace place, GraphHandle child) = 0;

  // Attributes of kernels' nodes.
  virtual Error kernelAttribute(GraphNodeHandle node, int attribute,
                                AttributeValue *value) = 0;
  virtual Error setKernelAttribute(GraphNodeHandle node, int attribute,
                                   const AttributeValue &value) = 0;
  virtual Error copyKernelAttributes(GraphNodeHandle to,
                                     GraphNodeHandle from) = 0;

  // Objects of the program that live as long as graphs that need them:
  // cudaUserObject_t. \p move: the graph takes the caller's references.
  virtual Error createObject(UserObjectHandle *object, void *pointer,
                             void (*destroy)(void *), unsigned count) = 0;
  virtual Error retainObject(UserObjectHandle object, unsigned count) = 0;
  virtual Error releaseObject(UserObjectHandle object, unsigned count) = 0;
  virtual Error retainInGraph(GraphHandle graph, UserObjectHandle object,
                              unsigned count, bool move) = 0;
  virtual Error releaseInGraph(GraphHandle graph, UserObjectHandle object,
                               unsigned count) = 0;

  virtual Error nodes(GraphHandle graph, GraphNodeHandle *nodes,
                      size_t *count) = 0;
  virtual Error roots(GraphHandle graph, GraphNodeHandle *nodes,
                      size_t *count) = 0;
  virtual Error edges(GraphHandle graph, GraphNodeHandle *from,
                      GraphNodeHandle *to, size_t *count) = 0;
  virtual Error nodeType(GraphNodeHandle node, GraphNodeType *type) = 0;
  /// What \p node depends on.
  virtual Error dependencies(GraphNodeHandle node, GraphNodeHandle *nodes,
                             size_t *count) = 0;
  /// What depends on \p node.
  virtual Error dependents(GraphNodeHandle node, GraphNodeHandle *nodes,
                           size_t *count) = 0;
  /// The node of \p copy that clone made of \p original.
  virtual Error findInClone(GraphNodeHandle *node, GraphNodeHandle original,
                            GraphHandle copy) = 0;
  virtual Error print(GraphHandle graph, const char *path, unsigned flags) = 0;

  virtual Error instantiate(GraphExecHandle *exec, GraphHandle graph,
                            unsigned long long flags) = 0;
  virtual Error launch(GraphExecHandle exec, StreamHandle stream) = 0;
  virtual Error destroyExec(GraphExecHandle exec) = 0;
  /// What \p exec was instantiated with.
  virtual Error execFlags(GraphExecHandle exec, unsigned long long *flags) = 0;
  /// Whether launches of an executable graph do what a kernel, a copy or a fill
  /// of it says.
  virtual Error enable(NodePlace place, bool enabled) = 0;
  virtual Error isEnabled(NodePlace place, bool *enabled) = 0;
  /// \p result is a cudaGraphExecUpdateResult; \p culprit the node that does
  /// not fit, null if there is none.
  virtual Error update(GraphExecHandle exec, GraphHandle graph,
                       GraphNodeHandle *culprit, int *result) = 0;

  /// \p mode is a cudaStreamCaptureMode; \p graph null: a new one.
  virtual Error beginCapture(StreamHandle stream, GraphHandle graph,
                             Dependencies after, int mode) = 0;
  virtual Error endCapture(StreamHandle stream, GraphHandle *graph) = 0;
  virtual Error captureInformation(StreamHandle stream,
                                   CaptureInformation *result) = 0;
  /// Adds to what the next operation of a captured stream depends on, or
  /// replaces it.
  virtual Error updateCapture(StreamHandle stream, Dependencies nodes,
                              bool replace) = 0;
  /// Sets what captures forbid the calling thread, and returns what it was.
  virtual Error exchangeMode(int *mode) = 0;
};

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_GRAPHS_H
