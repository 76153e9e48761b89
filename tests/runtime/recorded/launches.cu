//===- launches.cu - launches and attributes of kernels --------*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"
#include "Work.h"

__global__ void fixed(int *values) {
  __shared__ int shared[4096];
  shared[threadIdx.x] = 1;
  __syncthreads();
  if (values)
    values[threadIdx.x] = shared[threadIdx.x ^ 1];
}
static void hostFunction() {}

static cudaError_t
launchWith(const void *kernel, dim3 grid, dim3 block, size_t shared,
           std::initializer_list<cudaLaunchAttribute> attributes) {
  int *nothing = nullptr;
  void *arguments[] = {&nothing, &nothing};
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = grid;
  configuration.blockDim = block;
  configuration.dynamicSmemBytes = shared;
  configuration.attrs = const_cast<cudaLaunchAttribute *>(attributes.begin());
  configuration.numAttrs = unsigned(attributes.size());
  return cudaLaunchKernelExC(&configuration, kernel, arguments);
}
static cudaLaunchAttribute cluster(unsigned x, unsigned y, unsigned z) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = x;
  attribute.val.clusterDim.y = y;
  attribute.val.clusterDim.z = z;
  return attribute;
}
static cudaLaunchAttribute attribute(int id, int value) {
  cudaLaunchAttribute attribute{};
  attribute.id = (cudaLaunchAttributeID)id;
  attribute.val.cooperative = value;
  return attribute;
}

