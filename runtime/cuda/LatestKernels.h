//===- LatestKernels.h - which kernels may have failed ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CUDA_LATESTKERNELS_H
#define CUFORT_RUNTIME_CUDA_LATESTKERNELS_H

#include <array>
#include <atomic>

namespace cufort::cuda {

/// The kernels that a device was last given: a GPU says that one of those that
/// run has failed, not which.
class LatestKernels {
public:
  /// Notes a launch of the kernel with the symbol \p kernel, which stays.
  void note(const char *kernel) {
    const unsigned number = launches.fetch_add(1, std::memory_order_relaxed);
    names[number % names.size()].store(kernel, std::memory_order_relaxed);
  }

  /// All have ended.
  void forget();

  /// Says on standard error, once, which may have failed and how to find where.
  void report();

private:
  std::array<std::atomic<const char *>, 8> names{}; ///< null: none
  std::atomic<unsigned> launches{0};
  std::atomic<bool> reported{false};
};

} // namespace cufort::cuda

#endif // CUFORT_RUNTIME_CUDA_LATESTKERNELS_H
