//===- Stream.cpp - the default stream of Fortran threads -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/fortran/EntryPoints.h"
#include "runtime/fortran/Transfer.h"

namespace cufort::fortran {

static thread_local StreamHandle DefaultStream = nullptr;

StreamHandle defaultStream() { return DefaultStream; }

void waitDefaultStream(Engine &engine) {
  if (DefaultStream)
    engine.synchronizeStream(DefaultStream);
}

} // namespace cufort::fortran

using namespace cufort;
using namespace cufort::fortran;

int _FortranACUFSetDefaultStream(StreamHandle stream) {
  DefaultStream = stream;
  return 0;
}

StreamHandle _FortranACUFGetDefaultStream() { return DefaultStream; }

// Allocations are not tied to streams here, so every one belongs to the
// thread's default stream.
StreamHandle _FortranACUFGetAssociatedStream(void *) { return DefaultStream; }

int _FortranACUFStreamSynchronize(StreamHandle stream) {
  const Error error =
      onDevice([&](Engine &e) { return e.synchronizeStream(stream); });
  const Error launch = pendingLaunchFailure();
  forgetLaunchFailure();
  return error == cudaSuccess ? launch : error;
}

int _FortranACUFStreamSynchronizeNull() {
  return _FortranACUFStreamSynchronize(DefaultStream);
}

int _FortranACUFStreamDestroy(StreamHandle stream) {
  if (DefaultStream == stream)
    DefaultStream = nullptr;
  return onDevice([&](Engine &e) { return e.destroyStream(stream); });
}
