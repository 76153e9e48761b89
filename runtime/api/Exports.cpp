//===- Exports.cpp - the whole API, for programs that link nothing --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of an archive a linker takes what is called. Whoever loads a shared library
// from Python finds the functions of the API in it by name, and who links a
// program with it calls them, whatever the library's own code calls. So
// `cufort -shared` names __cufort_whole_api to the linker, which names them
// all.
//
//===----------------------------------------------------------------------===//

#include "runtime/api/RuntimeApi.h"
#include "runtime/core/Device.h"

using namespace cufort;

/// Whether the device \p index is the CPU, whose memory host code reaches: 1 or
/// 0, and -1 if there is no such device.
CUFORT_API int __cufort_device_is_cpu(int index) {
  Engine *engine = deviceAt(index);
  return engine ? engine->properties().kind == "CPU" : -1;
}

/// Lets the current device take \p stream, which another runtime of the process
/// has created, NVIDIA's beside PyTorch: the caller vouches that it is one.
/// Others are unknown handles, which are an error and not looked into.
CUFORT_API cudaError_t __cufort_adopt_stream(cudaStream_t stream) {
  return onDevice([&](Engine &e) { return e.adoptStream(stream); });
}

extern "C" {
extern void *const __cufort_whole_api[];
[[gnu::visibility("hidden"), gnu::used]] void *const __cufort_whole_api[] = {
    reinterpret_cast<void *>(__cufort_device_is_cpu),
    reinterpret_cast<void *>(__cufort_adopt_stream),
#define CUFORT_FUNCTION(name) reinterpret_cast<void *>(name),
#include "RuntimeFunctionNames.inc"
#undef CUFORT_FUNCTION
};
}
