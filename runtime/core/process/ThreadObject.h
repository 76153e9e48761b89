//===- ThreadObject.h - what each host thread has of its own ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_PROCESS_THREADOBJECT_H
#define CUFORT_RUNTIME_CORE_PROCESS_THREADOBJECT_H

#include <memory>
#include <pthread.h>

namespace cufort {

/// The calling thread's T, made at the first use. What is thread_local and has
/// a destructor would be gone while destructors of the program's own such
/// objects, of its static objects and exit handlers still call the runtime;
/// this goes after all of them, and that of the main thread with the process.
template <typename T> class ThreadObject {
public:
  /// Null where it is not made yet.
  static T *find() { return Own; }
  static T &get() { return Own ? *Own : adopt(std::make_unique<T>()); }

  /// Makes \p object that of the calling thread, which has none yet.
  static T &adopt(std::unique_ptr<T> object) {
    static const Key key;
    Own = object.release();
    // Where the C library has no more keys, the object stays.
    if (key.usable)
      pthread_setspecific(key.key, Own);
    return *Own;
  }

private:
  /// Its function is called after the destructors of thread_local objects.
  struct Key {
    Key() : usable(!pthread_key_create(&key, end)) {}
    static void end(void *object) {
      Own = nullptr;
      delete static_cast<T *>(object);
    }
    pthread_key_t key;
    bool usable;
  };

  static inline thread_local constinit T *Own = nullptr;
};

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_PROCESS_THREADOBJECT_H
