//===- updates.cu - updates of executable graphs, and their memory ---*- CUDA
//-*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"
#include "Work.h"

/// One graph in place of another, and nodes that allocate and free.
static void updates() {
  allocate();
  cudaGraphExecUpdateResultInfo r;
  cudaGraphNode_t a, b = nullptr, c;

  auto make = [&](int kind) {
    cudaGraph_t g;
    SETUP(cudaGraphCreate(&g, 0));
    switch (kind) {
    case 0:
      SETUP(kernelNode(&a, g, entry(set), 1, 1, 0));
      break;
    case 1:
      SETUP(kernelNode(&a, g, entry(set), 2, 4, 0));
      break;
    case 2:
      SETUP(kernelNode(&a, g, entry(empty), 1, 1, 0));
      break;
    case 3:
      SETUP(cudaGraphAddEmptyNode(&a, g, nullptr, 0));
      break;
    case 4:
      SETUP(kernelNode(&a, g, entry(set), 1, 1, 0));
      SETUP(kernelNode(&b, g, entry(set), 1, 1, 0));
      break;
    case 5:
      SETUP(kernelNode(&a, g, entry(set), 1, 1, 0));
      SETUP(kernelNode(&b, g, entry(set), 1, 1, 0));
      SETUP(cudaGraphAddDependencies(g, &a, &b, nullptr, 1));
      break;
    case 6:
      SETUP(kernelNode(&a, g, entry(set), 1, 1, 0));
      SETUP(kernelNode(&b, g, entry(set), 1, 1, 0));
      SETUP(cudaGraphAddDependencies(g, &b, &a, nullptr, 1));
      break;
    case 7:
      SETUP(cudaGraphAddMemcpyNode1D(&a, g, nullptr, 0, device, pinned, 16,
                                     cudaMemcpyHostToDevice));
      break;
    case 8:
      SETUP(cudaGraphAddMemcpyNode1D(&a, g, nullptr, 0, pinned, device, 16,
                                     cudaMemcpyDeviceToHost));
      break;
    case 9:
      SETUP(cudaGraphAddMemcpyNode1D(&a, g, nullptr, 0, device, pinned, 32,
                                     cudaMemcpyHostToDevice));
      break;
    case 10: {
      cudaMemsetParams q{};
      q.dst = device;
      q.elementSize = 4;
      q.width = 16;
      q.height = 1;
      SETUP(cudaGraphAddMemsetNode(&a, g, nullptr, 0, &q));
      break;
    }
    case 11: {
      cudaMemsetParams q{};
      q.dst = device;
      q.elementSize = 1;
      q.width = 32;
      q.height = 2;
      q.pitch = 64;
      SETUP(cudaGraphAddMemsetNode(&a, g, nullptr, 0, &q));
      break;
    }
    case 12: {
      cudaHostNodeParams q{nothing, nullptr};
      SETUP(cudaGraphAddHostNode(&a, g, nullptr, 0, &q));
      break;
    }
    case 13: {
      cudaGraph_t o;
      SETUP(cudaGraphCreate(&o, 0));
      SETUP(cudaGraphAddEmptyNode(&c, o, nullptr, 0));
      SETUP(cudaGraphAddChildGraphNode(&a, g, nullptr, 0, o));
      break;
    }
    case 14: {
      cudaGraph_t o;
      SETUP(cudaGraphCreate(&o, 0));
      SETUP(kernelNode(&c, o, entry(set), 1, 1, 0));
      SETUP(cudaGraphAddChildGraphNode(&a, g, nullptr, 0, o));
      break;
    }
    case 15:
      SETUP(kernelNode(&a, g, entry(set), 1, 1, 0));
      SETUP(cudaGraphAddEmptyNode(&b, g, nullptr, 0));
      break;
    case 16:
      SETUP(cudaGraphAddMemcpyNode1D(&a, g, nullptr, 0, device, managed, 16,
                                     cudaMemcpyDefault));
      break;
    default:
      break;
    }
    return g;
  };

  int pairs[][2] = {{0, 0},   {0, 1},  {0, 2},   {0, 3},   {0, 4},   {4, 0},
                    {4, 5},   {5, 4},  {5, 6},   {7, 7},   {7, 8},   {7, 9},
                    {7, 16},  {16, 7}, {7, 10},  {10, 10}, {10, 11}, {11, 10},
                    {12, 12}, {12, 0}, {13, 13}, {13, 14}, {14, 13}, {4, 15},
                    {15, 4},  {3, 17}, {17, 3}};

  for (auto &pr : pairs) {
    cudaGraph_t from = make(pr[0]), to = make(pr[1]);
    cudaGraphExec_t x;
    SETUP(cudaGraphInstantiate(&x, from, 0));
    memset(&r, 0x55, sizeof r);
    cudaError_t e = cudaGraphExecUpdate(x, to, &r);
    cudaError_t l = cudaGetLastError();
    report("%d to %d -> %s last %s result %d node %s from %s", pr[0], pr[1],
           errorName(e), errorName(l), (int)r.result,
           r.errorNode == a   ? "a"
           : r.errorNode == b ? "b"
           : r.errorNode      ? "other"
                              : "none",
           r.errorFromNode ? "some" : "none");
    cudaError_t e1 = cudaGraphLaunch(x, stream),
                e2 = cudaStreamSynchronize(stream);
    report("then -> %s %s", errorName(e1), errorName(e2));
    cudaGetLastError();
    cudaGraphExecDestroy(x);
    cudaGraphDestroy(from);
    cudaGraphDestroy(to);
  }

  cudaGraph_t g = make(0);
  cudaGraphExec_t x;
  SETUP(cudaGraphInstantiate(&x, g, 0));
  CALL(cudaGraphExecUpdate(x, g, nullptr));
  CALL(cudaGraphExecUpdate(x, nullptr, &r));
  CALL(cudaGraphExecUpdate(nullptr, g, &r));

  // parameters of executable nodes

  cudaGraph_t k = make(7);
  cudaGraphNode_t kn = a;
  SETUP(cudaGraphInstantiate(&x, k, 0));
  CALL(cudaGraphExecMemcpyNodeSetParams1D(x, kn, device, pinned, 32,
                                          cudaMemcpyHostToDevice));
  CALL(cudaGraphExecMemcpyNodeSetParams1D(x, kn, pinned, device, 32,
                                          cudaMemcpyDeviceToHost));
  CALL(cudaGraphExecMemcpyNodeSetParams1D(x, kn, device, pinned, 0,
                                          cudaMemcpyHostToDevice));
  CALL(cudaGraphExecMemcpyNodeSetParams1D(x, kn, device, pinned, 5000,
                                          cudaMemcpyHostToDevice));
  CALL(cudaGraphExecMemcpyNodeSetParams1D(x, kn, device, managed, 16,
                                          cudaMemcpyHostToDevice));
  CALL(cudaGraphExecMemcpyNodeSetParams1D(x, kn, device, pageable, 16,
                                          cudaMemcpyHostToDevice));
  k = make(10);
  kn = a;
  SETUP(cudaGraphInstantiate(&x, k, 0));
  cudaMemsetParams q{};
  q.dst = device;
  q.elementSize = 4;
  q.width = 32;
  q.height = 1;
  CALL(cudaGraphExecMemsetNodeSetParams(x, kn, &q));
  q.elementSize = 1;
  CALL(cudaGraphExecMemsetNodeSetParams(x, kn, &q));
  q.height = 2;
  q.pitch = 64;
  CALL(cudaGraphExecMemsetNodeSetParams(x, kn, &q));
  q.height = 1;
  q.dst = pinned;
  CALL(cudaGraphExecMemsetNodeSetParams(x, kn, &q));
  q.dst = managed;
  CALL(cudaGraphExecMemsetNodeSetParams(x, kn, &q));
  k = make(0);
  kn = a;
  SETUP(cudaGraphInstantiate(&x, k, 0));
  int *ip = (int *)device;
  int one = 1;
  void *ar[] = {&ip, &one};
  cudaKernelNodeParams kp{};
  kp.func = (void *)set;
  kp.gridDim = 3;
  kp.blockDim = 5;
  kp.kernelParams = ar;
  CALL(cudaGraphExecKernelNodeSetParams(x, kn, &kp));
  kp.func = (void *)empty;
  CALL(cudaGraphExecKernelNodeSetParams(x, kn, &kp));
  kp.gridDim = 0;
  CALL(cudaGraphExecKernelNodeSetParams(x, kn, &kp));
  kp.gridDim = 1;
  kp.blockDim = 2000;
  CALL(cudaGraphExecKernelNodeSetParams(x, kn, &kp));
  kp.func = pageableMemory;
  CALL(cudaGraphExecKernelNodeSetParams(x, kn, &kp));

  cudaGraphNode_t other;
  cudaGraph_t og = make(0);
  other = a;
  kp.func = (void *)set;
  kp.blockDim = 1;
  CALL(cudaGraphExecKernelNodeSetParams(x, other, &kp));
  (void)og;

  // graph memory

  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  int *lp;
  SETUP(cudaMallocAsync(&lp, 64, stream));
  cudaGraph_t mg;
  SETUP(cudaStreamEndCapture(stream, &mg));
  cudaGraphExec_t mx, mx2;
  CALL(cudaGraphInstantiate(&mx, mg, 0));
  CALL(cudaGraphInstantiate(&mx2, mg, 0));
  CALL(cudaGraphClone(&g, mg));
  cudaGraph_t pg;
  SETUP(cudaGraphCreate(&pg, 0));
  CALL(cudaGraphAddChildGraphNode(&c, pg, nullptr, 0, mg));
  CALL(cudaGraphExecUpdate(mx, mg, &r));
  VALUE(r.result);
  CALL(cudaMemsetAsync(lp, 0, 64, stream));
  CALL(cudaFree(lp));
  CALL(cudaGraphLaunch(mx, stream));
  CALL(cudaGraphLaunch(mx, stream));
  CALL(cudaFree(lp));
  CALL(cudaGraphLaunch(mx, stream));
  CALL(cudaFreeAsync(lp, stream));
  CALL(cudaFreeAsync(lp, stream));
  CALL(cudaGraphLaunch(mx, stream));
  CALL(cudaGraphExecDestroy(mx));
  CALL(cudaFreeAsync(lp, stream));
  size_t num;
  cudaGraphNode_t nodes[4];
  num = 4;
  SETUP(cudaGraphGetNodes(mg, nodes, &num));
  VALUE(num);
  CALL(cudaGraphDestroyNode(nodes[0]));
  CALL(cudaGraphNodeSetEnabled(mx2, nodes[0], 0));
  cudaMemAllocNodeParams mp;
  CALL(cudaGraphMemAllocNodeGetParams(nodes[0], &mp));
  CALL(cudaGraphMemAllocNodeGetParams(kn, &mp));
  CALL(cudaGraphAddMemFreeNode(&c, pg, nullptr, 0, lp));
  CALL(cudaGraphAddMemFreeNode(&c, mg, nullptr, 0, lp));
  CALL(cudaGraphAddMemFreeNode(&c, mg, nodes, 1, lp));
  CALL(cudaGraphAddMemFreeNode(&c, mg, nodes, 1, lp));
  CALL(cudaGraphAddMemFreeNode(&c, pg, nullptr, 0, nullptr));
  CALL(cudaGraphAddMemFreeNode(&c, pg, nullptr, 0, device));
  memset(&mp, 0, sizeof mp);
  CALL(cudaGraphAddMemAllocNode(&c, pg, nullptr, 0, &mp));
  mp.poolProps.allocType = cudaMemAllocationTypePinned;
  mp.poolProps.location.type = cudaMemLocationTypeDevice;
  CALL(cudaGraphAddMemAllocNode(&c, pg, nullptr, 0, &mp));
  mp.bytesize = 64;
  mp.poolProps.location.id = 77;
  CALL(cudaGraphAddMemAllocNode(&c, pg, nullptr, 0, &mp));
  mp.poolProps.location.id = 0;
  mp.bytesize = Huge;
  CALL(cudaGraphAddMemAllocNode(&c, pg, nullptr, 0, &mp));
  CALL(cudaGraphAddMemAllocNode(&c, pg, nullptr, 0, nullptr));
  CALL(cudaDeviceGraphMemTrim(77));
  CALL(cudaDeviceGraphMemTrim(0));
  unsigned long long gm;
  CALL(cudaDeviceGetGraphMemAttribute(0, (cudaGraphMemAttributeType)99, &gm));
  CALL(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent,
                                      nullptr));
  CALL(cudaDeviceGetGraphMemAttribute(77, cudaGraphMemAttrUsedMemCurrent, &gm));
  gm = 5;
  CALL(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &gm));
  gm = 0;
  CALL(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &gm));
  CALL(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &gm));
}

int main(int count, char **arguments) {
  return record(count, arguments, {{"updates", updates}});
}
