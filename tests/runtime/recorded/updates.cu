//===- updates.cu - updates and memory of graphs ---------------*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"
#include "Work.h"

enum Kind {
  Kernel,
  KernelOfOtherSize,
  OtherKernel,
  Empty,
  TwoKernels,
  EdgeForth,
  EdgeBack,
  CopyIn,
  CopyOut,
  CopyMore,
  Fill,
  FillRows,
  Host,
  ChildWithEmpty,
  ChildWithKernel,
  KernelAndEmpty,
  CopyOfManaged,
  Nothing
};
static const char *const kindNames[] = {"Kernel",
                                        "KernelOfOtherSize",
                                        "OtherKernel",
                                        "Empty",
                                        "TwoKernels",
                                        "EdgeForth",
                                        "EdgeBack",
                                        "CopyIn",
                                        "CopyOut",
                                        "CopyMore",
                                        "Fill",
                                        "FillRows",
                                        "Host",
                                        "ChildWithEmpty",
                                        "ChildWithKernel",
                                        "KernelAndEmpty",
                                        "CopyOfManaged",
                                        "Nothing"};
static cudaGraphNode_t node, other, inner;

/// A graph of this kind; its nodes are in node, other and inner.
static cudaGraph_t make(Kind kind) {
  cudaGraph_t graph;
  SETUP(cudaGraphCreate(&graph, 0));
  switch (kind) {
  case Kernel:
    SETUP(kernelNode(&node, graph, entry(set), 1, 1, 0));
    break;
  case KernelOfOtherSize:
    SETUP(kernelNode(&node, graph, entry(set), 2, 4, 0));
    break;
  case OtherKernel:
    SETUP(kernelNode(&node, graph, entry(empty), 1, 1, 0));
    break;
  case Empty:
    SETUP(cudaGraphAddEmptyNode(&node, graph, nullptr, 0));
    break;
  case TwoKernels:
    SETUP(kernelNode(&node, graph, entry(set), 1, 1, 0));
    SETUP(kernelNode(&other, graph, entry(set), 1, 1, 0));
    break;
  case EdgeForth:
    SETUP(kernelNode(&node, graph, entry(set), 1, 1, 0));
    SETUP(kernelNode(&other, graph, entry(set), 1, 1, 0));
    SETUP(cudaGraphAddDependencies(graph, &node, &other, nullptr, 1));
    break;
  case EdgeBack:
    SETUP(kernelNode(&node, graph, entry(set), 1, 1, 0));
    SETUP(kernelNode(&other, graph, entry(set), 1, 1, 0));
    SETUP(cudaGraphAddDependencies(graph, &other, &node, nullptr, 1));
    break;
  case CopyIn:
    SETUP(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, device, pinned, 16,
                                   cudaMemcpyHostToDevice));
    break;
  case CopyOut:
    SETUP(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, pinned, device, 16,
                                   cudaMemcpyDeviceToHost));
    break;
  case CopyMore:
    SETUP(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, device, pinned, 32,
                                   cudaMemcpyHostToDevice));
    break;
  case Fill: {
    cudaMemsetParams fill{};
    fill.dst = device;
    fill.elementSize = 4;
    fill.width = 16;
    fill.height = 1;
    SETUP(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
    break;
  }
  case FillRows: {
    cudaMemsetParams fill{};
    fill.dst = device;
    fill.elementSize = 1;
    fill.width = 32;
    fill.height = 2;
    fill.pitch = 64;
    SETUP(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
    break;
  }
  case Host: {
    cudaHostNodeParams fill{nothing, nullptr};
    SETUP(cudaGraphAddHostNode(&node, graph, nullptr, 0, &fill));
    break;
  }
  case ChildWithEmpty: {
    cudaGraph_t child;
    SETUP(cudaGraphCreate(&child, 0));
    SETUP(cudaGraphAddEmptyNode(&inner, child, nullptr, 0));
    SETUP(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, child));
    break;
  }
  case ChildWithKernel: {
    cudaGraph_t child;
    SETUP(cudaGraphCreate(&child, 0));
    SETUP(kernelNode(&inner, child, entry(set), 1, 1, 0));
    SETUP(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, child));
    break;
  }
  case KernelAndEmpty:
    SETUP(kernelNode(&node, graph, entry(set), 1, 1, 0));
    SETUP(cudaGraphAddEmptyNode(&other, graph, nullptr, 0));
    break;
  case CopyOfManaged:
    SETUP(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, device, managed,
                                   16, cudaMemcpyDefault));
    break;
  case Nothing:
    break;
  }
  return graph;
}

