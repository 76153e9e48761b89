/*===- memory_api.h - more functions for memory and kernels --------------===*\
|*
|* Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#ifndef CUFORT_RUNTIME_MEMORY_API_H
#define CUFORT_RUNTIME_MEMORY_API_H

#include "cufort/runtime/memory_types.h"

#if defined(__cplusplus)
#define CUFORT_DEFAULT(v) = v
extern "C" {
#else
#define CUFORT_DEFAULT(v)
#endif

/* Devices */
cudaError_t cudaDeviceGetP2PAttribute(int *value,
                                      enum cudaDeviceP2PAttr attribute,
                                      int device, int peer);
cudaError_t cudaCtxResetPersistingL2Cache(void);
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(
    size_t *elements, const struct cudaChannelFormatDesc *format, int device);

/* Kernels as handles */
cudaError_t cudaFuncGetParamInfo(const void *kernel, size_t index,
                                 size_t *offset, size_t *bytes);
cudaError_t cudaGetKernel(cudaKernel_t *handle, const void *kernel);
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel,
                                            enum cudaFuncAttribute attribute,
                                            int value, int device);

/* The function of the driver API that a kernel is (link with -lcuda) */
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *kernel);
/* Functions of the driver API by name, with -lcuda */
cudaError_t cudaGetDriverEntryPoint(
    const char *name, void **function, unsigned long long flags,
    enum cudaDriverEntryPointQueryResult *result CUFORT_DEFAULT(0));
cudaError_t cudaGetDriverEntryPointByVersion(
    const char *name, void **function, unsigned int version,
    unsigned long long flags,
    enum cudaDriverEntryPointQueryResult *result CUFORT_DEFAULT(0));

/* Code that is loaded while the program runs: what cufort -fatbin has written;
   on a GPU also PTX, a cubin or a fatbin of any compiler */
cudaError_t
cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                    enum cudaJitOption *options CUFORT_DEFAULT(0),
                    void **values CUFORT_DEFAULT(0),
                    unsigned int count CUFORT_DEFAULT(0),
                    enum cudaLibraryOption *libraryOptions CUFORT_DEFAULT(0),
                    void **libraryValues CUFORT_DEFAULT(0),
                    unsigned int libraryCount CUFORT_DEFAULT(0));
cudaError_t cudaLibraryLoadFromFile(
    cudaLibrary_t *library, const char *path,
    enum cudaJitOption *options CUFORT_DEFAULT(0),
    void **values CUFORT_DEFAULT(0), unsigned int count CUFORT_DEFAULT(0),
    enum cudaLibraryOption *libraryOptions CUFORT_DEFAULT(0),
    void **libraryValues CUFORT_DEFAULT(0),
    unsigned int libraryCount CUFORT_DEFAULT(0));
cudaError_t cudaLibraryUnload(cudaLibrary_t library);
cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library,
                                 const char *name);
cudaError_t cudaLibraryGetKernelCount(unsigned int *count,
                                      cudaLibrary_t library);
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels,
                                        unsigned int count,
                                        cudaLibrary_t library);
cudaError_t cudaLibraryGetGlobal(void **address, size_t *bytes,
                                 cudaLibrary_t library, const char *name);
cudaError_t cudaLibraryGetManaged(void **address, size_t *bytes,
                                  cudaLibrary_t library, const char *name);
cudaError_t cudaLibraryGetUnifiedFunction(void **function,
                                          cudaLibrary_t library,
                                          const char *name);

/* Arrays with levels */
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmaps,
                                     const struct cudaChannelFormatDesc *format,
                                     struct cudaExtent extent,
                                     unsigned int levels,
                                     unsigned int flags CUFORT_DEFAULT(0));
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmaps);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *array,
                                       cudaMipmappedArray_const_t mipmaps,
                                       unsigned int level);

/* Of arrays with planes or holes, or whose memory comes later, which cannot be
   made: of all others these return cudaErrorInvalidValue. */
cudaError_t cudaArrayGetPlane(cudaArray_t *plane, cudaArray_t array,
                              unsigned int index);
cudaError_t
cudaArrayGetSparseProperties(struct cudaArraySparseProperties *properties,
                             cudaArray_t array);
