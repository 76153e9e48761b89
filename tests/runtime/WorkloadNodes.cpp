//===- WorkloadNodes.cpp - the workload's graphs with nodes of all types --===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkloadNodes.h"
#include "WorkloadSteps.h"
#include "cuda_runtime_api.h"

namespace {

constexpr int Count = 1000;
constexpr size_t Bytes = Count * sizeof(int);

void nodes(const void *kernel, const void *variable,
           const WorkloadCheck &check) {
  static thread_local int host[Count];
  int *a = nullptr;
  cudaEvent_t event = nullptr;
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr, child = nullptr, copy = nullptr, within;
  TRY(cudaMalloc(reinterpret_cast<void **>(&a), Bytes));
  AT_END(cudaFree(a));
  TRY(cudaEventCreate(&event));
  AT_END(cudaEventDestroy(event));
  TRY(cudaStreamCreate(&stream));
  AT_END(cudaStreamDestroy(stream));
  TRY(cudaGraphCreate(&graph, 0));
  AT_END(cudaGraphDestroy(graph));
  TRY(cudaGraphCreate(&child, 0));
  AT_END(cudaGraphDestroy(child));

  cudaGraphNode_t launch, record, wait, in, out, inner, node;
  int value = 3, count = Count;
  void *parameters[] = {&a, &value, &count};
  cudaGraphNodeParams p{};
  p.type = cudaGraphNodeTypeKernel;
  p.kernel = {const_cast<void *>(kernel),
              {8, 1, 1},
              {128, 1, 1},
              0,
              parameters,
              nullptr};
  TRY(cudaGraphAddNode(&node, child, nullptr, nullptr, 0, &p));
  TRY(cudaGraphAddNode(&launch, graph, nullptr, nullptr, 0, &p));
  TRY(cudaGraphAddEventRecordNode(&record, graph, &launch, 1, event));
  TRY(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, event));
  in = out = wait;
  if (variable) {
    TRY(cudaGraphAddMemcpyNodeToSymbol(&in, graph, &wait, 1, variable, host, 4,
                                       0, cudaMemcpyHostToDevice));
    TRY(cudaGraphAddMemcpyNodeFromSymbol(&out, graph, &in, 1, host, variable, 4,
                                         0, cudaMemcpyDeviceToHost));
  }
  TRY(cudaGraphAddChildGraphNode(&inner, graph, &out, 1, child));
  ASK(cudaGraphChildGraphNodeGetGraph(inner, &within));
  ASK(cudaGraphEventRecordNodeSetEvent(record, event));
  size_t number = 0;
  ASK(cudaGraphNodeGetDependencies(in, nullptr, nullptr, &number));
  ASK(cudaGraphNodeGetDependentNodes(in, nullptr, nullptr, &number));
  cudaKernelNodeAttrValue attribute{};
  ASK(cudaGraphKernelNodeGetAttribute(launch, cudaLaunchAttributePriority,
                                      &attribute));
  ASK(cudaGraphKernelNodeSetAttribute(launch, cudaLaunchAttributePriority,
                                      &attribute));
  ASK(cudaGraphKernelNodeCopyAttributes(launch, launch));
  if (check(cudaGraphClone(&copy, graph), "cudaGraphClone")) {
    if (check(cudaGraphNodeFindInClone(&node, wait, copy),
              "cudaGraphNodeFindInClone"))
      ASK(cudaGraphDestroyNode(node));
    AT_END(cudaGraphDestroy(copy));
  }

  cudaUserObject_t object = nullptr;
  if (check(cudaUserObjectCreate(
                &object, nullptr, [](void *) {}, 1,
                cudaUserObjectNoDestructorSync),
            "cudaUserObjectCreate")) {
    ASK(cudaGraphRetainUserObject(graph, object, 1, 0));
    AT_END(cudaUserObjectRelease(object, 1));
  }

  cudaGraphExec_t exec = nullptr;
  cudaGraphInstantiateParams instantiate{};
  TRY(cudaGraphInstantiateWithParams(&exec, graph, &instantiate));
  AT_END(cudaGraphExecDestroy(exec));
  unsigned enabled;
  ASK(cudaGraphNodeSetEnabled(exec, launch, 0));
  ASK(cudaGraphNodeGetEnabled(exec, launch, &enabled));
  ASK(cudaGraphExecChildGraphNodeSetParams(exec, inner, child));
  ASK(cudaGraphExecEventRecordNodeSetEvent(exec, record, event));
  ASK(cudaGraphLaunch(exec, stream));
  if (!check(cudaStreamSynchronize(stream), "cudaStreamSynchronize"))
    cudaDeviceSynchronize();
}

void memory(const WorkloadCheck &check) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t allocation, release;
  TRY(cudaGraphCreate(&graph, 0));
  AT_END(cudaGraphDestroy(graph));
  cudaMemAllocNodeParams p{};
  p.poolProps.allocType = cudaMemAllocationTypePinned;
  p.poolProps.location = {cudaMemLocationTypeDevice, 0};
  p.bytesize = Bytes;
  TRY(cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &p));
  TRY(cudaGraphAddMemFreeNode(&release, graph, &allocation, 1, p.dptr));
  TRY(cudaGraphInstantiate(&exec, graph, 0));
  AT_END(cudaGraphExecDestroy(exec));
  cudaStream_t stream = nullptr;
  TRY(cudaStreamCreate(&stream));
  AT_END(cudaStreamDestroy(stream));
  ASK(cudaGraphLaunch(exec, stream));
  if (!check(cudaStreamSynchronize(stream), "cudaStreamSynchronize"))
    cudaDeviceSynchronize();
  unsigned long long held;
  ASK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &held));
  ASK(cudaDeviceGraphMemTrim(0));
}

void arraysAndAttributes(const WorkloadCheck &check) {
  const cudaChannelFormatDesc format{32, 0, 0, 0, cudaChannelFormatKindFloat};
  cudaMipmappedArray_t mipmaps = nullptr;
  cudaStream_t stream = nullptr;
  TRY(cudaMallocMipmappedArray(&mipmaps, &format, {16, 16, 0}, 3, 0));
  AT_END(cudaFreeMipmappedArray(mipmaps));
  cudaArray_t level;
  ASK(cudaGetMipmappedArrayLevel(&level, mipmaps, 1));
  TRY(cudaStreamCreate(&stream));
  AT_END(cudaStreamDestroy(stream));
  cudaStreamAttrValue value{};
  value.syncPolicy = cudaSyncPolicySpin;
  ASK(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy,
                             &value));
  ASK(cudaStreamGetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy,
                             &value));
  cudaMemPool_t pool;
  cudaMemLocation here{cudaMemLocationTypeDevice, 0};
  cudaMemAccessFlags flags;
  TRY(cudaDeviceGetDefaultMemPool(&pool, 0));
  ASK(cudaMemPoolGetAccess(&flags, pool, &here));
}

} // namespace

void workOnNodes(const void *kernel, const void *variable,
                 const WorkloadCheck &check) {
  nodes(kernel, variable, check);
  memory(check);
  arraysAndAttributes(check);
}
