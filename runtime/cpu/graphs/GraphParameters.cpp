//===- GraphParameters.cpp - what the nodes of graphs do ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/CpuEngine.h"
#include "runtime/cpu/graphs/GraphNodes.h"
#include "runtime/cpu/memory/CopyOperation.h"
#include <algorithm>
#include <cstring>
#include <utility>

namespace cufort::cpu {

KernelWork::KernelWork(const KernelReference &kernel,
                       const LaunchConfiguration &configuration,
                       void *const *parameters)
    : kernel(kernel), configuration(configuration),
      bytes(kernel.kernel->parameterBytes) {
  const image::Kernel &k = *kernel.kernel;
  pointers.reserve(k.parameterCount);
  for (uint32_t i = 0; i < k.parameterCount; ++i) {
    void *place = bytes.data() + k.parameters[i].offset;
    std::memcpy(place, parameters[i], k.parameters[i].size);
    pointers.push_back(place);
  }
}

Error CpuGraphs::makeKernel(const KernelReference &kernel,
                            const LaunchConfiguration &configuration,
                            void *const *parameters, Action *action) {
  // One is made at once, to find out what is wrong with it.
  Operation *first;
  if (Error error =
          engine.makeLaunch(kernel, configuration, parameters, &first);
      error != cudaSuccess)
    return error;
  first->drop();
  auto work = std::make_shared<KernelWork>(kernel, configuration, parameters);
  action->make = [&engine = engine, work] {
    Operation *operation = nullptr;
    engine.makeLaunch(work->kernel, work->configuration, work->pointers.data(),
                      &operation);
    return operation;
  };
  action->work = work;
  return cudaSuccess;
}

Error CpuGraphs::makeCopy(const BoxCopy &copy, Action *action) {
  StridedView to, from;
  if (Error error = engine.resolve(copy.to, copy, &to); error != cudaSuccess)
    return error;
  if (Error error = engine.resolve(copy.from, copy, &from);
      error != cudaSuccess)
    return error;
  simplify(to, from);
  action->make = [=] { return new StridedCopyOperation(to, from); };
  action->work = copy;
  return cudaSuccess;
}

Error CpuGraphs::makeFill(const FillParameters &fill, Action *action) {
  const unsigned size = fill.elementBytes;
  if (!fill.memory || !fill.width || !fill.height ||
      (size != 1 && size != 2 && size != 4))
    return cudaErrorInvalidValue;
  size_t row;
  if (__builtin_mul_overflow(fill.width, size, &row))
    return cudaErrorInvalidValue;
  if (reinterpret_cast<uintptr_t>(fill.memory) % size ||
      (fill.height > 1 && (row > fill.pitch || fill.pitch % size)))
    return cudaErrorInvalidValue;
  if (Error error =
          CpuEngine::checkRows(fill.memory, fill.pitch, fill.height, row);
      error != cudaSuccess)
    return error;
  action->work = fill;
  action->make = [fill, size]() -> Operation * {
    if (fill.height == 1)
      return new FillOperation(fill.memory, &fill.value, size, fill.width);
    auto rows = [fill, size] {
      for (size_t i = 0; i < fill.height; ++i) {
        FillOperation row(static_cast<char *>(fill.memory) + i * fill.pitch,
                          &fill.value, size, fill.width);
        row.run(0, row.units, Participant::current());
      }
    };
    return new CallOperation(rows);
  };
  return cudaSuccess;
}

Error CpuGraphs::makeHost(void (*function)(void *), void *data,
                          Action *action) {
  if (!function)
    return cudaErrorInvalidValue;
  action->make = [=] { return new HostCallOperation(function, data); };
  action->work = HostCall{function, data};
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Changing them
//===----------------------------------------------------------------------===//

Error CpuGraphs::set(NodePlace place, GraphNodeType type, Action action) {
  std::lock_guard lock(mutex);
  auto *node = static_cast<GraphNode *>(place.node);
  if (!allNodes.count(node) || node->type != type)
    return cudaErrorInvalidValue;
  if (!place.exec) {
    node->make = std::move(action.make);
    node->work = std::move(action.work);
    return cudaSuccess;
  }
  GraphStep *step;
  if (Error error = stepOf(place, &step); error != cudaSuccess)
    return error;
  if (!mayReplace(step->work, action.work))
    return cudaErrorInvalidValue;
  step->work = std::move(action.work);
  step->make = std::move(action.make);
  return cudaSuccess;
}

template <typename Work>
Error CpuGraphs::workOf(GraphNodeHandle handle, Work *result) {
  std::lock_guard lock(mutex);
  auto *node = static_cast<GraphNode *>(handle);
  const Work *work =
      allNodes.count(node) ? std::get_if<Work>(&node->work) : nullptr;
  if (!work)
    return cudaErrorInvalidValue;
  *result = *work;
  return cudaSuccess;
}

Error CpuGraphs::setKernel(NodePlace place, const KernelReference &kernel,
                           const LaunchConfiguration &parameterised,
                           void *const *parameters) {
  Action action;
  // Attributes stay as they are.
  LaunchConfiguration configuration = parameterised;
  if (std::shared_ptr<KernelWork> before;
      workOf(place.node, &before) == cudaSuccess) {
    configuration.cooperative |= before->configuration.cooperative;
    if (!configuration.clustered())
      configuration.cluster = before->configuration.cluster;
  }
  Error error = makeKernel(kernel, configuration, parameters, &action);
  return error == cudaSuccess
             ? set(place, GraphNodeType::Kernel, std::move(action))
             : error;
}

Error CpuGraphs::setCopy(NodePlace place, const BoxCopy &copy) {
  Action action;
  Error error = makeCopy(copy, &action);
  return error == cudaSuccess
             ? set(place, GraphNodeType::Copy, std::move(action))
             : error;
}

Error CpuGraphs::setFill(NodePlace place, const FillParameters &fill) {
  Action action;
  Error error = makeFill(fill, &action);
  return error == cudaSuccess
             ? set(place, GraphNodeType::Fill, std::move(action))
             : error;
}

Error CpuGraphs::setHost(NodePlace place, void (*function)(void *),
                         void *data) {
  Action action;
  Error error = makeHost(function, data, &action);
  return error == cudaSuccess
             ? set(place, GraphNodeType::Host, std::move(action))
             : error;
}

//===----------------------------------------------------------------------===//
// Reading them
//===----------------------------------------------------------------------===//

Error CpuGraphs::kernelOf(GraphNodeHandle node, KernelParameters *result) {
  std::shared_ptr<KernelWork> work;
  if (Error error = workOf(node, &work); error != cudaSuccess)
    return error;
  *result = {work->kernel, work->configuration, work->pointers.data()};
  return cudaSuccess;
}

Error CpuGraphs::copyOf(GraphNodeHandle node, BoxCopy *result) {
  return workOf(node, result);
}

Error CpuGraphs::fillOf(GraphNodeHandle node, FillParameters *result) {
  return workOf(node, result);
}

Error CpuGraphs::hostOf(GraphNodeHandle node, HostCall *result) {
  return workOf(node, result);
}

} // namespace cufort::cpu
