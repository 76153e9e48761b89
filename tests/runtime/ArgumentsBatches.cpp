//===- ArgumentsBatches.cpp - wrong arguments: attributes, levels, batches ===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PublicArguments.h"

using namespace publicapi;

namespace {

TEST(Arguments, OfStreamsAttributesAndKernelHandles) {
  cudaStream_t stream, gone;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&gone), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(gone), cudaSuccess);
  cudaStreamAttrValue value{};
  value.syncPolicy = cudaSynchronizationPolicy(9);
  int device = 0;
  size_t offset = 0;
  cudaKernel_t kernel;
  const void *known = &testimage::setStub, *unknown = &testimage::unknownStub;
  const auto policy = cudaLaunchAttributeSynchronizationPolicy;
  checkCalls({
      HANDLE(cudaStreamGetDevice(gone, &device)),
      VALUE(cudaStreamGetDevice(stream, nullptr)),
      HANDLE(cudaStreamGetAttribute(gone, policy, &value)),
      VALUE(cudaStreamGetAttribute(stream, policy, nullptr)),
      VALUE(cudaStreamGetAttribute(stream, cudaLaunchAttributeCooperative,
                                   &value)),
      HANDLE(cudaStreamSetAttribute(gone, policy, &value)),
      VALUE(cudaStreamSetAttribute(stream, policy, nullptr)),
      VALUE(cudaStreamSetAttribute(stream, policy, &value)),
      VALUE(cudaStreamSetAttribute(stream, cudaLaunchAttributeID(77), &value)),
      HANDLE(cudaStreamCopyAttributes(gone, stream)),
      HANDLE(cudaStreamCopyAttributes(stream, gone)),
      VALUE(cudaFuncGetParamInfo(known, 3, &offset, nullptr)),
      VALUE(cudaFuncGetParamInfo(known, 0, nullptr, nullptr)),
      LINE(cudaErrorInvalidDeviceFunction,
           cudaFuncGetParamInfo(unknown, 0, &offset, nullptr)),
      VALUE(cudaGetKernel(nullptr, known)),
      LINE(cudaErrorInvalidDeviceFunction, cudaGetKernel(&kernel, unknown)),
      HANDLE(cudaKernelSetAttributeForDevice(
          nullptr, cudaFuncAttributeMaxDynamicSharedMemorySize, 1, 77)),
      HANDLE(cudaKernelSetAttributeForDevice(
          nullptr, cudaFuncAttributeMaxDynamicSharedMemorySize, 1, 0)),
      VALUE(cudaDeviceGetP2PAttribute(nullptr, cudaDevP2PAttrAccessSupported, 0,
                                      0)),
      DEVICE(cudaDeviceGetP2PAttribute(&device, cudaDeviceP2PAttr(0), 0, 1)),
      DEVICE(cudaDeviceGetP2PAttribute(&device, cudaDevP2PAttrAccessSupported,
                                       0, 0)),
      DEVICE(cudaDeviceGetP2PAttribute(&device, cudaDevP2PAttrAccessSupported,
                                       0, 77)),
  });
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST(Arguments, OfArraysWithLevels) {
  const cudaChannelFormatDesc format{32, 0, 0, 0, cudaChannelFormatKindFloat},
      odd{32, 8, 0, 0, cudaChannelFormatKindFloat};
  const cudaExtent extent{16, 16, 0}, none{0, 16, 0}, wrong{16, 0, 4},
      huge{size_t(1) << 40, size_t(1) << 40, 0};
  cudaMipmappedArray_t mipmaps, gone, made;
  cudaArray_t level, array;
  ASSERT_EQ(cudaMallocMipmappedArray(&mipmaps, &format, extent, 3),
            cudaSuccess);
  ASSERT_EQ(cudaMallocMipmappedArray(&gone, &format, extent, 3), cudaSuccess);
  ASSERT_EQ(cudaFreeMipmappedArray(gone), cudaSuccess);
  ASSERT_EQ(cudaFreeMipmappedArray(nullptr), cudaSuccess);
  ASSERT_EQ(cudaGetMipmappedArrayLevel(&level, mipmaps, 1), cudaSuccess);
  cudaArraySparseProperties sparse;
  cudaArrayMemoryRequirements memory;
  size_t width;
  const unsigned sparseFlag = 0x40, noFlag = 0x1000;
  checkCalls({
      VALUE(cudaMallocMipmappedArray(nullptr, &format, extent, 3)),
      VALUE(cudaMallocMipmappedArray(&made, nullptr, extent, 3)),
      VALUE(cudaMallocMipmappedArray(&made, &format, none, 3)),
      VALUE(cudaMallocMipmappedArray(&made, &format, wrong, 3)),
      VALUE(cudaMallocMipmappedArray(&made, &format, extent, 3, noFlag)),
      REFUSED(cudaMallocMipmappedArray(&made, &format, extent, 3, sparseFlag)),
      REFUSED(cudaMallocArray(&array, &format, 16, 16, sparseFlag)),
      VALUE(cudaMallocArray(&array, &format, 16, 16, noFlag)),
      LINE(cudaErrorInvalidChannelDescriptor,
           cudaMallocMipmappedArray(&made, &odd, extent, 3)),
      VALUE(cudaMallocMipmappedArray(&made, &format, huge, 3)),
      HANDLE(cudaFreeMipmappedArray(gone)),
      VALUE(cudaFreeArray(level)),
      VALUE(cudaGetMipmappedArrayLevel(nullptr, mipmaps, 0)),
      VALUE(cudaGetMipmappedArrayLevel(&array, mipmaps, 3)),
      HANDLE(cudaGetMipmappedArrayLevel(&array, gone, 0)),
      HANDLE(cudaGetMipmappedArrayLevel(&array, nullptr, 0)),
      VALUE(cudaArrayGetPlane(&array, level, 0)),
      VALUE(cudaArrayGetPlane(nullptr, level, 0)),
      HANDLE(cudaArrayGetPlane(&array, nullptr, 0)),
      VALUE(cudaArrayGetSparseProperties(&sparse, level)),
      VALUE(cudaArrayGetSparseProperties(&sparse, nullptr)),
      VALUE(cudaArrayGetMemoryRequirements(&memory, level, 0)),
      DEVICE(cudaArrayGetMemoryRequirements(&memory, level, 77)),
      VALUE(cudaMipmappedArrayGetSparseProperties(&sparse, mipmaps)),
      HANDLE(cudaMipmappedArrayGetSparseProperties(&sparse, gone)),
      VALUE(cudaMipmappedArrayGetMemoryRequirements(nullptr, mipmaps, 0)),
      DEVICE(cudaMipmappedArrayGetMemoryRequirements(&memory, mipmaps, -1)),
      VALUE(cudaDeviceGetTexture1DLinearMaxWidth(nullptr, &format, 0)),
      VALUE(cudaDeviceGetTexture1DLinearMaxWidth(&width, &odd, 0)),
      DEVICE(cudaDeviceGetTexture1DLinearMaxWidth(&width, &format, 77)),
  });
  EXPECT_EQ(cudaFreeMipmappedArray(mipmaps), cudaSuccess);
}

