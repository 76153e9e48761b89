//===- LoadedProgram.h - an image on an NVIDIA device -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CUDA_LOADEDPROGRAM_H
#define CUFORT_RUNTIME_CUDA_LOADEDPROGRAM_H

#include "runtime/core/Registry.h"
#include "runtime/cuda/Driver.h"
#include <atomic>
#include <memory>

namespace cufort::cuda {

/// The module that the driver made of an image's GPU code, and its functions
/// as far as they have been asked for.
class LoadedProgram {
public:
  /// Picks the code that fits a device of compute capability \p major.\p minor
  /// best and loads it into the current context. Null on errors, which are
  /// explained on standard error.
  static std::unique_ptr<LoadedProgram> load(const Driver &driver,
                                             const image::Image &image,
                                             int major, int minor,
                                             Error *error);

  /// The code of \p image that fits such a device best; null: none does.
  static const image::Code *choose(const image::Image &image, int major,
                                   int minor);

  /// Gives back what a reset of the device does not: code that all devices
  /// share, with the last of them.
  ~LoadedProgram();
  LoadedProgram(const LoadedProgram &) = delete;
  LoadedProgram &operator=(const LoadedProgram &) = delete;

  /// Gives the module back to the driver; a reset of the device does so by
  /// itself.
  void unload();

  Error function(unsigned kernel, CUfunction *result);
  /// Whether \p function is one that has been asked for, and its number.
  bool find(CUfunction function, unsigned *kernel) const;
  Error variable(unsigned number, void **address);

  /// The dynamic shared memory that kernel \p number has been allowed.
  std::atomic<uint32_t> &allowedShared(unsigned number) {
    return allowed[number];
  }

private:
  LoadedProgram(const Driver &driver, const image::Image &image);

  const Driver &driver;
  const image::Image &image;
  CUmodule module = nullptr;
  /// What the module is of where there are several devices; else null.
  const image::Code *shared = nullptr;
  std::unique_ptr<std::atomic<CUfunction>[]> functions;
  std::unique_ptr<std::atomic<uint32_t>[]> allowed;
  std::unique_ptr<std::atomic<CUdeviceptr>[]> variables;
};

} // namespace cufort::cuda

#endif // CUFORT_RUNTIME_CUDA_LOADEDPROGRAM_H
