//===- CopyOperation.cpp - copies and fills on the CPU --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/memory/CopyOperation.h"
#include "runtime/check/Check.h"
#include <algorithm>
#include <cstring>

namespace cufort::cpu {

static bool overlap(const char *a, const char *b, size_t bytes) {
  return a < b + bytes && b < a + bytes;
}

// Overlapping bytes (undefined in CUDA, but easily written in Fortran) are
// moved in one piece.
CopyOperation::CopyOperation(void *to, const void *from, size_t bytes)
    : Operation(overlap(static_cast<char *>(to),
                        static_cast<const char *>(from), bytes)
                    ? 1
                    : (bytes + PieceBytes - 1) / PieceBytes),
      to(static_cast<char *>(to)), from(static_cast<const char *>(from)),
      bytes(bytes), overlapping(overlap(this->to, this->from, bytes)) {}

void CopyOperation::run(uint64_t begin, uint64_t end, Participant &) {
  if (overlapping) {
    check::copied(to, from, bytes);
    std::memmove(to, from, bytes);
    return;
  }
  const size_t first = begin * PieceBytes;
  const size_t count = std::min(bytes, end * PieceBytes) - first;
  check::copied(to + first, from + first, count);
  std::memcpy(to + first, from + first, count);
}

StridedCopyOperation::StridedCopyOperation(const StridedView &to,
                                           const StridedView &from)
    : Operation(to.rank ? static_cast<uint64_t>(to.extent[to.rank - 1]) : 1),
      to(to), from(from) {}

/// Tells the checkers of each element.
static void noteCopied(const StridedView &to, const StridedView &from,
                       const char *t, const char *f, int rank) {
  if (rank == 0) {
    check::copied(t, f, to.elementBytes);
    return;
  }
  for (ptrdiff_t i = 0; i < to.extent[rank - 1]; ++i)
    noteCopied(to, from, t + i * to.stride[rank - 1],
               f + i * from.stride[rank - 1], rank - 1);
}

void StridedCopyOperation::run(uint64_t begin, uint64_t end, Participant &) {
  StridedView t = to, f = from;
  if (t.rank) {
    const int last = t.rank - 1;
    t.base += t.stride[last] * static_cast<ptrdiff_t>(begin);
    f.base += f.stride[last] * static_cast<ptrdiff_t>(begin);
    t.extent[last] = f.extent[last] = static_cast<ptrdiff_t>(end - begin);
  }
  if (check::checking())
    noteCopied(t, f, t.base, f.base, t.rank);
  copyStridedOnHost(t, f);
}

static size_t piece(size_t patternBytes) {
  return std::max<size_t>(1, CopyOperation::PieceBytes / patternBytes);
}

FillOperation::FillOperation(void *to, const void *pattern, size_t patternBytes,
                             size_t count)
    : Operation((count + piece(patternBytes) - 1) / piece(patternBytes)),
      to(static_cast<char *>(to)),
      pattern(static_cast<const char *>(pattern),
              static_cast<const char *>(pattern) + patternBytes),
      count(count), countPerPiece(piece(patternBytes)) {}

template <typename T>
static void fillWith(char *to, const char *pattern, size_t count) {
  T value;
  std::memcpy(&value, pattern, sizeof(T));
  for (size_t i = 0; i < count; ++i)
    std::memcpy(to + i * sizeof(T), &value, sizeof(T));
}

void FillOperation::run(uint64_t begin, uint64_t end, Participant &) {
  const size_t first = begin * countPerPiece;
  const size_t number = std::min<size_t>(count, end * countPerPiece) - first;
  const size_t bytes = pattern.size();
  char *start = to + first * bytes;
  check::written(start, number * bytes);
  switch (bytes) {
  case 1:
    std::memset(start, static_cast<unsigned char>(pattern[0]), number);
    return;
  case 2:
    return fillWith<uint16_t>(start, pattern.data(), number);
  case 4:
    return fillWith<uint32_t>(start, pattern.data(), number);
  case 8:
    return fillWith<uint64_t>(start, pattern.data(), number);
  default:
    // One copy, then twice as many each time.
    std::memcpy(start, pattern.data(), bytes);
    for (size_t have = bytes, all = number * bytes; have < all;) {
      const size_t more = std::min(have, all - have);
      std::memcpy(start + have, start, more);
      have += more;
    }
  }
}

void RowFillOperation::run(uint64_t begin, uint64_t end, Participant &) {
  for (; begin < end; ++begin) {
    check::written(to + begin * pitch, width);
    std::memset(to + begin * pitch, value, width);
  }
}

static bool describeAs(profile::Work &work, profile::WorkKind kind,
                       const void *to, const void *from, uint64_t bytes) {
  work.kind = kind;
  work.to = to;
  work.from = from;
  work.bytes = bytes;
  return true;
}

bool CopyOperation::describe(profile::Work &work) const {
  return describeAs(work, profile::WorkKind::Copy, to, from, bytes);
}

bool StridedCopyOperation::describe(profile::Work &work) const {
  return describeAs(work, profile::WorkKind::Copy, to.base, from.base,
                    to.elements() * to.elementBytes);
}

bool FillOperation::describe(profile::Work &work) const {
  return describeAs(work, profile::WorkKind::Fill, to, nullptr,
                    count * pattern.size());
}

bool RowFillOperation::describe(profile::Work &work) const {
  return describeAs(work, profile::WorkKind::Fill, to, nullptr, width * units);
}

} // namespace cufort::cpu