/// One graph in place of another, and nodes that allocate and free.
static void updates() {
  allocate();
  cudaGraphExecUpdateResultInfo info;

  Kind pairs[][2] = {{Kernel, Kernel},
                     {Kernel, KernelOfOtherSize},
                     {Kernel, OtherKernel},
                     {Kernel, Empty},
                     {Kernel, TwoKernels},
                     {TwoKernels, Kernel},
                     {TwoKernels, EdgeForth},
                     {EdgeForth, TwoKernels},
                     {EdgeForth, EdgeBack},
                     {CopyIn, CopyIn},
                     {CopyIn, CopyOut},
                     {CopyIn, CopyMore},
                     {CopyIn, CopyOfManaged},
                     {CopyOfManaged, CopyIn},
                     {CopyIn, Fill},
                     {Fill, Fill},
                     {Fill, FillRows},
                     {FillRows, Fill},
                     {Host, Host},
                     {Host, Kernel},
                     {ChildWithEmpty, ChildWithEmpty},
                     {ChildWithEmpty, ChildWithKernel},
                     {ChildWithKernel, ChildWithEmpty},
                     {TwoKernels, KernelAndEmpty},
                     {KernelAndEmpty, TwoKernels},
                     {Empty, Nothing},
                     {Nothing, Empty}};

  for (auto &pair : pairs) {
    cudaGraph_t from = make(pair[0]), to = make(pair[1]);
    cudaGraphExec_t executable;
    SETUP(cudaGraphInstantiate(&executable, from, 0));
    memset(&info, 0x55, sizeof info);
    cudaError_t error = cudaGraphExecUpdate(executable, to, &info);
    cudaError_t last = cudaGetLastError();
    report("%s to %s -> %s last %s result %d node %s from %s",
           kindNames[pair[0]], kindNames[pair[1]], errorName(error),
           errorName(last), (int)info.result,
           !info.errorNode           ? "none"
           : info.errorNode == node  ? "a"
           : info.errorNode == other ? "b"
                                     : "other",
           info.errorFromNode ? "some" : "none");
    cudaError_t launched = cudaGraphLaunch(executable, stream),
                reached = cudaStreamSynchronize(stream);
    report("then -> %s %s", errorName(launched), errorName(reached));
    cudaGetLastError();
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(from);
    cudaGraphDestroy(to);
  }

  cudaGraph_t graph = make(Kernel);
  cudaGraphExec_t executable;
  SETUP(cudaGraphInstantiate(&executable, graph, 0));
  CALL(cudaGraphExecUpdate(executable, graph, nullptr));
  CALL(cudaGraphExecUpdate(executable, nullptr, &info));
  CALL(cudaGraphExecUpdate(nullptr, graph, &info));

  // Parameters of nodes of executable graphs.
  cudaGraph_t source = make(CopyIn);
  cudaGraphNode_t kept = node;
  SETUP(cudaGraphInstantiate(&executable, source, 0));
  CALL(cudaGraphExecMemcpyNodeSetParams1D(executable, kept, device, pinned, 32,
                                          cudaMemcpyHostToDevice));
  CALL(cudaGraphExecMemcpyNodeSetParams1D(executable, kept, pinned, device, 32,
                                          cudaMemcpyDeviceToHost));
  CALL(cudaGraphExecMemcpyNodeSetParams1D(executable, kept, device, pinned, 0,
                                          cudaMemcpyHostToDevice));
  CALL(cudaGraphExecMemcpyNodeSetParams1D(executable, kept, device, pinned,
                                          5000, cudaMemcpyHostToDevice));
  CALL(cudaGraphExecMemcpyNodeSetParams1D(executable, kept, device, managed, 16,
                                          cudaMemcpyHostToDevice));
  CALL(cudaGraphExecMemcpyNodeSetParams1D(executable, kept, device, pageable,
                                          16, cudaMemcpyHostToDevice));
  source = make(Fill);
  kept = node;
  SETUP(cudaGraphInstantiate(&executable, source, 0));
  cudaMemsetParams fill{};
  fill.dst = device;
  fill.elementSize = 4;
  fill.width = 32;
  fill.height = 1;
  CALL(cudaGraphExecMemsetNodeSetParams(executable, kept, &fill));
  fill.elementSize = 1;
  CALL(cudaGraphExecMemsetNodeSetParams(executable, kept, &fill));
  fill.height = 2;
  fill.pitch = 64;
  CALL(cudaGraphExecMemsetNodeSetParams(executable, kept, &fill));
  fill.height = 1;
  fill.dst = pinned;
  CALL(cudaGraphExecMemsetNodeSetParams(executable, kept, &fill));
  fill.dst = managed;
  CALL(cudaGraphExecMemsetNodeSetParams(executable, kept, &fill));
  source = make(Kernel);
  kept = node;
  SETUP(cudaGraphInstantiate(&executable, source, 0));
  int *values = (int *)device;
  int value = 1;
  void *arguments[] = {&values, &value};
  cudaKernelNodeParams parameters{};
  parameters.func = (void *)set;
  parameters.gridDim = 3;
  parameters.blockDim = 5;
  parameters.kernelParams = arguments;
  CALL(cudaGraphExecKernelNodeSetParams(executable, kept, &parameters));
  parameters.func = (void *)empty;
  CALL(cudaGraphExecKernelNodeSetParams(executable, kept, &parameters));
  parameters.gridDim = 0;
  CALL(cudaGraphExecKernelNodeSetParams(executable, kept, &parameters));
  parameters.gridDim = 1;
  parameters.blockDim = 2000;
  CALL(cudaGraphExecKernelNodeSetParams(executable, kept, &parameters));
  parameters.func = pageableMemory;
  CALL(cudaGraphExecKernelNodeSetParams(executable, kept, &parameters));

  cudaGraphNode_t foreign;
  cudaGraph_t unrelated = make(Kernel);
  foreign = node;
  parameters.func = (void *)set;
  parameters.blockDim = 1;
  CALL(cudaGraphExecKernelNodeSetParams(executable, foreign, &parameters));
  (void)unrelated;

  // Nodes that allocate and free.
  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  int *memory;
  SETUP(cudaMallocAsync(&memory, 64, stream));
  cudaGraph_t allocating;
  SETUP(cudaStreamEndCapture(stream, &allocating));
  cudaGraphExec_t running, alsoRunning;
  CALL(cudaGraphInstantiate(&running, allocating, 0));
  CALL(cudaGraphInstantiate(&alsoRunning, allocating, 0));
  CALL(cudaGraphClone(&graph, allocating));
  cudaGraph_t plain;
  SETUP(cudaGraphCreate(&plain, 0));
  CALL(cudaGraphAddChildGraphNode(&inner, plain, nullptr, 0, allocating));
  CALL(cudaGraphExecUpdate(running, allocating, &info));
  VALUE(info.result);
  CALL(cudaMemsetAsync(memory, 0, 64, stream));
  CALL(cudaFree(memory));
  CALL(cudaGraphLaunch(running, stream));
  CALL(cudaGraphLaunch(running, stream));
  CALL(cudaFree(memory));
  CALL(cudaGraphLaunch(running, stream));
  CALL(cudaFreeAsync(memory, stream));
  CALL(cudaFreeAsync(memory, stream));
  CALL(cudaGraphLaunch(running, stream));
  CALL(cudaGraphExecDestroy(running));
  CALL(cudaFreeAsync(memory, stream));
  size_t count;
  cudaGraphNode_t nodes[4];
  count = 4;
  SETUP(cudaGraphGetNodes(allocating, nodes, &count));
  VALUE(count);
  CALL(cudaGraphDestroyNode(nodes[0]));
  CALL(cudaGraphNodeSetEnabled(alsoRunning, nodes[0], 0));
  cudaMemAllocNodeParams allocation;
  CALL(cudaGraphMemAllocNodeGetParams(nodes[0], &allocation));
  CALL(cudaGraphMemAllocNodeGetParams(kept, &allocation));
  CALL(cudaGraphAddMemFreeNode(&inner, plain, nullptr, 0, memory));
  CALL(cudaGraphAddMemFreeNode(&inner, allocating, nullptr, 0, memory));
  CALL(cudaGraphAddMemFreeNode(&inner, allocating, nodes, 1, memory));
  CALL(cudaGraphAddMemFreeNode(&inner, allocating, nodes, 1, memory));
  CALL(cudaGraphAddMemFreeNode(&inner, plain, nullptr, 0, nullptr));
  CALL(cudaGraphAddMemFreeNode(&inner, plain, nullptr, 0, device));
  memset(&allocation, 0, sizeof allocation);
  CALL(cudaGraphAddMemAllocNode(&inner, plain, nullptr, 0, &allocation));
  allocation.poolProps.allocType = cudaMemAllocationTypePinned;
  allocation.poolProps.location.type = cudaMemLocationTypeDevice;
  CALL(cudaGraphAddMemAllocNode(&inner, plain, nullptr, 0, &allocation));
  allocation.bytesize = 64;
  allocation.poolProps.location.id = 77;
  CALL(cudaGraphAddMemAllocNode(&inner, plain, nullptr, 0, &allocation));
  allocation.poolProps.location.id = 0;
  allocation.bytesize = Huge;
  CALL(cudaGraphAddMemAllocNode(&inner, plain, nullptr, 0, &allocation));
  CALL(cudaGraphAddMemAllocNode(&inner, plain, nullptr, 0, nullptr));
  CALL(cudaDeviceGraphMemTrim(77));
  CALL(cudaDeviceGraphMemTrim(0));
  unsigned long long bytes;
  CALL(
      cudaDeviceGetGraphMemAttribute(0, (cudaGraphMemAttributeType)99, &bytes));
  CALL(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent,
                                      nullptr));
  CALL(cudaDeviceGetGraphMemAttribute(77, cudaGraphMemAttrUsedMemCurrent,
                                      &bytes));
  bytes = 5;
  CALL(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &bytes));
  bytes = 0;
  CALL(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &bytes));
  CALL(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent,
                                      &bytes));
}

int main(int count, char **arguments) {
  return record(count, arguments, {{"updates", updates}});
}
