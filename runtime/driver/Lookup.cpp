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

/// cuCtxCreate has another parameter since CUDA 13.
CUresult createContext(CUcontext *context, unsigned flags, CUdevice device) {
  return cuCtxCreate(context, flags, device);
}
CUresult createContextWith(CUcontext *context, CUctxCreateParams *parameters,
                           unsigned flags, CUdevice device) {
  return cuCtxCreate(context, parameters, flags, device);
}

using Nodes = const CUgraphNode *;
using Edges = const CUgraphEdgeData *;

/// Functions whose parameters have changed.
void *findVersion(const char *name, int version) {
  const bool now = version >= 13000;
  if (!std::strcmp(name, "cuCtxCreate"))
    return now ? addressOf(createContextWith) : addressOf(createContext);
#define CUFORT_FORMS(function, before, after)                                  \
  if (!std::strcmp(name, #function))                                           \
    return now ? addressOf(static_cast<CUresult(*) after>(function))           \
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
  if (void *function = findVersion(name, version))
    return function;
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
  if (!name || !function || flags > 2)
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
