//===- Batch.cpp - CUDA runtime API: copies of which many are submitted at once
//===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/arrays/Box.h"
#include "runtime/core/Device.h"

// The public header, after the names it needs.

using namespace cufort;

/// Batches need a stream of their own: the default one would make each of them
/// wait for everything.
static bool isDefault(cudaStream_t stream) {
  return !stream || stream == LegacyStream;
}

/// Whether \p places say for which of \p count elements each of \p choices
/// begins to hold.
static bool inOrder(const size_t *places, size_t choices, size_t count) {
  if (!places || !choices || choices > count || places[0])
    return false;
  for (size_t i = 1; i < choices; ++i)
    if (places[i] <= places[i - 1] || places[i] >= count)
      return false;
  return true;
}

static bool isOrder(int order) {
  return order >= cudaMemcpySrcAccessOrderStream &&
         order <= cudaMemcpySrcAccessOrderAny;
}

CUFORT_API cudaError_t cudaMemcpyBatchAsync(
    void *const *to, const void *const *from, const size_t *sizes, size_t count,
    cudaMemcpyAttributes *attributes, size_t *places, size_t attributeCount,
    cudaStream_t stream) {
  if (!to || !from || !sizes || !count || !attributes || isDefault(stream) ||
      !inOrder(places, attributeCount, count))
    return recordError(cudaErrorInvalidValue);
  bool readNow = false;
  for (size_t i = 0; i < attributeCount; ++i) {
    if (!isOrder(attributes[i].srcAccessOrder) || attributes[i].flags > 1)
      return recordError(cudaErrorInvalidValue);
    readNow |=
        attributes[i].srcAccessOrder == cudaMemcpySrcAccessOrderDuringApiCall;
  }
  for (size_t i = 0; i < count; ++i)
    if (!to[i] || !from[i] || !sizes[i])
      return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    for (size_t i = 0; i < count; ++i)
      if (Error error =
              e.copyAsync(to[i], from[i], sizes[i], CopyKind::Default, stream);
          error != cudaSuccess)
        return error;
    return readNow ? e.synchronizeStream(stream) : cudaSuccess;
  });
}

/// One side of a copy, as cudaMemcpy3DParms has it, whose pitches are bytes.
static bool readOperand(const cudaMemcpy3DOperand &operand,
                        const cudaExtent &extent, size_t element,
                        cudaArray_t *array, cudaPos *position,
                        cudaPitchedPtr *pointer) {
  if (operand.type == cudaMemcpyOperandTypeArray) {
    *array = operand.op.array.array;
    *position = {operand.op.array.offset.x, operand.op.array.offset.y,
                 operand.op.array.offset.z};
    return *array;
  }
  if (operand.type != cudaMemcpyOperandTypePointer)
    return false;
  const auto &p = operand.op.ptr;
  const size_t row = p.rowLength ? p.rowLength : extent.width;
  *pointer = {p.ptr, row * element, row,
              p.layerHeight ? p.layerHeight : extent.height};
  return p.ptr && row >= extent.width && pointer->ysize >= extent.height;
}

static cudaError_t copyOne(Engine &e, const cudaMemcpy3DBatchOp &copy,
                           cudaStream_t stream) {
  cudaMemcpy3DParms p{};
  size_t element = 1;
  for (const cudaMemcpy3DOperand *operand : {&copy.src, &copy.dst})
    if (operand->type == cudaMemcpyOperandTypeArray) {
      ArrayShape shape;
      if (Error error = e.arrayShape(operand->op.array.array, &shape);
          error != cudaSuccess)
        return error;
      element = shape.elementBytes();
    }
  if (!readOperand(copy.src, copy.extent, element, &p.srcArray, &p.srcPos,
                   &p.srcPtr) ||
      !readOperand(copy.dst, copy.extent, element, &p.dstArray, &p.dstPos,
                   &p.dstPtr) ||
      !isOrder(copy.srcAccessOrder) || copy.flags > 1)
    return cudaErrorInvalidValue;
  p.extent = copy.extent;
  p.kind = CopyKind::Default;
  BoxCopy box;
  if (Error error = boxOf(e, p, &box); error != cudaSuccess)
    return error;
  if (Error error = e.copyBox(box, stream, /*async=*/true);
      error != cudaSuccess)
    return error;
  return copy.srcAccessOrder == cudaMemcpySrcAccessOrderDuringApiCall
             ? e.synchronizeStream(stream)
             : cudaSuccess;
}

CUFORT_API cudaError_t cudaMemcpy3DBatchAsync(size_t count,
                                              cudaMemcpy3DBatchOp *copies,
                                              unsigned long long flags,
                                              cudaStream_t stream) {
  if (!count || !copies || flags || isDefault(stream))
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    for (size_t i = 0; i < count; ++i)
      if (Error error = copyOne(e, copies[i], stream); error != cudaSuccess)
        return error;
    return cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Managed memory
//===----------------------------------------------------------------------===//

/// Whether all pieces are managed memory of some size.
static Error checkManaged(Engine &e, void *const *memory, const size_t *sizes,
                          size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (!memory[i] || !sizes[i])
      return cudaErrorInvalidValue;
    PointerDescription description{};
    if (Error error = e.describe(memory[i], &description); error != cudaSuccess)
      return error;
    if (description.type != PointerDescription::Managed)
      return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

static cudaError_t
prefetch(void *const *memory, const size_t *sizes, size_t count,
         const cudaMemLocation *locations, const size_t *places,
         size_t locationCount, unsigned long long flags, cudaStream_t stream,
         const std::source_location &where = std::source_location::current()) {
  const profile::Call recorded(where);
  if (!memory || !sizes || !count || !locations || flags || isDefault(stream) ||
      !inOrder(places, locationCount, count))
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    if (Error error = checkManaged(e, memory, sizes, count);
        error != cudaSuccess)
      return error;
    size_t current = 0;
    for (size_t i = 0; i < count; ++i) {
      while (current + 1 < locationCount && places[current + 1] <= i)
        ++current;
      constexpr int device = 1, host = 2;
      const cudaMemLocation &where = locations[current];
      if ((where.type != device && where.type != host) ||
          (where.type == device && !deviceAt(where.id)))
        return cudaErrorInvalidValue;
      if (Error error = e.prefetch(memory[i], sizes[i],
                                   where.type == host ? -1 : where.id, stream);
          error != cudaSuccess)
        return error;
    }
    return cudaSuccess;
  });
}

CUFORT_API cudaError_t cudaMemPrefetchBatchAsync(
    void **memory, size_t *sizes, size_t count, cudaMemLocation *locations,
    size_t *places, size_t locationCount, unsigned long long flags,
    cudaStream_t stream) {
  return prefetch(memory, sizes, count, locations, places, locationCount, flags,
                  stream);
}

// What memory holds that is discarded is not defined: it may stay as it is.
CUFORT_API cudaError_t cudaMemDiscardBatchAsync(void **memory, size_t *sizes,
                                                size_t count,
                                                unsigned long long flags,
                                                cudaStream_t stream) {
  if (!memory || !sizes || !count || flags || isDefault(stream))
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    bool blocking;
    const Error error = e.streamBlocking(stream, &blocking);
    return error == cudaSuccess ? checkManaged(e, memory, sizes, count) : error;
  });
}

CUFORT_API cudaError_t cudaMemDiscardAndPrefetchBatchAsync(
    void **memory, size_t *sizes, size_t count, cudaMemLocation *locations,
    size_t *places, size_t locationCount, unsigned long long flags,
    cudaStream_t stream) {
  return prefetch(memory, sizes, count, locations, places, locationCount, flags,
                  stream);
}
