//===- Calls.cpp - CUDA driver API: what the runtime API has, too ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/RuntimeApi.h"
#include "runtime/core/engine/Graphs.h"
#include "runtime/driver/Call.h"
#include <limits>

using namespace cufort;
using namespace cufort::driver;

namespace {

using StreamCallback = void (*)(StreamHandle, Error, void *);

void **placeOf(CUdeviceptr *address) {
  return reinterpret_cast<void **>(address);
}

/// Handles are pointers on both sides.
template <typename Handle> void **handleOf(Handle *handle) {
  return reinterpret_cast<void **>(handle);
}

template <typename Handle> void *const *handleOf(Handle *const *handles) {
  return reinterpret_cast<void *const *>(handles);
}

cudaMipmappedArray_t mipmapsOf(CUmipmappedArray mipmaps) {
  return reinterpret_cast<cudaMipmappedArray_t>(mipmaps);
}

/// Host functions of graphs: the same structure under two names.
cudaHostNodeParams *hostOf(CUDA_HOST_NODE_PARAMS *p) {
  static_assert(sizeof(*p) == sizeof(cudaHostNodeParams));
  return reinterpret_cast<cudaHostNodeParams *>(p);
}
const cudaHostNodeParams *hostOf(const CUDA_HOST_NODE_PARAMS *p) {
  return reinterpret_cast<const cudaHostNodeParams *>(p);
}

/// Enumerations whose numbers are the runtime API's.
template <typename Number> int *numbersOf(Number *numbers) {
  return reinterpret_cast<int *>(numbers);
}

/// The same structure under two names.
const cudaMemPoolProps *sameAs(const CUmemPoolProps *p) {
  static_assert(sizeof(*p) == sizeof(cudaMemPoolProps));
  return reinterpret_cast<const cudaMemPoolProps *>(p);
}
IpcHandle *sameAs(CUipcMemHandle *handle) {
  static_assert(sizeof(*handle) == sizeof(IpcHandle));
  return reinterpret_cast<IpcHandle *>(handle);
}
IpcHandle *sameAs(CUipcEventHandle *handle) {
  static_assert(sizeof(*handle) == sizeof(IpcHandle));
  return reinterpret_cast<IpcHandle *>(handle);
}
cudaMemPoolPtrExportData *sameAs(CUmemPoolPtrExportData *data) {
  static_assert(sizeof(*data) == sizeof(cudaMemPoolPtrExportData));
  return reinterpret_cast<cudaMemPoolPtrExportData *>(data);
}
cudaMemLocation *sameAs(CUmemLocation *location) {
  static_assert(sizeof(*location) == sizeof(cudaMemLocation));
  return reinterpret_cast<cudaMemLocation *>(location);
}
const cudaMemAccessDesc *sameAs(const CUmemAccessDesc *access) {
  static_assert(sizeof(*access) == sizeof(cudaMemAccessDesc));
  return reinterpret_cast<const cudaMemAccessDesc *>(access);
}
cudaMemcpyAttributes *sameAs(CUmemcpyAttributes *attributes) {
  static_assert(sizeof(*attributes) == sizeof(cudaMemcpyAttributes));
  return reinterpret_cast<cudaMemcpyAttributes *>(attributes);
}
cudaMemcpy3DBatchOp *sameAs(CUDA_MEMCPY3D_BATCH_OP *copies) {
  static_assert(sizeof(*copies) == sizeof(cudaMemcpy3DBatchOp) &&
                offsetof(CUDA_MEMCPY3D_BATCH_OP, extent) ==
                    offsetof(cudaMemcpy3DBatchOp, extent));
  return reinterpret_cast<cudaMemcpy3DBatchOp *>(copies);
}
cudaGraphInstantiateParams *sameAs(CUDA_GRAPH_INSTANTIATE_PARAMS *p) {
  static_assert(sizeof(*p) == sizeof(cudaGraphInstantiateParams));
  return reinterpret_cast<cudaGraphInstantiateParams *>(p);
}
cudaLaunchAttributeValue *sameAs(CUlaunchAttributeValue *value) {
  static_assert(sizeof(*value) == sizeof(cudaLaunchAttributeValue));
  return reinterpret_cast<cudaLaunchAttributeValue *>(value);
}
const cudaLaunchAttributeValue *sameAs(const CUlaunchAttributeValue *value) {
  return reinterpret_cast<const cudaLaunchAttributeValue *>(value);
}
const cudaGraphEdgeData *sameAs(const CUgraphEdgeData *edges) {
  static_assert(sizeof(*edges) == sizeof(cudaGraphEdgeData));
  return reinterpret_cast<const cudaGraphEdgeData *>(edges);
}
cudaArraySparseProperties *sameAs(CUDA_ARRAY_SPARSE_PROPERTIES *properties) {
  static_assert(sizeof(*properties) == sizeof(cudaArraySparseProperties));
  return reinterpret_cast<cudaArraySparseProperties *>(properties);
}
cudaArrayMemoryRequirements *sameAs(CUDA_ARRAY_MEMORY_REQUIREMENTS *p) {
  static_assert(sizeof(*p) == sizeof(cudaArrayMemoryRequirements));
  return reinterpret_cast<cudaArrayMemoryRequirements *>(p);
}
cudaUserObject_t sameAs(CUuserObject object) {
  return reinterpret_cast<cudaUserObject_t>(object);
}
unsigned long long *numberOf64(cuuint64_t *number) {
  return reinterpret_cast<unsigned long long *>(number);
}

Error isEnabled(Graphs &graphs, NodePlace place, unsigned *enabled) {
  bool answer = false;
  const Error error = graphs.isEnabled(place, &answer);
  if (error == cudaSuccess)
    *enabled = answer;
  return error;
}

template <unsigned bytes> bool aligned(CUdeviceptr address) {
  return address % bytes == 0;
}

/// \p height rows of \p width elements by \p fill, in the order of \p stream.
template <typename T>
Error fillRows(CUdeviceptr to, size_t pitch, const T &value, size_t width,
               size_t height, decltype(__cufort_fill) *fill = __cufort_fill,
               CUstream stream = nullptr) {
  if (width > std::numeric_limits<size_t>::max() / sizeof(T) ||
      pitch % sizeof(T) || !aligned<sizeof(T)>(to) ||
      (height > 1 && width * sizeof(T) > pitch))
    return cudaErrorInvalidValue;
  for (size_t row = 0; row < height; ++row)
    if (const Error error =
            fill(pointerOf(to + row * pitch), &value, sizeof(T), width, stream);
        error != cudaSuccess)
      return error;
  return cudaSuccess;
}

} // namespace

#define CALL(name, parameters, call)                                           \
  CUFORT_DRIVER_API CUresult name parameters {                                 \
    return inContext([&]() -> Error { return call; });                         \
  }
#define ON_GRAPHS(name, parameters, call)                                      \
  CUFORT_DRIVER_API CUresult name parameters {                                 \
    return onEngine([&](Engine &e) -> Error {                                  \
      Graphs &g = e.graphs();                                                  \
      return call;                                                             \
    });                                                                        \
  }
#include "runtime/driver/Calls.def"
#include "runtime/driver/GraphCalls.def"
#include "runtime/driver/MemoryCalls.def"
#undef ON_GRAPHS
#undef CALL
