//===- Sums.h - how large sums over threads can be --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forms of compiler/check/Forms with the numbers of one launch: sums of
// symbols, each of which lies in a range, times factors. Conditions, sums that
// are not negative, make the ranges smaller: what is larger than a sum by a
// multiple of a condition is a bound of it, and a simpler sum if a symbol drops
// out.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CHECK_PROOFS_SUMS_H
#define CUFORT_RUNTIME_CHECK_PROOFS_SUMS_H

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace cufort::check {

using Number = __int128;

/// The quotient, rounded down.
inline Number floorOf(Number a, Number b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

struct Sum {
  Number constant = 0;
  std::vector<std::pair<uint32_t, Number>> terms; ///< symbol, factor
  uint32_t comparison = 0; ///< of a condition: by which it is known

  Number factor(uint32_t symbol) const;
  /// Adds \p factor times \p other.
  void add(const Sum &other, Number factor);
};

/// What a symbol may be; a missing end is far away.
struct Range {
  std::optional<Number> low, high;
  bool isOne() const { return low && high && *low == *high; }
};

class Bounds {
public:
  explicit Bounds(const std::vector<Range> &symbols) : symbols(symbols) {}

  /// The most and the least that \p sum can be where no sum of \p conditions is
  /// negative, or more and less than that; nothing: nobody knows.
  std::optional<Number> most(const Sum &sum,
                             const std::vector<Sum> &conditions);
  std::optional<Number> least(const Sum &sum,
                              const std::vector<Sum> &conditions);
  Range range(const Sum &sum, const std::vector<Sum> &conditions) {
    return {least(sum, conditions), most(sum, conditions)};
  }

private:
  std::optional<Number> search(const Sum &sum,
                               const std::vector<Sum> &conditions,
                               uint64_t used, unsigned depth);

  /// The range of \p symbol, where conditions are of it alone within these: it
  /// is a whole number, which sums of conditions do not know.
  const Range &rangeOf(uint32_t symbol) const;
  void tighten(const std::vector<Sum> &conditions);

  const std::vector<Range> &symbols;
  std::vector<std::pair<uint32_t, Range>> tight;
  unsigned steps = 0;
};

} // namespace cufort::check

#endif // CUFORT_RUNTIME_CHECK_PROOFS_SUMS_H
