//===- Attributes.cpp - CUDA runtime API: attributes of streams and nodes ===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/graphs/OnGraphs.h"
#include <cstring>

using namespace cufort;

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

CUFORT_API cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) {
  if (!device)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) { return e.streamDevice(stream, device); });
}

// An attribute's value is a union of 64 bytes on both sides.

CUFORT_API cudaError_t cudaStreamGetAttribute(cudaStream_t stream,
                                              int attribute,
                                              cudaStreamAttrValue *value) {
  if (!value)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    AttributeValue found;
    const Error error = e.streamAttribute(stream, attribute, &found);
    if (error == cudaSuccess)
      std::memcpy(value, &found, sizeof(found));
    return error;
  });
}

CUFORT_API cudaError_t cudaStreamSetAttribute(
    cudaStream_t stream, int attribute, const cudaStreamAttrValue *value) {
  if (!value)
    return recordError(cudaErrorInvalidValue);
  AttributeValue wanted;
  std::memcpy(&wanted, value, sizeof(wanted));
  return onDevice([&](Engine &e) {
    return e.setStreamAttribute(stream, attribute, wanted);
  });
}

CUFORT_API cudaError_t cudaStreamCopyAttributes(cudaStream_t to,
                                                cudaStream_t from) {
  return onDevice([&](Engine &e) {
    for (int attribute :
         {AttributeAccessWindow, AttributeSynchronization, AttributePriority,
          AttributeDomainMap, AttributeDomain}) {
      AttributeValue value = {}, present = {};
      Error error = e.streamAttribute(from, attribute, &value);
      // What the device does not have is not copied, nor what is the same
      // already: a GPU's driver does not take all values that it gives.
      if (error == cudaErrorInvalidValue || error == cudaErrorNotSupported ||
          (error == cudaSuccess &&
           e.streamAttribute(to, attribute, &present) == cudaSuccess &&
           std::memcmp(value.bytes, present.bytes, sizeof(value.bytes)) == 0))
        continue;
      if (error == cudaSuccess)
        error = e.setStreamAttribute(to, attribute, value);
      if (error != cudaSuccess)
        return error;
    }
    return cudaSuccess;
  });
}

CUFORT_API cudaError_t cudaCtxResetPersistingL2Cache(void) {
  return onDevice([](Engine &e) { return e.resetPersistingCache(); });
}

//===----------------------------------------------------------------------===//
// Captures
//===----------------------------------------------------------------------===//

CUFORT_API cudaError_t cudaThreadExchangeStreamCaptureMode(int *mode) {
  if (!mode)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) { return g.exchangeMode(mode); });
}

CUFORT_API cudaError_t cudaStreamUpdateCaptureDependencies(
    cudaStream_t stream, cudaGraphNode_t *nodes, const cudaGraphEdgeData *edges,
    size_t count, unsigned flags) {
  for (size_t i = 0; edges && i < count; ++i)
    if (edges[i].from_port || edges[i].to_port || edges[i].type)
      return recordError(cudaErrorNotSupported);
  return onGraphs([&](Graphs &g) {
    CaptureInformation capture;
    if (const Error error = g.captureInformation(stream, &capture);
        error != cudaSuccess)
      return error;
    if (flags > cudaStreamSetCaptureDependencies)
      return capture.status == CaptureStatus::None ? cudaErrorIllegalState
                                                   : cudaErrorInvalidValue;
    return g.updateCapture(stream, {nodes, count},
                           flags == cudaStreamSetCaptureDependencies);
  });
}

//===----------------------------------------------------------------------===//
// Nodes and executable graphs
//===----------------------------------------------------------------------===//

CUFORT_API cudaError_t cudaGraphKernelNodeGetAttribute(
    cudaGraphNode_t node, int attribute, cudaKernelNodeAttrValue *value) {
  if (!value)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    AttributeValue found;
    const Error error = g.kernelAttribute(node, attribute, &found);
    if (error == cudaSuccess)
      std::memcpy(value, &found, sizeof(found));
    return error;
  });
}

CUFORT_API cudaError_t cudaGraphKernelNodeSetAttribute(
    cudaGraphNode_t node, int attribute, const cudaKernelNodeAttrValue *value) {
  if (!value)
    return recordError(cudaErrorInvalidValue);
  AttributeValue wanted;
  std::memcpy(&wanted, value, sizeof(wanted));
  return onGraphs(
      [&](Graphs &g) { return g.setKernelAttribute(node, attribute, wanted); });
}

CUFORT_API cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to,
                                                         cudaGraphNode_t from) {
  return onGraphs([&](Graphs &g) { return g.copyKernelAttributes(to, from); });
}

CUFORT_API cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec,
                                               cudaGraphNode_t node,
                                               unsigned enabled) {
  if (!exec)
    return recordError(cudaErrorInvalidValue);
  return onGraphs(
      [&](Graphs &g) { return g.enable({node, exec}, enabled != 0); });
}

CUFORT_API cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec,
                                               cudaGraphNode_t node,
                                               unsigned *enabled) {
  if (!exec || !enabled)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) {
    bool found = false;
    const Error error = g.isEnabled({node, exec}, &found);
    if (error == cudaSuccess)
      *enabled = found;
    return error;
  });
}

CUFORT_API cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec,
                                             unsigned long long *flags) {
  if (!flags)
    return recordError(cudaErrorInvalidValue);
  return onGraphs([&](Graphs &g) { return g.execFlags(exec, flags); });
}

CUFORT_API cudaError_t cudaGraphInstantiateWithParams(
    cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphInstantiateParams *p) {
  const profile::Call recorded;
  if (!p)
    return recordError(cudaErrorInvalidValue);
  p->errNode_out = nullptr;
  p->result_out = cudaGraphInstantiateError;
  constexpr unsigned long long upload = 2;
  // It does nothing to the graph, and drivers do not take it.
  cudaError_t error =
      cudaGraphInstantiateWithFlags(exec, graph, p->flags & ~upload);
  if (error == cudaSuccess && p->flags & upload) {
    error = cudaGraphUpload(*exec, p->uploadStream);
    if (error != cudaSuccess)
      cudaGraphExecDestroy(*exec);
  }
  if (error == cudaSuccess)
    p->result_out = cudaGraphInstantiateSuccess;
  return recordError(error);
}
