//===- ArgumentsNodes.cpp - wrong arguments: nodes, edges, objects --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PublicArguments.h"

using namespace publicapi;

namespace {

TEST(Arguments, OfNodesAndObjects) {
  cudaGraph_t graph, other, child, gone, result;
  cudaGraphNode_t nodes[2], foreign, goneNode, kernel, inner, record, wait,
      allocation, node;
  cudaGraphExec_t exec, goneExec;
  cudaEvent_t event, goneEvent, asked;
  cudaStream_t stream, goneStream;
  char *memory;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&memory), 4096), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&goneStream), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(goneStream), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&goneEvent), cudaSuccess);
  ASSERT_EQ(cudaEventDestroy(goneEvent), cudaSuccess);
  for (cudaGraph_t *each : {&graph, &other, &child, &gone})
    ASSERT_EQ(cudaGraphCreate(each, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddEmptyNode(&nodes[0], graph, nullptr, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddEmptyNode(&nodes[1], graph, nodes, 1), cudaSuccess);
  ASSERT_EQ(cudaGraphAddEmptyNode(&foreign, other, nullptr, 0), cudaSuccess);
  cudaKernelNodeParams launch{
      &testimage::emptyStub, {1, 1, 1}, {1, 1, 1}, 0, nullptr, nullptr};
  void *none[] = {nullptr};
  launch.kernelParams = none;
  ASSERT_EQ(cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &launch),
            cudaSuccess);
  ASSERT_EQ(cudaGraphAddChildGraphNode(&inner, graph, nullptr, 0, child),
            cudaSuccess);
  ASSERT_EQ(cudaGraphAddEventRecordNode(&record, graph, nullptr, 0, event),
            cudaSuccess);
  ASSERT_EQ(cudaGraphAddEventWaitNode(&wait, graph, nullptr, 0, event),
            cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&goneExec, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphExecDestroy(goneExec), cudaSuccess);
  cudaUserObject_t object, goneObject;
  for (cudaUserObject_t *each : {&object, &goneObject})
    ASSERT_EQ(
        cudaUserObjectCreate(
            each, nullptr, [](void *) {}, 1, cudaUserObjectNoDestructorSync),
        cudaSuccess);
  ASSERT_EQ(cudaUserObjectRelease(goneObject, 1), cudaSuccess);
  // A graph with memory of its own.
  cudaGraph_t holder;
  ASSERT_EQ(cudaGraphCreate(&holder, 0), cudaSuccess);
  // No graph that is made before the calls has its address.
  ASSERT_EQ(cudaGraphDestroy(gone), cudaSuccess);
  cudaMemAllocNodeParams allocate{};
  allocate.poolProps.allocType = cudaMemAllocationTypePinned;
  allocate.poolProps.location = {cudaMemLocationTypeDevice, 0};
  allocate.bytesize = 4096;
  cudaGraphNode_t lonely;
  ASSERT_EQ(
      cudaGraphAddMemAllocNode(&allocation, holder, nullptr, 0, &allocate),
      cudaSuccess);
  ASSERT_EQ(cudaGraphAddEmptyNode(&lonely, holder, &allocation, 1),
            cudaSuccess);
  cudaMemAllocNodeParams noBytes = allocate, noDevice = allocate,
                         noPlace = allocate, shared = allocate, read;
  noBytes.bytesize = 0;
  noDevice.poolProps.location.id = 77;
  noPlace.poolProps.location.type = cudaMemLocationTypeInvalid;
  shared.poolProps.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  const cudaGraphEdgeData programmatic{1, 0, 1, {}};
  cudaGraphNodeParams empty{}, unknown{}, condition{}, moved{}, wrongKernel{};
  empty.type = cudaGraphNodeTypeEmpty;
  unknown.type = cudaGraphNodeType(99);
  condition.type = cudaGraphNodeType(13);
  moved.type = cudaGraphNodeTypeGraph;
  moved.graph = {other, cudaGraphChildGraphOwnershipMove};
  wrongKernel.type = cudaGraphNodeTypeKernel;
  wrongKernel.kernel = {launch.func,         launch.gridDim,
                        launch.blockDim,     launch.sharedMemBytes,
                        launch.kernelParams, launch.extra};
  wrongKernel.kernel.func = &testimage::unknownStub;
  cudaKernelNodeAttrValue value{};
  cudaGraphInstantiateParams instantiate{}, wrongFlags{}, goneUpload{};
  wrongFlags.flags = 64;
  goneUpload.flags = cudaGraphInstantiateFlagUpload;
  goneUpload.uploadStream = goneStream;
  size_t count = 4;
  unsigned enabled = 0;
  unsigned long long flags = 0, number = 1;
  void *freed = nullptr;
  cudaStreamCaptureMode noMode = cudaStreamCaptureMode(5);
  const auto shadow = &testimage::deviceVariableShadow;
  const cudaMemcpyKind in = cudaMemcpyHostToDevice,
                       out = cudaMemcpyDeviceToHost;
  int host = 0;
  cudaGraphNode_t copy;
  ASSERT_EQ(cudaGraphAddMemcpyNodeToSymbol(&copy, graph, nullptr, 0, shadow,
                                           &host, 4, 0, in),
            cudaSuccess);
  // Its address must not be that of a node made since.
  ASSERT_EQ(cudaGraphAddEmptyNode(&goneNode, graph, nullptr, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroyNode(goneNode), cudaSuccess);

  cudaGraphConditionalHandle handle;
  checkCalls({
      // Edges
      VALUE(cudaGraphNodeGetDependencies(nodes[1], nullptr, nullptr, nullptr)),
      VALUE(cudaGraphNodeGetDependencies(nullptr, nullptr, nullptr, &count)),
      VALUE(cudaGraphNodeGetDependencies(goneNode, nullptr, nullptr, &count)),
      VALUE(
          cudaGraphNodeGetDependentNodes(nodes[1], nullptr, nullptr, nullptr)),
      VALUE(cudaGraphNodeGetDependentNodes(goneNode, nullptr, nullptr, &count)),
      VALUE(cudaGraphRemoveDependencies(gone, nodes, nodes + 1, nullptr, 1)),
      VALUE(cudaGraphRemoveDependencies(graph, nullptr, nodes, nullptr, 1)),
      VALUE(cudaGraphRemoveDependencies(graph, nodes, &foreign, nullptr, 1)),
      VALUE(cudaGraphRemoveDependencies(graph, nodes + 1, nodes, nullptr, 1)),
      VALUE(cudaGraphRemoveDependencies(graph, nodes, nodes + 1, &programmatic,
                                        1)),
      REFUSED(cudaGraphRemoveDependencies(holder, &allocation, &lonely, nullptr,
                                          1)),
      VALUE(cudaGraphDestroyNode(nullptr)),
      VALUE(cudaGraphDestroyNode(goneNode)),
      REFUSED(cudaGraphDestroyNode(lonely)),
      VALUE(cudaGraphNodeFindInClone(nullptr, nodes[0], graph)),
      VALUE(cudaGraphNodeFindInClone(&node, nodes[0], other)),
      VALUE(cudaGraphNodeFindInClone(&node, goneNode, graph)),
      VALUE(cudaGraphNodeFindInClone(&node, nodes[0], gone)),
      // Graphs in graphs
      VALUE(cudaGraphChildGraphNodeGetGraph(inner, nullptr)),
      VALUE(cudaGraphChildGraphNodeGetGraph(nodes[0], &result)),
      VALUE(cudaGraphChildGraphNodeGetGraph(goneNode, &result)),
      VALUE(cudaGraphExecChildGraphNodeSetParams(nullptr, inner, child)),
      VALUE(cudaGraphExecChildGraphNodeSetParams(goneExec, inner, child)),
      VALUE(cudaGraphExecChildGraphNodeSetParams(exec, nodes[0], child)),
      VALUE(cudaGraphExecChildGraphNodeSetParams(exec, inner, gone)),
      LINE(cudaErrorGraphExecUpdateFailure,
           cudaGraphExecChildGraphNodeSetParams(exec, inner, other)),
      // Nodes of any type
      VALUE(cudaGraphAddNode(nullptr, graph, nullptr, nullptr, 0, &empty)),
      VALUE(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, nullptr)),
      VALUE(cudaGraphAddNode(&node, gone, nullptr, nullptr, 0, &empty)),
      VALUE(cudaGraphAddNode(&node, graph, &foreign, nullptr, 1, &empty)),
      REFUSED(cudaGraphAddNode(&node, graph, nodes, &programmatic, 1, &empty)),
      VALUE(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &unknown)),
      VALUE(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &condition)),
      VALUE(cudaGraphConditionalHandleCreate(nullptr, graph, 0, 0)),
      VALUE(cudaGraphConditionalHandleCreate(&handle, gone, 0, 0)),
      VALUE(cudaGraphConditionalHandleCreate(&handle, graph, 0, 2)),
      REFUSED(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &moved)),
      LINE(cudaErrorInvalidDeviceFunction,
           cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &wrongKernel)),
      VALUE(cudaGraphNodeSetParams(kernel, nullptr)),
      VALUE(cudaGraphNodeSetParams(kernel, &empty)),
      LINE(cudaErrorInvalidDeviceFunction,
           cudaGraphNodeSetParams(kernel, &wrongKernel)),
      VALUE(cudaGraphExecNodeSetParams(exec, kernel, nullptr)),
      VALUE(cudaGraphExecNodeSetParams(exec, kernel, &empty)),
      VALUE(cudaGraphExecNodeSetParams(nullptr, kernel, &wrongKernel)),
      // Symbols
      VALUE(cudaGraphAddMemcpyNodeToSymbol(nullptr, graph, nullptr, 0, shadow,
                                           &host, 4, 0, in)),
      VALUE(cudaGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, shadow,
                                           &host, 8, 0, in)),
      VALUE(cudaGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, shadow,
                                           nullptr, 4, 0, in)),
      LINE(cudaErrorInvalidSymbol,
           cudaGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, &host,
                                          &host, 4, 0, in)),
      VALUE(cudaGraphAddMemcpyNodeFromSymbol(&node, gone, nullptr, 0, &host,
                                             shadow, 4, 0, out)),
      VALUE(cudaGraphAddMemcpyNodeFromSymbol(&node, graph, nullptr, 0, nullptr,
                                             shadow, 4, 0, out)),
      VALUE(cudaGraphAddMemcpyNodeFromSymbol(&node, graph, nullptr, 0, &host,
                                             shadow, 4, 1, out)),
      VALUE(cudaGraphMemcpyNodeSetParamsToSymbol(kernel, shadow, &host, 4, 0,
                                                 in)),
      VALUE(
          cudaGraphMemcpyNodeSetParamsToSymbol(copy, shadow, &host, 0, 0, in)),
      LINE(cudaErrorInvalidSymbol,
           cudaGraphMemcpyNodeSetParamsToSymbol(copy, &host, &host, 4, 0, in)),
      VALUE(cudaGraphMemcpyNodeSetParamsFromSymbol(copy, nullptr, shadow, 4, 0,
                                                   out)),
      VALUE(cudaGraphMemcpyNodeSetParamsFromSymbol(goneNode, &host, shadow, 4,
                                                   0, out)),
      VALUE(cudaGraphExecMemcpyNodeSetParamsToSymbol(nullptr, copy, shadow,
                                                     &host, 4, 0, in)),
      VALUE(cudaGraphExecMemcpyNodeSetParamsToSymbol(goneExec, copy, shadow,
                                                     &host, 4, 0, in)),
      VALUE(cudaGraphExecMemcpyNodeSetParamsFromSymbol(nullptr, copy, &host,
                                                       shadow, 4, 0, out)),
      VALUE(cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, copy, nullptr,
                                                       shadow, 4, 0, out)),
      // Events
      VALUE(cudaGraphAddEventRecordNode(nullptr, graph, nullptr, 0, event)),
      VALUE(cudaGraphAddEventRecordNode(&node, gone, nullptr, 0, event)),
      VALUE(cudaGraphAddEventRecordNode(&node, graph, nullptr, 0, nullptr)),
      VALUE(cudaGraphAddEventRecordNode(&node, graph, nullptr, 0, goneEvent)),
      VALUE(cudaGraphAddEventWaitNode(nullptr, graph, nullptr, 0, event)),
      VALUE(cudaGraphAddEventWaitNode(&node, graph, &foreign, 1, event)),
      VALUE(cudaGraphAddEventWaitNode(&node, graph, nullptr, 0, goneEvent)),
      VALUE(cudaGraphEventRecordNodeGetEvent(record, nullptr)),
      VALUE(cudaGraphEventRecordNodeGetEvent(wait, &asked)),
      VALUE(cudaGraphEventWaitNodeGetEvent(wait, nullptr)),
      VALUE(cudaGraphEventWaitNodeGetEvent(record, &asked)),
      VALUE(cudaGraphEventRecordNodeSetEvent(wait, event)),
      VALUE(cudaGraphEventRecordNodeSetEvent(record, goneEvent)),
      VALUE(cudaGraphEventWaitNodeSetEvent(record, event)),
      VALUE(cudaGraphEventWaitNodeSetEvent(goneNode, event)),
      VALUE(cudaGraphExecEventRecordNodeSetEvent(nullptr, record, event)),
      VALUE(cudaGraphExecEventRecordNodeSetEvent(goneExec, record, event)),
      VALUE(cudaGraphExecEventRecordNodeSetEvent(exec, wait, event)),
      VALUE(cudaGraphExecEventWaitNodeSetEvent(nullptr, wait, event)),
      VALUE(cudaGraphExecEventWaitNodeSetEvent(exec, wait, goneEvent)),
      // Memory
      VALUE(cudaGraphAddMemAllocNode(nullptr, graph, nullptr, 0, &allocate)),
      VALUE(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, nullptr)),
      VALUE(cudaGraphAddMemAllocNode(&node, gone, nullptr, 0, &allocate)),
      VALUE(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &noBytes)),
      VALUE(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &noDevice)),
      VALUE(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &noPlace)),
      REFUSED(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &shared)),
      VALUE(cudaGraphMemAllocNodeGetParams(allocation, nullptr)),
      VALUE(cudaGraphMemAllocNodeGetParams(kernel, &read)),
      VALUE(cudaGraphAddMemFreeNode(nullptr, graph, nullptr, 0, memory)),
      VALUE(cudaGraphAddMemFreeNode(&node, graph, nullptr, 0, nullptr)),
      VALUE(cudaGraphAddMemFreeNode(&node, graph, nullptr, 0, memory)),
      VALUE(cudaGraphAddMemFreeNode(&node, gone, nullptr, 0, allocate.dptr)),
      VALUE(cudaGraphMemFreeNodeGetParams(allocation, &freed)),
      VALUE(cudaGraphMemFreeNodeGetParams(kernel, nullptr)),
      DEVICE(cudaDeviceGraphMemTrim(77)),
      DEVICE(cudaDeviceGetGraphMemAttribute(-1, cudaGraphMemAttrUsedMemHigh,
                                            &number)),
      VALUE(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh,
                                           nullptr)),
      VALUE(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttributeType(9),
                                           &number)),
      VALUE(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh,
                                           &number)),
      VALUE(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh,
                                           nullptr)),
      DEVICE(cudaDeviceSetGraphMemAttribute(77, cudaGraphMemAttrUsedMemHigh,
                                            &flags)),
      VALUE(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent,
                                           &flags)),
      // Attributes
      VALUE(cudaGraphKernelNodeGetAttribute(
          kernel, cudaLaunchAttributeCooperative, nullptr)),
      VALUE(cudaGraphKernelNodeGetAttribute(
          nodes[0], cudaLaunchAttributeCooperative, &value)),
      VALUE(cudaGraphKernelNodeGetAttribute(
          kernel, cudaLaunchAttributeSynchronizationPolicy, &value)),
      VALUE(cudaGraphKernelNodeSetAttribute(
          kernel, cudaLaunchAttributeCooperative, nullptr)),
      VALUE(cudaGraphKernelNodeSetAttribute(
          goneNode, cudaLaunchAttributeCooperative, &value)),
      VALUE(cudaGraphKernelNodeSetAttribute(kernel, cudaLaunchAttributeID(77),
                                            &value)),
      VALUE(cudaGraphKernelNodeCopyAttributes(kernel, nodes[0])),
      VALUE(cudaGraphKernelNodeCopyAttributes(nodes[0], kernel)),
      VALUE(cudaGraphNodeSetEnabled(nullptr, kernel, 0)),
      VALUE(cudaGraphNodeSetEnabled(goneExec, kernel, 0)),
      VALUE(cudaGraphNodeSetEnabled(exec, nodes[0], 0)),
      VALUE(cudaGraphNodeSetEnabled(exec, foreign, 0)),
      VALUE(cudaGraphNodeGetEnabled(exec, kernel, nullptr)),
      VALUE(cudaGraphNodeGetEnabled(goneExec, kernel, &enabled)),
      VALUE(cudaGraphNodeGetEnabled(exec, record, &enabled)),
      VALUE(cudaGraphExecGetFlags(exec, nullptr)),
      VALUE(cudaGraphExecGetFlags(goneExec, &flags)),
      VALUE(cudaGraphInstantiateWithParams(&goneExec, graph, nullptr)),
      VALUE(cudaGraphInstantiateWithParams(nullptr, graph, &instantiate)),
      VALUE(cudaGraphInstantiateWithParams(&goneExec, gone, &instantiate)),
      VALUE(cudaGraphInstantiateWithParams(&goneExec, graph, &wrongFlags)),
      HANDLE(cudaGraphInstantiateWithParams(&goneExec, graph, &goneUpload)),
      // Objects
      VALUE(cudaUserObjectCreate(
          nullptr, nullptr, [](void *) {}, 1, 1)),
      VALUE(cudaUserObjectCreate(&object, nullptr, nullptr, 1, 1)),
      VALUE(cudaUserObjectCreate(
          &object, nullptr, [](void *) {}, 0, 1)),
      VALUE(cudaUserObjectCreate(
          &object, nullptr, [](void *) {}, 1, 0)),
      VALUE(cudaUserObjectRetain(nullptr, 1)),
      VALUE(cudaUserObjectRetain(goneObject, 1)),
      VALUE(cudaUserObjectRetain(object, 0)),
      VALUE(cudaUserObjectRelease(goneObject, 1)),
      VALUE(cudaUserObjectRelease(object, 2)),
      VALUE(cudaGraphRetainUserObject(gone, object, 1, 0)),
      VALUE(cudaGraphRetainUserObject(graph, goneObject, 1, 0)),
      VALUE(cudaGraphRetainUserObject(graph, object, 1, 4)),
      VALUE(cudaGraphRetainUserObject(graph, object, 2, 1)),
      VALUE(cudaGraphReleaseUserObject(graph, object, 1)),
      VALUE(cudaGraphReleaseUserObject(gone, object, 1)),
      // Captures
      VALUE(cudaThreadExchangeStreamCaptureMode(nullptr)),
      VALUE(cudaThreadExchangeStreamCaptureMode(&noMode)),
      HANDLE(cudaStreamUpdateCaptureDependencies(goneStream, nodes, nullptr, 1,
                                                 0)),
      LINE(cudaErrorIllegalState,
           cudaStreamUpdateCaptureDependencies(stream, nodes, nullptr, 1, 7)),
      REFUSED(cudaStreamUpdateCaptureDependencies(stream, nodes, &programmatic,
                                                  1, 0)),
      LINE(cudaErrorIllegalState,
           cudaStreamUpdateCaptureDependencies(stream, nodes, nullptr, 1, 0)),
  });
  // None of them has left a node, and what is left can be given back.
  ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 7u);
  EXPECT_EQ(cudaUserObjectRelease(object, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  for (cudaGraph_t each : {graph, other, child, holder})
    EXPECT_EQ(cudaGraphDestroy(each), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

} // namespace
