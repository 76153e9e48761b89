//===- Heap.h - the device's heap under the checkers ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What device code allocates (malloc, new, allocate). A block that is freed
// stays in quarantine: its address is nobody else's for a while, so that those
// who still use it are found.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CHECK_HEAP_H
#define CUFORT_RUNTIME_CHECK_HEAP_H

#include "runtime/check/Threads.h"

namespace cufort::check {

/// \p thread has got a block at \p site.
void heapAllocated(Thread &thread, const image::CheckSite &site,
                   const void *begin, uint64_t bytes);
/// In place of free: \p thread frees \p block at \p site; null: a thread that
/// is not checked.
void heapFreed(Thread *thread, const image::CheckSite &site, void *block);

} // namespace cufort::check

#endif // CUFORT_RUNTIME_CHECK_HEAP_H
