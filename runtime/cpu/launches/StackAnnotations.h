//===- StackAnnotations.h - stacks that sanitizers know of ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// AddressSanitizer has to know the bounds of the stack that a thread is on,
// ThreadSanitizer which fiber runs. Without a sanitizer everything here is
// empty.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_LAUNCHES_STACKANNOTATIONS_H
#define CUFORT_RUNTIME_CPU_LAUNCHES_STACKANNOTATIONS_H

#include <cstddef>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define CUFORT_ADDRESS_SANITIZER 1
#endif
#if __has_feature(thread_sanitizer)
#define CUFORT_THREAD_SANITIZER 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define CUFORT_ADDRESS_SANITIZER 1
#endif
#ifdef __SANITIZE_THREAD__
#define CUFORT_THREAD_SANITIZER 1
#endif

#ifdef CUFORT_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef CUFORT_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
/// Of functions that are entered on one fiber and left on another, or never:
/// ThreadSanitizer keeps a list of callers for each fiber.
#define CUFORT_SWITCHES_STACKS [[gnu::noinline, gnu::no_sanitize("thread")]]
#else
#define CUFORT_SWITCHES_STACKS [[gnu::noinline]]
#endif

namespace cufort::cpu {

/// What sanitizers keep of one stack, a fiber's or a thread's.
class StackAnnotation {
public:
  /// A fiber's, whose first frame comes next. Frames of an earlier run that
  /// never returned are forgotten.
  void begin(char *bottom, size_t size) {
#ifdef CUFORT_ADDRESS_SANITIZER
    low = bottom;
    bytes = size;
    saved = nullptr;
    __asan_unpoison_memory_region(bottom, size);
#endif
#ifdef CUFORT_THREAD_SANITIZER
    if (!fiber)
      fiber = __tsan_create_fiber(0);
#endif
  }

  /// Before the memory of a fiber's stack is given back.
  void end() {
#ifdef CUFORT_ADDRESS_SANITIZER
    if (low)
      __asan_unpoison_memory_region(low, bytes);
#endif
#ifdef CUFORT_THREAD_SANITIZER
    if (fiber)
      __tsan_destroy_fiber(fiber);
    fiber = nullptr;
#endif
  }

  /// The stack that the calling thread is on now, not a fiber's.
  void isCurrent() {
#ifdef CUFORT_THREAD_SANITIZER
    fiber = __tsan_get_current_fiber();
#endif
  }

  /// On this stack, right before the switch to \p other; \p forGood: nothing
  /// comes back here.
  void leaveFor(StackAnnotation &other, bool forGood = false) {
#ifdef CUFORT_ADDRESS_SANITIZER
    __sanitizer_start_switch_fiber(forGood ? nullptr : &saved, other.low,
                                   other.bytes);
#endif
#ifdef CUFORT_THREAD_SANITIZER
    __tsan_switch_to_fiber(other.fiber, 0);
#endif
  }

  /// On this stack, right after the switch from \p other.
  void arriveFrom(StackAnnotation &other) {
#ifdef CUFORT_ADDRESS_SANITIZER
    __sanitizer_finish_switch_fiber(saved, &other.low, &other.bytes);
#endif
  }

private:
#ifdef CUFORT_ADDRESS_SANITIZER
  const void *low = nullptr;
  size_t bytes = 0;
  void *saved = nullptr;
#endif
#ifdef CUFORT_THREAD_SANITIZER
  void *fiber = nullptr;
#endif
};

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_LAUNCHES_STACKANNOTATIONS_H
