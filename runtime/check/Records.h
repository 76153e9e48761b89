//===- Records.h - one access, in 64 bits -----------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CHECK_RECORDS_H
#define CUFORT_RUNTIME_CHECK_RECORDS_H

#include "image/Check.h"
#include <cstdint>

namespace cufort::check {

/// 30 bits of interval, 10 of thread, 18 of place, 2 of kind, 4 of bytes. The
/// interval is on top, so that one comparison finds what is over.
using Record = uint64_t;

/// What the other parts leave of 64 bits.
inline constexpr unsigned IntervalBits = 30, SiteBits = 18;
inline constexpr uint32_t MostIntervals = 1u << IntervalBits;

enum class AccessKind : uint32_t { Plain, Atomic, BlockAtomic, Host };

constexpr Record makeRecord(uint32_t interval, uint32_t thread, uint32_t site,
                            AccessKind kind, uint32_t bytes) {
  return uint64_t(interval) << 34 | uint64_t(thread) << 24 |
         uint64_t(site) << 6 | uint64_t(kind) << 4 | bytes;
}
inline uint32_t intervalOf(Record r) { return uint32_t(r >> 34); }
inline uint32_t threadOf(Record r) { return r >> 24 & 0x3ff; }
inline uint32_t siteOf(Record r) { return r >> 6 & 0x3ffff; }
inline AccessKind kindOf(Record r) { return AccessKind(r >> 4 & 3); }
inline uint32_t bytesOf(Record r) { return r & 0xf; }

/// The number of a place, which it gets when it is first come to; places beyond
/// what a record can name share the last number.
uint32_t makeNumber(image::CheckSite &site);
inline uint32_t numberOf(image::CheckSite &site) {
  const uint32_t known = __atomic_load_n(&site.number, __ATOMIC_RELAXED);
  return known ? known : makeNumber(site);
}
/// The place with \p number; null for that last number.
const image::CheckSite *siteWith(uint32_t number);

} // namespace cufort::check

#endif // CUFORT_RUNTIME_CHECK_RECORDS_H
