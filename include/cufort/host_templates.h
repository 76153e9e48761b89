//===- host_templates.h - the runtime API's C++ face ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_HOST_TEMPLATES_H
#define CUFORT_HOST_TEMPLATES_H

// The functions of the runtime API that take a symbol, a kernel or a typed
// pointer as it stands in the source.

template <class T> static inline cudaError_t cudaMalloc(T **p, size_t bytes) {
  return ::cudaMalloc((void **)(void *)p, bytes);
}
template <class T>
static inline cudaError_t cudaMallocHost(T **p, size_t bytes,
                                         unsigned int flags = 0) {
  return ::cudaHostAlloc((void **)(void *)p, bytes, flags);
}
template <class T>
static inline cudaError_t cudaHostAlloc(T **p, size_t bytes,
                                        unsigned int flags) {
  return ::cudaHostAlloc((void **)(void *)p, bytes, flags);
}
template <class T>
static inline cudaError_t
cudaMallocManaged(T **p, size_t bytes,
                  unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void **)(void *)p, bytes, flags);
}
template <class T>
static inline cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t width,
                                          size_t height) {
  return ::cudaMallocPitch((void **)(void *)p, pitch, width, height);
}
template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T **device, void *host,
                                                   unsigned int flags) {
  return ::cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T **p, size_t bytes,
                                          cudaStream_t stream) {
  return ::cudaMallocAsync((void **)(void *)p, bytes, stream);
}
template <class T>
static inline cudaError_t
cudaMallocAsync(T **p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void **)(void *)p, bytes, pool, stream);
}
template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(T **p, size_t bytes,
                                                  cudaMemPool_t pool,
                                                  cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void **)(void *)p, bytes, pool, stream);
}

// The forms from before CUDA 12. Nothing is written to the buffer for messages,
// which is empty afterwards.
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec,
                                               cudaGraph_t graph,
                                               cudaGraphNode_t *errorNode,
                                               char *messages, size_t bytes) {
  if (errorNode)
    *errorNode = 0;
  if (messages && bytes)
    *messages = 0;
  return ::cudaGraphInstantiate(exec, graph, 0);
}
static inline cudaError_t
cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                    cudaGraphNode_t *errorNode,
                    enum cudaGraphExecUpdateResult *result) {
  cudaGraphExecUpdateResultInfo info = {};
  cudaError_t error = ::cudaGraphExecUpdate(exec, graph, &info);
  if (errorNode)
    *errorNode = info.errorNode;
  if (result)
    *result = info.result;
  return error;
}

template <class T>
static inline cudaError_t
cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes,
                   size_t offset = 0,
                   enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <class T>
static inline cudaError_t
cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                     enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
static inline cudaError_t
cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes,
                        size_t offset = 0,
                        enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                        cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset,
                                   kind, stream);
}
template <class T>
static inline cudaError_t
cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes,
                          size_t offset = 0,
                          enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                          cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset,
                                     kind, stream);
}
template <class T>
static inline cudaError_t cudaGetSymbolAddress(void **address,
                                               const T &symbol) {
  return ::cudaGetSymbolAddress(address, (const void *)&symbol);
}
template <class __A, class T>
static inline cudaError_t cudaGetSymbolAddress(__A **address, const T &symbol) {
  return ::cudaGetSymbolAddress((void **)(void *)address,
                                (const void *)&symbol);
}
template <class T>
static inline cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol) {
  return ::cudaGetSymbolSize(bytes, (const void *)&symbol);
}

template <class T>
static inline cudaError_t
cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **parameters,
                 size_t sharedBytes = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void *)kernel, grid, block, parameters,
                            sharedBytes, stream);
}
template <class T>
static inline cudaError_t
cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block, void **parameters,
                            size_t sharedBytes = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel((const void *)kernel, grid, block,
                                       parameters, sharedBytes, stream);
}
template <class... __Parameters, class... __Arguments>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                             void (*kernel)(__Parameters...),
                                             __Arguments &&...arguments) {
  return [&](__Parameters... converted) {
    void *pointers[] = {(void *)&converted..., nullptr};
    return ::cudaLaunchKernelExC(config, (const void *)kernel, pointers);
  }(static_cast<__Arguments &&>(arguments)...);
}
template <class T>
static inline cudaError_t
cudaOccupancyMaxPotentialClusterSize(int *blocks, T *kernel,
                                     const cudaLaunchConfig_t *config) {
  return ::cudaOccupancyMaxPotentialClusterSize(blocks, (const void *)kernel,
                                                config);
}
template <class T>
static inline cudaError_t
cudaOccupancyMaxActiveClusters(int *clusters, T *kernel,
                               const cudaLaunchConfig_t *config) {
  return ::cudaOccupancyMaxActiveClusters(clusters, (const void *)kernel,
                                          config);
}
template <class T>
static inline cudaError_t
cudaFuncSetAttribute(T *kernel, enum cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <class T>
static inline cudaError_t
cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, T *kernel) {
  return ::cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <class T>
static inline cudaError_t cudaFuncSetCacheConfig(T *kernel,
                                                 enum cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig((const void *)kernel, config);
}

template <class T>
static inline cudaError_t
cudaFuncSetSharedMemConfig(T *kernel, enum cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig((const void *)kernel, config);
}

static inline cudaError_t cudaEventCreate(cudaEvent_t *event,
                                          unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}

template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, T kernel, int threads, size_t dynamicSharedBytes) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, (const void *)kernel, threads, dynamicSharedBytes);
}
template <class T>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, T kernel, int threads, size_t dynamicSharedBytes,
    unsigned int) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, (const void *)kernel, threads, dynamicSharedBytes);
}

