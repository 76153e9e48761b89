//===- Lookup.cpp - CUDA driver API: functions by name --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/RuntimeApi.h"
#include "runtime/driver/PerThread.h"
#include <algorithm>
#include <cstring>
#include <iterator>

using namespace cufort;
using namespace cufort::driver;

namespace {

struct Entry {
  const char *name; ///< as the program writes it
  void *function;   ///< what the header makes of it
  void *perThread;
};

template <typename Function> void *addressOf(Function *function) {
  return reinterpret_cast<void *>(function);
}

#define NAME(function)                                                         \
  {#function, addressOf(function), addressOf(PerThread<&function>::chosen)},
#define EDGES(function)
const Entry Entries[] = {
#include "runtime/driver/Names.def"
};

#define PER_THREAD_STREAM(function, parameters, arguments)
#define PER_THREAD_WAITS(function, parameters, arguments)                      \
  {#function, nullptr,                                                         \
   addressOf(InOwnStream<&function, &function##Async, true>::call)},
#define PER_THREAD_SUBMITS(function, parameters, arguments)                    \
  {#function, nullptr,                                                         \
   addressOf(InOwnStream<&function, &function##Async, false>::call)},
const Entry InDefaultStream[] = {
#include "runtime/driver/PerThread.def"
    {"cuLaunchKernelEx", nullptr, addressOf(launchKernelInOwnStream)},
};

template <size_t count>
const Entry *find(const Entry (&entries)[count], const char *name) {
  const auto *found =
      std::find_if(std::begin(entries), std::end(entries),
                   [&](const Entry &e) { return !std::strcmp(e.name, name); });
  return found == std::end(entries) ? nullptr : found;
}

/// cuCtxCreate and others have another parameter since CUDA 12.5 or 13.
CUresult createContext(CUcontext *context, unsigned flags, CUdevice device) {
  return cuCtxCreate(context, flags, device);
}
CUresult createContextWith(CUcontext *context, CUctxCreateParams *parameters,
                           unsigned flags, CUdevice device) {
  return cuCtxCreate(context, parameters, flags, device);
}

/// Functions before they had a place instead of a device, edges with data, or
/// lost the index of the copy that failed.
CUmemLocation placeOf(CUdevice device) {
  return {device < 0 ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE,
          device};
}
CUresult advise(CUdeviceptr memory, size_t bytes, CUmem_advise advice,
                CUdevice device) {
  return cuMemAdvise(memory, bytes, advice, placeOf(device));
}
CUresult prefetch(CUdeviceptr memory, size_t bytes, CUdevice device,
                  CUstream stream) {
  return cuMemPrefetchAsync(memory, bytes, placeOf(device), 0, stream);
}
CUresult addNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                 size_t count, CUgraphNodeParams *parameters) {
  return cuGraphAddNode(node, graph, after, nullptr, count, parameters);
}
CUresult updateDependencies(CUstream stream, CUgraphNode *nodes, size_t count,
                            unsigned flags) {
  return cuStreamUpdateCaptureDependencies(stream, nodes, nullptr, count,
                                           flags);
}

/// The largest number: a failure of all and none.
CUresult noneInParticular(CUresult result, size_t *failed) {
  if (result && failed)
    *failed = SIZE_MAX;
  return result;
}
CUresult copyBatch(CUdeviceptr *to, CUdeviceptr *from, size_t *sizes,
                   size_t count, CUmemcpyAttributes *attributes, size_t *places,
                   size_t attributeCount, size_t *failed, CUstream stream) {
  return noneInParticular(cuMemcpyBatchAsync(to, from, sizes, count, attributes,
                                             places, attributeCount, stream),
                          failed);
}
CUresult copyBoxes(size_t count, CUDA_MEMCPY3D_BATCH_OP *copies, size_t *failed,
                   unsigned long long flags, CUstream stream) {
  return noneInParticular(cuMemcpy3DBatchAsync(count, copies, flags, stream),
                          failed);
}

/// Their former forms, which programs get that were made for a version before
/// \p until.
const struct {
  const char *name;
  int until;
  void *function, *perThread;
} Former[] = {
#define FORMER(name, until, form)                                              \
  {#name, until, addressOf(form), addressOf(PerThread<&form>::chosen)},
    FORMER(cuMemAdvise, 12020, advise)
        FORMER(cuMemPrefetchAsync, 12020, prefetch) FORMER(cuGraphAddNode,
                                                           12030, addNode)
            FORMER(cuStreamUpdateCaptureDependencies, 12030, updateDependencies)
                FORMER(cuMemcpyBatchAsync, 13000, copyBatch)
                    FORMER(cuMemcpy3DBatchAsync, 13000, copyBoxes)
#undef FORMER
};

using Nodes = const CUgraphNode *;
using Edges = const CUgraphEdgeData *;

/// Functions whose parameters have changed, by the versions that brought the
/// new ones: a driver goes by those, too, though CUDA 12's cuda.h still has the
/// former ones.
void *findVersion(const char *name, int version, bool perThread) {
  if (!std::strcmp(name, "cuCtxCreate"))
    return version >= 12050 ? addressOf(createContextWith)
                            : addressOf(createContext);
  if (!std::strcmp(name, "cuCtxGetDevice") && version >= 13000)
    return addressOf(cuCtxGetDevice_v2);
  if (!std::strcmp(name, "cuCtxSynchronize") && version >= 13000)
    return addressOf(cuCtxSynchronize_v2);
  if (!std::strcmp(name, "cuStreamGetCtx") && version >= 12050)
    return perThread ? addressOf(PerThread<&cuStreamGetCtx_v2>::chosen)
                     : addressOf(cuStreamGetCtx_v2);
#define CUFORT_FORMS(function, before, after)                                  \
  if (!std::strcmp(name, #function))                                           \
    return version >= 12030                                                    \
               ? addressOf(static_cast<CUresult(*) after>(function))           \
               : addressOf(static_cast<CUresult(*) before>(function));
  CUFORT_FORMS(cuGraphAddDependencies, (CUgraph, Nodes, Nodes, size_t),
               (CUgraph, Nodes, Nodes, Edges, size_t))
  CUFORT_FORMS(cuGraphRemoveDependencies, (CUgraph, Nodes, Nodes, size_t),
               (CUgraph, Nodes, Nodes, Edges, size_t))
  CUFORT_FORMS(
      cuGraphGetEdges, (CUgraph, CUgraphNode *, CUgraphNode *, size_t *),
      (CUgraph, CUgraphNode *, CUgraphNode *, CUgraphEdgeData *, size_t *))
  CUFORT_FORMS(cuGraphNodeGetDependencies,
               (CUgraphNode, CUgraphNode *, size_t *),
               (CUgraphNode, CUgraphNode *, CUgraphEdgeData *, size_t *))
  CUFORT_FORMS(cuGraphNodeGetDependentNodes,
               (CUgraphNode, CUgraphNode *, size_t *),
               (CUgraphNode, CUgraphNode *, CUgraphEdgeData *, size_t *))
#undef CUFORT_FORMS
  return nullptr;
}

void *find(const char *name, int version, bool perThread) {
  if (void *function = findVersion(name, version, perThread))
    return function;
  for (const auto &former : Former)
    if (version < former.until && !std::strcmp(name, former.name))
      return perThread ? former.perThread : former.function;
  if (perThread)
    if (const Entry *own = find(InDefaultStream, name))
      return own->perThread;
  const Entry *found = find(Entries, name);
  return !found ? nullptr : perThread ? found->perThread : found->function;
}

} // namespace

CUFORT_DRIVER_API CUresult
cuGetProcAddress(const char *name, void **function, int version,
                 cuuint64_t flags, CUdriverProcAddressQueryResult *result) {
  if (!name || !function || flags > 2)
    return CUDA_ERROR_INVALID_VALUE;
  *function = find(name, version,
                   flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
  if (result)
    *result = *function ? CU_GET_PROC_ADDRESS_SUCCESS
                        : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

//===----------------------------------------------------------------------===//
// The same for programs of the runtime API, which need no cuInit
//===----------------------------------------------------------------------===//

CUFORT_API cudaError_t cudaGetDriverEntryPointByVersion(
    const char *name, void **function, unsigned version,
    unsigned long long flags, int *result) {
  if (!name || !function || flags > 2 || version > RuntimeVersion)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &) {
    cuInit(0);
    *function = find(name, static_cast<int>(version),
                     flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
    if (result)
      *result = *function ? CU_GET_PROC_ADDRESS_SUCCESS
                          : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    // Who does not ask for the reason gets it as an error.
    return *function || result ? cudaSuccess : cudaErrorSymbolNotFound;
  });
}

CUFORT_API cudaError_t cudaGetDriverEntryPoint(const char *name,
                                               void **function,
                                               unsigned long long flags,
                                               int *result) {
  return cudaGetDriverEntryPointByVersion(name, function, RuntimeVersion, flags,
                                          result);
}
