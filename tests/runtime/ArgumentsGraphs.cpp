//===- ArgumentsGraphs.cpp - wrong arguments: graphs and capture ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include <thread>

using namespace cufort;

extern "C" cudaError_t
cudaStreamGetCaptureInfo_v2(cudaStream_t stream, int *status,
                            unsigned long long *id, cudaGraph_t *graph,
                            const cudaGraphNode_t **after, size_t *count);

namespace {

TEST(Arguments, OfGraphs) {
  Things t;
  char *const m = t.memory;
  char *const h = t.host;
  // A graph with two nodes, and one whose node is no part of it.
  cudaGraph_t graph, other;
  cudaGraphNode_t nodes[2], foreign;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphCreate(&other, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddEmptyNode(&nodes[0], graph, nullptr, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddEmptyNode(&nodes[1], graph, nodes, 1), cudaSuccess);
  ASSERT_EQ(cudaGraphAddEmptyNode(&foreign, other, nullptr, 0), cudaSuccess);
  // Its address must not be that of a graph made since.
  ASSERT_EQ(cudaGraphCreate(&t.goneGraph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(t.goneGraph), cudaSuccess);
  cudaGraphNode_t twice[2] = {nodes[0], nodes[0]};
  int value = 1, count = 4;
  void *parameters[] = {&t.memory, &value, &count};
  const auto kernelOf = [&](const void *stub, dim3 grid, dim3 block,
                            unsigned shared = 0) {
    return cudaKernelNodeParams{
        const_cast<void *>(stub), grid, block, shared, parameters, nullptr};
  };
  const cudaKernelNodeParams good =
      kernelOf(&testimage::setStub, {1, 1, 1}, {4, 1, 1});
  const cudaKernelNodeParams unknown =
      kernelOf(t.noKernel, {1, 1, 1}, {1, 1, 1});
  const cudaKernelNodeParams noGrid =
      kernelOf(&testimage::setStub, {0, 1, 1}, {1, 1, 1});
  const cudaKernelNodeParams bigBlock =
      kernelOf(&testimage::setStub, {1, 1, 1}, {1025, 1, 1});
  cudaKernelNodeParams noParameters = good;
  noParameters.kernelParams = nullptr;
  const cudaMemsetParams fill{m, 0, 1, 4, 16, 1},
      noMemory{nullptr, 0, 1, 4, 16, 1}, oddElement{m, 0, 1, 3, 16, 1},
      tooLong{m, 0, 1, 4, 1025, 1}, narrowPitch{m, 8, 1, 4, 4, 2},
      noWidth{m, 0, 1, 4, 0, 1};
  const cudaHostNodeParams call{[](void *) {}, nullptr},
      noCall{nullptr, nullptr};
  cudaGraphExecUpdateResultInfo update;
  unsigned long long id;

  checkCalls(
      t,
      {
          // Kernels
          VALUE(cudaGraphAddKernelNode(nullptr, graph, nullptr, 0, &good)),
          VALUE(cudaGraphAddKernelNode(&t.node, graph, nullptr, 0, nullptr)),
          VALUE(cudaGraphAddKernelNode(&t.node, nullptr, nullptr, 0, &good)),
          VALUE(
              cudaGraphAddKernelNode(&t.node, t.goneGraph, nullptr, 0, &good)),
          VALUE(cudaGraphAddKernelNode(&t.node, graph, nullptr, 1, &good)),
          VALUE(cudaGraphAddKernelNode(&t.node, graph, &foreign, 1, &good)),
          VALUE(cudaGraphAddKernelNode(&t.node, graph, nullptr, 0,
                                       &noParameters)),
          LINE(cudaErrorInvalidDeviceFunction,
               cudaGraphAddKernelNode(&t.node, graph, nullptr, 0, &unknown)),
          LINE(cudaErrorInvalidConfiguration,
               cudaGraphAddKernelNode(&t.node, graph, nullptr, 0, &noGrid)),
          LINE(cudaErrorInvalidConfiguration,
               cudaGraphAddKernelNode(&t.node, graph, nullptr, 0, &bigBlock)),
          // Copies
          VALUE(cudaGraphAddMemcpyNode1D(nullptr, graph, nullptr, 0, m, h, 16,
                                         ToDevice)),
          VALUE(cudaGraphAddMemcpyNode1D(&t.node, t.goneGraph, nullptr, 0, m, h,
                                         16, ToDevice)),
          VALUE(cudaGraphAddMemcpyNode1D(&t.node, graph, nullptr, 0, nullptr, h,
                                         16, ToDevice)),
          VALUE(cudaGraphAddMemcpyNode1D(&t.node, graph, nullptr, 0, m, nullptr,
                                         16, ToDevice)),
          VALUE(cudaGraphAddMemcpyNode1D(&t.node, graph, nullptr, 0, m, h, 4097,
                                         ToDevice)),
          VALUE(cudaGraphAddMemcpyNode1D(&t.node, graph, &foreign, 1, m, h, 16,
                                         ToDevice)),
          // Fills
          VALUE(cudaGraphAddMemsetNode(nullptr, graph, nullptr, 0, &fill)),
          VALUE(cudaGraphAddMemsetNode(&t.node, graph, nullptr, 0, nullptr)),
          VALUE(
              cudaGraphAddMemsetNode(&t.node, t.goneGraph, nullptr, 0, &fill)),
          VALUE(cudaGraphAddMemsetNode(&t.node, graph, &foreign, 1, &fill)),
          VALUE(cudaGraphAddMemsetNode(&t.node, graph, nullptr, 0, &noMemory)),
          VALUE(
              cudaGraphAddMemsetNode(&t.node, graph, nullptr, 0, &oddElement)),
          VALUE(cudaGraphAddMemsetNode(&t.node, graph, nullptr, 0, &tooLong)),
          VALUE(cudaGraphAddMemsetNode(&t.node, graph, nullptr, 0, &noWidth)),
          VALUE(
              cudaGraphAddMemsetNode(&t.node, graph, nullptr, 0, &narrowPitch)),
          // Host functions and graphs in graphs
          VALUE(cudaGraphAddHostNode(nullptr, graph, nullptr, 0, &call)),
          VALUE(cudaGraphAddHostNode(&t.node, graph, nullptr, 0, nullptr)),
          VALUE(cudaGraphAddHostNode(&t.node, graph, nullptr, 0, &noCall)),
          VALUE(cudaGraphAddHostNode(&t.node, t.goneGraph, nullptr, 0, &call)),
          VALUE(cudaGraphAddHostNode(&t.node, graph, &foreign, 1, &call)),
          VALUE(cudaGraphAddChildGraphNode(nullptr, graph, nullptr, 0, other)),
          VALUE(
              cudaGraphAddChildGraphNode(&t.node, graph, nullptr, 0, nullptr)),
          VALUE(cudaGraphAddChildGraphNode(&t.node, graph, nullptr, 0,
                                           t.goneGraph)),
          VALUE(cudaGraphAddChildGraphNode(&t.node, graph, nullptr, 0, graph)),
          VALUE(cudaGraphAddChildGraphNode(&t.node, graph, &foreign, 1, other)),
          VALUE(cudaGraphAddEmptyNode(&t.node, graph, &foreign, 1)),
          // New parameters: of no node, of another kind of node, wrong ones
          VALUE(cudaGraphKernelNodeSetParams(nullptr, &good)),
          VALUE(cudaGraphKernelNodeSetParams(nodes[0], &good)),
          VALUE(cudaGraphKernelNodeSetParams(nodes[0], nullptr)),
          LINE(cudaErrorInvalidDeviceFunction,
               cudaGraphKernelNodeSetParams(nodes[0], &unknown)),
          LINE(cudaErrorInvalidConfiguration,
               cudaGraphKernelNodeSetParams(nodes[0], &noGrid)),
          VALUE(cudaGraphExecKernelNodeSetParams(nullptr, nodes[0], &good)),
          VALUE(cudaGraphMemcpyNodeSetParams1D(nodes[0], m, h, 16, ToDevice)),
          VALUE(cudaGraphMemcpyNodeSetParams1D(nodes[0], m, nullptr, 16,
                                               ToDevice)),
          VALUE(cudaGraphExecMemcpyNodeSetParams1D(nullptr, nodes[0], m, h, 16,
                                                   ToDevice)),
          VALUE(cudaGraphMemsetNodeSetParams(nodes[0], &fill)),
          VALUE(cudaGraphMemsetNodeSetParams(nodes[0], nullptr)),
          VALUE(cudaGraphExecMemsetNodeSetParams(nullptr, nodes[0], &fill)),
          VALUE(cudaGraphHostNodeSetParams(nodes[0], &call)),
          VALUE(cudaGraphHostNodeSetParams(nodes[0], &noCall)),
          VALUE(cudaGraphExecHostNodeSetParams(nullptr, nodes[0], &call)),
          // Edges
          VALUE(cudaGraphAddDependencies(t.goneGraph, nodes, nodes + 1, 1)),
          VALUE(cudaGraphAddDependencies(graph, nullptr, nodes + 1, 1)),
          VALUE(cudaGraphAddDependencies(graph, nodes, nullptr, 1)),
          VALUE(cudaGraphAddDependencies(graph, nodes, &foreign, 1)),
          VALUE(cudaGraphAddDependencies(graph, nodes, nodes, 1)),
          VALUE(cudaGraphAddDependencies(graph, nodes, nodes + 1, 1)),
          VALUE(cudaGraphAddDependencies(graph, twice, twice, 2)),
          // Questions
          VALUE(cudaGraphGetRootNodes(graph, nullptr, nullptr)),
          VALUE(cudaGraphGetRootNodes(t.goneGraph, nullptr, &t.size)),
          VALUE(cudaGraphGetEdges(t.goneGraph, nullptr, nullptr, &t.size)),
          VALUE(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr)),
          VALUE(cudaGraphNodeGetType(nodes[0], nullptr)),
          VALUE(cudaGraphClone(nullptr, graph)),
          VALUE(cudaGraphDebugDotPrint(t.goneGraph, "/dev/null", 0)),
          VALUE(cudaGraphDestroy(nullptr)),
          // Executable graphs
          VALUE(cudaGraphInstantiateWithFlags(nullptr, graph, 0)),
          VALUE(cudaGraphInstantiateWithFlags(&t.pointer, t.goneGraph, 0)),
          VALUE(cudaGraphInstantiateWithFlags(&t.pointer, graph, 16)),
          VALUE(cudaGraphUpload(nullptr, t.stream)),
          HANDLE(cudaGraphUpload(t.exec, t.goneStream)),
          VALUE(cudaGraphLaunch(nullptr, t.stream)),
          VALUE(cudaGraphExecDestroy(nullptr)),
          VALUE(cudaGraphExecUpdate(t.goneExec, graph, &update)),
          VALUE(cudaGraphExecUpdate(t.exec, t.goneGraph, &update)),
          LINE(cudaErrorGraphExecUpdateFailure,
               cudaGraphExecUpdate(t.exec, graph, &update)),
          // Capture
          HANDLE(cudaStreamBeginCaptureToGraph(t.goneStream, graph, nullptr,
                                               nullptr, 0, 0)),
          VALUE(cudaStreamBeginCaptureToGraph(t.stream, nullptr, nullptr,
                                              nullptr, 0, 0)),
          VALUE(cudaStreamBeginCaptureToGraph(t.stream, t.goneGraph, nullptr,
                                              nullptr, 0, 0)),
          VALUE(cudaStreamBeginCaptureToGraph(t.stream, graph, nullptr, nullptr,
                                              1, 0)),
          VALUE(cudaStreamBeginCaptureToGraph(t.stream, graph, &foreign,
                                              nullptr, 1, 0)),
          VALUE(cudaStreamBeginCaptureToGraph(t.stream, graph, nullptr, nullptr,
                                              0, 7)),
          LINE(cudaErrorStreamCaptureUnsupported,
               cudaStreamBeginCaptureToGraph(nullptr, graph, nullptr, nullptr,
                                             0, 0)),
          VALUE(cudaStreamBeginCapture(t.stream, -1)),
          HANDLE(cudaStreamEndCapture(t.goneStream, &t.pointer)),
          HANDLE(cudaStreamIsCapturing(t.goneStream, &t.number)),
          VALUE(cudaStreamGetCaptureInfo(t.stream, nullptr, &id, nullptr,
                                         nullptr, nullptr, nullptr)),
          HANDLE(cudaStreamGetCaptureInfo(t.goneStream, &t.number, &id, nullptr,
                                          nullptr, nullptr, nullptr)),
          VALUE(cudaStreamGetCaptureInfo_v2(t.stream, nullptr, &id, nullptr,
                                            nullptr, nullptr)),
          HANDLE(cudaStreamGetCaptureInfo_v2(t.goneStream, &t.number, &id,
                                             nullptr, nullptr, nullptr)),
      });
  // None of them has left a node.
  ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &t.size), cudaSuccess);
  EXPECT_EQ(t.size, 2u);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(other), cudaSuccess);
}

