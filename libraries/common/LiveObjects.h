//===- LiveObjects.h - objects behind handles -------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_COMMON_LIVEOBJECTS_H
#define CUFORT_LIBRARIES_COMMON_LIVEOBJECTS_H

#include <memory>
#include <mutex>
#include <unordered_set>

namespace cufort::libraries {

/// The objects of one type that have been created and not been destroyed: a
/// handle of another value is refused, not followed.
template <typename Object> class LiveObjects {
public:
  static Object *create() {
    auto object = std::make_unique<Object>();
    std::lock_guard lock(all().mutex);
    all().objects.insert(object.get());
    return object.release();
  }
  /// Whether there was such an object.
  static bool destroy(const Object *object) {
    std::lock_guard lock(all().mutex);
    if (!all().objects.erase(object))
      return false;
    delete object;
    return true;
  }
  static bool has(const Object *object) {
    std::lock_guard lock(all().mutex);
    return all().objects.count(object);
  }

private:
  static LiveObjects &all() {
    static auto *live = new LiveObjects;
    return *live;
  }

  std::mutex mutex;
  std::unordered_set<const Object *> objects;
};

} // namespace cufort::libraries

#endif // CUFORT_LIBRARIES_COMMON_LIVEOBJECTS_H
