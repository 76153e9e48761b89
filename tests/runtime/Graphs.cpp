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

// As an H200 with CUDA 13 has it: nodes are paired from the ends of the graphs.
TEST_F(Graphs, AnUpdateFindsTheNodesByTheirDependencies) {
  enum { Success, Error, Topology, Type, Function, Parameters };
  cudaGraphExecUpdateResultInfo information;
  const auto update = [&](cudaGraphExec_t exec, cudaGraph_t other) {
    const cudaError_t error = cudaGraphExecUpdate(exec, other, &information);
    EXPECT_EQ(error, information.result == Success
                         ? cudaSuccess
                         : cudaErrorGraphExecUpdateFailure);
    return information.result;
  };
  struct Pair {
    cudaGraph_t graph;
    cudaGraphNode_t a, b;
    cudaGraphExec_t exec;
  };
  const auto pair = [&](int dependency) {
    EXPECT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess); // where set() adds
    Pair p{graph, nullptr, nullptr, nullptr};
    p.a = set(1, Count, {});
    p.b = set(2, Count, {});
    if (dependency)
      EXPECT_EQ(cudaGraphAddDependencies(p.graph, dependency > 0 ? &p.a : &p.b,
                                         dependency > 0 ? &p.b : &p.a, 1),
                cudaSuccess);
    EXPECT_EQ(cudaGraphInstantiate(&p.exec, p.graph, 0), cudaSuccess);
    return p;
  };
  const cudaGraph_t own = graph;
  const Pair apart = pair(0), forth = pair(1), back = pair(-1);
  graph = own;
  EXPECT_EQ(update(apart.exec, forth.graph), Topology);
  EXPECT_EQ(information.errorNode, nullptr);
  EXPECT_EQ(update(forth.exec, apart.graph), Topology);
  EXPECT_EQ(information.errorNode, apart.a);
  EXPECT_EQ(update(forth.exec, back.graph), Success);
  // Now it is what sets 1 that comes last, and is known as the other node.
  EXPECT_EQ(cudaGraphLaunch(forth.exec, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(data[0], 1);
  EXPECT_EQ(cudaGraphNodeSetEnabled(forth.exec, forth.b, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(forth.exec, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(data[0], 2);
  for (const Pair &each : {apart, forth, back}) {
    EXPECT_EQ(cudaGraphExecDestroy(each.exec), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(each.graph), cudaSuccess);
  }
}

// Lines stay lines, and the sides of copies where they are.
TEST_F(Graphs, AnUpdateKeepsWhatCopiesAndFillsAre) {
  int host[Count];
  const auto updated = [&](cudaGraph_t before, cudaGraph_t now) {
    cudaGraphExec_t exec;
    EXPECT_EQ(cudaGraphInstantiate(&exec, before, 0), cudaSuccess);
    cudaGraphExecUpdateResultInfo information;
    cudaGraphExecUpdate(exec, now, &information);
    EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
    return information.result;
  };
  const auto copy = [&](void *to, const void *from, cudaMemcpyKind kind) {
    cudaGraph_t made;
    cudaGraphNode_t node;
    EXPECT_EQ(cudaGraphCreate(&made, 0), cudaSuccess);
    EXPECT_EQ(
        cudaGraphAddMemcpyNode1D(&node, made, nullptr, 0, to, from, 64, kind),
        cudaSuccess);
    return made;
  };
  const auto fill = [&](size_t height) {
    cudaGraph_t made;
    cudaGraphNode_t node;
    const cudaMemsetParams p{data, 64, 1, 4, 16, height};
    EXPECT_EQ(cudaGraphCreate(&made, 0), cudaSuccess);
    EXPECT_EQ(cudaGraphAddMemsetNode(&node, made, nullptr, 0, &p), cudaSuccess);
    return made;
  };
  const auto child = [&](cudaGraph_t within) {
    cudaGraph_t made;
    cudaGraphNode_t node;
    EXPECT_EQ(cudaGraphCreate(&made, 0), cudaSuccess);
    EXPECT_EQ(cudaGraphAddChildGraphNode(&node, made, nullptr, 0, within),
              cudaSuccess);
    return made;
  };
  enum { Success, Type = 3, Parameters = 5 };
  const cudaGraph_t there = copy(data, host, ToDevice),
                    back = copy(host, data, ToHost), line = fill(1),
                    rows = fill(2), oneChild = child(there),
                    otherChild = child(line);
  EXPECT_EQ(updated(there, there), Success);
  EXPECT_EQ(updated(there, back), Parameters);
  EXPECT_EQ(updated(line, line), Success);
  EXPECT_EQ(updated(line, rows), Parameters);
  EXPECT_EQ(updated(rows, line), Parameters);
  EXPECT_EQ(updated(oneChild, oneChild), Success);
  EXPECT_EQ(updated(oneChild, otherChild), Type);
  for (const cudaGraph_t each : {there, back, line, rows, oneChild, otherChild})
    EXPECT_EQ(cudaGraphDestroy(each), cudaSuccess);
}

// Memory of a graph is nobody's before a launch, and freed once by a graph.
TEST_F(Graphs, MemoryOfAGraphIsThereWithItsLaunch) {
  cudaGraph_t owner, freeing;
  cudaGraphExec_t exec;
  cudaGraphNode_t node;
  void *memory;
  ASSERT_EQ(cudaStreamBeginCapture(stream, 2), cudaSuccess);
  ASSERT_EQ(cudaMallocAsync(&memory, 64, stream), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(memory, 0, 64, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(stream, &owner), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&exec, owner, 0), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(memory, 0, 64, stream), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(memory), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(memory, 0, 64, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  ASSERT_EQ(cudaGraphCreate(&freeing, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphAddMemFreeNode(&node, freeing, nullptr, 0, memory),
            cudaSuccess);
  EXPECT_EQ(cudaGraphAddMemFreeNode(&node, freeing, nullptr, 0, memory),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphAddMemFreeNode(&node, owner, nullptr, 0, memory),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphDestroy(freeing), cudaSuccess);
  EXPECT_EQ(cudaGraphAddMemFreeNode(&node, owner, nullptr, 0, memory),
            cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(owner), cudaSuccess);
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
