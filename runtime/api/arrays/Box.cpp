//===- Box.cpp - CUDA runtime API: copies of boxes ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/arrays/Box.h"
#include "runtime/api/Direction.h"
#include "runtime/core/Device.h"

using namespace cufort;

/// Of cudaMemcpy3DParms and cudaMemcpy3DPeerParms: which box is meant; offsets
/// and widths are elements where an array takes part, else bytes.
template <typename Parameters>
static Error describe(Engine &e, const Parameters &p, BoxCopy *box) {
  if (!p.srcArray == !p.srcPtr.ptr || !p.dstArray == !p.dstPtr.ptr)
    return cudaErrorInvalidValue;
  size_t element = 1;
  for (cudaArray_t array : {p.srcArray, p.dstArray})
    if (array) {
      ArrayShape shape;
      if (const Error error = e.arrayShape(array, &shape); error != cudaSuccess)
        return error;
      if (element != 1 && shape.elementBytes() != element)
        return cudaErrorInvalidValue;
      element = shape.elementBytes();
    }
  const auto side = [&](cudaArray_t array, const cudaPitchedPtr &pointer,
                        const cudaPos &position) {
    BoxSide s;
    s.array = array;
    s.memory = pointer.ptr;
    s.pitch = pointer.pitch;
    s.rows = pointer.ysize;
    s.xBytes = position.x * (array ? element : 1);
    s.y = position.y;
    s.z = position.z;
    return s;
  };
  box->from = side(p.srcArray, p.srcPtr, p.srcPos);
  box->to = side(p.dstArray, p.dstPtr, p.dstPos);
  box->widthBytes = p.extent.width * element;
  box->height = p.extent.height;
  box->depth = p.extent.depth;
  return cudaSuccess;
}

Error cufort::boxOf(Engine &e, const cudaMemcpy3DParms &p, BoxCopy *box) {
  box->kind = p.kind;
  return describe(e, p, box);
}

Error cufort::parametersOf(Engine &e, const BoxCopy &box,
                           cudaMemcpy3DParms *p) {
  size_t element = 1;
  for (cudaArray_t array : {box.from.array, box.to.array})
    if (array) {
      ArrayShape shape;
      if (const Error error = e.arrayShape(array, &shape); error != cudaSuccess)
        return error;
      element = shape.elementBytes();
    }
  const auto position = [&](const BoxSide &side) {
    return cudaPos{side.xBytes / (side.array ? element : 1), side.y, side.z};
  };
  const auto pointer = [](const BoxSide &side) {
    return side.array
               ? cudaPitchedPtr{}
               : cudaPitchedPtr{side.memory, side.pitch, side.pitch, side.rows};
  };
  *p = {box.from.array,
        position(box.from),
        pointer(box.from),
        box.to.array,
        position(box.to),
        pointer(box.to),
        {box.widthBytes / element, box.height, box.depth},
        box.kind};
  return cudaSuccess;
}

/// Whether \p first and \p count lie within \p all.
static bool isWithin(size_t first, size_t count, size_t all) {
  return first <= all && count <= all - first;
}

static Error checkArray(Engine &e, const BoxCopy &box, const BoxSide &side) {
  ArrayShape shape;
  if (const Error error = e.arrayShape(side.array, &shape);
      error != cudaSuccess)
    return error;
  return isWithin(side.xBytes, box.widthBytes,
                  shape.width * shape.elementBytes()) &&
                 isWithin(side.y, box.height, shape.rows()) &&
                 isWithin(side.z, box.depth, shape.slices())
             ? cudaSuccess
             : cudaErrorInvalidValue;
}

/// Rows and slices that are longer than the pitched memory says; a pitch or a
/// number of rows that nothing needs may be zero.
static Error checkPitch(const BoxCopy &box, const BoxSide &side) {
  const bool isTooBroad = box.widthBytes > side.pitch;
  if (box.depth > 1 && (isTooBroad || box.height > side.rows))
    return cudaErrorInvalidPitchValue;
  if ((isTooBroad && box.height > 1) ||
      (side.pitch && !isWithin(side.xBytes, box.widthBytes, side.pitch)) ||
      (side.rows && !isWithin(side.y, box.height, side.rows)))
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

Error cufort::checkSides(Engine &e, const BoxCopy &box) {
  for (const BoxSide *side : {&box.to, &box.from})
    if (side->array)
      if (const Error error = checkArray(e, box, *side); error != cudaSuccess)
        return error;
  for (const BoxSide *side : {&box.to, &box.from})
    if (!side->array)
      if (const Error error = checkPitch(box, *side); error != cudaSuccess)
        return error;
  return cudaSuccess;
}

/// Copies \p box, which is not empty, if its sides hold what is to be copied
/// and its memory lies where \p kind has it.
static Error copyBox(Engine &e, const BoxCopy &box, cudaMemcpyKind kind,
                     cudaStream_t stream, bool async) {
  if (const Error error = checkSides(e, box); error != cudaSuccess)
    return error;
  const Error error = checkDirection(e, box.to.memory, box.from.memory, kind);
  return error == cudaSuccess ? e.copyBox(box, stream, async) : error;
}

static bool isEmpty(const cudaExtent &extent) {
  return !extent.width || !extent.height || !extent.depth;
}

static cudaError_t
copy3D(const cudaMemcpy3DParms *p, cudaStream_t stream, bool async,
       const std::source_location &where = std::source_location::current()) {
  const profile::Call recorded(where);
  if (!p)
    return recordError(cudaErrorInvalidValue);
  if (isEmpty(p->extent))
    return cudaSuccess;
  return onDevice([&](Engine &e) {
    BoxCopy box;
    const Error error = boxOf(e, *p, &box);
    return error == cudaSuccess ? copyBox(e, box, box.kind, stream, async)
                                : error;
  });
}

CUFORT_API cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *p) {
  return copy3D(p, nullptr, false);
}

CUFORT_API cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *p,
                                         cudaStream_t stream) {
  return copy3D(p, stream, true);
}

// Addresses are unified: the devices need not be named.
CUFORT_API cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *p,
                                             cudaStream_t stream) {
  if (!p || !deviceAt(p->srcDevice) || !deviceAt(p->dstDevice))
    return recordError(p ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
  if (isEmpty(p->extent))
    return cudaSuccess;
  return onDevice([&](Engine &e) {
    BoxCopy box;
    if (const Error error = describe(e, *p, &box); error != cudaSuccess)
      return error;
    // These copies find rows that overlap before anything else.
    for (const BoxSide *side : {&box.to, &box.from})
      if (!side->array && box.height > 1 && box.widthBytes > side->pitch)
        return cudaErrorInvalidPitchValue;
    return copyBox(e, box, CopyKind::DeviceToDevice, stream, true);
  });
}

CUFORT_API cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *p) {
  const profile::Call recorded;
  const cudaError_t error = cudaMemcpy3DPeerAsync(p, nullptr);
  return error == cudaSuccess
             ? onDevice([](Engine &e) { return e.synchronizeStream(nullptr); })
             : error;
}
