//===- KernelOutput.h - what kernels print on a GPU -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host's end of a program's output channel (image/KernelOutput.h). Device
// code writes records into slots of pinned memory; the host reads them in the
// order of the slots as far as they are complete. Nothing is copied and nothing
// is asked of the driver unless slots ran out.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CUDA_KERNELOUTPUT_H
#define CUFORT_RUNTIME_CUDA_KERNELOUTPUT_H

#include "image/KernelOutput.h"
#include "runtime/core/process/Error.h"
#include "runtime/cuda/Driver.h"
#include <cstdint>
#include <memory>
#include <unordered_set>

namespace cufort::cuda {

class KernelOutput {
public:
  /// Allocates slots for \p bytes and tells the device variable at \p channel
  /// in the current context. Null, and why in \p error, if there is no memory.
  static std::unique_ptr<KernelOutput>
  open(const Driver &driver, CUdeviceptr channel, size_t bytes, Error *error);
  /// The context may be gone by then; what is in it goes with it.
  ~KernelOutput() = default;
  /// Gives back what it has in the current context; may be repeated after an
  /// error.
  Error close();

  /// As open, with other slots: when no kernel runs and all is delivered.
  Error resize(size_t bytes);

  /// Prints the complete records, in the order in which they were begun, up to
  /// the first incomplete one; with \p over, when nothing can run any more,
  /// also those behind it. Then ends the program if a kernel wants that. The
  /// calling thread has its turn (OutputTurn).
  void deliver(bool over);

private:
  KernelOutput(const Driver &driver, CUdeviceptr channel)
      : driver(driver), channel(channel) {}

  /// Prints what begins in slot \p number; whether that was a whole record.
  bool print(uint64_t number);
  void printPrefix();
  void recover();

  const Driver &driver;
  const CUdeviceptr channel;
  CufortOutputSlot *slots = nullptr;
  CufortOutputMailbox *mailbox = nullptr;
  CUdeviceptr records = 0;
  uint64_t slotCount = 0;
  uint64_t next = 0;  ///< the slot to be read next
  uint64_t limit = 0; ///< slots that may be written, as the device knows it
  uint64_t lostBefore = 0;
  /// Slots after `next` that continue records already printed.
  std::unordered_set<uint64_t> continuations;
};

} // namespace cufort::cuda

#endif // CUFORT_RUNTIME_CUDA_KERNELOUTPUT_H
