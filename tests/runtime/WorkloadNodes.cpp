//===- WorkloadNodes.cpp - the workload's graphs with nodes of all types --===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkloadNodes.h"
#include "WorkloadSteps.h"
#include "cuda_runtime_api.h"
#include <cstdint>
#include <unistd.h>

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

// A graph within a node whose condition nobody sets: it runs at every launch.
void conditions(const WorkloadCheck &check) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphConditionalHandle handle;
  cudaGraphNode_t node;
  int *a = nullptr;
  TRY(cudaMalloc(reinterpret_cast<void **>(&a), Bytes));
  AT_END(cudaFree(a));
  TRY(cudaGraphCreate(&graph, 0));
  AT_END(cudaGraphDestroy(graph));
  TRY(cudaGraphConditionalHandleCreate(&handle, graph, 1,
                                       cudaGraphCondAssignDefault));
  cudaGraphNodeParams p{};
  p.type = cudaGraphNodeTypeConditional;
  p.conditional.handle = handle;
  p.conditional.type = cudaGraphCondTypeIf;
  p.conditional.size = 1;
  TRY(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p));
  const cudaMemsetParams zeros{a, 0, 0, 4, Count, 1};
  TRY(cudaGraphAddMemsetNode(&node, p.conditional.phGraph_out[0], nullptr, 0,
                             &zeros));
  TRY(cudaGraphInstantiate(&exec, graph, 0));
  AT_END(cudaGraphExecDestroy(exec));
  ASK(cudaGraphLaunch(exec, nullptr));
  if (!ASK(cudaDeviceSynchronize()))
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

// A pool that other processes could use; here the same one does.
void sharedPools(const WorkloadCheck &check) {
  const auto asFile = cudaMemHandleTypePosixFileDescriptor;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.handleTypes = asFile;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool = nullptr, same = nullptr;
  cudaMemPoolPtrExportData data;
  void *memory = nullptr, *again = nullptr;
  int file = -1;
  TRY(cudaMemPoolCreate(&pool, &properties));
  AT_END(cudaMemPoolDestroy(pool));
  TRY(cudaMallocFromPoolAsync(&memory, 100, pool, nullptr));
  AT_END(cudaFree(memory));
  TRY(cudaMemPoolExportToShareableHandle(&file, pool, asFile, 0));
  const bool got = ASK(cudaMemPoolImportFromShareableHandle(
      &same, reinterpret_cast<void *>(intptr_t(file)), asFile, 0));
  if (file > 2)
    close(file);
  if (!got)
    return;
  AT_END(cudaMemPoolDestroy(same));
  TRY(cudaMemPoolExportPointer(&data, memory));
  TRY(cudaMemPoolImportPointer(&again, same, &data));
  AT_END(cudaFree(again));
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
  conditions(check);
  memory(check);
  sharedPools(check);
  arraysAndAttributes(check);
}