/// Grids, blocks, shared memory and what is no kernel.
static void launches() {
  allocate();
  CALL(launch(nullptr, 1, 1));
  CALL(launch(entry(hostFunction), 1, 1));
  CALL(launch(entry(pageableMemory), 1, 1));
  CALL(launch(entry(empty), 0, 1));
  CALL(launch(entry(empty), 1, 0));
  CALL(launch(entry(empty), dim3(1, 0), 1));
  CALL(launch(entry(empty), dim3(1, 1, 0), 1));
  CALL(launch(entry(empty), 1, dim3(1, 0)));
  CALL(launch(entry(empty), 1, 1025));
  CALL(launch(entry(empty), 1, dim3(33, 32)));
  CALL(launch(entry(empty), 1, dim3(1, 1025)));
  CALL(launch(entry(empty), 1, dim3(1, 1, 65)));
  CALL(launch(entry(empty), dim3(1, 65535), 1));
  CALL(launch(entry(empty), dim3(1, 65536), 1));
  CALL(launch(entry(empty), dim3(1, 1, 65536), 1));
  CALL(launch(entry(empty), dim3(2147483648u), 1));
  CALL(launch(entry(bounded), 1, 128));
  CALL(launch(entry(bounded), 1, 129));
  CALL(launch(entry(bounded), 1, 1024));
  CALL(launch(nullptr, 0, 1));
  CALL(launch(entry(hostFunction), 0, 1));

  CALL(cudaLaunchKernel(entry(set), 0, 1, nullptr, 0, 0));
  CALL(cudaLaunchKernel(entry(empty), 1, 1, nullptr, 0, 0));

  CALL(launch(entry(dynamic), 1, 32, 48 << 10));
  CALL(launch(entry(dynamic), 1, 32, (48 << 10) + 1));
  CALL(launch(entry(dynamic), 1, 32, 100 << 10));
  CALL(launch(entry(dynamic), 1, 32, 227 << 10));
  CALL(launch(entry(dynamic), 1, 32, (227 << 10) + 1));
  CALL(launch(entry(dynamic), 1, 32, 1 << 30));
  CALL(launch(entry(dynamic), 1, 32, Huge));
  CALL(launch(entry(dynamic), 1, 32, size_t(-1)));
  CALL(launch(entry(dynamic), 1, 32, size_t(1) << 32));
  CALL(launch(entry(empty), 1, 32, (48 << 10) + 1));
  CALL(launch(entry(fixed), 1, 32, 32 << 10));
  CALL(launch(entry(fixed), 1, 32, (32 << 10) + 1));
  CALL(launch(entry(dynamic), 0, 32, 1 << 30));
  CALL(launch(entry(dynamic), 1, 2000, 1 << 30));

  CALL(cudaFuncSetAttribute(
      entry(dynamic), cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
  CALL(launch(entry(dynamic), 1, 32, 100 << 10));
  CALL(launch(entry(dynamic), 1, 32, (100 << 10) + 1));
  CALL(cudaFuncSetAttribute(
      entry(dynamic), cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10));
  CALL(launch(entry(dynamic), 1, 32, 227 << 10));
  CALL(cudaFuncSetAttribute(entry(dynamic),
                            cudaFuncAttributeMaxDynamicSharedMemorySize,
                            (227 << 10) + 1));
  CALL(launch(entry(dynamic), 1, 32, 227 << 10));
  CALL(launch(entry(dynamic), 1, 32, (227 << 10) + 1));
  CALL(cudaFuncSetAttribute(entry(dynamic),
                            cudaFuncAttributeMaxDynamicSharedMemorySize, 1000));
  CALL(launch(entry(dynamic), 1, 32, 1000));
  CALL(launch(entry(dynamic), 1, 32, 2000));
  CALL(launch(entry(dynamic), 1, 32, 48 << 10));
  CALL(launch(entry(dynamic), 1, 32, (48 << 10) + 4));
  CALL(cudaFuncSetAttribute(entry(dynamic),
                            cudaFuncAttributeMaxDynamicSharedMemorySize, 0));
  CALL(launch(entry(dynamic), 1, 32, 64));
  CALL(cudaFuncSetAttribute(entry(dynamic),
                            cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
  CALL(cudaFuncSetAttribute(
      entry(dynamic), cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 30));

  CALL(cudaFuncSetAttribute(
      entry(fixed), cudaFuncAttributeMaxDynamicSharedMemorySize, 211 << 10));
  CALL(launch(entry(fixed), 1, 32, 211 << 10));
  CALL(cudaFuncSetAttribute(entry(fixed),
                            cudaFuncAttributeMaxDynamicSharedMemorySize,
                            (211 << 10) + 1));
  CALL(cudaFuncSetAttribute(
      entry(fixed), cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10));

  CALL(cudaFuncSetAttribute(
      entry(dynamic), cudaFuncAttributePreferredSharedMemoryCarveout, 101));
  CALL(cudaFuncSetAttribute(
      entry(dynamic), cudaFuncAttributePreferredSharedMemoryCarveout, -1));
  CALL(cudaFuncSetAttribute(
      entry(dynamic), cudaFuncAttributePreferredSharedMemoryCarveout, -2));
  CALL(cudaFuncSetAttribute(
      entry(dynamic), cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  CALL(cudaFuncSetAttribute(entry(dynamic), (cudaFuncAttribute)77, 1));
  CALL(cudaFuncSetAttribute(entry(dynamic), (cudaFuncAttribute)0, 1));
  CALL(cudaFuncSetAttribute(entry(hostFunction),
                            cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
  CALL(cudaFuncSetAttribute(nullptr,
                            cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
  for (int a = 10; a < 16; ++a) {
    for (int x : {-1, 0, 1, 2}) {
      called(
          [&] {
            return cudaFuncSetAttribute(entry(empty), (cudaFuncAttribute)a, x);
          },
          "cudaFuncSetAttribute(empty, %d, %d)", a, x);
    }
  }

  cudaFuncAttributes attributes;
  CALL(cudaFuncGetAttributes(nullptr, entry(empty)));
  CALL(cudaFuncGetAttributes(&attributes, nullptr));
  CALL(cudaFuncGetAttributes(&attributes, entry(hostFunction)));
  CALL(cudaFuncGetAttributes(&attributes, entry(pageableMemory)));
  CALL(cudaFuncGetAttributes(nullptr, entry(pageableMemory)));
  CALL(cudaFuncSetCacheConfig(entry(empty), (cudaFuncCache)5));
  CALL(cudaFuncSetCacheConfig(entry(hostFunction), (cudaFuncCache)1));
  CALL(cudaFuncSetCacheConfig(nullptr, (cudaFuncCache)1));
  CALL(cudaFuncSetSharedMemConfig(entry(empty), (cudaSharedMemConfig)5));
  const char *name;
  CALL(cudaFuncGetName(nullptr, entry(empty)));
  CALL(cudaFuncGetName(&name, entry(pageableMemory)));
  CALL(cudaFuncGetName(&name, nullptr));
  cudaFunction_t function;
  CALL(cudaGetFuncBySymbol(&function, entry(pageableMemory)));
  CALL(cudaGetFuncBySymbol(nullptr, entry(empty)));
  size_t offset, bytes;
  CALL(cudaFuncGetParamInfo(entry(set), 0, &offset, &bytes));
  CALL(cudaFuncGetParamInfo(entry(set), 2, &offset, &bytes));
  CALL(cudaFuncGetParamInfo(entry(set), 0, nullptr, &bytes));
  CALL(cudaFuncGetParamInfo(entry(set), 0, &offset, nullptr));
}

/// Clusters, cooperative launches and others with attributes.
static void attributes() {
  allocate();
  cudaLaunchConfig_t configuration{};
  CALL(cudaLaunchKernelExC(nullptr, entry(empty), nullptr));
  CALL(cudaLaunchKernelExC(&configuration, entry(empty), nullptr));
  configuration.gridDim = 1;
  configuration.blockDim = 1;
  CALL(cudaLaunchKernelExC(&configuration, entry(empty), nullptr));
  configuration.numAttrs = 1;
  CALL(cudaLaunchKernelExC(&configuration, entry(empty), nullptr));
  configuration.numAttrs = 0;
  CALL(cudaLaunchKernelExC(&configuration, nullptr, nullptr));

  CALL(launchWith(entry(empty), 4, 32, 0, {cluster(0, 1, 1)}));
  CALL(launchWith(entry(empty), 4, 32, 0, {cluster(2, 1, 1)}));
  CALL(launchWith(entry(empty), 4, 32, 0, {cluster(3, 1, 1)}));
  CALL(launchWith(entry(empty), 16, 32, 0, {cluster(8, 1, 1)}));
  CALL(launchWith(entry(empty), 16, 32, 0, {cluster(9, 1, 1)}));
  CALL(launchWith(entry(empty), 16, 32, 0, {cluster(16, 1, 1)}));
  CALL(launchWith(entry(empty), dim3(4, 4, 4), 32, 0, {cluster(2, 2, 2)}));
  CALL(launchWith(entry(empty), dim3(4, 4, 4), 32, 0, {cluster(4, 2, 2)}));
  CALL(launchWith(entry(empty), 4, 32, 0, {cluster(1, 2, 1)}));
  CALL(launchWith(entry(empty), 4, 2000, 0, {cluster(2, 1, 1)}));
  CALL(launchWith(entry(empty), 4, 32, 0, {attribute(99, 1)}));
  CALL(launchWith(entry(empty), 4, 32, 0, {attribute(0, 1)}));
  CALL(launchWith(entry(empty), 4, 32, 0,
                  {attribute(cudaLaunchAttributeCooperative, 1)}));
  CALL(launchWith(entry(empty), 1 << 20, 32, 0,
                  {attribute(cudaLaunchAttributeCooperative, 1)}));
  CALL(launchWith(entry(empty), 4, 32, 0,
                  {attribute(cudaLaunchAttributeCooperative, 2)}));
  CALL(launchWith(entry(empty), 4, 32, 0,
                  {attribute(cudaLaunchAttributePriority, 77)}));
  CALL(launchWith(
      entry(empty), 4, 32, 0,
      {attribute(cudaLaunchAttributeProgrammaticStreamSerialization, 1)}));
  CALL(launchWith(
      entry(empty), 4, 32, 0,
      {attribute(cudaLaunchAttributeClusterSchedulingPolicyPreference, 9)}));
  CALL(launchWith(entry(empty), 4, 32, 0,
                  {attribute(cudaLaunchAttributeSynchronizationPolicy, 9)}));
  CALL(launchWith(entry(dynamic), 4, 32, (48 << 10) + 4, {cluster(2, 1, 1)}));

  void *noArguments[] = {nullptr};
  CALL(cudaLaunchCooperativeKernel(entry(empty), 1, 1, noArguments, 0, 0));
  CALL(
      cudaLaunchCooperativeKernel(entry(empty), 1 << 20, 1, noArguments, 0, 0));
  CALL(cudaLaunchCooperativeKernel(entry(empty), 0, 1, noArguments, 0, 0));
  CALL(cudaLaunchCooperativeKernel(entry(empty), 1, 2000, noArguments, 0, 0));
  CALL(cudaLaunchCooperativeKernel(entry(pageableMemory), 1, 1, noArguments, 0,
                                   0));
  CALL(cudaLaunchCooperativeKernel(nullptr, 1, 1, noArguments, 0, 0));
  CALL(cudaLaunchCooperativeKernel(entry(dynamic), 1, 1, noArguments, Huge, 0));
  int *nowhere = nullptr;
  void *arguments[] = {&nowhere};
  CALL(cudaLaunchCooperativeKernel(entry(dynamic), 1, 32, arguments,
                                   (48 << 10) + 4, 0));

  cudaLaunchConfig_t clusters{};
  clusters.gridDim = 4;
  clusters.blockDim = 32;
  auto wanted = cluster(2, 1, 1);
  clusters.attrs = &wanted;
  clusters.numAttrs = 1;
  CALL(cudaOccupancyMaxActiveClusters(nullptr, entry(empty), &clusters));
  CALL(cudaOccupancyMaxActiveClusters(&number, entry(empty), nullptr));
  CALL(cudaOccupancyMaxActiveClusters(&number, entry(pageableMemory),
                                      &clusters));
  CALL(cudaOccupancyMaxActiveClusters(&number, entry(empty), &clusters));
  clusters.numAttrs = 0;
  CALL(cudaOccupancyMaxActiveClusters(&number, entry(empty), &clusters));
  clusters.blockDim = 2000;
  CALL(cudaOccupancyMaxActiveClusters(&number, entry(empty), &clusters));
  clusters.blockDim = 0;
  CALL(cudaOccupancyMaxPotentialClusterSize(&number, entry(empty), &clusters));
  clusters.blockDim = 32;
  CALL(cudaOccupancyMaxPotentialClusterSize(&number, entry(empty), &clusters));
  VALUE(number);
  CALL(cudaOccupancyMaxPotentialClusterSize(nullptr, entry(empty), &clusters));
  wanted = cluster(3, 1, 1);
  clusters.numAttrs = 1;
  CALL(cudaOccupancyMaxActiveClusters(&number, entry(empty), &clusters));
  wanted = cluster(16, 1, 1);
  clusters.gridDim = 16;
  CALL(cudaOccupancyMaxActiveClusters(&number, entry(empty), &clusters));
  VALUE(number);
}

/// How many blocks fit.
static void occupancy() {
  allocate();
  size_t bytes;
  number = 77;

  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, entry(empty), 32,
                                                     0));
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, entry(empty), 0,
                                                     0));
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, entry(empty), -1,
                                                     0));
  number = 77;
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, entry(empty),
                                                     1025, 0));
  VALUE(number);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, entry(empty),
                                                     1 << 30, 0));
  VALUE(number);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, entry(bounded),
                                                     129, 0));
  VALUE(number);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, entry(empty), 32,
                                                     48 << 10));
  VALUE(number);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, entry(empty), 32,
                                                     (48 << 10) + 1));
  VALUE(number);
  number = 77;
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, entry(empty), 32,
                                                     228 << 10));
  VALUE(number);
  number = 77;
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, entry(empty), 32,
                                                     Huge));
  VALUE(number);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &number, entry(pageableMemory), 32, 0));
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, nullptr, 32, 0));
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      &number, entry(empty), 32, 0, 2));
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      &number, entry(empty), 32, 0, 1));

  CALL(cudaOccupancyAvailableDynamicSMemPerBlock(nullptr, entry(empty), 1, 32));
  CALL(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, entry(empty), 0, 32));
  CALL(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, entry(empty), -1, 32));
  CALL(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, entry(empty), 1, 0));
  CALL(
      cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, entry(empty), 1, 1025));
  CALL(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, entry(empty), 1000,
                                                 32));
  CALL(
      cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, entry(empty), 1, 1024));
  CALL(
      cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, entry(empty), 3, 1024));
  CALL(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, entry(pageableMemory),
                                                 1, 32));

  int grid, block;
  CALL(cudaOccupancyMaxPotentialBlockSize(&grid, &block, empty, Huge));
  CALL(cudaOccupancyMaxPotentialBlockSize(&grid, &block, empty, 0, 2000));
  VALUE(block);
  CALL(cudaOccupancyMaxPotentialBlockSize(&grid, &block, empty, 0, -1));
  CALL(cudaOccupancyMaxPotentialBlockSize((int *)nullptr, &block, empty));
  CALL(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded));
  VALUE(block);
}

int main(int count, char **arguments) {
  return record(count, arguments,
                {{"launches", launches},
                 {"attributes", attributes},
                 {"occupancy", occupancy}});
}
