//===- CudaGraphs.h - graphs of an NVIDIA device ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CUDA_CUDAGRAPHS_H
#define CUFORT_RUNTIME_CUDA_CUDAGRAPHS_H

#include "runtime/core/Graphs.h"
#include <mutex>
#include <unordered_map>

namespace cufort::cuda {

class CudaEngine;

/// The driver's graphs. Unknown graphs are refused before the driver sees them.
struct KernelNode;

class CudaGraphs final : public Graphs {
public:
  explicit CudaGraphs(CudaEngine &engine) : engine(engine) {}

  Error create(GraphHandle *graph) override;
  Error destroy(GraphHandle graph) override;
  Error clone(GraphHandle *copy, GraphHandle graph) override;

  Error addEmpty(GraphNodeHandle *node, GraphHandle graph,
                 Dependencies after) override;
  Error addKernel(GraphNodeHandle *node, GraphHandle graph, Dependencies after,
                  const KernelReference &kernel,
                  const LaunchConfiguration &configuration,
                  void *const *parameters) override;
  Error addCopy(GraphNodeHandle *node, GraphHandle graph, Dependencies after,
                const BoxCopy &copy) override;
  Error addFill(GraphNodeHandle *node, GraphHandle graph, Dependencies after,
                const FillParameters &fill) override;
  Error addHost(GraphNodeHandle *node, GraphHandle graph, Dependencies after,
                void (*function)(void *), void *data) override;
  Error addChild(GraphNodeHandle *node, GraphHandle graph, Dependencies after,
                 GraphHandle child) override;
  Error setKernel(NodePlace place, const KernelReference &kernel,
                  const LaunchConfiguration &configuration,
                  void *const *parameters) override;
  Error setCopy(NodePlace place, const BoxCopy &copy) override;
  Error setFill(NodePlace place, const FillParameters &fill) override;
  Error setHost(NodePlace place, void (*function)(void *), void *data) override;
  Error kernelOf(GraphNodeHandle node, KernelParameters *result) override;
  Error copyOf(GraphNodeHandle node, BoxCopy *result) override;
  Error fillOf(GraphNodeHandle node, FillParameters *result) override;
  Error hostOf(GraphNodeHandle node, HostCall *result) override;
  Error addDependencies(GraphHandle graph, const GraphNodeHandle *from,
                        const GraphNodeHandle *to, size_t count) override;

  Error removeDependencies(GraphHandle graph, const GraphNodeHandle *from,
                           const GraphNodeHandle *to, size_t count) override;
  Error destroyNode(GraphNodeHandle node) override;
  Error addEvent(GraphNodeHandle *node, GraphHandle graph, Dependencies after,
                 GraphNodeType type, EventHandle event) override;
  Error setEvent(NodePlace place, GraphNodeType type,
                 EventHandle event) override;
  Error eventOf(GraphNodeHandle node, GraphNodeType type,
                EventHandle *event) override;
  Error addAllocation(GraphNodeHandle *node, GraphHandle graph,
                      Dependencies after, AllocationParameters &p) override;
  Error allocationOf(GraphNodeHandle node,
                     AllocationParameters *result) override;
  Error addRelease(GraphNodeHandle *node, GraphHandle graph, Dependencies after,
                   void *memory) override;
  Error releaseOf(GraphNodeHandle node, void **memory) override;
  Error memoryAttribute(int attribute, uint64_t *value) override;
  Error resetMemoryAttribute(int attribute) override;
  Error trimMemory() override;
  Error childOf(GraphNodeHandle node, GraphHandle *graph) override;
  Error setChild(NodePlace place, GraphHandle child) override;
  Error kernelAttribute(GraphNodeHandle node, int attribute,
                        AttributeValue *value) override;
  Error setKernelAttribute(GraphNodeHandle node, int attribute,
                           const AttributeValue &value) override;
  Error copyKernelAttributes(GraphNodeHandle to, GraphNodeHandle from) override;
  Error createObject(UserObjectHandle *object, void *pointer,
                     void (*destroy)(void *), unsigned count) override;
  Error retainObject(UserObjectHandle object, unsigned count) override;
  Error releaseObject(UserObjectHandle object, unsigned count) override;
  Error retainInGraph(GraphHandle graph, UserObjectHandle object,
                      unsigned count, bool move) override;
  Error releaseInGraph(GraphHandle graph, UserObjectHandle object,
                       unsigned count) override;

