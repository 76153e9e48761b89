//===- ArgumentsDriverCalls.cpp - wrong arguments: the driver's others ----===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of the driver API that the runtime API has as well: managed memory,
// batches, pools, attributes, nodes of any type, objects of the program's.
//
//===----------------------------------------------------------------------===//

#include "ArgumentsDriver.h"
#include <cstring>

namespace {

TEST_F(DriverArguments, OfManagedMemory) {
  CUdeviceptr managed = 0, nowhere = 0;
  ASSERT_EQ(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL),
            CUDA_SUCCESS);
  const CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0},
                      no = {CU_MEM_LOCATION_TYPE_DEVICE, 99},
                      nothing = {CU_MEM_LOCATION_TYPE_INVALID, 0};
  CUmemLocation place = here, absent = no;
  const auto readMostly = CU_MEM_ADVISE_SET_READ_MOSTLY;
  const auto attribute = CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY;
  CUmem_range_attribute attributes[] = {attribute};
  void *data[] = {&number};
  size_t four = 4, zero = 0, late = 5;
  auto lost = none<CUstream>();
  CUmemcpyAttributes copies = {CU_MEMCPY_SRC_ACCESS_ORDER_STREAM, here, here,
                               0};
  CUDA_MEMCPY3D_BATCH_OP box;
  CUDA_MEMCPY3D_PEER peer;
  std::memset(&box, 0, sizeof(box));
  std::memset(&peer, 0, sizeof(peer));
  CUmemoryPool pool = nullptr;
  CUmemAccess_flags flags;
  CUmemPoolPtrExportData shared{};
  const CUmemAccessDesc access = {no, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  const auto pinned = CU_MEM_ALLOCATION_TYPE_PINNED;
  const auto file = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  ASSERT_EQ(cuDeviceGetDefaultMemPool(&pool, 0), CUDA_SUCCESS);
  CUmemoryPool other = nullptr;
  check({
      VALUE(cuMemAdvise(0, 4096, readMostly, here)),
      VALUE(cuMemAdvise(managed, 0, readMostly, here)),
      VALUE(cuMemAdvise(managed, 4096, CUmem_advise(77), here)),
      VALUE(cuMemPrefetchAsync(0, 4096, here, 0, stream)),
      VALUE(cuMemPrefetchAsync(managed, 4096, here, 1, stream)),
      VALUE(cuMemPrefetchAsync(managed, 4096, nothing, 0, stream)),
      DEVICE(cuMemPrefetchAsync(managed, 4096, no, 0, stream)),
      HANDLE(cuMemPrefetchAsync(managed, 4096, here, 0, lost)),
      VALUE(cuMemRangeGetAttribute(nullptr, 4, attribute, managed, 4096)),
      VALUE(cuMemRangeGetAttribute(&number, 3, attribute, managed, 4096)),
      VALUE(cuMemRangeGetAttribute(&number, 4, attribute, 0, 4096)),
      VALUE(cuMemRangeGetAttributes(nullptr, &four, attributes, 1, managed,
                                    4096)),
      VALUE(cuMemRangeGetAttributes(data, &zero, attributes, 1, managed, 4096)),
      VALUE(cuMemcpyBatchAsync(nullptr, &memory, &four, 1, &copies, &zero, 1,
                               stream)),
      VALUE(cuMemcpyBatchAsync(&managed, &memory, &four, 1, &copies, &late, 1,
                               stream)),
      VALUE(cuMemcpyBatchAsync(&managed, &nowhere, &four, 1, &copies, &zero, 1,
                               stream)),
      HANDLE(cuMemcpyBatchAsync(&managed, &memory, &four, 1, &copies, &zero, 1,
                                lost)),
      VALUE(cuMemcpy3DBatchAsync(1, nullptr, 0, stream)),
      VALUE(cuMemcpy3DBatchAsync(1, &box, 0, stream)),
      VALUE(cuMemPrefetchBatchAsync(&managed, &four, 1, nullptr, &zero, 1, 0,
                                    stream)),
      VALUE(cuMemPrefetchBatchAsync(&managed, &four, 1, &absent, &zero, 1, 0,
                                    stream)),
      VALUE(cuMemDiscardBatchAsync(nullptr, &four, 1, 0, stream)),
      VALUE(cuMemDiscardBatchAsync(&memory, &four, 1, 0, stream)),
      VALUE(cuMemDiscardAndPrefetchBatchAsync(&memory, &four, 1, &place, &zero,
                                              1, 0, stream)),
      VALUE(cuMemcpy3DPeer(nullptr)),
      CONTEXT(cuMemcpy3DPeer(&peer)),
      VALUE(cuMemcpy3DPeerAsync(nullptr, stream)),
      CONTEXT(cuMemcpy3DPeerAsync(&peer, stream)),
      VALUE(cuMemsetD2D8Async(memory, 4, 1, 8, 8, stream)),
      HANDLE(cuMemsetD2D8Async(memory, 8, 1, 8, 8, lost)),
      VALUE(cuMemsetD2D16Async(memory, 3, 1, 1, 2, stream)),
      VALUE(cuMemsetD2D32Async(memory, 6, 1, 1, 2, stream)),
      VALUE(cuMemGetDefaultMemPool(nullptr, &place, pinned)),
      VALUE(cuMemGetDefaultMemPool(&other, nullptr, pinned)),
      VALUE(cuMemGetMemPool(nullptr, &place, pinned)),
      VALUE(cuMemSetMemPool(nullptr, pinned, pool)),
      VALUE(cuMemPoolSetAccess(nullptr, &access, 1)),
      VALUE(cuMemPoolSetAccess(pool, nullptr, 1)),
      VALUE(cuMemPoolGetAccess(nullptr, pool, &place)),
      VALUE(cuMemPoolGetAccess(&flags, nullptr, &place)),
      VALUE(cuMemPoolExportToShareableHandle(nullptr, pool, file, 0)),
      VALUE(cuMemPoolExportToShareableHandle(&number, pool, file, 1)),
      VALUE(cuMemPoolImportFromShareableHandle(nullptr, &number, file, 0)),
      VALUE(cuMemPoolImportFromShareableHandle(&other, &number, file, 1)),
      VALUE(cuMemPoolExportPointer(nullptr, memory)),
      VALUE(cuMemPoolExportPointer(&shared, 0)),
      VALUE(cuMemPoolImportPointer(nullptr, pool, &shared)),
      VALUE(cuMemPoolImportPointer(&nowhere, pool, nullptr)),
      VALUE(cuDeviceGetP2PAttribute(
          nullptr, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1)),
      DEVICE(cuDeviceGetP2PAttribute(
          &number, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 99)),
      DEVICE(cuDeviceGetP2PAttribute(
          &number, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 99, 0)),
  });
  EXPECT_EQ(cuMemFree(managed), CUDA_SUCCESS);
}

