//===- ArgumentsLaunches.cpp - wrong arguments: clusters, nodes' parameters
//===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

using namespace cufort;

namespace {

/// A launch of 16 x 2 blocks with one attribute.
struct Configuration {
  Configuration(unsigned x, unsigned y, unsigned z,
                cudaLaunchAttributeID id = cudaLaunchAttributeClusterDimension,
                dim3 block = {32, 1, 1}) {
    attribute.id = id;
    attribute.val.clusterDim = {x, y, z};
    launch.gridDim = {16, 2, 1};
    launch.blockDim = block;
    launch.attrs = &attribute;
    launch.numAttrs = 1;
  }
  cudaLaunchAttribute attribute{};
  cudaLaunchConfig_t launch{};
};

TEST(Arguments, OfClusters) {
  Things t;
  Configuration good(2, 2, 1), none(0, 1, 1), large(16, 1, 1),
      tooLarge(8, 4, 1), uneven(3, 1, 1), deep(1, 1, 2),
      unknown(1, 1, 1, cudaLaunchAttributeProgrammaticEvent),
      noBlock(2, 1, 1, cudaLaunchAttributeClusterDimension, {0, 1, 1});
  cudaLaunchConfig_t noAttributes = good.launch;
  noAttributes.attrs = nullptr;
  int n = 0;
  checkCalls(
      t,
      {
          VALUE(cudaLaunchKernelExC(&noAttributes, t.kernel, nullptr)),
          LINE(cudaErrorInvalidClusterSize,
               cudaLaunchKernelExC(&none.launch, t.kernel, nullptr)),
          LINE(cudaErrorInvalidDeviceFunction,
               cudaLaunchKernelExC(&good.launch, t.noKernel, nullptr)),
          LINE(cudaErrorInvalidClusterSize,
               cudaLaunchKernelExC(&large.launch, t.kernel, nullptr)),
          LINE(cudaErrorInvalidClusterSize,
               cudaLaunchKernelExC(&tooLarge.launch, t.kernel, nullptr)),
          LINE(cudaErrorInvalidClusterSize,
               cudaLaunchKernelExC(&uneven.launch, t.kernel, nullptr)),
          LINE(cudaErrorInvalidClusterSize,
               cudaLaunchKernelExC(&deep.launch, t.kernel, nullptr)),
          LINE(cudaErrorNotSupported,
               cudaLaunchKernelExC(&unknown.launch, t.kernel, nullptr)),
          VALUE(cudaFuncSetAttribute(t.kernel, 11, -1)),
          LINE(cudaErrorNotSupported, cudaFuncSetAttribute(t.kernel, 11, 2)),
          VALUE(cudaFuncSetAttribute(t.kernel, 15, 3)),
          LINE(cudaErrorInvalidDeviceFunction,
               cudaFuncSetAttribute(t.noKernel, 14, 1)),
          VALUE(cudaOccupancyMaxPotentialClusterSize(nullptr, t.kernel,
                                                     &good.launch)),
          VALUE(cudaOccupancyMaxPotentialClusterSize(&n, t.kernel, nullptr)),
          LINE(cudaErrorInvalidDeviceFunction,
               cudaOccupancyMaxPotentialClusterSize(&n, t.noKernel,
                                                    &good.launch)),
          VALUE(cudaOccupancyMaxPotentialClusterSize(&n, t.kernel,
                                                     &noBlock.launch)),
          VALUE(
              cudaOccupancyMaxActiveClusters(nullptr, t.kernel, &good.launch)),
          VALUE(cudaOccupancyMaxActiveClusters(&n, t.kernel, &noAttributes)),
          LINE(cudaErrorInvalidDeviceFunction,
               cudaOccupancyMaxActiveClusters(&n, t.noKernel, &good.launch)),
          LINE(cudaErrorInvalidClusterSize,
               cudaOccupancyMaxActiveClusters(&n, t.kernel, &tooLarge.launch)),
      });
  // The same kernel with a permission.
  EXPECT_EQ(cudaLaunchKernelExC(&good.launch, t.kernel, nullptr), cudaSuccess);
  EXPECT_EQ(cudaFuncSetAttribute(t.kernel, 14, 1), cudaSuccess);
  EXPECT_EQ(cudaOccupancyMaxPotentialClusterSize(&n, t.kernel, &good.launch),
            cudaSuccess);
  EXPECT_EQ(n, 16);
  EXPECT_EQ(cudaLaunchKernelExC(&large.launch, t.kernel, nullptr), cudaSuccess);
  EXPECT_EQ(cudaOccupancyMaxActiveClusters(&n, t.kernel, &large.launch),
            cudaSuccess);
  EXPECT_GE(n, 1);
  EXPECT_EQ(cudaFuncSetAttribute(t.kernel, 14, 0), cudaSuccess);
  EXPECT_EQ(cudaLaunchKernelExC(&large.launch, t.kernel, nullptr),
            cudaErrorInvalidClusterSize);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  cudaGetLastError();
}

TEST(Arguments, OfNodesParameters) {
  Things t;
  cudaGraph_t graph;
  cudaGraphNode_t empty;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0), cudaSuccess);
  // Its address must not be that of a graph made since.
  ASSERT_EQ(cudaGraphCreate(&t.goneGraph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(t.goneGraph), cudaSuccess);
  cudaMemcpy3DParms good{};
  good.srcPtr = {t.host, 64, 64, 4};
  good.dstPtr = {t.memory, 64, 64, 4};
  good.extent = {64, 4, 2};
  good.kind = ToDevice;
  cudaMemcpy3DParms noPlace = good, twoPlaces = good, nothing = good,
                    goneArray = good, tooLarge = good;
  noPlace.dstPtr.ptr = nullptr;
  twoPlaces.dstArray = t.array;
  nothing.extent.height = 0;
  goneArray.dstPtr.ptr = nullptr;
  goneArray.dstArray = t.goneArray;
  tooLarge.extent.depth = 100;
  cudaKernelNodeParams kernel;
  cudaMemcpy3DParms copy;
  cudaMemsetParams fill;
  cudaHostNodeParams call;
  checkCalls(
      t,
      {
          VALUE(cudaGraphAddMemcpyNode(nullptr, graph, nullptr, 0, &good)),
          VALUE(cudaGraphAddMemcpyNode(&t.node, graph, nullptr, 0, nullptr)),
          VALUE(
              cudaGraphAddMemcpyNode(&t.node, t.goneGraph, nullptr, 0, &good)),
          VALUE(cudaGraphAddMemcpyNode(&t.node, graph, nullptr, 1, &good)),
          VALUE(cudaGraphAddMemcpyNode(&t.node, graph, nullptr, 0, &noPlace)),
          VALUE(cudaGraphAddMemcpyNode(&t.node, graph, nullptr, 0, &twoPlaces)),
          VALUE(cudaGraphAddMemcpyNode(&t.node, graph, nullptr, 0, &nothing)),
          VALUE(cudaGraphAddMemcpyNode(&t.node, graph, nullptr, 0, &tooLarge)),
          HANDLE(
              cudaGraphAddMemcpyNode(&t.node, graph, nullptr, 0, &goneArray)),
          VALUE(cudaGraphMemcpyNodeSetParams(nullptr, &good)),
          VALUE(cudaGraphMemcpyNodeSetParams(empty, &good)),
          VALUE(cudaGraphMemcpyNodeSetParams(empty, nullptr)),
          VALUE(cudaGraphExecMemcpyNodeSetParams(nullptr, empty, &good)),
          VALUE(cudaGraphExecMemcpyNodeSetParams(t.exec, empty, &good)),
          VALUE(cudaGraphExecMemcpyNodeSetParams(t.exec, empty, nullptr)),
          VALUE(cudaGraphKernelNodeGetParams(nullptr, &kernel)),
          VALUE(cudaGraphKernelNodeGetParams(empty, &kernel)),
          VALUE(cudaGraphKernelNodeGetParams(empty, nullptr)),
          VALUE(cudaGraphMemcpyNodeGetParams(nullptr, &copy)),
          VALUE(cudaGraphMemcpyNodeGetParams(empty, &copy)),
          VALUE(cudaGraphMemcpyNodeGetParams(empty, nullptr)),
          VALUE(cudaGraphMemsetNodeGetParams(nullptr, &fill)),
          VALUE(cudaGraphMemsetNodeGetParams(empty, &fill)),
          VALUE(cudaGraphMemsetNodeGetParams(empty, nullptr)),
          VALUE(cudaGraphHostNodeGetParams(nullptr, &call)),
          VALUE(cudaGraphHostNodeGetParams(empty, &call)),
          VALUE(cudaGraphHostNodeGetParams(empty, nullptr)),
      });
  ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &t.size), cudaSuccess);
  EXPECT_EQ(t.size, 1u);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

} // namespace
