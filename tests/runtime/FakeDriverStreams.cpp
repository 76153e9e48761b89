//===- FakeDriverStreams.cpp - a test double of libcuda: streams, graphs
//---===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeDriverState.h"
#include <utility>

using namespace cufort::cuda;
using namespace fake;

//===--- streams and events ---===//

FAKE cuStreamCreateWithPriority(CUstream *stream, unsigned flags,
                                int priority) {
  IN_CONTEXT();
  make(stream, Kind::Stream);
  auto *object = reinterpret_cast<Object *>(*stream);
  object->flags = flags;
  object->priority = priority;
  return Success;
}
FAKE cuStreamDestroy_v2(CUstream stream) {
  IN_CONTEXT();
  return destroy(call, stream, Kind::Stream);
}
FAKE cuStreamSynchronize(CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  WAIT();
  return captureOf(stream) ? 900 : Success;
}
FAKE cuStreamQuery(CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  WAIT();
  if (!captureOf(stream))
    return Success;
  reinterpret_cast<Object *>(stream)->spoilt = true;
  return 900;
}
FAKE cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  IN_CONTEXT();
  checkStream(call, stream);
  const Object &recorded = call.object(event, Kind::Event);
  // A wait for an event of a capture takes part in it.
  if (recorded.capturing && !captureOf(stream))
    reinterpret_cast<Object *>(stream)->graph = captureOf(recorded.capturing);
  return Success;
}
FAKE cuStreamBatchMemOp_v2(CUstream stream, unsigned count,
                           BatchOperation *operations, unsigned flags) {
  IN_CONTEXT();
  checkStream(call, stream);
  for (unsigned i = 0; i < count; ++i)
    if (operations[i].operation < 1 || operations[i].operation > 6 || flags)
      return InvalidValue;
  return Success;
}
FAKE cuLaunchHostFunc(CUstream stream, void (*function)(void *), void *data) {
  {
    IN_CONTEXT();
    checkStream(call, stream);
    if (captureOf(stream))
      return captured(call, stream, 3);
  }
  function(data);
  return Success;
}
FAKE cuEventCreate(CUevent *event, unsigned flags) {
  IN_CONTEXT();
  make(event, Kind::Event);
  reinterpret_cast<Object *>(*event)->flags = flags;
  return Success;
}
FAKE cuEventDestroy_v2(CUevent event) {
  IN_CONTEXT();
  return destroy(call, event, Kind::Event);
}
FAKE cuEventRecord(CUevent event, CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  call.object(event, Kind::Event).capturing =
      captureOf(stream) ? stream : nullptr;
  return Success;
}
FAKE cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned) {
  IN_CONTEXT();
  checkStream(call, stream);
  call.object(event, Kind::Event);
  return Success;
}
FAKE cuEventSynchronize(CUevent event) {
  IN_CONTEXT();
  call.object(event, Kind::Event);
  WAIT();
  return Success;
}
FAKE cuEventQuery(CUevent event) {
  IN_CONTEXT();
  call.object(event, Kind::Event);
  WAIT();
  return Success;
}
FAKE cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  IN_CONTEXT();
  call.object(start, Kind::Event);
  call.object(end, Kind::Event);
  *milliseconds = 1;
  return Success;
}
FAKE cuStreamGetPriority(CUstream stream, int *priority) {
  IN_CONTEXT();
  checkStream(call, stream);
  *priority = 0;
  return Success;
}
FAKE cuStreamGetFlags(CUstream stream, unsigned *flags) {
  IN_CONTEXT();
  checkStream(call, stream);
  *flags = 0;
  return Success;
}

//===--- graphs ---===//

