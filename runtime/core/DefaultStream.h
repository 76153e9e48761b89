//===- DefaultStream.h - a thread's default stream in Fortran ---*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_DEFAULTSTREAM_H
#define CUFORT_RUNTIME_CORE_DEFAULTSTREAM_H

#include "runtime/core/process/Process.h"
#include <mutex>
#include <vector>

namespace cufort {

/// Who is told, on the thread, that its default stream has become another one
/// (cudaforSetDefaultStream); null: it has none of its own.
struct DefaultStreamObservers {
  using Observer = void (*)(void *stream);
  std::mutex mutex;
  std::vector<Observer> all;
};

inline DefaultStreamObservers &defaultStreamObservers() {
  return processWide<DefaultStreamObservers>(
      ProcessObject::DefaultStreamObservers);
}

inline void setDefaultStream(void *stream) {
  threadState().fortranStream = stream;
  DefaultStreamObservers &observers = defaultStreamObservers();
  std::lock_guard lock(observers.mutex);
  for (DefaultStreamObservers::Observer each : observers.all)
    each(stream);
}

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_DEFAULTSTREAM_H
