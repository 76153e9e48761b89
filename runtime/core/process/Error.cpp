//===- Error.cpp - status codes of the runtime ----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/process/Error.h"
#include "runtime/core/process/Process.h"
#include <utility>

namespace cufort {

const char *errorName(Error error) {
  switch (static_cast<int>(error)) {
#define CUFORT_ERROR(name, number, text)                                       \
  case number:                                                                 \
    return #name;
#include "runtime/core/process/ErrorCodes.def"
  }
  return "unrecognized error code";
}

const char *errorText(Error error) {
  switch (static_cast<int>(error)) {
#define CUFORT_ERROR(name, number, text)                                       \
  case number:                                                                 \
    return text;
#include "runtime/core/process/ErrorCodes.def"
  }
  return "unrecognized error code";
}

const char *errorAdvice(Error error) {
  switch (error) {
  case cudaErrorMemoryAllocation:
    return "allocate less, free device arrays that are no longer needed, or "
           "test stat= of the allocate statement";
  case cudaErrorInvalidConfiguration:
    return "a grid has at most 2147483647 x 65535 x 65535 blocks, a block at "
           "most 1024 threads (1024 x 1024 x 64), none of them may be zero, "
           "and "
           "static and dynamic shared memory must fit the device together";
  case cudaErrorInvalidDeviceFunction:
    return "the kernel is not in this program's device code: was its object "
           "file linked with cufort?";
  case cudaErrorNoKernelImageForDevice:
    return "the program has no code for this device: compile it again for "
           "this device or choose another with CUFORT_DEVICE";
  case cudaErrorInitializationError:
    return "a device cannot be used in a child process if the parent used it "
           "before fork(): use it first in the child";
  case cudaErrorIllegalAddress:
    return "a kernel accessed memory that is not the device's: an index "
           "outside of its array (are there more threads than elements?), "
           "an array of the host or one that is not allocated; or, on a GPU, "
           "its stack overflowed by recursion or large private arrays: a "
           "thread has 1024 bytes unless cudaDeviceSetLimit("
           "cudaLimitStackSize, bytes) is called before";
  case cudaErrorLaunchFailure:
    return "a kernel ended with a fault of the device: an invalid address in "
           "shared or private memory, or a stack that overflowed by "
           "recursion or large private arrays (cudaDeviceSetLimit("
           "cudaLimitStackSize, bytes) raises its 1024 bytes)";
  case cudaErrorHardwareStackError:
    return "a thread's stack overflowed, by recursion or large private "
           "arrays: cudaDeviceSetLimit(cudaLimitStackSize, bytes) raises its "
           "1024 bytes";
  case cudaErrorIllegalInstruction:
    return "a kernel came to __trap(), to the end of a function that has to "
           "return a value, or to code for another GPU";
  case cudaErrorMisalignedAddress:
    return "a kernel accessed an element at an address that is not a multiple "
           "of its size: a pointer of another type, dynamic shared memory at "
           "an odd offset, or a section passed as a vector type";
  case cudaErrorInvalidAddressSpace:
    return "a kernel used an address of another kind of memory: a pointer to "
           "shared or private memory that it keeps beyond its block or "
           "thread, or a corrupted one";
  case cudaErrorInvalidPc:
    return "a kernel called what is not a function of the device: a procedure "
           "pointer of the host, or one that is not set";
  case cudaErrorInvalidResourceHandle:
    return "the stream or event was not created, or has been destroyed";
  default:
    return "";
  }
}

Error lastError() { return threadState().lastError; }

Error recordError(Error error) {
  if (error != cudaSuccess)
    threadState().lastError = error;
  return error;
}

Error takeLastError() {
  return std::exchange(threadState().lastError, cudaSuccess);
}

} // namespace cufort
