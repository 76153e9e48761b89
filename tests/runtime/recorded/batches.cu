//===- batches.cu - batches of copies, and what pools may be ---*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"

/// Of copies and of managed memory, and the pools of places.
static void batches() {
  allocate(1 << 20);
  void *to[2] = {device, device + 64};
  const void *from[2] = {pageable, pageable + 64};
  size_t sizes[2] = {16, 16};
  cudaMemcpyAttributes attributes{};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  size_t indices[1] = {0};

  CALL(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, indices, 1,
                            stream));
  CALL(cudaMemcpyBatchAsync(to, from, sizes, 0, &attributes, indices, 1,
                            stream));
  CALL(cudaMemcpyBatchAsync(nullptr, from, sizes, 2, &attributes, indices, 1,
                            stream));
  CALL(cudaMemcpyBatchAsync(to, nullptr, sizes, 2, &attributes, indices, 1,
                            stream));
  CALL(cudaMemcpyBatchAsync(to, from, nullptr, 2, &attributes, indices, 1,
                            stream));
  CALL(cudaMemcpyBatchAsync(to, from, sizes, 2, nullptr, indices, 1, stream));
  CALL(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, nullptr, 1,
                            stream));
  CALL(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, indices, 0,
                            stream));
  CALL(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, indices, 3,
                            stream));
  CALL(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, indices, 1,
                            nullptr));
  indices[0] = 1;
  CALL(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, indices, 1,
                            stream));
  indices[0] = 0;
  attributes.srcAccessOrder = (cudaMemcpySrcAccessOrder)9;
  CALL(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, indices, 1,
                            stream));
  attributes.srcAccessOrder = (cudaMemcpySrcAccessOrder)0;
  CALL(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, indices, 1,
                            stream));
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  attributes.flags = 99;
  CALL(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, indices, 1,
                            stream));
  attributes.flags = 0;
  sizes[1] = 2 << 20;
  CALL(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, indices, 1,
                            stream));
  sizes[1] = 0;
  CALL(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, indices, 1,
                            stream));
  sizes[1] = 16;
  to[1] = nullptr;
  CALL(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, indices, 1,
                            stream));
  to[1] = pageable + 128;
  CALL(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, indices, 1,
                            stream));
  to[1] = device;

  void *pieces[1] = {managed};
  size_t pieceSizes[1] = {4096};
  cudaMemLocation here{cudaMemLocationTypeDevice, 0},
      nowhere{cudaMemLocationTypeDevice, 77};
  CALL(cudaMemPrefetchBatchAsync(pieces, pieceSizes, 1, &here, indices, 1, 0,
                                 stream));
  CALL(cudaMemPrefetchBatchAsync(pieces, pieceSizes, 1, &nowhere, indices, 1, 0,
                                 stream));
  CALL(cudaMemPrefetchBatchAsync(pieces, pieceSizes, 0, &here, indices, 1, 0,
                                 stream));
  CALL(cudaMemPrefetchBatchAsync(pieces, pieceSizes, 1, &here, indices, 1, 9,
                                 stream));
  CALL(cudaMemDiscardBatchAsync(pieces, pieceSizes, 1, 0, stream));
  CALL(cudaMemDiscardBatchAsync(pieces, pieceSizes, 1, 9, stream));
  CALL(cudaMemDiscardBatchAsync(pieces, pieceSizes, 0, 0, stream));
  CALL(cudaMemDiscardAndPrefetchBatchAsync(pieces, pieceSizes, 1, &here,
                                           indices, 1, 0, stream));
  pieces[0] = device;
  CALL(cudaMemPrefetchBatchAsync(pieces, pieceSizes, 1, &here, indices, 1, 0,
                                 stream));
  CALL(cudaMemDiscardBatchAsync(pieces, pieceSizes, 1, 0, stream));
  CALL(cudaMemDiscardBatchAsync(nullptr, pieceSizes, 1, 0, stream));

  cudaMemPool_t pool;
  cudaMemLocation location = here;
  CALL(cudaMemGetDefaultMemPool(&pool, &location, cudaMemAllocationTypePinned));
  CALL(cudaMemGetDefaultMemPool(nullptr, &location,
                                cudaMemAllocationTypePinned));
  CALL(cudaMemGetDefaultMemPool(&pool, nullptr, cudaMemAllocationTypePinned));
  location.id = 77;
  CALL(cudaMemGetDefaultMemPool(&pool, &location, cudaMemAllocationTypePinned));
  CALL(cudaMemGetMemPool(&pool, &location, cudaMemAllocationTypePinned));
  location.id = 0;
  CALL(cudaMemGetMemPool(&pool, &location, cudaMemAllocationTypePinned));
  CALL(cudaMemGetMemPool(&pool, &location, (cudaMemAllocationType)9));
  CALL(cudaMemSetMemPool(&location, cudaMemAllocationTypePinned, pool));
  CALL(cudaMemSetMemPool(&location, cudaMemAllocationTypePinned, nullptr));
  CALL(cudaMemSetMemPool(nullptr, cudaMemAllocationTypePinned, pool));
  location.type = cudaMemLocationTypeHost;
  CALL(cudaMemGetMemPool(&pool, &location, cudaMemAllocationTypePinned));
  CALL(cudaMemGetDefaultMemPool(&pool, &location, cudaMemAllocationTypePinned));
  CALL(cudaMemGetDefaultMemPool(&pool, &location, (cudaMemAllocationType)3));
}

/// Each place, kind and handle.
static void poolProperties() {
  allocate(1 << 20);
  cudaMemPool_t pool;
  for (int dev : {0, 77, -1})
    for (int type : {0, 1, 2, 3, 4, 9})
      for (int handle : {0, 1, 2, 3, 4, 8, 64})
        for (int alloc : {0, 1, 2, 9}) {
          if (dev && handle > 1)
            continue;
          cudaMemPoolProps properties{};
          properties.allocType = (cudaMemAllocationType)alloc;
          properties.location.type = (cudaMemLocationType)type;
          properties.location.id = dev;
          properties.handleTypes = (cudaMemAllocationHandleType)handle;
          called(
              [&] {
                cudaError_t error = cudaMemPoolCreate(&pool, &properties);
                if (!error)
                  cudaMemPoolDestroy(pool);
                return error;
              },
              "pool alloc %d place %d id %d handle %d", alloc, type, dev,
              handle);
        }

  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.maxSize = 1 << 20;
  CALL(cudaMemPoolCreate(&pool, &properties));
  CALL(cudaMallocFromPoolAsync(&pointer, 1 << 22, pool, stream));
  CALL(cudaMallocFromPoolAsync(&pointer, 1 << 10, pool, stream));
  properties.maxSize = Huge;
  CALL(cudaMemPoolCreate(&pool, &properties));
  properties.maxSize = 0;
  properties.usage = 9;
  CALL(cudaMemPoolCreate(&pool, &properties));
  properties.usage = 0;
  memset(properties.reserved, 1, sizeof properties.reserved);
  CALL(cudaMemPoolCreate(&pool, &properties));
}

int main(int count, char **arguments) {
  return record(count, arguments,
                {{"batches", batches}, {"poolProperties", poolProperties}});
}