template <class T>
static inline cudaError_t
cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, T *kernel, int blocks,
                                          int threads) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(
      bytes, (const void *)kernel, blocks, threads);
}

// The block size with the most resident threads, found by trying all multiples
// of a warp from the largest down.
template <class __Bytes, class T>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *gridSize, int *blockSize,
                                               T kernel, __Bytes sharedBytes,
                                               int blockSizeLimit = 0) {
  if (!gridSize || !blockSize)
    return cudaErrorInvalidValue;
  struct cudaFuncAttributes attributes;
  cudaError_t error =
      ::cudaFuncGetAttributes(&attributes, (const void *)kernel);
  struct cudaDeviceProp properties;
  int device = 0;
  if (error == cudaSuccess)
    error = ::cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = ::cudaGetDeviceProperties(&properties, device);
  if (error != cudaSuccess)
    return error;
  int limit = attributes.maxThreadsPerBlock;
  if (blockSizeLimit > 0 && blockSizeLimit < limit)
    limit = blockSizeLimit;
  int best = 0;
  *gridSize = *blockSize = 0;
  for (int size = (limit + 31) / 32 * 32; size > 0; size -= 32) {
    int threads = size < limit ? size : limit, blocks = 0;
    error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, (const void *)kernel, threads, sharedBytes(threads));
    if (error != cudaSuccess)
      return error;
    if (blocks * threads > best) {
      best = blocks * threads;
      *blockSize = threads;
      *gridSize = blocks * properties.multiProcessorCount;
    }
  }
  return cudaSuccess;
}
template <class T>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize, T kernel,
                                   size_t dynamicSharedBytes = 0,
                                   int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      gridSize, blockSize, kernel, [=](int) { return dynamicSharedBytes; },
      blockSizeLimit);
}
// The flags concern caches, which do not affect the number of blocks here.
template <class __Bytes, class T>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *gridSize, int *blockSize, T kernel, __Bytes sharedBytes,
    int blockSizeLimit = 0, unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      gridSize, blockSize, kernel, sharedBytes, blockSizeLimit);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(
    int *gridSize, int *blockSize, T kernel, size_t dynamicSharedBytes = 0,
    int blockSizeLimit = 0, unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSize(gridSize, blockSize, kernel,
                                            dynamicSharedBytes, blockSizeLimit);
}

template <class T>
static inline cudaError_t cudaGetKernel(cudaKernel_t *handle, T *kernel) {
  return ::cudaGetKernel(handle, (const void *)kernel);
}
template <class T>
static inline cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function,
                                              T *kernel) {
  return ::cudaGetFuncBySymbol(function, (const void *)kernel);
}
template <class T>
static inline cudaError_t cudaLibraryGetGlobal(T **address, size_t *bytes,
                                               cudaLibrary_t library,
                                               const char *name) {
  return ::cudaLibraryGetGlobal((void **)(void *)address, bytes, library, name);
}
template <class T>
static inline cudaError_t cudaLibraryGetManaged(T **address, size_t *bytes,
                                                cudaLibrary_t library,
                                                const char *name) {
  return ::cudaLibraryGetManaged((void **)(void *)address, bytes, library,
                                 name);
}
template <class T>
static inline cudaError_t cudaLibraryGetUnifiedFunction(T **function,
                                                        cudaLibrary_t library,
                                                        const char *name) {
  return ::cudaLibraryGetUnifiedFunction((void **)(void *)function, library,
                                         name);
}

// Nodes of graphs that copy to and from symbols.
template <class T>
static inline cudaError_t
cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                               const cudaGraphNode_t *after, size_t count,
                               const T &symbol, const void *from, size_t bytes,
                               size_t offset, enum cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeToSymbol(node, graph, after, count,
                                          (const void *)&symbol, from, bytes,
                                          offset, kind);
}
template <class T>
static inline cudaError_t
cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *after, size_t count,
                                 void *to, const T &symbol, size_t bytes,
                                 size_t offset, enum cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeFromSymbol(node, graph, after, count, to,
                                            (const void *)&symbol, bytes,
                                            offset, kind);
}
template <class T>
static inline cudaError_t
cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T &symbol,
                                     const void *from, size_t bytes,
                                     size_t offset, enum cudaMemcpyKind kind) {
  return ::cudaGraphMemcpyNodeSetParamsToSymbol(node, (const void *)&symbol,
                                                from, bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(
    cudaGraphNode_t node, void *to, const T &symbol, size_t bytes,
    size_t offset, enum cudaMemcpyKind kind) {
  return ::cudaGraphMemcpyNodeSetParamsFromSymbol(
      node, to, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(
    cudaGraphExec_t exec, cudaGraphNode_t node, const T &symbol,
    const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsToSymbol(
      exec, node, (const void *)&symbol, from, bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(
    cudaGraphExec_t exec, cudaGraphNode_t node, void *to, const T &symbol,
    size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsFromSymbol(
      exec, node, to, (const void *)&symbol, bytes, offset, kind);
}
// An object of the program that is deleted when no graph needs it any longer.
template <class T>
static inline cudaError_t
cudaUserObjectCreate(cudaUserObject_t *object, T *wrapped,
                     unsigned int references, unsigned int flags) {
  return ::cudaUserObjectCreate(
      object, wrapped, [](void *data) { delete static_cast<T *>(data); },
      references, flags);
}

#endif // CUFORT_HOST_TEMPLATES_H
