//===- DefaultStream.cpp - handles that follow a thread's stream ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/common/DefaultStream.h"
#include "runtime/core/DefaultStream.h"
#include "runtime/core/Device.h"
#include <map>
#include <thread>

namespace cufort::libraries {

namespace {

struct Follower {
  std::thread::id thread;
  int device;
};

struct Followers {
  std::mutex mutex;
  std::map<std::pair<SetStream, intptr_t>, Follower> all;
};

Followers &followers() {
  static auto *all = new Followers;
  return *all;
}

/// \p stream if it is one of \p device's; else null.
cudaStream_t streamOn(int device, void *stream) {
  int own = -1;
  Engine *engine = deviceAt(device);
  const bool is = stream && engine &&
                  engine->streamDevice(stream, &own) == cudaSuccess &&
                  own == device;
  return is ? static_cast<cudaStream_t>(stream) : nullptr;
}

void changed(void *stream) {
  Followers &f = followers();
  std::lock_guard lock(f.mutex);
  for (const auto &[key, follower] : f.all)
    if (follower.thread == std::this_thread::get_id())
      key.first(key.second, streamOn(follower.device, stream));
}

/// While this copy of the libraries is loaded.
struct Observation {
  Observation() {
    std::lock_guard lock(defaultStreamObservers().mutex);
    defaultStreamObservers().all.push_back(changed);
  }
  ~Observation() {
    std::lock_guard lock(defaultStreamObservers().mutex);
    std::erase(defaultStreamObservers().all, changed);
  }
};

} // namespace

void followDefaultStream(SetStream setStream, intptr_t handle) {
  static const Observation observation;
  Followers &f = followers();
  std::lock_guard lock(f.mutex);
  const Follower follower{std::this_thread::get_id(), currentDevice()};
  f.all.insert_or_assign({setStream, handle}, follower);
  if (void *stream = threadState().fortranStream)
    setStream(handle, streamOn(follower.device, stream));
}

void leaveDefaultStream(SetStream setStream, intptr_t handle) {
  Followers &f = followers();
  std::lock_guard lock(f.mutex);
  f.all.erase({setStream, handle});
}

} // namespace cufort::libraries
