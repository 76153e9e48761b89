//===- FakeDriverGraphs.cpp - a test double of libcuda: more of graphs ----===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeDriverState.h"

using namespace cufort;
using namespace cufort::cuda;
using namespace fake;

//===--- nodes and edges ---===//

FAKE cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from,
                               const CUgraphNode *to, size_t count) {
  IN_CONTEXT();
  call.object(graph, Kind::Graph);
  for (size_t i = 0; i < count; ++i) {
    call.object(from[i], Kind::Node);
    call.object(to[i], Kind::Node);
  }
  return Success;
}
FAKE cuGraphDestroyNode(CUgraphNode node) {
  IN_CONTEXT();
  CUgraph owner = call.object(node, Kind::Node).graph;
  std::erase(call.object(owner, Kind::Graph).nodes, node);
  return destroy(call, node, Kind::Node);
}
FAKE cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes,
                                size_t *count) {
  IN_CONTEXT();
  call.object(node, Kind::Node);
  for (size_t i = 0; nodes && i < *count; ++i)
    nodes[i] = nullptr;
  *count = 0;
  return Success;
}
FAKE cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes,
                                  size_t *count) {
  return cuGraphNodeGetDependencies(node, nodes, count);
}
FAKE cuGraphNodeFindInClone(CUgraphNode *node, CUgraphNode original,
                            CUgraph copy) {
  IN_CONTEXT();
  const Object &from =
      call.object(call.object(original, Kind::Node).graph, Kind::Graph);
  const Object &to = call.object(copy, Kind::Graph);
  for (size_t i = 0; i < from.nodes.size() && i < to.nodes.size(); ++i)
    if (from.nodes[i] == original) {
      *node = to.nodes[i];
      return Success;
    }
  return InvalidValue;
}
FAKE cuGraphConditionalHandleCreate(cufort::ConditionHandle *condition,
                                    CUgraph graph, CUcontext, unsigned,
                                    unsigned) {
  IN_CONTEXT();
  call.object(graph, Kind::Graph);
  *condition = 1;
  return Success;
}
// As with children, the owner stands for the graphs within.
FAKE cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                    size_t count, AnyNode *p) {
  IN_CONTEXT();
  if (CUresult code = addNode(call, node, graph, after, count, p->type))
    return code;
  auto *object = reinterpret_cast<Object *>(*node);
  object->bodies.assign(p->count, graph);
  p->graphs = object->bodies.data();
  return Success;
}
FAKE cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph) {
  IN_CONTEXT();
  const Object &object = call.object(node, Kind::Node);
  // The graph within is not made: its owner stands for it.
  *graph = object.graph;
  return object.nodeType == 4 ? Success : InvalidValue;
}
FAKE cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        CUgraph graph) {
  IN_CONTEXT();
  call.object(exec, Kind::Exec);
  call.object(graph, Kind::Graph);
  return call.object(node, Kind::Node).nodeType == 4 ? Success : InvalidValue;
}

//===--- events ---===//

FAKE cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph,
                               const CUgraphNode *after, size_t count,
                               CUevent event) {
  IN_CONTEXT();
  call.object(event, Kind::Event);
  const CUresult code = addNode(call, node, graph, after, count, 7);
  if (!code)
    call.object(*node, Kind::Node).event = event;
  return code;
}
FAKE cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph,
                             const CUgraphNode *after, size_t count,
                             CUevent event) {
  IN_CONTEXT();
  call.object(event, Kind::Event);
  const CUresult code = addNode(call, node, graph, after, count, 6);
  if (!code)
    call.object(*node, Kind::Node).event = event;
  return code;
}
FAKE cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event) {
  IN_CONTEXT();
  return getNode<&Object::event>(call, node, 7, event);
}
FAKE cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event) {
  IN_CONTEXT();
  return getNode<&Object::event>(call, node, 6, event);
}
FAKE cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  IN_CONTEXT();
  call.object(event, Kind::Event);
  return setNode<&Object::event>(call, node, 7, &event);
}
FAKE cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  IN_CONTEXT();
  call.object(event, Kind::Event);
  return setNode<&Object::event>(call, node, 6, &event);
}
FAKE cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node,
                                        CUevent event) {
  IN_CONTEXT();
  call.object(exec, Kind::Exec);
  call.object(event, Kind::Event);
  return call.object(node, Kind::Node).nodeType == 7 ? Success : InvalidValue;
}
FAKE cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node,
                                      CUevent event) {
  IN_CONTEXT();
  call.object(exec, Kind::Exec);
  call.object(event, Kind::Event);
  return call.object(node, Kind::Node).nodeType == 6 ? Success : InvalidValue;
}

