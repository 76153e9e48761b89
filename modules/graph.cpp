//===- graph.cpp - cudafor: graphs ----------------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Descriptor.h"

using namespace cudafor;

namespace {

/// Calls \p list(count), with the capacity of the array in \p number if there
/// is one, and writes there how many there are.
template <typename List>
int countNodes(const Descriptor *number, bool hasArray, List list) {
  size_t count = 0;
  if (hasArray && !readCount(number, count))
    return refused(InvalidValue);
  if (int error = list(&count))
    return error;
  return writeCount(number, count) ? Success : refused(InvalidValue);
}

/// Calls \p add(the number of dependencies).
template <typename Add> int addNode(const Descriptor *count, Add add) {
  size_t number = 0;
  return count && !readCount(count, number) ? refused(InvalidValue)
                                            : add(number);
}

} // namespace

extern "C" {

int __cudafor_cudaGraphAddEmptyNode(GraphNode *node, Graph graph,
                                    const GraphNode *after,
                                    const Descriptor *count) {
  return addNode(count, [&](size_t n) {
    return cudaGraphAddEmptyNode(node, graph, after, n);
  });
}

int __cudafor_cudaGraphAddKernelNode(GraphNode *node, Graph graph,
                                     const GraphNode *after,
                                     const Descriptor *count,
                                     const void *parameters) {
  return addNode(count, [&](size_t n) {
    return cudaGraphAddKernelNode(node, graph, after, n, parameters);
  });
}

int __cudafor_cudaGraphAddMemcpyNode(GraphNode *node, Graph graph,
                                     const GraphNode *after,
                                     const Descriptor *count,
                                     const void *parameters) {
  return addNode(count, [&](size_t n) {
    return cudaGraphAddMemcpyNode(node, graph, after, n, parameters);
  });
}

int __cudafor_cudaGraphAddMemsetNode(GraphNode *node, Graph graph,
                                     const GraphNode *after,
                                     const Descriptor *count,
                                     const void *parameters) {
  return addNode(count, [&](size_t n) {
    return cudaGraphAddMemsetNode(node, graph, after, n, parameters);
  });
}

int __cudafor_cudaGraphAddHostNode(GraphNode *node, Graph graph,
                                   const GraphNode *after,
                                   const Descriptor *count,
                                   const void *parameters) {
  return addNode(count, [&](size_t n) {
    return cudaGraphAddHostNode(node, graph, after, n, parameters);
  });
}

int __cudafor_cudaGraphAddChildGraphNode(GraphNode *node, Graph graph,
                                         const GraphNode *after,
                                         const Descriptor *count, Graph child) {
  return addNode(count, [&](size_t n) {
    return cudaGraphAddChildGraphNode(node, graph, after, n, child);
  });
}

int __cudafor_cudaGraphAddDependencies(Graph graph, const GraphNode *from,
                                       const GraphNode *to,
                                       const Descriptor *count) {
  return addNode(count, [&](size_t n) {
    return cudaGraphAddDependencies(graph, from, to, n);
  });
}

int __cudafor_cudaGraphGetNodes(Graph graph, GraphNode *nodes,
                                const Descriptor *count) {
  return countNodes(count, nodes, [&](size_t *n) {
    return cudaGraphGetNodes(graph, nodes, n);
  });
}

int __cudafor_cudaGraphGetRootNodes(Graph graph, GraphNode *nodes,
                                    const Descriptor *count) {
  return countNodes(count, nodes, [&](size_t *n) {
    return cudaGraphGetRootNodes(graph, nodes, n);
  });
}

int __cudafor_cudaGraphGetEdges(Graph graph, GraphNode *from, GraphNode *to,
                                const Descriptor *count) {
  return countNodes(count, from, [&](size_t *n) {
    return cudaGraphGetEdges(graph, from, to, n);
  });
}

int __cudafor_cudaGraphInstantiate(GraphExec *exec, Graph graph,
                                   const int *flags) {
  return cudaGraphInstantiate(exec, graph,
                              flags ? static_cast<unsigned>(*flags) : 0);
}

// CUDA's old form: no graph names a culprit any more, the text is the error's.
int __cudafor_cudaGraphInstantiateLog(GraphExec *exec, Graph graph,
                                      GraphNode *node, char *text,
                                      const Descriptor *length) {
  const Routine routine("cudaGraphInstantiate");
  size_t capacity;
  if (!readCount(length, capacity))
    return refused(InvalidValue);
  *node = nullptr;
  std::memset(text, ' ', capacity);
  const int error = cudaGraphInstantiate(exec, graph, 0);
  if (error) {
    const char *message = cudaGetErrorString(error);
    const size_t used = std::strlen(message);
    std::memcpy(text, message, used < capacity ? used : capacity);
  }
  return error;
}

int __cudafor_cudaGraphLaunch(GraphExec exec, const Descriptor *stream) {
  return cudaGraphLaunch(exec, readStream(stream));
}

int __cudafor_cudaGraphExecUpdate(GraphExec exec, Graph graph, GraphNode *node,
                                  int *result) {
  UpdateResult information{};
  const int error = cudaGraphExecUpdate(exec, graph, &information);
  *node = information.node;
  *result = information.result;
  return error;
}

int __cudafor_cudaStreamBeginCapture(const Descriptor *stream, int mode) {
  return cudaStreamBeginCapture(readStream(stream), mode);
}

int __cudafor_cudaStreamBeginCaptureToGraph(const Descriptor *stream,
                                            Graph graph, const GraphNode *after,
                                            const Descriptor *count, int mode) {
  size_t number = 0;
  if (count && !readCount(count, number))
    return refused(InvalidValue);
  return cudaStreamBeginCaptureToGraph(readStream(stream), graph, after,
                                       nullptr, number, mode);
}

int __cudafor_cudaStreamEndCapture(const Descriptor *stream, Graph *graph) {
  return cudaStreamEndCapture(readStream(stream), graph);
}

int __cudafor_cudaStreamIsCapturing(const Descriptor *stream, int *status) {
  return cudaStreamIsCapturing(readStream(stream), status);
}

int __cudafor_cudaStreamGetCaptureInfo(const Descriptor *stream, int *status,
                                       const Descriptor *id) {
  unsigned long long number = 0;
  if (int error = cudaStreamGetCaptureInfo(readStream(stream), status, &number,
                                           nullptr, nullptr, nullptr, nullptr))
    return error;
  return writeCount(id, number) ? Success : refused(InvalidValue);
}

} // extern "C"
