//===- SharedEvents.h - events of several processes -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An event that is made with cudaEventInterprocess lies in a page of memory
// that other processes map. Its recordings have numbers; who waits for the
// event waits for the recording that is the last one at that time.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_STREAMS_SHAREDEVENTS_H
#define CUFORT_RUNTIME_CPU_STREAMS_SHAREDEVENTS_H

#include "runtime/core/engine/Engine.h"
#include <atomic>
#include <cstdint>
#include <memory>

namespace cufort::cpu {

/// One process's view of such an event.
class SharedEvent {
public:
  static Error create(std::shared_ptr<SharedEvent> *event);
  /// The event of the process that \p handle names.
  static Error open(const IpcHandle &handle,
                    std::shared_ptr<SharedEvent> *event);
  ~SharedEvent();
  SharedEvent(const SharedEvent &) = delete;

  void describe(IpcHandle *handle) const;

  /// The number of a new recording; of the last one, 0: there is none.
  uint64_t begin();
  uint64_t last() const;
  void finish(uint64_t number);
  bool isDone(uint64_t number) const;

private:
  struct Page;
  SharedEvent(int file, Page *page) : file(file), page(page) {}
  static Error map(int file, std::shared_ptr<SharedEvent> *event);

  const int file; ///< open, for other processes to find
  Page *const page;
};

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_STREAMS_SHAREDEVENTS_H
