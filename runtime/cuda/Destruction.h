//===- Destruction.h - handles on their way out -----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CUDA_DESTRUCTION_H
#define CUFORT_RUNTIME_CUDA_DESTRUCTION_H

#include "runtime/core/process/Error.h"
#include <mutex>

namespace cufort::cuda {

/// Takes a handle out of the container of those that are known, so that no
/// other thread destroys it as well; it is back where the driver fails.
template <typename Container> class Destruction {
public:
  Destruction(std::mutex &mutex, Container &container,
              const Container::key_type &handle)
      : mutex(mutex), container(container) {
    std::lock_guard lock(mutex);
    node = container.extract(handle);
  }

  /// Whether the handle was known.
  explicit operator bool() const { return !node.empty(); }

  /// What the driver said.
  Error end(Error error) {
    if (error != cudaSuccess) {
      std::lock_guard lock(mutex);
      container.insert(std::move(node));
    }
    return error;
  }

private:
  std::mutex &mutex;
  Container &container;
  Container::node_type node;
};

} // namespace cufort::cuda

#endif // CUFORT_RUNTIME_CUDA_DESTRUCTION_H