//===--- memory ---===//

FAKE cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph,
                            const CUgraphNode *after, size_t count,
                            AllocationNode *parameters) {
  IN_CONTEXT();
  const CUresult code = addNode(call, node, graph, after, count, 10);
  if (code)
    return code;
  Object &object = call.object(*node, Kind::Node);
  object.memory.resize(parameters->bytes);
  parameters->memory = reinterpret_cast<CUdeviceptr>(object.memory.data());
  object.allocation = *parameters;
  return Success;
}
FAKE cuGraphMemAllocNodeGetParams(CUgraphNode node,
                                  AllocationNode *parameters) {
  IN_CONTEXT();
  return getNode<&Object::allocation>(call, node, 10, parameters);
}
FAKE cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph,
                           const CUgraphNode *after, size_t count,
                           CUdeviceptr memory) {
  IN_CONTEXT();
  const CUresult code = addNode(call, node, graph, after, count, 11);
  if (!code)
    call.object(*node, Kind::Node).allocation.memory = memory;
  return code;
}
FAKE cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *memory) {
  IN_CONTEXT();
  const auto *place = whatNodeDoes<&Object::allocation>(call, node, 11);
  if (!place)
    return InvalidValue;
  *memory = place->memory;
  return Success;
}
FAKE cuDeviceGetGraphMemAttribute(CUdevice, int attribute, void *value) {
  IN_CONTEXT();
  std::memset(value, 0, 8);
  return attribute <= 3 ? Success : InvalidValue;
}
FAKE cuDeviceSetGraphMemAttribute(CUdevice, int attribute, void *) {
  IN_CONTEXT();
  return attribute <= 3 ? Success : InvalidValue;
}
FAKE cuDeviceGraphMemTrim(CUdevice) {
  IN_CONTEXT();
  return Success;
}

//===--- executable graphs, attributes ---===//

FAKE cuGraphExecGetFlags(CUgraphExec exec, unsigned long long *flags) {
  IN_CONTEXT();
  call.object(exec, Kind::Exec);
  *flags = 0;
  return Success;
}
FAKE cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node,
                           unsigned enabled) {
  IN_CONTEXT();
  call.object(exec, Kind::Exec);
  call.object(node, Kind::Node).flags = !enabled;
  return Success;
}
FAKE cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node,
                           unsigned *enabled) {
  IN_CONTEXT();
  call.object(exec, Kind::Exec);
  *enabled = !call.object(node, Kind::Node).flags;
  return Success;
}
FAKE cuGraphKernelNodeGetAttribute(CUgraphNode node, int,
                                   AttributeValue *value) {
  IN_CONTEXT();
  *value = {};
  return call.object(node, Kind::Node).nodeType == 0 ? Success : InvalidValue;
}
FAKE cuGraphKernelNodeSetAttribute(CUgraphNode node, int,
                                   const AttributeValue *) {
  IN_CONTEXT();
  return call.object(node, Kind::Node).nodeType == 0 ? Success : InvalidValue;
}
FAKE cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from) {
  IN_CONTEXT();
  call.object(to, Kind::Node);
  call.object(from, Kind::Node);
  return Success;
}
FAKE cuStreamGetAttribute(CUstream stream, int, AttributeValue *value) {
  IN_CONTEXT();
  checkStream(call, stream);
  *value = {};
  return Success;
}
FAKE cuStreamSetAttribute(CUstream stream, int, const AttributeValue *) {
  IN_CONTEXT();
  checkStream(call, stream);
  return Success;
}

//===--- objects of the program ---===//

