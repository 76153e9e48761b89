/*===- memory_api.h - managed memory, batches and pools ------------------===*\
|*
|* Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Included by cuda.h, after its types.
|*
\*===----------------------------------------------------------------------===*/

#ifndef CUFORT_DRIVER_MEMORY_API_H
#define CUFORT_DRIVER_MEMORY_API_H

#if defined(__cplusplus)
extern "C" {
#endif

/* Managed memory */
CUresult cuMemAdvise(CUdeviceptr memory, size_t bytes, CUmem_advise advice,
                     CUmemLocation location);
CUresult cuMemPrefetchAsync(CUdeviceptr memory, size_t bytes,
                            CUmemLocation location, unsigned int flags,
                            CUstream stream);
CUresult cuMemRangeGetAttribute(void *data, size_t dataBytes,
                                CUmem_range_attribute attribute,
                                CUdeviceptr memory, size_t bytes);
CUresult cuMemRangeGetAttributes(void **data, size_t *dataBytes,
                                 CUmem_range_attribute *attributes,
                                 size_t count, CUdeviceptr memory,
                                 size_t bytes);

/* Many at once */
CUresult cuMemcpyBatchAsync(CUdeviceptr *to, CUdeviceptr *from, size_t *sizes,
                            size_t count, CUmemcpyAttributes *attributes,
                            size_t *places, size_t attributeCount,
                            CUstream stream);
CUresult cuMemcpy3DBatchAsync(size_t count, CUDA_MEMCPY3D_BATCH_OP *copies,
                              unsigned long long flags, CUstream stream);
CUresult cuMemPrefetchBatchAsync(CUdeviceptr *memory, size_t *sizes,
                                 size_t count, CUmemLocation *locations,
                                 size_t *places, size_t locationCount,
                                 unsigned long long flags, CUstream stream);
CUresult cuMemDiscardBatchAsync(CUdeviceptr *memory, size_t *sizes,
                                size_t count, unsigned long long flags,
                                CUstream stream);
CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr *memory, size_t *sizes,
                                           size_t count,
                                           CUmemLocation *locations,
                                           size_t *places, size_t locationCount,
                                           unsigned long long flags,
                                           CUstream stream);

/* Boxes of two devices, rectangles in the order of a stream */
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *copy);
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *copy, CUstream stream);
CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value,
                           size_t width, size_t height, CUstream stream);
CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value,
                            size_t width, size_t height, CUstream stream);
CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned int value,
                            size_t width, size_t height, CUstream stream);

/* Pools */
CUresult cuMemGetDefaultMemPool(CUmemoryPool *pool, CUmemLocation *location,
                                CUmemAllocationType type);
CUresult cuMemGetMemPool(CUmemoryPool *pool, CUmemLocation *location,
                         CUmemAllocationType type);
CUresult cuMemSetMemPool(CUmemLocation *location, CUmemAllocationType type,
                         CUmemoryPool pool);
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *access,
                            size_t count);
CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool,
                            CUmemLocation *location);
CUresult cuMemPoolExportToShareableHandle(void *shared, CUmemoryPool pool,
                                          CUmemAllocationHandleType type,
                                          unsigned long long flags);
CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *pool, void *shared,
                                            CUmemAllocationHandleType type,
                                            unsigned long long flags);
CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData *data,
                                CUdeviceptr memory);
CUresult cuMemPoolImportPointer(CUdeviceptr *memory, CUmemoryPool pool,
                                CUmemPoolPtrExportData *data);

/* Peers */
CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute,
                                 CUdevice device, CUdevice peer);

#if defined(__cplusplus)
}

/* The forms before CUDA 13, with a device instead of a place. The runtime takes
   addresses of the others. */
#if !defined(CUFORT_RUNTIME_DRIVER_CALL_H)
static inline CUresult cuMemAdvise(CUdeviceptr memory, size_t bytes,
                                   CUmem_advise advice, CUdevice device) {
  CUmemLocation location = {device < 0 ? CU_MEM_LOCATION_TYPE_HOST
                                       : CU_MEM_LOCATION_TYPE_DEVICE,
                            device};
  return cuMemAdvise(memory, bytes, advice, location);
}
static inline CUresult cuMemPrefetchAsync(CUdeviceptr memory, size_t bytes,
                                          CUdevice device, CUstream stream) {
  CUmemLocation location = {device < 0 ? CU_MEM_LOCATION_TYPE_HOST
                                       : CU_MEM_LOCATION_TYPE_DEVICE,
                            device};
  return cuMemPrefetchAsync(memory, bytes, location, 0, stream);
}
#endif
#endif

#endif /* CUFORT_DRIVER_MEMORY_API_H */
