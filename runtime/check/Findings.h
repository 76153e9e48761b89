//===- Findings.h - what the checkers find, as reports ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CHECK_FINDINGS_H
#define CUFORT_RUNTIME_CHECK_FINDINGS_H

#include "runtime/check/Races.h"
#include "runtime/check/report/Report.h"
#include <string>
#include <vector>

namespace cufort::check {

/// \p earlier is an access of the same bytes that nothing orders with \p
/// access;
/// \p wrote: it was a write.
void reportRace(const Accessing &access, Record earlier, bool wrote);

/// An access to \p address, which is not the thread's to make.
void reportAddress(Thread &thread, const image::CheckSite &site,
                   const void *address, uint64_t bytes);
/// An access beyond the array that the source names, which is \p size bytes at
/// \p base.
void reportBounds(Thread &thread, const image::CheckSite &site,
                  const void *address, const void *base, uint64_t size);
void reportMisaligned(Thread &thread, const image::CheckSite &site,
                      const void *address);
/// A subscript in one dimension, with the declared bounds.
struct Subscript {
  int64_t index, lower, upper;

  /// An extent of -1 is that of an assumed-size array, a large one not known.
  bool hasUpper() const { return upper != lower - 2 && upper != INT64_MAX; }
  bool isOutside() const {
    return index < lower || (index > upper && hasUpper());
  }
};
/// Some of the \p rank subscripts are not in their bounds.
void reportIndex(Thread &thread, const image::CheckSite &site, uint32_t rank,
                 const Subscript *subscripts);
/// Where \p thread allocates or frees memory of the device's heap.
Place heapPlace(const Thread &thread, const image::CheckSite &site,
                Access access);
/// \p thread frees \p block, which is not one of the heap, or not any more.
void reportHeapFree(Thread &thread, const image::CheckSite &site,
                    const void *block);
/// A read of what was never written; or the use of a value that \p copy has
/// read there before.
void reportUnset(Thread &thread, const image::CheckSite &site,
                 const void *address, const image::CheckSite *copy = nullptr);

/// Threads that wait wrongly, in NVIDIA's words.
void reportWait(const char *rule, const std::string &title,
                const std::vector<const Thread *> &threads);

} // namespace cufort::check

#endif // CUFORT_RUNTIME_CHECK_FINDINGS_H
