//===- Apart.cpp - whether threads meet at an address ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/proofs/ProofReader.h"
#include <algorithm>

namespace cufort::check {

using image::CheckSymbolKind;

namespace {

/// Those symbols of an access whose values tell threads apart, and the rest.
class Apart {
public:
  Apart(const Description &description, const ProvedAccess &a,
        const ProvedAccess &b)
      : d(description), a(a), b(b), ranges(d.ranges), bounds(ranges),
        count(static_cast<uint32_t>(d.symbols.size())) {
    // The symbols of the second access are others, unless both agree on them.
    ranges.insert(ranges.end(), d.ranges.begin(), d.ranges.end());
  }

  bool run() {
    Sum difference = placed(b, true);
    difference.add(placed(a, false), -1);
    std::vector<Sum> conditions = a.conditions;
    for (const Sum &each : b.conditions)
      conditions.push_back(renamed(each));
    if (auto least = bounds.least(difference, conditions);
        least && *least >= a.bytes)
      return true;
    if (auto most = bounds.most(difference, conditions);
        most && *most <= -Number(b.bytes))
      return true;
    return digitsDiffer(difference, conditions);
  }

private:
  bool isCommon(uint32_t symbol) const {
    if (!a.isShared())
      return false;
    return isBlock(d.symbols[symbol].kind) ||
           (d.symbols[symbol].kind == CheckSymbolKind::BlockBetween &&
            d.symbols[symbol].constantInInterval);
  }
  Sum renamed(const Sum &sum) const {
    Sum made = sum;
    for (auto &[symbol, factor] : made.terms)
      if (!isCommon(symbol))
        symbol += count;
    return made;
  }
  Sum placed(const ProvedAccess &access, bool second) const {
    Sum sum = second ? renamed(access.distance) : access.distance;
    sum.constant += access.address;
    return sum;
  }

  /// The values of a symbol where \p conditions are true. Conditions bound its
  /// multiples, too.
  Range valuesOf(uint32_t symbol, const std::vector<Sum> &conditions) {
    Range all = bounds.range({0, {{symbol, 1}}}, conditions);
    for (const Sum &each : conditions) {
      const Number factor = each.factor(symbol),
                   times = factor < 0 ? -factor : factor;
      if (times < 2)
        continue;
      const Range scaled = bounds.range({0, {{symbol, times}}}, conditions);
      if (scaled.low && (!all.low || -floorOf(-*scaled.low, times) > *all.low))
        all.low = -floorOf(-*scaled.low, times);
      if (scaled.high &&
          (!all.high || floorOf(*scaled.high, times) < *all.high))
        all.high = floorOf(*scaled.high, times);
    }
    return all;
  }

  /// The values of a symbol in both accesses together.
  Range both(uint32_t symbol) {
    const Range first = valuesOf(symbol, a.conditions),
                second = valuesOf(symbol, b.conditions);
    Range all;
    if (first.low && second.low)
      all.low = std::min(*first.low, *second.low);
    if (first.high && second.high)
      all.high = std::max(*first.high, *second.high);
    return all;
  }

  /// How far apart the values of \p sum can be.
  std::optional<Number> spread(const Sum &sum) {
    const Range first = bounds.range(sum, a.conditions),
                second = bounds.range(sum, b.conditions);
    if (!first.low || !first.high || !second.low || !second.high)
      return std::nullopt;
    return std::max(*first.high, *second.high) -
           std::min(*first.low, *second.low);
  }

  /// Whether addresses are numbers in a mixed radix, of which threads are
  /// digits.
  bool digitsDiffer(const Sum &difference, const std::vector<Sum> &conditions) {
    struct Digit {
      uint32_t symbol;
      Number factor;
    };
    std::vector<Digit> digits;
    const auto twins = findTwins();
    for (uint32_t i = 0; i < count; ++i) {
      const CheckSymbolKind kind = d.symbols[i].kind;
      const Number mine = a.distance.factor(i), theirs = b.distance.factor(i);
      if (isThread(kind) || (isBlock(kind) && !a.isShared())) {
        if (both(i).isOne() || (twins && mine == 0 && theirs == 0))
          continue;
        if (mine != theirs || mine == 0)
          return false;
        digits.push_back({i, mine});
      } else if (twins && i == twins->first) {
        digits.push_back({i, mine});
      } else if (!isCommon(i) && mine == theirs && mine != 0 &&
                 !(twins && i == twins->second)) {
        digits.push_back({i, mine});
      }
    }
    // Axes that no symbol stands for: threads there do the same.
    for (int axis = 0; axis < 6 && !twins; ++axis)
      if (!hasAxis(static_cast<CheckSymbolKind>(axis)))
        return false;
    Sum rest = difference;
    for (const Digit &digit : digits)
      std::erase_if(rest.terms, [&](const auto &term) {
        return term.first == digit.symbol ||
               term.first == (twins && digit.symbol == twins->first
                                  ? twins->second
                                  : digit.symbol) +
                                 count;
      });
    const Range apart = bounds.range(rest, conditions);
    if (!apart.low || !apart.high)
      return false;
    const Number width =
        std::max(*apart.high, -*apart.low) + std::max(a.bytes, b.bytes);
    std::sort(digits.begin(), digits.end(), [](const Digit &x, const Digit &y) {
      return (x.factor < 0 ? -x.factor : x.factor) <
             (y.factor < 0 ? -y.factor : y.factor);
    });
    Sum lower;
    for (const Digit &digit : digits) {
      const auto below = spread(lower);
      const Number size = digit.factor < 0 ? -digit.factor : digit.factor;
      if (!below || size < *below + width)
        return false;
      lower.terms.push_back({digit.symbol, digit.factor});
    }
    return true;
  }

  /// Symbols of both accesses that are indices from the same place in memory,
  /// which differs from thread to thread, as do the indices that stand there:
  /// they tell all threads apart.
  std::optional<std::pair<uint32_t, uint32_t>> findTwins() const {
    for (const auto &[i, mine] : a.distance.terms)
      for (const auto &[j, theirs] : b.distance.terms) {
        if (mine != theirs || !isFromMemory(i) || !isFromMemory(j))
          continue;
        const ProvedAccess &first = d.accesses[d.symbols[i].access],
                           &second = d.accesses[d.symbols[j].access];
        Sum difference = first.distance;
        difference.add(second.distance, -1);
        if (first.address == second.address && first.bytes == second.bytes &&
            difference.constant == 0 && difference.terms.empty() &&
            d.symbols[i].found == d.symbols[j].found &&
            Apart(d, first, second).run() && areDistinct(d, i))
          return std::pair(i, j);
      }
    return std::nullopt;
  }
  bool isFromMemory(uint32_t symbol) const {
    const auto &each = d.symbols[symbol];
    return each.kind == CheckSymbolKind::Loaded && each.found.count != 0;
  }

  /// Whether there is only one thread along an axis, or a symbol for them.
  bool hasAxis(CheckSymbolKind kind) const {
    if (a.isShared() && isBlock(kind))
      return true;
    // Both parts of it are symbols: a kernel that divides names both.
    for (const Description::Symbol &each : d.symbols)
      if (each.kind == kind)
        return true;
    return d.axes[static_cast<size_t>(kind)] == 1;
  }

  const Description &d;
  const ProvedAccess &a, &b;
  std::vector<Range> ranges;
  Bounds bounds;
  const uint32_t count;
};

} // namespace

bool areApart(const Description &description, const ProvedAccess &a,
              const ProvedAccess &b) {
  return Apart(description, a, b).run();
}

} // namespace cufort::check
