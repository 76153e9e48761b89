//===- Stream.cpp - the default stream of Fortran threads -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/DefaultStream.h"
#include "runtime/fortran/Allocation.h"
#include "runtime/fortran/EntryPoints.h"
#include "runtime/fortran/Transfer.h"
#include <atomic>
#include <map>
#include <mutex>

namespace cufort::fortran {

StreamHandle defaultStream() { return threadState().fortranStream; }

namespace {

/// Arrays with a stream of their own.
struct Associations {
  struct Array {
    const char *end;
    StreamHandle stream;
  };
  std::mutex mutex;
  std::atomic<size_t> count{0}; ///< of the arrays, to be read without the lock
  std::map<const char *, Array> arrays; ///< by begin
};

Associations &associations() {
  return processWide<Associations>(ProcessObject::ArrayStreams);
}

/// The stream of the array that \p address points into; null if none.
StreamHandle associated(const void *address) {
  Associations &a = associations();
  if (!address || !a.count.load(std::memory_order_acquire))
    return nullptr;
  std::lock_guard lock(a.mutex);
  auto after = a.arrays.upper_bound(static_cast<const char *>(address));
  if (after == a.arrays.begin())
    return nullptr;
  const auto &[begin, array] = *std::prev(after);
  return address < array.end ? array.stream : nullptr;
}

void forgetStream(StreamHandle stream) {
  Associations &a = associations();
  std::lock_guard lock(a.mutex);
  std::erase_if(a.arrays, [&](const auto &entry) {
    return entry.second.stream == stream;
  });
  a.count.store(a.arrays.size(), std::memory_order_release);
}

} // namespace

StreamHandle associatedStream(const void *address) {
  return associated(address);
}

void waitDefaultStream(Engine &engine, const void *to, const void *from) {
  if (threadState().fortranStream)
    engine.synchronizeStream(threadState().fortranStream);
  for (const void *address : {to, from})
    if (StreamHandle stream = associated(address))
      // A stream that the program has destroyed is nobody's any more.
      if (engine.synchronizeStream(stream) == cudaErrorInvalidResourceHandle)
        forgetStream(stream);
}

} // namespace cufort::fortran

using namespace cufort;
using namespace cufort::fortran;

int _FortranACUFSetDefaultStream(StreamHandle stream) {
  setDefaultStream(stream);
  return 0;
}

StreamHandle _FortranACUFGetDefaultStream() {
  return threadState().fortranStream;
}

int _FortranACUFSetAssociatedStream(void *array, size_t bytes,
                                    StreamHandle stream) {
  if (!array || !bytes)
    return cudaErrorInvalidValue;
  const auto *begin = static_cast<const char *>(array);
  Associations &a = associations();
  std::lock_guard lock(a.mutex);
  // What lay there before is gone.
  auto old = a.arrays.lower_bound(begin);
  if (old != a.arrays.begin() && std::prev(old)->second.end > begin)
    --old;
  while (old != a.arrays.end() && old->first < begin + bytes)
    old = a.arrays.erase(old);
  if (stream)
    a.arrays[begin] = {begin + bytes, stream};
  a.count.store(a.arrays.size(), std::memory_order_release);
  return cudaSuccess;
}

StreamHandle _FortranACUFGetAssociatedStream(void *array) {
  StreamHandle stream = associated(array);
  return stream ? stream : threadState().fortranStream;
}

int _FortranACUFStreamSynchronize(StreamHandle stream) {
  const Error error =
      onDevice([&](Engine &e) { return e.synchronizeStream(stream); });
  const Error launch = pendingLaunchFailure();
  forgetLaunchFailure();
  return error == cudaSuccess ? launch : error;
}

int _FortranACUFStreamSynchronizeNull() {
  return _FortranACUFStreamSynchronize(threadState().fortranStream);
}

int _FortranACUFStreamDestroy(StreamHandle stream) {
  if (stream && threadState().fortranStream == stream)
    setDefaultStream(nullptr);
  forgetStream(stream);
  return onDevice([&](Engine &e) { return e.destroyStream(stream); });
}