cudaError_t
cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *requirements,
                               cudaArray_t array, int device);
cudaError_t cudaMipmappedArrayGetSparseProperties(
    struct cudaArraySparseProperties *properties, cudaMipmappedArray_t mipmaps);
cudaError_t cudaMipmappedArrayGetMemoryRequirements(
    struct cudaArrayMemoryRequirements *requirements,
    cudaMipmappedArray_t mipmaps, int device);

/* Many copies at once */
cudaError_t cudaMemcpyBatchAsync(void *const *to, const void *const *from,
                                 const size_t *sizes, size_t count,
                                 struct cudaMemcpyAttributes *attributes,
                                 size_t *places, size_t attributeCount,
                                 cudaStream_t stream);
cudaError_t cudaMemcpy3DBatchAsync(size_t count,
                                   struct cudaMemcpy3DBatchOp *copies,
                                   unsigned long long flags,
                                   cudaStream_t stream);
cudaError_t cudaMemPrefetchBatchAsync(void **memory, size_t *sizes,
                                      size_t count,
                                      struct cudaMemLocation *locations,
                                      size_t *places, size_t locationCount,
                                      unsigned long long flags,
                                      cudaStream_t stream);
cudaError_t cudaMemDiscardBatchAsync(void **memory, size_t *sizes, size_t count,
                                     unsigned long long flags,
                                     cudaStream_t stream);
cudaError_t cudaMemDiscardAndPrefetchBatchAsync(
    void **memory, size_t *sizes, size_t count,
    struct cudaMemLocation *locations, size_t *places, size_t locationCount,
    unsigned long long flags, cudaStream_t stream);

/* Managed memory, with a place instead of a device's number */
cudaError_t cudaMemPrefetchAsync_v2(const void *memory, size_t bytes,
                                    struct cudaMemLocation location,
                                    unsigned int flags,
                                    cudaStream_t stream CUFORT_DEFAULT(0));
cudaError_t cudaMemAdvise_v2(const void *memory, size_t bytes,
                             enum cudaMemoryAdvise advice,
                             struct cudaMemLocation location);

/* Pools */
cudaError_t
cudaMemPoolExportToShareableHandle(void *shared, cudaMemPool_t pool,
                                   enum cudaMemAllocationHandleType type,
                                   unsigned int flags);
cudaError_t
cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *shared,
                                     enum cudaMemAllocationHandleType type,
                                     unsigned int flags);
cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *data,
                                     void *memory);
cudaError_t cudaMemPoolImportPointer(void **memory, cudaMemPool_t pool,
                                     struct cudaMemPoolPtrExportData *data);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool,
                                 const struct cudaMemAccessDesc *access,
                                 size_t count);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags,
                                 cudaMemPool_t pool,
                                 struct cudaMemLocation *location);
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *pool,
                                     struct cudaMemLocation *location,
                                     enum cudaMemAllocationType type);
cudaError_t cudaMemGetMemPool(cudaMemPool_t *pool,
                              struct cudaMemLocation *location,
                              enum cudaMemAllocationType type);
cudaError_t cudaMemSetMemPool(struct cudaMemLocation *location,
                              enum cudaMemAllocationType type,
                              cudaMemPool_t pool);

#if defined(__cplusplus)
}

static inline cudaError_t cudaMemPrefetchAsync(const void *memory, size_t bytes,
                                               struct cudaMemLocation location,
                                               unsigned int flags,
                                               cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync_v2(memory, bytes, location, flags, stream);
}
static inline cudaError_t cudaMemAdvise(const void *memory, size_t bytes,
                                        enum cudaMemoryAdvise advice,
                                        struct cudaMemLocation location) {
  return cudaMemAdvise_v2(memory, bytes, advice, location);
}
/* All copies with the same attributes. */
static inline cudaError_t cudaMemcpyBatchAsync(
    void *const *to, const void *const *from, const size_t *sizes, size_t count,
    struct cudaMemcpyAttributes attributes, cudaStream_t stream) {
  size_t place = 0;
  return cudaMemcpyBatchAsync(to, from, sizes, count, &attributes, &place, 1,
                              stream);
}
#endif
#undef CUFORT_DEFAULT

#endif /* CUFORT_RUNTIME_MEMORY_API_H */
