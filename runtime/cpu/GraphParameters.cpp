//===- GraphParameters.cpp - what the nodes of graphs do ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/CopyOperation.h"
#include "runtime/cpu/CpuEngine.h"
#include "runtime/cpu/GraphNodes.h"
#include <algorithm>
#include <cstring>
#include <utility>

namespace cufort::cpu {

/// Makes launches with a copy of the parameters.
static CpuGraphs::Make
makeLaunches(std::function<Operation *(void *const *)> launch,
             const image::Kernel &kernel, void *const *parameters) {
  auto bytes = std::make_shared<std::vector<char>>(kernel.parameterBytes);
  for (uint32_t i = 0; i < kernel.parameterCount; ++i)
    std::memcpy(bytes->data() + kernel.parameters[i].offset, parameters[i],
                kernel.parameters[i].size);
  return [launch = std::move(launch), bytes, &kernel] {
    std::vector<void *> pointers(kernel.parameterCount);
    for (uint32_t i = 0; i < kernel.parameterCount; ++i)
      pointers[i] = bytes->data() + kernel.parameters[i].offset;
    return launch(pointers.data());
  };
}

Error CpuGraphs::makeKernel(const KernelReference &kernel,
                            const LaunchConfiguration &configuration,
                            void *const *parameters, Make *make) {
  // One is made at once, to find out what is wrong with it.
  Operation *first;
  if (Error error =
          engine.makeLaunch(kernel, configuration, parameters, &first);
      error != cudaSuccess)
    return error;
  first->drop();
  auto launch = [&engine = engine, kernel,
                 configuration](void *const *parameters) {
    Operation *operation = nullptr;
    engine.makeLaunch(kernel, configuration, parameters, &operation);
    return operation;
  };
  *make = makeLaunches(launch, *kernel.kernel, parameters);
  return cudaSuccess;
}

Error CpuGraphs::makeCopy(const BoxCopy &copy, Make *make) {
  StridedView to, from;
  if (Error error = engine.resolve(copy.to, copy, &to); error != cudaSuccess)
    return error;
  if (Error error = engine.resolve(copy.from, copy, &from);
      error != cudaSuccess)
    return error;
  simplify(to, from);
  *make = [=] { return new StridedCopyOperation(to, from); };
  return cudaSuccess;
}

Error CpuGraphs::makeFill(const FillParameters &fill, Make *make) {
  const unsigned size = fill.elementBytes;
  if (!fill.memory || !fill.width || !fill.height ||
      (size != 1 && size != 2 && size != 4))
    return cudaErrorInvalidValue;
  size_t row;
  if (__builtin_mul_overflow(fill.width, size, &row))
    return cudaErrorInvalidValue;
  if (fill.height > 1 && row > fill.pitch)
    return cudaErrorInvalidPitchValue;
  if (Error error =
          CpuEngine::checkRows(fill.memory, fill.pitch, fill.height, row);
      error != cudaSuccess)
    return error;
  *make = [fill, size]() -> Operation * {
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

Error CpuGraphs::makeHost(void (*function)(void *), void *data, Make *make) {
  if (!function)
    return cudaErrorInvalidValue;
  *make = [=] { return new HostCallOperation(function, data); };
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Changing them
//===----------------------------------------------------------------------===//

Error CpuGraphs::set(NodePlace place, GraphNodeType type, Make make) {
  std::lock_guard lock(mutex);
  auto *node = static_cast<GraphNode *>(place.node);
  if (!allNodes.count(node) || node->type != type)
    return cudaErrorInvalidValue;
  if (!place.exec) {
    node->make = std::move(make);
    return cudaSuccess;
  }
  auto *exec = static_cast<GraphExec *>(place.exec);
  if (!execs.count(exec))
    return cudaErrorInvalidValue;
  auto step = std::find_if(exec->steps.begin(), exec->steps.end(),
                           [&](const GraphStep &s) { return s.node == node; });
  if (step == exec->steps.end())
    return cudaErrorInvalidValue;
  step->make = std::move(make);
  return cudaSuccess;
}

Error CpuGraphs::setKernel(NodePlace place, const KernelReference &kernel,
                           const LaunchConfiguration &configuration,
                           void *const *parameters) {
  Make make;
  Error error = makeKernel(kernel, configuration, parameters, &make);
  return error == cudaSuccess
             ? set(place, GraphNodeType::Kernel, std::move(make))
             : error;
}

Error CpuGraphs::setCopy(NodePlace place, const BoxCopy &copy) {
  Make make;
  Error error = makeCopy(copy, &make);
  return error == cudaSuccess ? set(place, GraphNodeType::Copy, std::move(make))
                              : error;
}

Error CpuGraphs::setFill(NodePlace place, const FillParameters &fill) {
  Make make;
  Error error = makeFill(fill, &make);
  return error == cudaSuccess ? set(place, GraphNodeType::Fill, std::move(make))
                              : error;
}

Error CpuGraphs::setHost(NodePlace place, void (*function)(void *),
                         void *data) {
  Make make;
  Error error = makeHost(function, data, &make);
  return error == cudaSuccess ? set(place, GraphNodeType::Host, std::move(make))
                              : error;
}

} // namespace cufort::cpu
