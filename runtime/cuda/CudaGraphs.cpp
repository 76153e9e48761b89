//===- CudaGraphs.cpp - graphs of an NVIDIA device ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/CudaGraphs.h"
#include "runtime/core/LaunchLimits.h"
#include "runtime/cuda/Destruction.h"
#include "runtime/cuda/GraphHandles.h"

namespace cufort::cuda {

Copy3D describeBox(const BoxCopy &box);

CudaGraphs::Tables &CudaGraphs::tables() {
  static auto *instance = new Tables;
  return *instance;
}

bool CudaGraphs::known(GraphHandle graph) {
  std::lock_guard lock(mutex);
  return graphs.count(graph) || children.count(graph);
}

bool CudaGraphs::knownExec(GraphExecHandle exec) {
  std::lock_guard lock(mutex);
  return execs.count(exec);
}

Error CudaGraphs::enter(GraphHandle created, GraphHandle *graph) {
  try {
    std::lock_guard lock(mutex);
    children.erase(created); // one of that address is gone
    graphs.emplace(created, this);
  } catch (const std::bad_alloc &) {
    engine.driver.graphDestroy(graphOf(created));
    return cudaErrorMemoryAllocation;
  }
  *graph = created;
  return cudaSuccess;
}

void CudaGraphs::reset() {
  std::lock_guard lock(mutex);
  const auto ours = [&](const auto &entry) { return entry.second == this; };
  std::erase_if(graphs, ours);
  std::erase_if(execs, ours);
  std::erase_if(children, ours);
}

Error CudaGraphs::create(GraphHandle *graph) {
  BIND();
  CUgraph created = nullptr;
  if (CUresult code = engine.driver.graphCreate(&created, 0))
    return errorOf(code);
  return enter(created, graph);
}

Error CudaGraphs::destroy(GraphHandle graph) {
  BIND();
  Destruction known(mutex, graphs, graph);
  if (known)
    forgetChildren(graph);
  return known ? known.end(errorOf(engine.driver.graphDestroy(graphOf(graph))))
               : cudaErrorInvalidValue;
}

Error CudaGraphs::clone(GraphHandle *copy, GraphHandle graph) {
  NEED(graph);
  CUgraph created = nullptr;
  if (CUresult code = engine.driver.graphClone(&created, graphOf(graph)))
    return errorOf(code);
  return enter(created, copy);
}

Error CudaGraphs::addEmpty(GraphNodeHandle *node, GraphHandle graph,
                           Dependencies after) {
  NEED(graph);
  return errorOf(engine.driver.graphAddEmpty(
      nodesOf(node), graphOf(graph), nodesOf(after.nodes), after.count));
}

Error CudaGraphs::describeKernel(const KernelReference &kernel,
                                 const LaunchConfiguration &c,
                                 void *const *parameters, KernelNode *launch) {
  if (c.cooperative || c.clustered() || kernel.kernel->launchesKernels)
    return cudaErrorNotSupported;
  if (Error error = checkLaunch(engine.description, *kernel.kernel, c);
      error != cudaSuccess)
    return error;
  LoadedProgram *program;
  *launch = {};
  if (Error error = engine.functionOf(kernel, &program, &launch->function);
      error != cudaSuccess)
    return error;
  const unsigned grid[] = {c.grid.x, c.grid.y, c.grid.z};
  const unsigned block[] = {c.block.x, c.block.y, c.block.z};
  for (int i = 0; i < 3; ++i) {
    launch->grid[i] = grid[i];
    launch->block[i] = block[i];
  }
  launch->sharedBytes = c.dynamicSharedBytes;
  launch->parameters = const_cast<void **>(parameters);
  return cudaSuccess;
}

Error CudaGraphs::addKernel(GraphNodeHandle *node, GraphHandle graph,
                            Dependencies after, const KernelReference &kernel,
                            const LaunchConfiguration &configuration,
                            void *const *parameters) {
  NEED(graph);
  KernelNode launch;
  if (Error error = describeKernel(kernel, configuration, parameters, &launch);
      error != cudaSuccess)
    return error;
  return errorOf(engine.driver.graphAddKernel(nodesOf(node), graphOf(graph),
                                              nodesOf(after.nodes), after.count,
                                              &launch));
}

Error CudaGraphs::addCopy(GraphNodeHandle *node, GraphHandle graph,
                          Dependencies after, const BoxCopy &box) {
  NEED(graph);
  const Copy3D copy = describeBox(box);
  return errorOf(engine.driver.graphAddCopy(
      nodesOf(node), graphOf(graph), nodesOf(after.nodes), after.count, &copy,
      engine.context.load(std::memory_order_acquire)));
}

Error CudaGraphs::addFill(GraphNodeHandle *node, GraphHandle graph,
                          Dependencies after, const FillParameters &p) {
  NEED(graph);
  const FillNode fill{reinterpret_cast<CUdeviceptr>(p.memory),
                      p.pitch,
                      p.value,
                      p.elementBytes,
                      p.width,
                      p.height};
  return errorOf(engine.driver.graphAddFill(
      nodesOf(node), graphOf(graph), nodesOf(after.nodes), after.count, &fill,
      engine.context.load(std::memory_order_acquire)));
}

Error CudaGraphs::addHost(GraphNodeHandle *node, GraphHandle graph,
                          Dependencies after, void (*function)(void *),
                          void *data) {
  NEED(graph);
  if (!function)
    return cudaErrorInvalidValue;
  const HostNode host{function, data};
  return errorOf(engine.driver.graphAddHost(
      nodesOf(node), graphOf(graph), nodesOf(after.nodes), after.count, &host));
}

Error CudaGraphs::addChild(GraphNodeHandle *node, GraphHandle graph,
                           Dependencies after, GraphHandle child) {
  NEED(graph);
  // Drivers do not look whether a graph is to contain itself, and die.
  if (!known(child) || child == graph)
    return cudaErrorInvalidValue;
  return errorOf(engine.driver.graphAddChild(nodesOf(node), graphOf(graph),
                                             nodesOf(after.nodes), after.count,
                                             graphOf(child)));
}

Error CudaGraphs::setKernel(NodePlace place, const KernelReference &kernel,
                            const LaunchConfiguration &configuration,
                            void *const *parameters) {
  NEED_PLACE(place);
  KernelNode launch;
  if (Error error = describeKernel(kernel, configuration, parameters, &launch);
      error != cudaSuccess)
    return error;
  return errorOf(place.exec
                     ? engine.driver.graphExecSetKernel(execOf(place.exec),
                                                        nodeOf(place), &launch)
                     : engine.driver.graphSetKernel(nodeOf(place), &launch));
}

Error CudaGraphs::setCopy(NodePlace place, const BoxCopy &box) {
  NEED_PLACE(place);
  const Copy3D copy = describeBox(box);
  return errorOf(place.exec
                     ? engine.driver.graphExecSetCopy(
                           execOf(place.exec), nodeOf(place), &copy,
                           engine.context.load(std::memory_order_acquire))
                     : engine.driver.graphSetCopy(nodeOf(place), &copy));
}

Error CudaGraphs::setFill(NodePlace place, const FillParameters &p) {
  NEED_PLACE(place);
  const FillNode fill{reinterpret_cast<CUdeviceptr>(p.memory),
                      p.pitch,
                      p.value,
                      p.elementBytes,
                      p.width,
                      p.height};
  return errorOf(place.exec
                     ? engine.driver.graphExecSetFill(
                           execOf(place.exec), nodeOf(place), &fill,
                           engine.context.load(std::memory_order_acquire))
                     : engine.driver.graphSetFill(nodeOf(place), &fill));
}

Error CudaGraphs::setHost(NodePlace place, void (*function)(void *),
                          void *data) {
  NEED_PLACE(place);
  if (!function)
    return cudaErrorInvalidValue;
  const HostNode host{function, data};
  return errorOf(place.exec ? engine.driver.graphExecSetHost(
                                  execOf(place.exec), nodeOf(place), &host)
                            : engine.driver.graphSetHost(nodeOf(place), &host));
}

Error CudaGraphs::kernelOf(GraphNodeHandle node, KernelParameters *result) {
  NEED_PLACE(NodePlace{node});
  KernelNode launch{};
  if (CUresult code =
          engine.driver.graphGetKernel(nodeOf(NodePlace{node}), &launch))
    return errorOf(code);
  result->kernel = engine.kernelOf(launch.function);
  if (!result->kernel)
    return cudaErrorInvalidDeviceFunction;
  const unsigned *g = launch.grid, *b = launch.block;
  result->configuration = {
      {g[0], g[1], g[2]}, {b[0], b[1], b[2]}, launch.sharedBytes};
  result->parameters = launch.parameters;
  return cudaSuccess;
}

Error CudaGraphs::copyOf(GraphNodeHandle node, BoxCopy *result) {
  NEED_PLACE(NodePlace{node});
  Copy3D copy{};
  if (CUresult code =
          engine.driver.graphGetCopy(nodeOf(NodePlace{node}), &copy))
    return errorOf(code);
  const auto side = [](const Copy3D::Side &s) {
    BoxSide side;
    if (s.memoryType == MemoryArray)
      side.array = s.array;
    else if (s.memoryType == MemoryHost)
      side.memory = const_cast<void *>(s.host);
    else
      side.memory = reinterpret_cast<void *>(s.device);
    side.pitch = s.pitch;
    side.rows = s.height;
    side.xBytes = s.xBytes;
    side.y = s.y;
    side.z = s.z;
    return side;
  };
  // The driver does not keep the direction that the program gave.
  *result = {side(copy.to), side(copy.from), copy.widthBytes,
             copy.height,   copy.depth,      CopyKind::Default};
  return cudaSuccess;
}

Error CudaGraphs::fillOf(GraphNodeHandle node, FillParameters *result) {
  NEED_PLACE(NodePlace{node});
  FillNode fill{};
  const CUresult code =
      engine.driver.graphGetFill(nodeOf(NodePlace{node}), &fill);
  *result = {reinterpret_cast<void *>(fill.memory),
             fill.pitch,
             fill.value,
             fill.elementBytes,
             fill.width,
             fill.height};
  return errorOf(code);
}

Error CudaGraphs::hostOf(GraphNodeHandle node, HostCall *result) {
  NEED_PLACE(NodePlace{node});
  HostNode host{};
  const CUresult code =
      engine.driver.graphGetHost(nodeOf(NodePlace{node}), &host);
  *result = {host.function, host.data};
  return errorOf(code);
}

Error CudaGraphs::addDependencies(GraphHandle graph,
                                  const GraphNodeHandle *from,
                                  const GraphNodeHandle *to, size_t count) {
  NEED(graph);
  return errorOf(engine.driver.graphAddDependencies(
      graphOf(graph), nodesOf(from), nodesOf(to), count));
}

Error CudaGraphs::nodes(GraphHandle graph, GraphNodeHandle *nodes,
                        size_t *count) {
  NEED(graph);
  return errorOf(
      engine.driver.graphGetNodes(graphOf(graph), nodesOf(nodes), count));
}

Error CudaGraphs::roots(GraphHandle graph, GraphNodeHandle *nodes,
                        size_t *count) {
  NEED(graph);
  return errorOf(
      engine.driver.graphGetRoots(graphOf(graph), nodesOf(nodes), count));
}

Error CudaGraphs::edges(GraphHandle graph, GraphNodeHandle *from,
                        GraphNodeHandle *to, size_t *count) {
  NEED(graph);
  return errorOf(engine.driver.graphGetEdges(graphOf(graph), nodesOf(from),
                                             nodesOf(to), count));
}

Error CudaGraphs::nodeType(GraphNodeHandle node, GraphNodeType *type) {
  BIND();
  if (!node || !type)
    return cudaErrorInvalidValue;
  int number = 0;
  const CUresult code =
      engine.driver.graphNodeGetType(static_cast<CUgraphNode>(node), &number);
  *type = static_cast<GraphNodeType>(number);
  return errorOf(code);
}

Error CudaGraphs::print(GraphHandle graph, const char *path, unsigned flags) {
  NEED(graph);
  return errorOf(engine.driver.graphPrint(graphOf(graph), path, flags));
}

Error CudaGraphs::instantiate(GraphExecHandle *exec, GraphHandle graph,
                              unsigned long long flags) {
  NEED(graph);
  CUgraphExec created = nullptr;
  if (CUresult code =
          engine.driver.graphInstantiate(&created, graphOf(graph), flags))
    return errorOf(code);
  try {
    std::lock_guard lock(mutex);
    execs.emplace(created, this);
  } catch (const std::bad_alloc &) {
    engine.driver.graphExecDestroy(created);
    return cudaErrorMemoryAllocation;
  }
  *exec = created;
  return cudaSuccess;
}

Error CudaGraphs::launch(GraphExecHandle exec, StreamHandle stream) {
  BIND();
  if (!knownExec(exec))
    return cudaErrorInvalidValue;
  if (!CudaEngine::knownStream(stream))
    return cudaErrorInvalidResourceHandle;
  return errorOf(
      engine.timing.measuredGraph(streamOf(stream), handleOf(stream), [&] {
        return engine.driver.graphLaunch(execOf(exec), streamOf(stream));
      }));
}

Error CudaGraphs::destroyExec(GraphExecHandle exec) {
  BIND();
  Destruction known(mutex, execs, exec);
  return known
             ? known.end(errorOf(engine.driver.graphExecDestroy(execOf(exec))))
             : cudaErrorInvalidValue;
}

Error CudaGraphs::update(GraphExecHandle exec, GraphHandle graph,
                         GraphNodeHandle *culprit, int *result) {
  NEED(graph);
  if (!knownExec(exec))
    return cudaErrorInvalidValue;
  *culprit = nullptr;
  UpdateResult paired{};
  const Error error = errorOf(engine.driver.graphExecUpdatePaired(
      execOf(exec), graphOf(graph), &paired));
  if (error == cudaErrorCallRequiresNewerDriver) // which pairs them in order
    return errorOf(engine.driver.graphExecUpdate(execOf(exec), graphOf(graph),
                                                 nodesOf(culprit), result));
  *culprit = paired.node;
  *result = paired.reason;
  return error;
}

Error CudaGraphs::beginCapture(StreamHandle stream, GraphHandle graph,
                               Dependencies after, int mode) {
  BIND();
  if (!CudaEngine::knownStream(stream))
    return cudaErrorInvalidResourceHandle;
  if (!graph) {
    const CUresult code =
        engine.driver.streamBeginCapture(streamOf(stream), mode);
    std::lock_guard lock(mutex);
    if (!code)
      intoGraphs.erase(stream); // of one whose handle this has
    return errorOf(code);
  }
  if (!known(graph))
    return cudaErrorInvalidValue;
  bool fresh;
  {
    std::lock_guard lock(mutex);
    fresh = intoGraphs.insert(stream).second;
  }
  const CUresult code = engine.driver.streamBeginCaptureToGraph(
      streamOf(stream), graphOf(graph), nodesOf(after.nodes), nullptr,
      after.count, mode);
  if (code && fresh) {
    std::lock_guard lock(mutex);
    intoGraphs.erase(stream);
  }
  return errorOf(code);
}

Error CudaGraphs::endCapture(StreamHandle stream, GraphHandle *graph) {
  if (graph)
    *graph = nullptr;
  BIND();
  if (!CudaEngine::knownStream(stream))
    return cudaErrorInvalidResourceHandle;
  bool given;
  {
    std::lock_guard lock(mutex);
    given = intoGraphs.count(stream);
  }
  CUgraph captured = nullptr;
  const CUresult code =
      engine.driver.streamEndCapture(streamOf(stream), &captured);
  if (given) {
    // It is known, perhaps as a part of another one.
    std::lock_guard lock(mutex);
    intoGraphs.erase(stream);
    if (!code && graph)
      *graph = captured;
    return errorOf(code);
  }
  if (code || !captured)
    return errorOf(code);
  if (graph)
    return enter(captured, graph);
  {
    std::lock_guard lock(mutex);
    children.erase(captured); // where the program had asked for it
  }
  return errorOf(engine.driver.graphDestroy(captured));
}

Error CudaGraphs::captureInformation(StreamHandle stream,
                                     CaptureInformation *result) {
  *result = {};
  BIND();
  if (!CudaEngine::knownStream(stream))
    return cudaErrorInvalidResourceHandle;
  int status = 0;
  CUgraph graph = nullptr;
  const CUgraphNode *nodes = nullptr;
  const CUresult code = engine.driver.streamGetCaptureInfo(
      streamOf(stream), &status, &result->id, &graph, &nodes,
      &result->dependencyCount);
  result->status = static_cast<CaptureStatus>(status);
  result->graph = graph;
  result->dependencies = reinterpret_cast<const GraphNodeHandle *>(nodes);
  if (!code && graph) {
    // The program may add to it, but it is the capture's until that ends.
    std::lock_guard lock(mutex);
    if (!graphs.count(graph))
      children.emplace(graph, this);
  }
  return errorOf(code);
}

} // namespace cufort::cuda