// The object's flags count the program's references, those of graphs end with
// them and need no count here.
FAKE cuUserObjectCreate(CUuserObject *object, void *, void (*)(void *),
                        unsigned count, unsigned) {
  IN_CONTEXT();
  make(object, Kind::UserObject);
  call.object(*object, Kind::UserObject).flags = count;
  return Success;
}
FAKE cuUserObjectRetain(CUuserObject object, unsigned count) {
  IN_CONTEXT();
  call.object(object, Kind::UserObject).flags += count;
  return Success;
}
FAKE cuUserObjectRelease(CUuserObject object, unsigned count) {
  IN_CONTEXT();
  unsigned &references = call.object(object, Kind::UserObject).flags;
  if (count > references)
    return InvalidValue;
  references -= count;
  return references ? Success : destroy(call, object, Kind::UserObject);
}
FAKE cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned,
                             unsigned) {
  IN_CONTEXT();
  call.object(graph, Kind::Graph);
  call.object(object, Kind::UserObject);
  return Success;
}
FAKE cuGraphReleaseUserObject(CUgraph graph, CUuserObject, unsigned) {
  IN_CONTEXT();
  call.object(graph, Kind::Graph);
  return Success;
}

//===--- captures ---===//

FAKE cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *nodes,
                                       size_t count, unsigned) {
  IN_CONTEXT();
  checkStream(call, stream);
  for (size_t i = 0; i < count; ++i)
    call.object(nodes[i], Kind::Node);
  return captureOf(stream) ? Success : IllegalState;
}
FAKE cuThreadExchangeStreamCaptureMode(int *mode) {
  IN_CONTEXT();
  static thread_local int own = 0;
  std::swap(*mode, own);
  return Success;
}

//===--- arrays with levels, pools, peers, caches ---===//

FAKE cuMipmappedArrayCreate(CUmipmappedArray *mipmaps,
                            const ArrayDescriptor *shape, unsigned) {
  IN_CONTEXT();
  make(mipmaps, Kind::Mipmaps);
  call.object(*mipmaps, Kind::Mipmaps).shape = *shape;
  return Success;
}
FAKE cuMipmappedArrayDestroy(CUmipmappedArray mipmaps) {
  IN_CONTEXT();
  for (CUarray level : call.object(mipmaps, Kind::Mipmaps).levels)
    destroy(call, level, Kind::Array);
  return destroy(call, mipmaps, Kind::Mipmaps);
}
FAKE cuMipmappedArrayGetLevel(CUarray *level, CUmipmappedArray mipmaps,
                              unsigned number) {
  IN_CONTEXT();
  Object &owner = call.object(mipmaps, Kind::Mipmaps);
  make(level, Kind::Array);
  Object &array = call.object(*level, Kind::Array);
  array.shape = owner.shape;
  array.shape.width >>= number;
  array.shape.height >>= number;
  array.memory.resize(array.shape.width * (array.shape.height + 1) *
                      array.shape.channels * channelBytes(array.shape.format));
  owner.levels.push_back(*level);
  return Success;
}
FAKE cuIpcGetMemHandle(cufort::IpcHandle *handle, CUdeviceptr address);
FAKE cuMemPoolExportToShareableHandle(void *shared, CUmemoryPool pool, int,
                                      unsigned long long) {
  IN_CONTEXT();
  call.object(pool, Kind::Pool);
  const int none = 0;
  std::memcpy(shared, &none, sizeof(none));
  return Success;
}
FAKE cuMemPoolImportFromShareableHandle(CUmemoryPool *pool, void *, int,
                                        unsigned long long) {
  IN_CONTEXT();
  make(pool, Kind::Pool);
  return Success;
}
FAKE cuMemPoolExportPointer(cufort::IpcHandle *handle, CUdeviceptr address) {
  return cuIpcGetMemHandle(handle, address);
}
// The importer's own memory, which it may free.
FAKE cuMemPoolImportPointer(CUdeviceptr *address, CUmemoryPool pool,
                            cufort::IpcHandle *) {
  IN_CONTEXT();
  call.object(pool, Kind::Pool);
  return allocate(address, 64, Allocation::Device);
}
FAKE cuMemPoolGetAccess(int *flags, CUmemoryPool pool, Location *) {
  IN_CONTEXT();
  call.object(pool, Kind::Pool);
  *flags = 3;
  return Success;
}
FAKE cuMemPoolSetAccess(CUmemoryPool pool, const AccessDescription *, size_t) {
  IN_CONTEXT();
  call.object(pool, Kind::Pool);
  return Success;
}
FAKE cuDeviceGetP2PAttribute(int *value, int, CUdevice, CUdevice) {
  CALL();
  *value = 1;
  return Success;
}
FAKE cuCtxResetPersistingL2Cache() {
  IN_CONTEXT();
  return Success;
}