TEST(Arguments, OfBatches) {
  cudaStream_t stream, gone;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&gone), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(gone), cudaSuccess);
  void *device, *managed;
  ASSERT_EQ(cudaMalloc(&device, 64), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 64, 1), cudaSuccess);
  static char host[128];
  void *to[] = {device}, *nowhere[] = {nullptr}, *pieces[] = {managed};
  const void *from[] = {host};
  size_t sizes[] = {64}, nothing[] = {0}, tooMuch[] = {65}, places[] = {0},
         late[] = {1};
  cudaMemcpyAttributes attributes{}, noOrder{}, noFlags{};
  attributes.srcAccessOrder = noFlags.srcAccessOrder =
      cudaMemcpySrcAccessOrderStream;
  noFlags.flags = 8;
  cudaMemcpy3DBatchOp box{};
  box.src.type = box.dst.type = cudaMemcpyOperandTypePointer;
  box.src.op.ptr.ptr = host;
  box.dst.op.ptr.ptr = device;
  box.extent = {8, 4, 1};
  box.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  cudaMemcpy3DBatchOp noType = box, narrow = box, noMemory = box,
                      unordered = box, noArray = box;
  noType.src.type = cudaMemcpy3DOperandType(0);
  narrow.src.op.ptr.rowLength = 4;
  noMemory.dst.op.ptr.ptr = nullptr;
  unordered.srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
  noArray.src.type = cudaMemcpyOperandTypeArray;
  noArray.src.op.array.array = nullptr;
  cudaMemLocation here{cudaMemLocationTypeDevice, 0},
      nobody{cudaMemLocationTypeDevice, 77}, nowhereAtAll{};
  cudaMemPool_t pool;
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
  cudaMemAccessDesc access{here, cudaMemAccessFlagsProtReadWrite},
      taken{here, cudaMemAccessFlagsProtNone},
      foreign{nobody, cudaMemAccessFlagsProtReadWrite};
  cudaMemAccessFlags flags;
  const auto pinned = cudaMemAllocationTypePinned;
  const auto asFile = cudaMemHandleTypePosixFileDescriptor;
  int file = -1;
  cudaMemPool_t imported = nullptr;
  cudaMemPoolPtrExportData data{};
  void *place = nullptr;
  checkCalls({
      VALUE(cudaMemcpyBatchAsync(nullptr, from, sizes, 1, &attributes, places,
                                 1, stream)),
      VALUE(cudaMemcpyBatchAsync(to, nullptr, sizes, 1, &attributes, places, 1,
                                 stream)),
      VALUE(cudaMemcpyBatchAsync(to, from, nullptr, 1, &attributes, places, 1,
                                 stream)),
      VALUE(cudaMemcpyBatchAsync(to, from, sizes, 0, &attributes, places, 1,
                                 stream)),
      VALUE(cudaMemcpyBatchAsync(to, from, nothing, 1, &attributes, places, 1,
                                 stream)),
      VALUE(cudaMemcpyBatchAsync(to, from, tooMuch, 1, &attributes, places, 1,
                                 stream)),
      VALUE(cudaMemcpyBatchAsync(nowhere, from, sizes, 1, &attributes, places,
                                 1, stream)),
      VALUE(cudaMemcpyBatchAsync(to, from, sizes, 1, &attributes, late, 1,
                                 stream)),
      VALUE(cudaMemcpyBatchAsync(to, from, sizes, 1, &attributes, places, 2,
                                 stream)),
      VALUE(
          cudaMemcpyBatchAsync(to, from, sizes, 1, nullptr, places, 1, stream)),
      VALUE(cudaMemcpyBatchAsync(to, from, sizes, 1, &noOrder, places, 1,
                                 stream)),
      VALUE(cudaMemcpyBatchAsync(to, from, sizes, 1, &noFlags, places, 1,
                                 stream)),
      VALUE(cudaMemcpyBatchAsync(to, from, sizes, 1, &attributes, places, 1,
                                 nullptr)),
      HANDLE(cudaMemcpyBatchAsync(to, from, sizes, 1, &attributes, places, 1,
                                  gone)),
      VALUE(cudaMemcpy3DBatchAsync(0, &box, 0, stream)),
      VALUE(cudaMemcpy3DBatchAsync(1, nullptr, 0, stream)),
      VALUE(cudaMemcpy3DBatchAsync(1, &box, 1, stream)),
      VALUE(cudaMemcpy3DBatchAsync(1, &box, 0, nullptr)),
      HANDLE(cudaMemcpy3DBatchAsync(1, &box, 0, gone)),
      VALUE(cudaMemcpy3DBatchAsync(1, &noType, 0, stream)),
      VALUE(cudaMemcpy3DBatchAsync(1, &narrow, 0, stream)),
      VALUE(cudaMemcpy3DBatchAsync(1, &noMemory, 0, stream)),
      VALUE(cudaMemcpy3DBatchAsync(1, &unordered, 0, stream)),
      HANDLE(cudaMemcpy3DBatchAsync(1, &noArray, 0, stream)),
      VALUE(cudaMemPrefetchBatchAsync(nullptr, sizes, 1, &here, places, 1, 0,
                                      stream)),
      VALUE(
          cudaMemPrefetchBatchAsync(to, sizes, 1, &here, places, 1, 0, stream)),
      VALUE(cudaMemPrefetchBatchAsync(pieces, sizes, 1, &nobody, places, 1, 0,
                                      stream)),
      VALUE(cudaMemPrefetchBatchAsync(pieces, sizes, 1, &here, late, 1, 0,
                                      stream)),
      VALUE(cudaMemPrefetchBatchAsync(pieces, sizes, 1, &here, places, 1, 2,
                                      stream)),
      HANDLE(cudaMemPrefetchBatchAsync(pieces, sizes, 1, &here, places, 1, 0,
                                       gone)),
      VALUE(cudaMemDiscardBatchAsync(nullptr, sizes, 1, 0, stream)),
      VALUE(cudaMemDiscardBatchAsync(to, sizes, 1, 0, stream)),
      VALUE(cudaMemDiscardBatchAsync(pieces, nothing, 1, 0, stream)),
      HANDLE(cudaMemDiscardBatchAsync(pieces, sizes, 1, 0, gone)),
      VALUE(cudaMemDiscardAndPrefetchBatchAsync(pieces, sizes, 1, nullptr,
                                                places, 1, 0, stream)),
      VALUE(cudaMemDiscardAndPrefetchBatchAsync(to, sizes, 1, &here, places, 1,
                                                0, stream)),
      // Pools
      VALUE(cudaMemPoolSetAccess(nullptr, &access, 1)),
      VALUE(cudaMemPoolSetAccess(pool, nullptr, 1)),
      DEVICE(cudaMemPoolSetAccess(pool, &foreign, 1)),
      DEVICE(cudaMemPoolSetAccess(pool, &taken, 1)),
      // It was not made for other processes, and is none of theirs.
      VALUE(cudaMemPoolExportToShareableHandle(nullptr, pool, asFile, 0)),
      VALUE(cudaMemPoolExportToShareableHandle(&file, pool, asFile, 0)),
      VALUE(cudaMemPoolExportToShareableHandle(&file, nullptr, asFile, 0)),
      VALUE(cudaMemPoolExportToShareableHandle(&file, pool, asFile, 1)),
      VALUE(cudaMemPoolExportToShareableHandle(&file, pool,
                                               cudaMemHandleTypeNone, 0)),
      VALUE(cudaMemPoolImportFromShareableHandle(nullptr, nullptr, asFile, 0)),
      VALUE(cudaMemPoolImportFromShareableHandle(
          &imported, reinterpret_cast<void *>(-1), asFile, 0)),
      VALUE(cudaMemPoolExportPointer(nullptr, device)),
      VALUE(cudaMemPoolExportPointer(&data, nullptr)),
      VALUE(cudaMemPoolExportPointer(&data, device)),
      VALUE(cudaMemPoolImportPointer(nullptr, pool, &data)),
      VALUE(cudaMemPoolImportPointer(&place, pool, nullptr)),
      VALUE(cudaMemPoolImportPointer(&place, pool, &data)),
      VALUE(cudaMemPoolGetAccess(nullptr, pool, &here)),
      VALUE(cudaMemPoolGetAccess(&flags, nullptr, &here)),
      VALUE(cudaMemPoolGetAccess(&flags, pool, &nobody)),
      VALUE(cudaMemGetDefaultMemPool(&pool, nullptr, pinned)),
      VALUE(cudaMemGetDefaultMemPool(nullptr, &here, pinned)),
      REFUSED(cudaMemGetDefaultMemPool(&pool, &nowhereAtAll, pinned)),
      VALUE(cudaMemGetMemPool(&pool, nullptr, pinned)),
      VALUE(cudaMemGetMemPool(&pool, &nobody, pinned)),
      VALUE(cudaMemSetMemPool(nullptr, pinned, pool)),
      REFUSED(cudaMemSetMemPool(&nowhereAtAll, pinned, pool)),
  });
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

} // namespace
