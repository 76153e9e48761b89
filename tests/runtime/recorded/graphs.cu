//===- graphs.cu - graphs and their nodes ----------------------*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"
#include "Work.h"

/// Nodes of each kind, edges, and graphs that can be launched.
static void graphs() {
  allocateStreams();
  cudaGraph_t graph, foreign, copied;
  cudaGraphNode_t node, first, next, inForeign;
  cudaGraphExec_t executable = nullptr;
  SETUP(cudaGraphCreate(&graph, 0));
  SETUP(cudaGraphCreate(&foreign, 0));
  SETUP(cudaGraphAddEmptyNode(&first, graph, nullptr, 0));
  SETUP(cudaGraphAddEmptyNode(&next, graph, &first, 1));
  SETUP(cudaGraphAddEmptyNode(&inForeign, foreign, nullptr, 0));
  cudaGraphNode_t twice[] = {first, first};

  CALL(cudaGraphCreate(nullptr, 0));
  CALL(cudaGraphCreate(&copied, 1));
  CALL(cudaGraphDestroy(nullptr));
  CALL(cudaGraphClone(nullptr, graph));
  CALL(cudaGraphClone(&copied, nullptr));
  CALL(cudaGraphExecDestroy(nullptr));
  CALL(cudaGraphDestroyNode(nullptr));

  CALL(cudaGraphAddEmptyNode(nullptr, graph, nullptr, 0));
  CALL(cudaGraphAddEmptyNode(&node, nullptr, nullptr, 0));
  CALL(cudaGraphAddEmptyNode(&node, graph, nullptr, 1));
  CALL(cudaGraphAddEmptyNode(&node, graph, &inForeign, 1));
  CALL(cudaGraphAddEmptyNode(&node, graph, twice, 2));

  CALL(cudaGraphAddDependencies(graph, &next, &first, nullptr, 1));
  CALL(cudaGraphAddDependencies(graph, &first, &first, nullptr, 1));
  CALL(cudaGraphAddDependencies(graph, &first, &next, nullptr, 1));
  CALL(cudaGraphAddDependencies(graph, &first, &inForeign, nullptr, 1));
  CALL(cudaGraphAddDependencies(graph, nullptr, &first, nullptr, 1));
  CALL(cudaGraphAddDependencies(graph, &first, nullptr, nullptr, 1));
  CALL(cudaGraphAddDependencies(graph, nullptr, nullptr, nullptr, 0));
  CALL(cudaGraphAddDependencies(nullptr, &first, &next, nullptr, 1));
  CALL(cudaGraphRemoveDependencies(graph, &next, &first, nullptr, 1));
  CALL(cudaGraphRemoveDependencies(graph, &first, &inForeign, nullptr, 1));
  CALL(cudaGraphRemoveDependencies(graph, &first, &next, nullptr, 1));
  CALL(cudaGraphRemoveDependencies(graph, &first, &next, nullptr, 1));
  CALL(cudaGraphAddDependencies(graph, &first, &next, nullptr, 1));

  CALL(cudaGraphInstantiate(&executable, graph, 0));
  if (!executable) {
    cudaGraph_t plain;
    SETUP(cudaGraphCreate(&plain, 0));
    SETUP(cudaGraphAddEmptyNode(&node, plain, nullptr, 0));
    SETUP(cudaGraphInstantiate(&executable, plain, 0));
  }

  size_t count = 0;
  CALL(cudaGraphGetNodes(graph, nullptr, nullptr));
  CALL(cudaGraphGetNodes(graph, nullptr, &count));
  VALUE(count);
  CALL(cudaGraphGetNodes(nullptr, nullptr, &count));
  CALL(cudaGraphGetRootNodes(graph, nullptr, nullptr));
  CALL(cudaGraphGetRootNodes(graph, nullptr, &count));
  VALUE(count);
  CALL(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, nullptr));
  CALL(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
  VALUE(count);
  count = 2;
  CALL(cudaGraphGetEdges(graph, twice, nullptr, nullptr, &count));
  CALL(cudaGraphNodeGetType(first, nullptr));
  CALL(cudaGraphNodeGetType(nullptr, (cudaGraphNodeType *)&number));
  CALL(cudaGraphNodeFindInClone(&node, first, foreign));
  CALL(cudaGraphNodeFindInClone(nullptr, first, foreign));

  CALL(kernelNode(&node, graph, entry(set), 1, 1, 0));
  CALL(kernelNode(nullptr, graph, entry(set), 1, 1, 0));
  CALL(kernelNode(&node, nullptr, entry(set), 1, 1, 0));
  CALL(kernelNode(&node, graph, entry(pageableMemory), 1, 1, 0));
  CALL(kernelNode(&node, graph, nullptr, 1, 1, 0));
  CALL(kernelNode(&node, graph, entry(set), 0, 1, 0));
  CALL(kernelNode(&node, graph, entry(set), 1, 0, 0));
  CALL(kernelNode(&node, graph, entry(set), 1, 2000, 0));
  CALL(kernelNode(&node, graph, entry(set), dim3(1, 65536), 1, 0));
  CALL(kernelNode(&node, graph, entry(dynamic), 1, 32, (48 << 10) + 4));
  CALL(kernelNode(&node, graph, entry(dynamic), 1, 32, 1 << 30));
  CALL(kernelNode(&node, graph, entry(set), 1, 1, 0, false));
  CALL(kernelNode(&node, graph, entry(empty), 1, 1, 0, false));
  CALL(cudaGraphAddKernelNode(&node, graph, nullptr, 0, nullptr));
  CALL(kernelNode(&node, graph, entry(bounded), 1, 129, 0));
  cudaGraphGetNodes(graph, nullptr, &count);
  VALUE(count);

  cudaGraphNode_t kernel, fill, copy, hostNode;
  SETUP(kernelNode(&kernel, graph, entry(set), 1, 1, 0));
  cudaKernelNodeParams parameters{};
  CALL(cudaGraphKernelNodeGetParams(kernel, nullptr));
  CALL(cudaGraphKernelNodeGetParams(nullptr, &parameters));
  CALL(cudaGraphKernelNodeGetParams(first, &parameters));
  CALL(cudaGraphKernelNodeGetParams(kernel, &parameters));
  CALL(cudaGraphKernelNodeSetParams(kernel, nullptr));
  CALL(cudaGraphKernelNodeSetParams(nullptr, &parameters));
  CALL(cudaGraphKernelNodeSetParams(first, &parameters));
  auto bad = parameters;
  bad.gridDim = 0;
  CALL(cudaGraphKernelNodeSetParams(kernel, &bad));
  bad = parameters;
  bad.func = pageableMemory;
  CALL(cudaGraphKernelNodeSetParams(kernel, &bad));
  bad = parameters;
  bad.kernelParams = nullptr;
  CALL(cudaGraphKernelNodeSetParams(kernel, &bad));
  bad = parameters;
  bad.blockDim = 2000;
  CALL(cudaGraphKernelNodeSetParams(kernel, &bad));
  CALL(cudaGraphExecKernelNodeSetParams(executable, kernel, &parameters));
  CALL(cudaGraphExecKernelNodeSetParams(nullptr, kernel, &parameters));
  CALL(cudaGraphExecKernelNodeSetParams(executable, nullptr, &parameters));
  CALL(cudaGraphExecKernelNodeSetParams(executable, first, &parameters));
  CALL(cudaGraphExecKernelNodeSetParams(executable, kernel, nullptr));

  cudaMemsetParams filled{};
  filled.dst = device;
  filled.elementSize = 4;
  filled.width = 16;
  filled.height = 1;
  CALL(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &filled));
  CALL(cudaGraphAddMemsetNode(nullptr, graph, nullptr, 0, &filled));
  CALL(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, nullptr));
  auto q = filled;
  q.dst = nullptr;
  CALL(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &q));
  q = filled;
  q.elementSize = 3;
  CALL(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &q));
  q.elementSize = 8;
  CALL(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &q));
  q = filled;
  q.width = 1025;
  CALL(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &q));
  q = filled;
  q.width = 0;
  CALL(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &q));
  q = filled;
  q.height = 0;
  CALL(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &q));
  q = filled;
  q.height = 2;
  q.pitch = 8;
  CALL(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &q));
  q.pitch = 66;
  CALL(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &q));
  q.pitch = 64;
  q.height = 65;
  CALL(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &q));
  q = filled;
  q.dst = device + 1;
  CALL(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &q));
  q = filled;
  q.dst = pinned;
  CALL(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &q));
  q = filled;
  q.value = 0x1234;
  q.elementSize = 1;
  CALL(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &q));
  q = filled;
  q.pitch = 8;
  CALL(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &q));
  CALL(cudaGraphMemsetNodeGetParams(first, &q));
  CALL(cudaGraphMemsetNodeGetParams(fill, nullptr));
  CALL(cudaGraphMemsetNodeSetParams(first, &filled));
  CALL(cudaGraphMemsetNodeSetParams(fill, nullptr));
  q = filled;
  q.elementSize = 3;
  CALL(cudaGraphMemsetNodeSetParams(fill, &q));
  CALL(cudaGraphExecMemsetNodeSetParams(executable, fill, &filled));

  CALL(cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, device, pageable, 16,
                                cudaMemcpyHostToDevice));
  CALL(cudaGraphAddMemcpyNode1D(nullptr, graph, nullptr, 0, device, pageable,
                                16, cudaMemcpyHostToDevice));
  CALL(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, nullptr, pageable, 16,
                                cudaMemcpyHostToDevice));
  CALL(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, device, nullptr, 16,
                                cudaMemcpyHostToDevice));
  CALL(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, device, pageable, 0,
                                cudaMemcpyHostToDevice));
  CALL(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, device, pageable,
                                4097, cudaMemcpyHostToDevice));
  CALL(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, device, pageable, 16,
                                cudaMemcpyKind(9)));
  CALL(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, device, pageable, 16,
                                cudaMemcpyDeviceToHost));
  CALL(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, pageable, device, 16,
                                cudaMemcpyHostToDevice));
  CALL(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, pageable,
                                pageable + 64, 16, cudaMemcpyHostToHost));
  CALL(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, device, pageable, 16,
                                cudaMemcpyDefault));
  CALL(cudaGraphMemcpyNodeSetParams1D(first, device, pageable, 16,
                                      cudaMemcpyHostToDevice));
  CALL(cudaGraphMemcpyNodeSetParams1D(copy, device, nullptr, 16,
                                      cudaMemcpyHostToDevice));
  CALL(cudaGraphMemcpyNodeSetParams1D(copy, device, pageable, 5000,
                                      cudaMemcpyHostToDevice));
  CALL(cudaGraphMemcpyNodeSetParams1D(copy, device, pageable, 16,
                                      cudaMemcpyKind(9)));
  CALL(cudaGraphMemcpyNodeSetParams1D(copy, pageable, device, 16,
                                      cudaMemcpyDeviceToHost));
  CALL(cudaGraphExecMemcpyNodeSetParams1D(executable, copy, device, pageable,
                                          16, cudaMemcpyHostToDevice));

  cudaMemcpy3DParms box{};
  box.srcPtr = make_cudaPitchedPtr(pageable, 64, 64, 4);
  box.dstPtr = make_cudaPitchedPtr(device, 64, 64, 4);
  box.extent = make_cudaExtent(64, 4, 2);
  box.kind = cudaMemcpyHostToDevice;
  CALL(cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, &box));
  auto bb = box;
  bb.extent.height = 0;
  CALL(cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, &bb));
  bb = box;
  bb.extent.width = 65;
  CALL(cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, &bb));
  bb = box;
  bb.extent.depth = 100;
  CALL(cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, &bb));
  bb = box;
  bb.kind = cudaMemcpyKind(9);
  CALL(cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, &bb));
  bb = box;
  bb.kind = cudaMemcpyDeviceToHost;
  CALL(cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, &bb));
  bb = box;
  bb.dstPtr.ptr = nullptr;
  CALL(cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, &bb));
  CALL(cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, nullptr));
  CALL(cudaGraphMemcpyNodeGetParams(first, &bb));
  CALL(cudaGraphMemcpyNodeGetParams(copy, nullptr));
  CALL(cudaGraphMemcpyNodeSetParams(first, &box));
  CALL(cudaGraphMemcpyNodeSetParams(copy, nullptr));

  cudaHostNodeParams called{nothing, nullptr}, notCalled{nullptr, nullptr};
  CALL(cudaGraphAddHostNode(&hostNode, graph, nullptr, 0, &called));
  CALL(cudaGraphAddHostNode(&node, graph, nullptr, 0, &notCalled));
  CALL(cudaGraphAddHostNode(&node, graph, nullptr, 0, nullptr));
  CALL(cudaGraphHostNodeSetParams(hostNode, &notCalled));
  CALL(cudaGraphHostNodeSetParams(first, &called));
  CALL(cudaGraphHostNodeGetParams(first, &called));
  CALL(cudaGraphExecHostNodeSetParams(executable, hostNode, &called));

  CALL(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, nullptr));
  CALL(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, graph));
  CALL(cudaGraphAddChildGraphNode(nullptr, graph, nullptr, 0, foreign));
  CALL(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, foreign));
  CALL(cudaGraphChildGraphNodeGetGraph(first, &copied));
  CALL(cudaGraphChildGraphNodeGetGraph(node, nullptr));
  cudaEvent_t event;
  SETUP(cudaEventCreate(&event));
  CALL(cudaGraphAddEventRecordNode(&node, graph, nullptr, 0, nullptr));
  CALL(cudaGraphAddEventRecordNode(&node, graph, nullptr, 0, event));
  CALL(cudaGraphEventRecordNodeGetEvent(first, &event));
  CALL(cudaGraphEventRecordNodeSetEvent(node, nullptr));
  CALL(cudaGraphAddEventWaitNode(&node, graph, nullptr, 0, nullptr));

  cudaGraphExec_t another;
  CALL(cudaGraphInstantiate(nullptr, graph, 0));
  CALL(cudaGraphInstantiate(&another, nullptr, 0));
  CALL(cudaGraphInstantiateWithFlags(&another, graph, 16));
  CALL(cudaGraphInstantiateWithFlags(&another, graph, 4));
  CALL(cudaGraphInstantiateWithFlags(&another, graph, 8));
  CALL(cudaGraphUpload(nullptr, stream));
  CALL(cudaGraphLaunch(nullptr, stream));
  CALL(cudaGraphExecGetFlags(executable, nullptr));
  unsigned long long flags;
  CALL(cudaGraphExecGetFlags(nullptr, &flags));
  CALL(cudaGraphDebugDotPrint(graph, nullptr, 0));
  CALL(cudaGraphDebugDotPrint(graph, "/nowhere/executable.dot", 0));
  CALL(cudaGraphDebugDotPrint(nullptr, "/dev/null", 0));
  unsigned enabled;
  CALL(cudaGraphNodeGetEnabled(executable, first, &enabled));
  CALL(cudaGraphNodeSetEnabled(executable, first, 0));
  CALL(cudaGraphNodeSetEnabled(executable, hostNode, 0));
  CALL(cudaGraphNodeSetEnabled(nullptr, kernel, 0));
  cudaGraphInstantiateParams instantiation{};
  CALL(cudaGraphInstantiateWithParams(&another, graph, nullptr));
  instantiation.flags = 64;
  CALL(cudaGraphInstantiateWithParams(&another, graph, &instantiation));
  VALUE(instantiation.result_out);
  instantiation.flags = cudaGraphInstantiateFlagUpload;
  instantiation.uploadStream = nonBlocking;
  CALL(cudaGraphInstantiateWithParams(&another, graph, &instantiation));
  VALUE(instantiation.result_out);

  cudaGraphNode_t removed;
  SETUP(cudaGraphAddEmptyNode(&removed, graph, nullptr, 0));
  CALL(cudaGraphDestroyNode(removed));
  CALL(cudaGraphDestroyNode(removed));
  CALL(cudaGraphNodeGetType(removed, (cudaGraphNodeType *)&number));
  cudaKernelNodeAttrValue value{};
  CALL(cudaGraphKernelNodeSetAttribute(kernel, (cudaKernelNodeAttrID)99,
                                       &value));
  CALL(cudaGraphKernelNodeGetAttribute(kernel, (cudaKernelNodeAttrID)99,
                                       &value));
  CALL(cudaGraphKernelNodeSetAttribute(kernel, cudaKernelNodeAttributePriority,
                                       nullptr));
  CALL(cudaGraphKernelNodeSetAttribute(first, cudaKernelNodeAttributePriority,
                                       &value));
  CALL(cudaGraphKernelNodeCopyAttributes(kernel, kernel));
  CALL(cudaGraphKernelNodeCopyAttributes(first, kernel));

  cudaUserObject_t object;
  CALL(cudaUserObjectCreate(nullptr, nullptr, nothing, 1, 1));
  CALL(cudaUserObjectCreate(&object, nullptr, nullptr, 1, 1));
  CALL(cudaUserObjectCreate(&object, nullptr, nothing, 0, 1));
  CALL(cudaUserObjectCreate(&object, nullptr, nothing, 1, 0));
  CALL(cudaUserObjectCreate(&object, nullptr, nothing, 1, 1));
  CALL(cudaUserObjectRetain(object, 0));
  CALL(cudaUserObjectRelease(object, 0));
  CALL(cudaUserObjectRetain(nullptr, 1));
  CALL(cudaGraphRetainUserObject(graph, object, 0, 0));
  CALL(cudaGraphRetainUserObject(graph, object, 1, 9));
  CALL(cudaGraphRetainUserObject(graph, nullptr, 1, 0));
  CALL(cudaGraphReleaseUserObject(graph, object, 1));
}

int main(int count, char **arguments) {
  return record(count, arguments, {{"graphs", graphs}});
}