  Error nodes(GraphHandle graph, GraphNodeHandle *nodes,
              size_t *count) override;
  Error roots(GraphHandle graph, GraphNodeHandle *nodes,
              size_t *count) override;
  Error edges(GraphHandle graph, GraphNodeHandle *from, GraphNodeHandle *to,
              size_t *count) override;
  Error nodeType(GraphNodeHandle node, GraphNodeType *type) override;
  Error dependencies(GraphNodeHandle node, GraphNodeHandle *nodes,
                     size_t *count) override;
  Error dependents(GraphNodeHandle node, GraphNodeHandle *nodes,
                   size_t *count) override;
  Error findInClone(GraphNodeHandle *node, GraphNodeHandle original,
                    GraphHandle copy) override;
  Error print(GraphHandle graph, const char *path, unsigned flags) override;

  Error instantiate(GraphExecHandle *exec, GraphHandle graph,
                    unsigned long long flags) override;
  Error launch(GraphExecHandle exec, StreamHandle stream) override;
  Error destroyExec(GraphExecHandle exec) override;
  Error execFlags(GraphExecHandle exec, unsigned long long *flags) override;
  Error enable(NodePlace place, bool enabled) override;
  Error isEnabled(NodePlace place, bool *enabled) override;
  Error update(GraphExecHandle exec, GraphHandle graph,
               GraphNodeHandle *culprit, int *result) override;

  Error beginCapture(StreamHandle stream, GraphHandle graph, Dependencies after,
                     int mode) override;
  Error endCapture(StreamHandle stream, GraphHandle *graph) override;
  Error captureInformation(StreamHandle stream,
                           CaptureInformation *result) override;
  Error updateCapture(StreamHandle stream, Dependencies nodes,
                      bool replace) override;
  Error exchangeMode(int *mode) override;

  /// Forgets all handles: the device has been reset.
  void reset();

private:
  Error describeKernel(const KernelReference &kernel,
                       const LaunchConfiguration &configuration,
                       void *const *parameters, KernelNode *launch);
  bool known(GraphHandle graph);
  bool knownExec(GraphExecHandle exec);
  /// The graphs within nodes of \p graph are no longer known.
  void forgetChildren(GraphHandle graph);
  /// Makes a graph of the driver's known, or destroys it.
  Error enter(GraphHandle created, GraphHandle *graph);

  /// What there is on all devices: a handle is good whatever device is current.
  /// It ends with the reset of the device that was current when it was made.
  struct Tables {
    std::mutex mutex;
    std::unordered_map<GraphHandle, const CudaGraphs *> graphs;
    std::unordered_map<GraphExecHandle, const CudaGraphs *> execs;
    std::unordered_map<GraphHandle, const CudaGraphs *> children;
  };
  static Tables &tables();

  CudaEngine &engine;
  // Of the tables.
  std::mutex &mutex = tables().mutex;
  std::unordered_map<GraphHandle, const CudaGraphs *> &graphs = tables().graphs;
  std::unordered_map<GraphExecHandle, const CudaGraphs *> &execs =
      tables().execs;
  /// Graphs within nodes or under capture that the program has asked for: they
  /// can be asked about, but not destroyed.
  std::unordered_map<GraphHandle, const CudaGraphs *> &children =
      tables().children;
};

} // namespace cufort::cuda

#endif // CUFORT_RUNTIME_CUDA_CUDAGRAPHS_H