FAKE cuGraphCreate(CUgraph *graph, unsigned) {
  IN_CONTEXT();
  make(graph, Kind::Graph);
  return Success;
}
FAKE cuGraphDestroy(CUgraph graph) {
  IN_CONTEXT();
  return destroy(call, graph, Kind::Graph);
}
FAKE cuGraphClone(CUgraph *copy, CUgraph graph) {
  IN_CONTEXT();
  const Object &original = call.object(graph, Kind::Graph);
  make(copy, Kind::Graph);
  CUgraphNode node;
  for (CUgraphNode each : original.nodes)
    addNode(call, &node, *copy, nullptr, 0,
            reinterpret_cast<Object *>(each)->nodeType);
  return Success;
}
FAKE cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph,
                         const CUgraphNode *after, size_t count) {
  IN_CONTEXT();
  return addNode(call, node, graph, after, count, 5);
}
FAKE cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph,
                          const CUgraphNode *after, size_t count,
                          const KernelNode *parameters) {
  IN_CONTEXT();
  const CUresult added = addNode(call, node, graph, after, count, 0);
  return added ? added : setNode<&Object::launch>(call, *node, 0, parameters);
}
FAKE cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph,
                          const CUgraphNode *after, size_t count,
                          const Copy3D *parameters, CUcontext) {
  IN_CONTEXT();
  const CUresult added = addNode(call, node, graph, after, count, 1);
  return added ? added : setNode<&Object::copy>(call, *node, 1, parameters);
}
FAKE cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph,
                          const CUgraphNode *after, size_t count,
                          const FillNode *parameters, CUcontext) {
  IN_CONTEXT();
  const CUresult added = addNode(call, node, graph, after, count, 2);
  return added ? added : setNode<&Object::fill>(call, *node, 2, parameters);
}
FAKE cuGraphAddHostNode(CUgraphNode *node, CUgraph graph,
                        const CUgraphNode *after, size_t count,
                        const HostNode *parameters) {
  IN_CONTEXT();
  const CUresult added = addNode(call, node, graph, after, count, 3);
  return added ? added : setNode<&Object::host>(call, *node, 3, parameters);
}
FAKE cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph,
                              const CUgraphNode *after, size_t count,
                              CUgraph child) {
  IN_CONTEXT();
  call.object(child, Kind::Graph);
  if (child == graph)
    misuse(call.function, "a graph within itself");
  return addNode(call, node, graph, after, count, 4);
}
FAKE cuGraphKernelNodeSetParams(CUgraphNode node,
                                const KernelNode *parameters) {
  IN_CONTEXT();
  return setNode<&Object::launch>(call, node, 0, parameters);
}
FAKE cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                    const KernelNode *) {
  IN_CONTEXT();
  call.object(exec, Kind::Exec);
  return call.object(node, Kind::Node).nodeType == 0 ? Success : InvalidValue;
}
FAKE cuGraphMemcpyNodeSetParams(CUgraphNode node, const Copy3D *parameters) {
  IN_CONTEXT();
  return setNode<&Object::copy>(call, node, 1, parameters);
}
FAKE cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                    const Copy3D *, CUcontext) {
  IN_CONTEXT();
  call.object(exec, Kind::Exec);
  return call.object(node, Kind::Node).nodeType == 1 ? Success : InvalidValue;
}
FAKE cuGraphMemsetNodeSetParams(CUgraphNode node, const FillNode *parameters) {
  IN_CONTEXT();
  return setNode<&Object::fill>(call, node, 2, parameters);
}
FAKE cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                    const FillNode *, CUcontext) {
  IN_CONTEXT();
  call.object(exec, Kind::Exec);
  return call.object(node, Kind::Node).nodeType == 2 ? Success : InvalidValue;
}
FAKE cuGraphHostNodeSetParams(CUgraphNode node, const HostNode *parameters) {
  IN_CONTEXT();
  return setNode<&Object::host>(call, node, 3, parameters);
}
FAKE cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                  const HostNode *) {
  IN_CONTEXT();
  call.object(exec, Kind::Exec);
  return call.object(node, Kind::Node).nodeType == 3 ? Success : InvalidValue;
}
FAKE cuGraphKernelNodeGetParams(CUgraphNode node, KernelNode *parameters) {
  IN_CONTEXT();
  return getNode<&Object::launch>(call, node, 0, parameters);
}
FAKE cuGraphMemcpyNodeGetParams(CUgraphNode node, Copy3D *parameters) {
  IN_CONTEXT();
  return getNode<&Object::copy>(call, node, 1, parameters);
}
FAKE cuGraphMemsetNodeGetParams(CUgraphNode node, FillNode *parameters) {
  IN_CONTEXT();
  return getNode<&Object::fill>(call, node, 2, parameters);
}
FAKE cuGraphHostNodeGetParams(CUgraphNode node, HostNode *parameters) {
  IN_CONTEXT();
  return getNode<&Object::host>(call, node, 3, parameters);
}
FAKE cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from,
                            const CUgraphNode *to, size_t count) {
  IN_CONTEXT();
  call.object(graph, Kind::Graph);
  for (size_t i = 0; i < count; ++i) {
    call.object(from[i], Kind::Node);
    call.object(to[i], Kind::Node);
  }
  return Success;
}
FAKE cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
  IN_CONTEXT();
  return give(call.object(graph, Kind::Graph), nodes, count);
}
FAKE cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
  IN_CONTEXT();
  return give(call.object(graph, Kind::Graph), nodes, count);
}
FAKE cuGraphGetEdges(CUgraph graph, CUgraphNode *, CUgraphNode *,
                     size_t *count) {
  IN_CONTEXT();
  call.object(graph, Kind::Graph);
  *count = 0;
  return Success;
}
FAKE cuGraphNodeGetType(CUgraphNode node, int *type) {
  IN_CONTEXT();
  *type = call.object(node, Kind::Node).nodeType;
  return Success;
}
FAKE cuGraphDebugDotPrint(CUgraph graph, const char *, unsigned) {
  IN_CONTEXT();
  call.object(graph, Kind::Graph);
  return Success;
}
FAKE cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph,
                                 unsigned long long flags) {
  IN_CONTEXT();
  if (flags & 2) // to upload it is another call's
    return InvalidValue;
  call.object(graph, Kind::Graph);
  make(exec, Kind::Exec);
  return Success;
}
FAKE cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  IN_CONTEXT();
  call.object(exec, Kind::Exec);
  checkStream(call, stream);
  return Success;
}
FAKE cuGraphExecDestroy(CUgraphExec exec) {
  IN_CONTEXT();
  return destroy(call, exec, Kind::Exec);
}
FAKE cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph,
                          UpdateResult *result) {
  IN_CONTEXT();
  call.object(exec, Kind::Exec);
  call.object(graph, Kind::Graph);
  *result = {};
  return Success;
}
FAKE cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode *,
                       int *result) {
  *result = 0;
  UpdateResult paired;
  return cuGraphExecUpdate_v2(exec, graph, &paired);
}
FAKE cuStreamBeginCapture_v2(CUstream stream, int) {
  IN_CONTEXT();
  Object &object = call.object(stream, Kind::Stream);
  if (object.graph)
    return IllegalState;
  make(&object.graph, Kind::Graph);
  object.capturing = stream;
  return Success;
}
FAKE cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph,
                                 const CUgraphNode *, const void *, size_t,
                                 int) {
  IN_CONTEXT();
  call.object(graph, Kind::Graph);
  Object &object = call.object(stream, Kind::Stream);
  object.graph = graph;
  object.capturing = stream;
  return Success;
}
FAKE cuStreamEndCapture(CUstream stream, CUgraph *graph) {
  IN_CONTEXT();
  Object &origin = call.object(stream, Kind::Stream);
  if (!origin.graph || origin.capturing != stream)
    return NotCapturing;
  *graph = origin.graph;
  for (Object *object : state().objects) {
    if (object->kind == Kind::Stream && object->graph == *graph)
      object->graph = nullptr;
    if (object->kind == Kind::Event)
      object->capturing = nullptr;
  }
  origin.capturing = nullptr;
  if (!std::exchange(origin.spoilt, false))
    return Success;
  destroy(call, std::exchange(*graph, nullptr), Kind::Graph);
  return 901;
}
FAKE cuStreamGetCaptureInfo_v2(CUstream stream, int *status,
                               unsigned long long *id, CUgraph *graph,
                               const CUgraphNode **nodes, size_t *count) {
  IN_CONTEXT();
  checkStream(call, stream);
  CUgraph current = captureOf(stream);
  *status = current != nullptr;
  if (id)
    *id = reinterpret_cast<uintptr_t>(current);
  if (graph)
    *graph = current;
  if (nodes)
    *nodes = nullptr;
  if (count)
    *count = 0;
  return Success;
}