// Waits and questions while a stream is captured, as CUDA 13 has them.
TEST(Arguments, OfWaitsInCaptures) {
  Things t;
  cudaEvent_t event;
  cudaStream_t other;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&other), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event, other), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(other), cudaSuccess);
  constexpr int Global = 0, ThreadLocal = 1, Relaxed = 2;
  // Whether \p call is refused, which ends the capture.
  const auto isRefused = [&](int mode, const std::function<cudaError_t()> &call,
                             bool inThread) {
    EXPECT_EQ(cudaStreamBeginCapture(t.stream, mode), cudaSuccess);
    cudaError_t error;
    if (inThread)
      std::thread([&] { error = call(); }).join();
    else
      error = call();
    cudaGraph_t graph = nullptr;
    const cudaError_t end = cudaStreamEndCapture(t.stream, &graph);
    EXPECT_EQ(end, error == cudaSuccess ? cudaSuccess
                                        : cudaErrorStreamCaptureInvalidated);
    if (graph)
      EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    cudaGetLastError();
    return error == cudaErrorStreamCaptureUnsupported;
  };
  const std::function<cudaError_t()> asks[] = {
      [&] { return cudaStreamSynchronize(other); },
      [&] { return cudaStreamQuery(other); },
      [&] { return cudaEventSynchronize(event); },
      [&] { return cudaEventQuery(event); }};
  for (const auto &ask : asks) {
    EXPECT_TRUE(isRefused(Global, ask, false));
    EXPECT_TRUE(isRefused(ThreadLocal, ask, false));
    EXPECT_FALSE(isRefused(Relaxed, ask, false));
    EXPECT_TRUE(isRefused(Global, ask, true));
    EXPECT_FALSE(isRefused(ThreadLocal, ask, true));
    EXPECT_FALSE(isRefused(Relaxed, ask, true));
  }
  for (int mode : {Global, ThreadLocal, Relaxed})
    for (bool inThread : {false, true})
      EXPECT_TRUE(isRefused(mode, cudaDeviceSynchronize, inThread));
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
}

TEST(Arguments, OfNodesTwiceAndMemoryWithin) {
  Things t;
  cudaGraph_t graph, memory;
  cudaGraphNode_t node;
  void *room;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddEmptyNode(&node, graph, nullptr, 0), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(t.stream, 0), cudaSuccess);
  ASSERT_EQ(cudaMallocAsync(&room, 64, t.stream), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(t.stream, &memory), cudaSuccess);
  const cudaGraphNode_t twice[] = {node, node};
  checkCalls(t, {
                    VALUE(cudaGraphAddEmptyNode(&t.node, graph, twice, 2)),
                    LINE(cudaErrorNotSupported,
                         cudaGraphAddChildGraphNode(&t.node, graph, nullptr, 0,
                                                    memory)),
                    LINE(cudaErrorIllegalState,
                         cudaEventRecordWithFlags(t.event, t.stream, 1)),
                });
  EXPECT_EQ(cudaGraphDestroy(memory), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

} // namespace
