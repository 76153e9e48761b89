//===- KernelOutput.h - what kernels print, and stop ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Engines collect records of output statements (image/KernelOutput.h) and
// deliver them after a synchronisation; runtime/fortran turns each into the
// same statement of the host's Fortran runtime. A kernel's stop statement ends
// the program the same way.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_KERNELOUTPUT_H
#define CUFORT_RUNTIME_CORE_KERNELOUTPUT_H

#include "image/KernelOutput.h"
#include <cstddef>
#include <cstdint>
#include <string>

namespace cufort {

/// Why a kernel ended the program.
struct KernelStop {
  unsigned kind; ///< CufortStop, perhaps with CUFORT_STOP_QUIET
  int code;
  std::string text; ///< of the statement or the error
  std::string file; ///< of errors; may be empty
  int line;
};

/// How records become output: installed by runtime/fortran.
struct OutputReplay {
  /// Executes the statement of a record; \p file may be null.
  void (*statement)(const uint64_t *words, size_t count, const char *file);
  /// Writes the buffers of the units that statements have used.
  void (*flush)();
  /// Ends the program, does not return.
  void (*stop)(const KernelStop &stop);
};
void setOutputReplay(const OutputReplay &replay);

/// The installed functions; does not return where there are none.
const OutputReplay &outputReplay();

/// One thread at a time delivers output; a thread that is already at it (an
/// exit handler of the statement that it executes) must not start over.
class OutputTurn {
public:
  OutputTurn();
  ~OutputTurn();
  OutputTurn(const OutputTurn &) = delete;
  OutputTurn &operator=(const OutputTurn &) = delete;
  /// Whether this thread may deliver.
  explicit operator bool() const { return mine; }

private:
  bool mine;
};

/// Ends the program as the kernel's statement says, after all output: on a
/// thread of the program (runtime/core/process/Stop.h). Called by others too,
/// it needs
/// \p wake, which wakes those that wait for a device.
[[noreturn]] void stopForKernel(const KernelStop &stop,
                                void (*wake)() = nullptr);

/// Whether the program's kernels print or stop at all.
bool kernelsHaveOutput();

/// cudaLimitPrintfFifoSize: bytes for output that the host has not read yet.
/// A change is Engine::setLimit(OutputLimit).
inline constexpr int OutputLimit = 1;
size_t outputBufferBytes();
void setOutputBufferBytes(size_t bytes);

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_KERNELOUTPUT_H
