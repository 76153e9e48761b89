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
  cudaGraph_t g, o, c;
  cudaGraphNode_t n, a, b, f;
  cudaGraphExec_t x = nullptr;
  SETUP(cudaGraphCreate(&g, 0));
  SETUP(cudaGraphCreate(&o, 0));
  SETUP(cudaGraphAddEmptyNode(&a, g, nullptr, 0));
  SETUP(cudaGraphAddEmptyNode(&b, g, &a, 1));
  SETUP(cudaGraphAddEmptyNode(&f, o, nullptr, 0));
  cudaGraphNode_t twice[] = {a, a};

  CALL(cudaGraphCreate(nullptr, 0));
  CALL(cudaGraphCreate(&c, 1));
  CALL(cudaGraphDestroy(nullptr));
  CALL(cudaGraphClone(nullptr, g));
  CALL(cudaGraphClone(&c, nullptr));
  CALL(cudaGraphExecDestroy(nullptr));
  CALL(cudaGraphDestroyNode(nullptr));

  CALL(cudaGraphAddEmptyNode(nullptr, g, nullptr, 0));
  CALL(cudaGraphAddEmptyNode(&n, nullptr, nullptr, 0));
  CALL(cudaGraphAddEmptyNode(&n, g, nullptr, 1));
  CALL(cudaGraphAddEmptyNode(&n, g, &f, 1));
  CALL(cudaGraphAddEmptyNode(&n, g, twice, 2));

  CALL(cudaGraphAddDependencies(g, &b, &a, nullptr, 1));
  CALL(cudaGraphAddDependencies(g, &a, &a, nullptr, 1));
  CALL(cudaGraphAddDependencies(g, &a, &b, nullptr, 1));
  CALL(cudaGraphAddDependencies(g, &a, &f, nullptr, 1));
  CALL(cudaGraphAddDependencies(g, nullptr, &a, nullptr, 1));
  CALL(cudaGraphAddDependencies(g, &a, nullptr, nullptr, 1));
  CALL(cudaGraphAddDependencies(g, nullptr, nullptr, nullptr, 0));
  CALL(cudaGraphAddDependencies(nullptr, &a, &b, nullptr, 1));
  CALL(cudaGraphRemoveDependencies(g, &b, &a, nullptr, 1));
  CALL(cudaGraphRemoveDependencies(g, &a, &f, nullptr, 1));
  CALL(cudaGraphRemoveDependencies(g, &a, &b, nullptr, 1));
  CALL(cudaGraphRemoveDependencies(g, &a, &b, nullptr, 1));
  CALL(cudaGraphAddDependencies(g, &a, &b, nullptr, 1));

  CALL(cudaGraphInstantiate(&x, g, 0));
  if (!x) {
    cudaGraph_t g2;
    SETUP(cudaGraphCreate(&g2, 0));
    SETUP(cudaGraphAddEmptyNode(&n, g2, nullptr, 0));
    SETUP(cudaGraphInstantiate(&x, g2, 0));
  }

  size_t cnt = 0;
  CALL(cudaGraphGetNodes(g, nullptr, nullptr));
  CALL(cudaGraphGetNodes(g, nullptr, &cnt));
  VALUE(cnt);
  CALL(cudaGraphGetNodes(nullptr, nullptr, &cnt));
  CALL(cudaGraphGetRootNodes(g, nullptr, nullptr));
  CALL(cudaGraphGetRootNodes(g, nullptr, &cnt));
  VALUE(cnt);
  CALL(cudaGraphGetEdges(g, nullptr, nullptr, nullptr, nullptr));
  CALL(cudaGraphGetEdges(g, nullptr, nullptr, nullptr, &cnt));
  VALUE(cnt);
  cnt = 2;
  CALL(cudaGraphGetEdges(g, twice, nullptr, nullptr, &cnt));
  CALL(cudaGraphNodeGetType(a, nullptr));
  CALL(cudaGraphNodeGetType(nullptr, (cudaGraphNodeType *)&number));
  CALL(cudaGraphNodeFindInClone(&n, a, o));
  CALL(cudaGraphNodeFindInClone(nullptr, a, o));

  CALL(kernelNode(&n, g, entry(set), 1, 1, 0));
  CALL(kernelNode(nullptr, g, entry(set), 1, 1, 0));
  CALL(kernelNode(&n, nullptr, entry(set), 1, 1, 0));
  CALL(kernelNode(&n, g, entry(pageableMemory), 1, 1, 0));
  CALL(kernelNode(&n, g, nullptr, 1, 1, 0));
  CALL(kernelNode(&n, g, entry(set), 0, 1, 0));
  CALL(kernelNode(&n, g, entry(set), 1, 0, 0));
  CALL(kernelNode(&n, g, entry(set), 1, 2000, 0));
  CALL(kernelNode(&n, g, entry(set), dim3(1, 65536), 1, 0));
  CALL(kernelNode(&n, g, entry(dynamic), 1, 32, (48 << 10) + 4));
  CALL(kernelNode(&n, g, entry(dynamic), 1, 32, 1 << 30));
  CALL(kernelNode(&n, g, entry(set), 1, 1, 0, false));
  CALL(kernelNode(&n, g, entry(empty), 1, 1, 0, false));
  CALL(cudaGraphAddKernelNode(&n, g, nullptr, 0, nullptr));
  CALL(kernelNode(&n, g, entry(bounded), 1, 129, 0));
  cudaGraphGetNodes(g, nullptr, &cnt);
  VALUE(cnt);

  cudaGraphNode_t k, ms, mc, hn;
  SETUP(kernelNode(&k, g, entry(set), 1, 1, 0));
  cudaKernelNodeParams kp{};
  CALL(cudaGraphKernelNodeGetParams(k, nullptr));
  CALL(cudaGraphKernelNodeGetParams(nullptr, &kp));
  CALL(cudaGraphKernelNodeGetParams(a, &kp));
  CALL(cudaGraphKernelNodeGetParams(k, &kp));
  CALL(cudaGraphKernelNodeSetParams(k, nullptr));
  CALL(cudaGraphKernelNodeSetParams(nullptr, &kp));
  CALL(cudaGraphKernelNodeSetParams(a, &kp));
  auto bad = kp;
  bad.gridDim = 0;
  CALL(cudaGraphKernelNodeSetParams(k, &bad));
  bad = kp;
  bad.func = pageableMemory;
  CALL(cudaGraphKernelNodeSetParams(k, &bad));
  bad = kp;
  bad.kernelParams = nullptr;
  CALL(cudaGraphKernelNodeSetParams(k, &bad));
  bad = kp;
  bad.blockDim = 2000;
  CALL(cudaGraphKernelNodeSetParams(k, &bad));
  CALL(cudaGraphExecKernelNodeSetParams(x, k, &kp));
  CALL(cudaGraphExecKernelNodeSetParams(nullptr, k, &kp));
  CALL(cudaGraphExecKernelNodeSetParams(x, nullptr, &kp));
  CALL(cudaGraphExecKernelNodeSetParams(x, a, &kp));
  CALL(cudaGraphExecKernelNodeSetParams(x, k, nullptr));

  cudaMemsetParams sp{};
  sp.dst = device;
  sp.elementSize = 4;
  sp.width = 16;
  sp.height = 1;
  CALL(cudaGraphAddMemsetNode(&ms, g, nullptr, 0, &sp));
  CALL(cudaGraphAddMemsetNode(nullptr, g, nullptr, 0, &sp));
  CALL(cudaGraphAddMemsetNode(&n, g, nullptr, 0, nullptr));
  auto q = sp;
  q.dst = nullptr;
  CALL(cudaGraphAddMemsetNode(&n, g, nullptr, 0, &q));
  q = sp;
  q.elementSize = 3;
  CALL(cudaGraphAddMemsetNode(&n, g, nullptr, 0, &q));
  q.elementSize = 8;
  CALL(cudaGraphAddMemsetNode(&n, g, nullptr, 0, &q));
  q = sp;
  q.width = 1025;
  CALL(cudaGraphAddMemsetNode(&n, g, nullptr, 0, &q));
  q = sp;
  q.width = 0;
  CALL(cudaGraphAddMemsetNode(&n, g, nullptr, 0, &q));
  q = sp;
  q.height = 0;
  CALL(cudaGraphAddMemsetNode(&n, g, nullptr, 0, &q));
  q = sp;
  q.height = 2;
  q.pitch = 8;
  CALL(cudaGraphAddMemsetNode(&n, g, nullptr, 0, &q));
  q.pitch = 66;
  CALL(cudaGraphAddMemsetNode(&n, g, nullptr, 0, &q));
  q.pitch = 64;
  q.height = 65;
  CALL(cudaGraphAddMemsetNode(&n, g, nullptr, 0, &q));
  q = sp;
  q.dst = device + 1;
  CALL(cudaGraphAddMemsetNode(&n, g, nullptr, 0, &q));
  q = sp;
  q.dst = pinned;
  CALL(cudaGraphAddMemsetNode(&n, g, nullptr, 0, &q));
  q = sp;
  q.value = 0x1234;
  q.elementSize = 1;
  CALL(cudaGraphAddMemsetNode(&n, g, nullptr, 0, &q));
  q = sp;
  q.pitch = 8;
  CALL(cudaGraphAddMemsetNode(&n, g, nullptr, 0, &q));
  CALL(cudaGraphMemsetNodeGetParams(a, &q));
  CALL(cudaGraphMemsetNodeGetParams(ms, nullptr));
  CALL(cudaGraphMemsetNodeSetParams(a, &sp));
  CALL(cudaGraphMemsetNodeSetParams(ms, nullptr));
  q = sp;
  q.elementSize = 3;
  CALL(cudaGraphMemsetNodeSetParams(ms, &q));
  CALL(cudaGraphExecMemsetNodeSetParams(x, ms, &sp));

  CALL(cudaGraphAddMemcpyNode1D(&mc, g, nullptr, 0, device, pageable, 16,
                                cudaMemcpyHostToDevice));
  CALL(cudaGraphAddMemcpyNode1D(nullptr, g, nullptr, 0, device, pageable, 16,
                                cudaMemcpyHostToDevice));
  CALL(cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, nullptr, pageable, 16,
                                cudaMemcpyHostToDevice));
  CALL(cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, device, nullptr, 16,
                                cudaMemcpyHostToDevice));
  CALL(cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, device, pageable, 0,
                                cudaMemcpyHostToDevice));
  CALL(cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, device, pageable, 4097,
                                cudaMemcpyHostToDevice));
  CALL(cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, device, pageable, 16,
                                cudaMemcpyKind(9)));
  CALL(cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, device, pageable, 16,
                                cudaMemcpyDeviceToHost));
  CALL(cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, pageable, device, 16,
                                cudaMemcpyHostToDevice));
  CALL(cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, pageable, pageable + 64, 16,
                                cudaMemcpyHostToHost));
  CALL(cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, device, pageable, 16,
                                cudaMemcpyDefault));
  CALL(cudaGraphMemcpyNodeSetParams1D(a, device, pageable, 16,
                                      cudaMemcpyHostToDevice));
  CALL(cudaGraphMemcpyNodeSetParams1D(mc, device, nullptr, 16,
                                      cudaMemcpyHostToDevice));
  CALL(cudaGraphMemcpyNodeSetParams1D(mc, device, pageable, 5000,
                                      cudaMemcpyHostToDevice));
  CALL(cudaGraphMemcpyNodeSetParams1D(mc, device, pageable, 16,
                                      cudaMemcpyKind(9)));
  CALL(cudaGraphMemcpyNodeSetParams1D(mc, pageable, device, 16,
                                      cudaMemcpyDeviceToHost));
  CALL(cudaGraphExecMemcpyNodeSetParams1D(x, mc, device, pageable, 16,
                                          cudaMemcpyHostToDevice));

  cudaMemcpy3DParms bx{};
  bx.srcPtr = make_cudaPitchedPtr(pageable, 64, 64, 4);
  bx.dstPtr = make_cudaPitchedPtr(device, 64, 64, 4);
  bx.extent = make_cudaExtent(64, 4, 2);
  bx.kind = cudaMemcpyHostToDevice;
  CALL(cudaGraphAddMemcpyNode(&n, g, nullptr, 0, &bx));
  auto bb = bx;
  bb.extent.height = 0;
  CALL(cudaGraphAddMemcpyNode(&n, g, nullptr, 0, &bb));
  bb = bx;
  bb.extent.width = 65;
  CALL(cudaGraphAddMemcpyNode(&n, g, nullptr, 0, &bb));
  bb = bx;
  bb.extent.depth = 100;
  CALL(cudaGraphAddMemcpyNode(&n, g, nullptr, 0, &bb));
  bb = bx;
  bb.kind = cudaMemcpyKind(9);
  CALL(cudaGraphAddMemcpyNode(&n, g, nullptr, 0, &bb));
  bb = bx;
  bb.kind = cudaMemcpyDeviceToHost;
  CALL(cudaGraphAddMemcpyNode(&n, g, nullptr, 0, &bb));
  bb = bx;
  bb.dstPtr.ptr = nullptr;
  CALL(cudaGraphAddMemcpyNode(&n, g, nullptr, 0, &bb));
  CALL(cudaGraphAddMemcpyNode(&n, g, nullptr, 0, nullptr));
  CALL(cudaGraphMemcpyNodeGetParams(a, &bb));
  CALL(cudaGraphMemcpyNodeGetParams(mc, nullptr));
  CALL(cudaGraphMemcpyNodeSetParams(a, &bx));
  CALL(cudaGraphMemcpyNodeSetParams(mc, nullptr));

  cudaHostNodeParams hp{nothing, nullptr}, hq{nullptr, nullptr};
  CALL(cudaGraphAddHostNode(&hn, g, nullptr, 0, &hp));
  CALL(cudaGraphAddHostNode(&n, g, nullptr, 0, &hq));
  CALL(cudaGraphAddHostNode(&n, g, nullptr, 0, nullptr));
  CALL(cudaGraphHostNodeSetParams(hn, &hq));
  CALL(cudaGraphHostNodeSetParams(a, &hp));
  CALL(cudaGraphHostNodeGetParams(a, &hp));
  CALL(cudaGraphExecHostNodeSetParams(x, hn, &hp));

  CALL(cudaGraphAddChildGraphNode(&n, g, nullptr, 0, nullptr));
  CALL(cudaGraphAddChildGraphNode(&n, g, nullptr, 0, g));
  CALL(cudaGraphAddChildGraphNode(nullptr, g, nullptr, 0, o));
  CALL(cudaGraphAddChildGraphNode(&n, g, nullptr, 0, o));
  CALL(cudaGraphChildGraphNodeGetGraph(a, &c));
  CALL(cudaGraphChildGraphNodeGetGraph(n, nullptr));
  cudaEvent_t e;
  SETUP(cudaEventCreate(&e));
  CALL(cudaGraphAddEventRecordNode(&n, g, nullptr, 0, nullptr));
  CALL(cudaGraphAddEventRecordNode(&n, g, nullptr, 0, e));
  CALL(cudaGraphEventRecordNodeGetEvent(a, &e));
  CALL(cudaGraphEventRecordNodeSetEvent(n, nullptr));
  CALL(cudaGraphAddEventWaitNode(&n, g, nullptr, 0, nullptr));

  cudaGraphExec_t y;
  CALL(cudaGraphInstantiate(nullptr, g, 0));
  CALL(cudaGraphInstantiate(&y, nullptr, 0));
  CALL(cudaGraphInstantiateWithFlags(&y, g, 16));
  CALL(cudaGraphInstantiateWithFlags(&y, g, 4));
  CALL(cudaGraphInstantiateWithFlags(&y, g, 8));
  CALL(cudaGraphUpload(nullptr, stream));
  CALL(cudaGraphLaunch(nullptr, stream));
  CALL(cudaGraphExecGetFlags(x, nullptr));
  unsigned long long ef;
  CALL(cudaGraphExecGetFlags(nullptr, &ef));
  CALL(cudaGraphDebugDotPrint(g, nullptr, 0));
  CALL(cudaGraphDebugDotPrint(g, "/nowhere/x.dot", 0));
  CALL(cudaGraphDebugDotPrint(nullptr, "/dev/null", 0));
  unsigned en;
  CALL(cudaGraphNodeGetEnabled(x, a, &en));
  CALL(cudaGraphNodeSetEnabled(x, a, 0));
  CALL(cudaGraphNodeSetEnabled(x, hn, 0));
  CALL(cudaGraphNodeSetEnabled(nullptr, k, 0));
  cudaGraphInstantiateParams ip{};
  CALL(cudaGraphInstantiateWithParams(&y, g, nullptr));
  ip.flags = 64;
  CALL(cudaGraphInstantiateWithParams(&y, g, &ip));
  VALUE(ip.result_out);
  ip.flags = cudaGraphInstantiateFlagUpload;
  ip.uploadStream = nonBlocking;
  CALL(cudaGraphInstantiateWithParams(&y, g, &ip));
  VALUE(ip.result_out);

  cudaGraphNode_t del;
  SETUP(cudaGraphAddEmptyNode(&del, g, nullptr, 0));
  CALL(cudaGraphDestroyNode(del));
  CALL(cudaGraphDestroyNode(del));
  CALL(cudaGraphNodeGetType(del, (cudaGraphNodeType *)&number));
  cudaKernelNodeAttrValue kv{};
  CALL(cudaGraphKernelNodeSetAttribute(k, (cudaKernelNodeAttrID)99, &kv));
  CALL(cudaGraphKernelNodeGetAttribute(k, (cudaKernelNodeAttrID)99, &kv));
  CALL(cudaGraphKernelNodeSetAttribute(k, cudaKernelNodeAttributePriority,
                                       nullptr));
  CALL(
      cudaGraphKernelNodeSetAttribute(a, cudaKernelNodeAttributePriority, &kv));
  CALL(cudaGraphKernelNodeCopyAttributes(k, k));
  CALL(cudaGraphKernelNodeCopyAttributes(a, k));

  cudaUserObject_t uo;
  CALL(cudaUserObjectCreate(nullptr, nullptr, nothing, 1, 1));
  CALL(cudaUserObjectCreate(&uo, nullptr, nullptr, 1, 1));
  CALL(cudaUserObjectCreate(&uo, nullptr, nothing, 0, 1));
  CALL(cudaUserObjectCreate(&uo, nullptr, nothing, 1, 0));
  CALL(cudaUserObjectCreate(&uo, nullptr, nothing, 1, 1));
  CALL(cudaUserObjectRetain(uo, 0));
  CALL(cudaUserObjectRelease(uo, 0));
  CALL(cudaUserObjectRetain(nullptr, 1));
  CALL(cudaGraphRetainUserObject(g, uo, 0, 0));
  CALL(cudaGraphRetainUserObject(g, uo, 1, 9));
  CALL(cudaGraphRetainUserObject(g, nullptr, 1, 0));
  CALL(cudaGraphReleaseUserObject(g, uo, 1));
}

int main(int count, char **arguments) {
  return record(count, arguments, {{"graphs", graphs}});
}
