//===- Graphs.cpp - graphs made by hand on the CPU engine -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaApi.h"
#include "TestImage.h"
#include <atomic>
#include <gtest/gtest.h>
#include <vector>

using namespace cufort;

namespace {

class Graphs : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(cudaMallocManaged(reinterpret_cast<void **>(&data), Count * 4, 1),
              cudaSuccess);
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    EXPECT_EQ(cudaFree(data), cudaSuccess);
    cudaGetLastError();
  }
  /// A kernel node that sets the first \p count elements to \p value.
  cudaGraphNode_t set(int value, int count,
                      std::vector<cudaGraphNode_t> after) {
    void *parameters[] = {&data, &value, &count};
    cudaKernelNodeParams p{&testimage::setStub, {4, 1, 1}, {32, 1, 1}, 0,
                           parameters,          nullptr};
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(
        cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &p),
        cudaSuccess);
    return node;
  }
  void run(int times = 1) {
    cudaGraphExec_t exec;
    ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    for (int i = 0; i < times; ++i)
      EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  }

  static constexpr int Count = 128;
  int *data = nullptr;
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
};

TEST_F(Graphs, ADiamondOfAllKinds) {
  int copy[Count] = {}, calls = 0;
  cudaGraphNode_t fill, left, right, host, empty;
  cudaMemsetParams p{data, 0, 7, 4, Count, 1};
  ASSERT_EQ(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &p), cudaSuccess);
  ASSERT_EQ(cudaGraphAddMemcpyNode1D(&left, graph, &fill, 1, copy, data,
                                     sizeof(copy), ToHost),
            cudaSuccess);
  cudaHostNodeParams call{[](void *n) { ++*static_cast<int *>(n); }, &calls};
  ASSERT_EQ(cudaGraphAddHostNode(&right, graph, &fill, 1, &call), cudaSuccess);
  cudaGraphNode_t both[] = {left, right};
  ASSERT_EQ(cudaGraphAddEmptyNode(&empty, graph, both, 2), cudaSuccess);
  ASSERT_EQ(cudaGraphAddHostNode(&host, graph, &empty, 1, &call), cudaSuccess);
  set(9, Count, {host});
  run(3);
  EXPECT_EQ(calls, 6);
  for (int i = 0; i < Count; ++i) {
    EXPECT_EQ(copy[i], 7);
    EXPECT_EQ(data[i], 9);
  }
  size_t nodes = 0, roots = 0, edges = 0;
  EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
  EXPECT_EQ(cudaGraphGetRootNodes(graph, nullptr, &roots), cudaSuccess);
  EXPECT_EQ(cudaGraphGetEdges(graph, nullptr, nullptr, &edges), cudaSuccess);
  EXPECT_EQ(nodes, 6u);
  EXPECT_EQ(roots, 1u);
  EXPECT_EQ(edges, 6u);
}

TEST_F(Graphs, ChildrenAreCopies) {
  cudaGraph_t child;
  ASSERT_EQ(cudaGraphCreate(&child, 0), cudaSuccess);
  cudaGraphNode_t inner, outer;
  cudaMemsetParams p{data, 0, 1, 4, Count, 1};
  ASSERT_EQ(cudaGraphAddMemsetNode(&inner, child, nullptr, 0, &p), cudaSuccess);
  cudaGraphNode_t first = set(5, Count, {});
  ASSERT_EQ(cudaGraphAddChildGraphNode(&outer, graph, &first, 1, child),
            cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(child), cudaSuccess);
  set(3, 10, {outer});
  run();
  for (int i = 0; i < Count; ++i)
    EXPECT_EQ(data[i], i < 10 ? 3 : 1);
}

TEST_F(Graphs, ACycleCannotBeInstantiated) {
  cudaGraphNode_t a = set(1, 1, {}), b = set(2, 1, {a});
  EXPECT_EQ(cudaGraphAddDependencies(graph, &b, &a, 1), cudaSuccess);
  cudaGraphExec_t exec;
  EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaErrorInvalidValue);
}

TEST_F(Graphs, WhatIsWrongWithANodeIsSaidWhenItIsAdded) {
  int value = 1, count = 1;
  void *parameters[] = {&data, &value, &count};
  cudaKernelNodeParams p{&testimage::setStub, {1, 1, 1}, {5000, 1, 1}, 0,
                         parameters,          nullptr};
  cudaGraphNode_t node = nullptr;
  EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &p),
            cudaErrorInvalidConfiguration);
  p.func = &testimage::unknownStub;
  EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &p),
            cudaErrorInvalidDeviceFunction);
  cudaGraphNode_t foreign = &node;
  EXPECT_EQ(cudaGraphAddEmptyNode(&node, graph, &foreign, 1),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, data, data,
                                     Count * 4 + 1, OnDevice),
            cudaErrorInvalidValue);
}

TEST_F(Graphs, AnUpdateSaysWhatDoesNotFit) {
  enum { Success, Error, TopologyChanged, TypeChanged };
  const cudaGraphNode_t first = set(1, Count, {});
  cudaGraphExec_t exec;
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  cudaGraphExecUpdateResultInfo information;
  EXPECT_EQ(cudaGraphExecUpdate(exec, graph, &information), cudaSuccess);
  EXPECT_EQ(information.result, Success);
  set(2, Count, {first});
  EXPECT_EQ(cudaGraphExecUpdate(exec, graph, &information),
            cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(information.result, TopologyChanged);
  EXPECT_EQ(information.errorNode, nullptr);
  cudaGraph_t empty;
  cudaGraphNode_t node;
  ASSERT_EQ(cudaGraphCreate(&empty, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddEmptyNode(&node, empty, nullptr, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphExecUpdate(exec, empty, &information),
            cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(information.result, TypeChanged);
  EXPECT_EQ(information.errorNode, node);
  EXPECT_EQ(cudaGraphDestroy(empty), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
}

TEST_F(Graphs, CapturesIntoAGraphThatThereIs) {
  cudaGraphNode_t first = set(5, Count, {});
  ASSERT_EQ(cudaStreamBeginCaptureToGraph(stream, graph, &first, nullptr, 1, 2),
            cudaSuccess);
  int value = 6, count = 20;
  void *parameters[] = {&data, &value, &count};
  ASSERT_EQ(cudaLaunchKernel(&testimage::setStub, {1, 1, 1}, {32, 1, 1},
                             parameters, 0, stream),
            cudaSuccess);
  cudaGraph_t same;
  ASSERT_EQ(cudaStreamEndCapture(stream, &same), cudaSuccess);
  EXPECT_EQ(same, graph);
  run();
  for (int i = 0; i < Count; ++i)
    EXPECT_EQ(data[i], i < 20 ? 6 : 5);
}

TEST_F(Graphs, TheDefaultStreamMayNotBeUsedMeanwhile) {
  cudaGraph_t captured;
  ASSERT_EQ(cudaStreamBeginCapture(stream, 2), cudaSuccess);
  EXPECT_EQ(cudaMemset(data, 0, 4), cudaErrorStreamCaptureImplicit);
  EXPECT_EQ(cudaStreamEndCapture(stream, &captured),
            cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(captured, nullptr);
  ASSERT_EQ(cudaStreamBeginCapture(stream, 0), cudaSuccess);
  void *memory;
  EXPECT_EQ(cudaMalloc(&memory, 4), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(stream, &captured),
            cudaErrorStreamCaptureInvalidated);
}

} // namespace
