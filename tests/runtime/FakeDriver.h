//===- FakeDriver.h - a test double of libcuda ------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// FakeDriver.cpp is a shared library with the name libcuda.so.1 and all
// functions that the NVIDIA engine loads. It is no GPU: device memory is host
// memory at addresses that the host cannot use, work is done when it is
// submitted, and kernels do nothing. It knows
// every object that it has given out and ends the program with a message when a
// handle is used that it does not know, so that mistakes of the engine's own
// code come to light on machines without a GPU.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_TESTS_RUNTIME_FAKEDRIVER_H
#define CUFORT_TESTS_RUNTIME_FAKEDRIVER_H

extern "C" {
/// Objects that have not been given back: allocations, streams, events, modules
/// and the like.
long fakeDriverLiveObjects();
/// The number of calls of all functions.
long fakeDriverCalls();
/// The next call that waits returns \p code, as all calls after it until the
/// device is reset: a kernel has failed.
void fakeDriverFailKernel(int code);
}

#endif // CUFORT_TESTS_RUNTIME_FAKEDRIVER_H