TEST_F(DriverArguments, OfNodesOfAnyType) {
  CUgraphNodeParams parameters{};
  CUgraphNode node = nullptr, made = nullptr;
  CUgraphExec exec = nullptr;
  CUgraphConditionalHandle condition;
  CUDA_GRAPH_INSTANTIATE_PARAMS instantiation{};
  CUgraphEdgeData edge{1, 0, 0, {}};
  CUkernelNodeAttrValue value{};
  CUuserObject object = nullptr;
  unsigned long long id;
  auto lost = none<CUstream>();
  auto noNode = none<CUgraphNode>();
  auto noGraph = none<CUgraph>();
  CUstreamCaptureMode mode = CUstreamCaptureMode(3); // none, but a value of it
  const auto destroy = [](void *) {};
  ASSERT_EQ(cuGraphAddEmptyNode(&node, graph, nullptr, 0), CUDA_SUCCESS);
  CUgraphNodeParams semaphore{}, unknown{}, kernel{}, copy{}, fill{};
  semaphore.type = CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT;
  const int noType = 99;
  std::memcpy(&unknown.type, &noType, sizeof(noType));
  kernel.type = CU_GRAPH_NODE_TYPE_KERNEL;
  copy.type = CU_GRAPH_NODE_TYPE_MEMCPY;
  fill.type = CU_GRAPH_NODE_TYPE_MEMSET;
  parameters.type = CU_GRAPH_NODE_TYPE_EMPTY;
  check({
      VALUE(cuGraphAddNode(nullptr, graph, nullptr, nullptr, 0, &parameters)),
      VALUE(cuGraphAddNode(&made, graph, nullptr, nullptr, 0, nullptr)),
      VALUE(cuGraphAddNode(&made, noGraph, nullptr, nullptr, 0, &parameters)),
      LINE(NOT_SUPPORTED,
           cuGraphAddNode(&made, graph, &node, &edge, 1, &parameters)),
      LINE(NOT_SUPPORTED,
           cuGraphAddNode(&made, graph, nullptr, nullptr, 0, &semaphore)),
      VALUE(cuGraphAddNode(&made, graph, nullptr, nullptr, 0, &unknown)),
      VALUE(cuGraphAddNode(&made, graph, nullptr, nullptr, 0, &kernel)),
      VALUE(cuGraphAddNode(&made, graph, nullptr, nullptr, 0, &copy)),
      VALUE(cuGraphAddNode(&made, graph, nullptr, nullptr, 0, &fill)),
      VALUE(cuGraphNodeSetParams(node, nullptr)),
      VALUE(cuGraphNodeSetParams(node, &parameters)),
      VALUE(cuGraphNodeSetParams(node, &kernel)),
      VALUE(cuGraphNodeSetParams(node, &copy)),
      VALUE(cuGraphNodeSetParams(node, &fill)),
      VALUE(cuGraphExecNodeSetParams(nullptr, node, nullptr)),
      VALUE(cuGraphExecNodeSetParams(nullptr, node, &kernel)),
      VALUE(cuGraphExecNodeSetParams(nullptr, node, &copy)),
      VALUE(cuGraphExecNodeSetParams(nullptr, node, &fill)),
      VALUE(cuGraphConditionalHandleCreate(nullptr, graph, nullptr, 0, 0)),
      VALUE(cuGraphConditionalHandleCreate(&condition, noGraph, nullptr, 0, 0)),
      VALUE(cuGraphInstantiateWithParams(nullptr, graph, &instantiation)),
      VALUE(cuGraphInstantiateWithParams(&exec, graph, nullptr)),
      VALUE(cuGraphKernelNodeCopyAttributes(node, noNode)),
      VALUE(cuGraphKernelNodeGetAttribute(
          node, CU_KERNEL_NODE_ATTRIBUTE_PRIORITY, nullptr)),
      VALUE(cuGraphKernelNodeSetAttribute(
          node, CU_KERNEL_NODE_ATTRIBUTE_PRIORITY, &value)),
      HANDLE(cuStreamGetAttribute(lost, CU_STREAM_ATTRIBUTE_PRIORITY, &value)),
      VALUE(
          cuStreamGetAttribute(stream, CU_STREAM_ATTRIBUTE_PRIORITY, nullptr)),
      VALUE(
          cuStreamSetAttribute(stream, CU_STREAM_ATTRIBUTE_PRIORITY, nullptr)),
      HANDLE(cuStreamCopyAttributes(lost, stream)),
      VALUE(cuStreamGetId(stream, nullptr)),
      HANDLE(cuStreamGetId(lost, &id)),
      VALUE(cuStreamGetDevice(stream, nullptr)),
      HANDLE(cuStreamGetDevice(lost, &number)),
      LINE(ILLEGAL_STATE,
           cuStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 0)),
      VALUE(cuStreamBeginCaptureToGraph(stream, noGraph, nullptr, nullptr, 0,
                                        CU_STREAM_CAPTURE_MODE_RELAXED)),
      VALUE(cuStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0,
                                        mode)),
      VALUE(cuThreadExchangeStreamCaptureMode(nullptr)),
      VALUE(cuThreadExchangeStreamCaptureMode(&mode)),
      VALUE(cuUserObjectCreate(nullptr, room, destroy, 1, 1)),
      VALUE(cuUserObjectCreate(&object, room, nullptr, 1, 1)),
      VALUE(cuUserObjectCreate(&object, room, destroy, 0, 1)),
      VALUE(cuUserObjectRetain(nullptr, 1)),
      VALUE(cuUserObjectRelease(nullptr, 1)),
      VALUE(cuGraphRetainUserObject(graph, nullptr, 1, 0)),
      VALUE(cuGraphReleaseUserObject(graph, nullptr, 1)),
  });
}

TEST_F(DriverArguments, OfFunctionsThatAreNone) {
  auto unknown = none<CUfunction>();
  CUfunctionLoadingState state;
  int block = 0;
  check({
      HANDLE(cuOccupancyMaxPotentialBlockSizeWithFlags(&number, &block, unknown,
                                                       nullptr, 0, 0, 0)),
      VALUE(cuOccupancyMaxPotentialBlockSizeWithFlags(&number, &block, unknown,
                                                      nullptr, 0, 0, 2)),
      HANDLE(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, unknown, 1, 32)),
      HANDLE(cuFuncGetParamInfo(unknown, 0, &bytes, nullptr)),
      HANDLE(cuFuncLoad(unknown)),
      HANDLE(cuFuncIsLoaded(&state, unknown)),
      VALUE(cuModuleGetLoadingMode(nullptr)),
  });
}

} // namespace
