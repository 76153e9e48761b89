//===- Handles.h - which handles of a library are valid ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_COMMON_HANDLES_H
#define CUFORT_LIBRARIES_COMMON_HANDLES_H

#include <mutex>
#include <unordered_set>

namespace cufort::libraries {

/// The objects whose addresses programs hold as handles. Programs pass handles
/// that they never made, or have destroyed.
template <typename Object> class Handles {
public:
  Object *make() {
    auto *made = new Object;
    std::lock_guard lock(mutex);
    objects.insert(made);
    return made;
  }
  bool isValid(const Object *handle) {
    std::lock_guard lock(mutex);
    return objects.contains(const_cast<Object *>(handle));
  }
  /// Whether there was such an object.
  bool destroy(const Object *handle) {
    {
      std::lock_guard lock(mutex);
      if (!objects.erase(const_cast<Object *>(handle)))
        return false;
    }
    delete handle;
    return true;
  }

private:
  std::mutex mutex;
  std::unordered_set<Object *> objects;
};

/// The handles of a type; they live until the process ends.
template <typename Object> Handles<Object> &handles() {
  static auto *all = new Handles<Object>;
  return *all;
}

} // namespace cufort::libraries

#endif // CUFORT_LIBRARIES_COMMON_HANDLES_H
