//===- GraphHandles.h - our graphs as the driver knows them -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CUDA_GRAPHHANDLES_H
#define CUFORT_RUNTIME_CUDA_GRAPHHANDLES_H

#include "runtime/core/StreamNumbers.h"
#include "runtime/cuda/CudaEngine.h"

namespace cufort::cuda {

inline CUgraph graphOf(GraphHandle graph) {
  return static_cast<CUgraph>(graph);
}

inline CUgraphExec execOf(GraphExecHandle exec) {
  return static_cast<CUgraphExec>(exec);
}

inline CUgraphNode nodeOf(GraphNodeHandle node) {
  return static_cast<CUgraphNode>(node);
}

inline CUgraphNode nodeOf(NodePlace place) { return nodeOf(place.node); }

inline CUstream streamOf(StreamHandle stream) {
  return static_cast<CUstream>(handleOf(stream));
}

/// Handles are pointers on both sides.
inline const CUgraphNode *nodesOf(const GraphNodeHandle *nodes) {
  return reinterpret_cast<const CUgraphNode *>(nodes);
}

inline CUgraphNode *nodesOf(GraphNodeHandle *nodes) {
  return reinterpret_cast<CUgraphNode *>(nodes);
}

} // namespace cufort::cuda

// How functions of CudaGraphs begin that use the device, that take a graph, and
// that take a node: nodes are the driver's to know.

#define BIND()                                                                 \
  if (Error bindError = engine.bind(); bindError != cudaSuccess)               \
  return bindError

#define NEED(handle)                                                           \
  BIND();                                                                      \
  if (!known(handle))                                                          \
  return cudaErrorInvalidValue

#define NEED_PLACE(place)                                                      \
  BIND();                                                                      \
  if (!(place).node || ((place).exec && !knownExec((place).exec)))             \
  return cudaErrorInvalidValue

#endif // CUFORT_RUNTIME_CUDA_GRAPHHANDLES_H
