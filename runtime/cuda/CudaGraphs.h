//===- CudaGraphs.h - graphs of an NVIDIA device ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CUDA_CUDAGRAPHS_H
#define CUFORT_RUNTIME_CUDA_CUDAGRAPHS_H

#include "runtime/core/engine/Graphs.h"
#include <mutex>
#include <unordered_map>
#include <unordered_set>

namespace cufort::cuda {

class CudaEngine;

/// The driver's graphs. Unknown graphs are refused before the driver sees them.
struct KernelNode;

class CudaGraphs final : public Graphs {
public:
  explicit CudaGraphs(CudaEngine &engine) : engine(engine) {}

#define CUFORT_GRAPHS(result, name, parameters) result name parameters override;
#include "runtime/core/engine/Graphs.def"

  /// Forgets all handles: the device has been reset.
  void reset();

private:
  Error describeKernel(const KernelReference &kernel,
                       const LaunchConfiguration &configuration,
                       void *const *parameters, KernelNode *launch);
  bool known(GraphHandle graph);
  bool knownExec(GraphExecHandle exec);
  /// The graphs within nodes of \p graph are no longer known.
  void forgetChildren(GraphHandle graph);
  /// Makes a graph of the driver's known, or destroys it.
  Error enter(GraphHandle created, GraphHandle *graph);

  /// What there is on all devices: a handle is good whatever device is current.
  /// It ends with the reset of the device that was current when it was made.
  struct Tables {
    std::mutex mutex;
    std::unordered_map<GraphHandle, const CudaGraphs *> graphs;
    std::unordered_map<GraphExecHandle, const CudaGraphs *> execs;
    std::unordered_map<GraphHandle, const CudaGraphs *> children;
    std::unordered_set<StreamHandle> intoGraphs;
  };
  static Tables &tables();

  CudaEngine &engine;
  // Of the tables.
  std::mutex &mutex = tables().mutex;
  std::unordered_map<GraphHandle, const CudaGraphs *> &graphs = tables().graphs;
  std::unordered_map<GraphExecHandle, const CudaGraphs *> &execs =
      tables().execs;
  /// Graphs within nodes or under capture that the program has asked for: they
  /// can be asked about, but not destroyed.
  std::unordered_map<GraphHandle, const CudaGraphs *> &children =
      tables().children;
  /// Streams whose captures began with a graph.
  std::unordered_set<StreamHandle> &intoGraphs = tables().intoGraphs;
};

} // namespace cufort::cuda

#endif // CUFORT_RUNTIME_CUDA_CUDAGRAPHS_H
