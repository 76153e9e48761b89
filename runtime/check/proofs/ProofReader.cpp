//===- ProofReader.cpp - a kernel's description, for one launch -----------===//
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

class Reader {
public:
  Reader(const ProofFacts &facts, Description &to)
      : facts(facts), proof(*facts.kernel.proof), to(to),
        values(proof.valueCount), at(proof.words) {}

  bool run() {
    const image::Dim3 &block = facts.launch.block, &grid = facts.launch.grid;
    const uint32_t axes[] = {block.x, block.y, block.z, grid.x, grid.y, grid.z};
    std::copy(std::begin(axes), std::end(axes), to.axes);
    proof.compute(facts.arguments, &facts.launch, values.data());
    for (uint32_t n = word(); n; --n)
      if (!readSymbol())
        return false;
    for (uint32_t n = word(); n; --n) {
      Description::Limit &limit = to.limits.emplace_back();
      limit.form = sum();
      limit.bits = word();
      limit.symbol = word();
      limit.step = value();
      limit.conditions = sums();
    }
    for (uint32_t n = word(); n; --n) {
      ProvedAccess &access = to.accesses.emplace_back();
      access.flags = word();
      access.object = word();
      access.address = value();
      const uint32_t size = word();
      access.size = size == image::CheckProof::NoValue ? -1 : values[size];
      access.bytes = word();
      access.alignment = word();
      access.distance = sum();
      access.conditions = sums();
      access.deciding = sums();
    }
    for (uint32_t n = word(); n; --n) {
      Description::Bound &bound = to.bounds.emplace_back();
      bound.form = sum();
      bound.conditions = sums();
    }
    for (uint32_t n = word(); n; --n) {
      const uint32_t first = word();
      to.pairs.push_back({first, word()});
    }
    for (uint32_t n = word(); n; --n) {
      Description::Covered &covered = to.covered.emplace_back();
      covered.read = word();
      for (uint32_t m = word(); m; --m) {
        ProvedCover &cover = covered.covers.emplace_back();
        cover.write = word();
        cover.own = word();
        cover.conditions = sums();
      }
    }
    return true;
  }

private:
  uint32_t word() { return *at++; }
  int64_t value() { return values[word()]; }
  Sum sum() {
    Sum made;
    made.constant = value();
    for (uint32_t n = word(); n; --n) {
      const uint32_t symbol = word();
      if (const int64_t factor = value())
        made.terms.push_back({symbol, factor});
    }
    return made;
  }
  std::vector<Sum> sums() {
    std::vector<Sum> all(word());
    for (Sum &each : all)
      each = sum();
    return all;
  }

  bool readSymbol() {
    const auto kind = static_cast<CheckSymbolKind>(word());
    to.symbols.push_back(
        {kind, (word() & image::ProofConstantInInterval) != 0});
    const Sum first = sum(), second = sum();
    const image::Dim3 &block = facts.launch.block, &grid = facts.launch.grid;
    auto below = [](uint32_t count) { return Range{0, Number(count) - 1}; };
    Range range;
    Bounds bounds(to.ranges);
    switch (kind) {
    case CheckSymbolKind::ThreadX:
      range = below(block.x);
      break;
    case CheckSymbolKind::ThreadY:
      range = below(block.y);
      break;
    case CheckSymbolKind::ThreadZ:
      range = below(block.z);
      break;
    case CheckSymbolKind::BlockX:
      range = below(grid.x);
      break;
    case CheckSymbolKind::BlockY:
      range = below(grid.y);
      break;
    case CheckSymbolKind::BlockZ:
      range = below(grid.z);
      break;
    case CheckSymbolKind::Iterations:
      range.low = 0;
      break;
    case CheckSymbolKind::Between:
    case CheckSymbolKind::BlockBetween:
      range = {bounds.least(first, {}), bounds.most(second, {})};
      break;
    case CheckSymbolKind::Least:
    case CheckSymbolKind::Most: {
      const Range a = bounds.range(first, {}), b = bounds.range(second, {});
      const bool least = kind == CheckSymbolKind::Least;
      auto choose = [](std::optional<Number> a, std::optional<Number> b,
                       bool smaller) -> std::optional<Number> {
        if (a && b)
          return smaller ? std::min(*a, *b) : std::max(*a, *b);
        return std::nullopt;
      };
      // One end that is known is a bound already.
      range.low = choose(a.low, b.low, least);
      range.high = choose(a.high, b.high, least);
      if (least && !range.high)
        range.high = a.high ? a.high : b.high;
      if (!least && !range.low)
        range.low = a.low ? a.low : b.low;
      break;
    }
    }
    to.ranges.push_back(range);
    return !range.low || !range.high || *range.low <= *range.high;
  }

  const ProofFacts &facts;
  const image::CheckProof &proof;
  Description &to;
  std::vector<int64_t> values;
  const uint32_t *at;
};

bool isThread(CheckSymbolKind kind) { return kind <= CheckSymbolKind::ThreadZ; }
bool isBlock(CheckSymbolKind kind) {
  return kind >= CheckSymbolKind::BlockX && kind <= CheckSymbolKind::BlockZ;
}

} // namespace

bool read(const ProofFacts &facts, Description &description) {
  return Reader(facts, description).run();
}

//===----------------------------------------------------------------------===//
// Two accesses
//===----------------------------------------------------------------------===//

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

  /// The values of a symbol in both accesses together.
  Range both(uint32_t symbol) {
    const Sum one{0, {{symbol, 1}}};
    const Range first = bounds.range(one, a.conditions),
                second = bounds.range(one, b.conditions);
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
    for (uint32_t i = 0; i < count; ++i) {
      const CheckSymbolKind kind = d.symbols[i].kind;
      const Number mine = a.distance.factor(i), theirs = b.distance.factor(i);
      if (isThread(kind) || (isBlock(kind) && !a.isShared())) {
        if (both(i).isOne())
          continue;
        if (mine != theirs || mine == 0)
          return false;
        digits.push_back({i, mine});
      } else if (!isCommon(i) && mine == theirs && mine != 0) {
        digits.push_back({i, mine});
      }
    }
    // Axes that no symbol stands for: threads there do the same.
    for (int axis = 0; axis < 6; ++axis)
      if (!hasAxis(static_cast<CheckSymbolKind>(axis)))
        return false;
    Sum rest = difference;
    for (const Digit &digit : digits)
      std::erase_if(rest.terms, [&](const auto &term) {
        return term.first == digit.symbol || term.first == digit.symbol + count;
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

  /// Whether there is only one thread along an axis, or a symbol for them.
  bool hasAxis(CheckSymbolKind kind) const {
    if (a.isShared() && isBlock(kind))
      return true;
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

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static Number floorOf(Number a, Number b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

std::optional<Image> Image::of(const Description &d, const Sum &distance,
                               uint32_t bytes,
                               const std::vector<Sum> &conditions,
                               bool perBlock) {
  constexpr Number MostRuns = Number(1) << 22;
  Bounds bounds(d.ranges);
  Image made;
  made.start = distance.constant;
  made.run = bytes;
  auto terms = distance.terms;
  std::erase_if(terms, [&](const auto &term) {
    const Range &range = d.ranges[term.first];
    if (!range.isOne())
      return false;
    made.start += term.second * *range.low;
    return true;
  });
  std::sort(terms.begin(), terms.end(),
            [](const auto &x, const auto &y) { return x.second < y.second; });
  std::vector<bool> named(d.symbols.size(), false);
  for (const auto &[symbol, factor] : terms) {
    const CheckSymbolKind kind = d.symbols[symbol].kind;
    // Of others not each value need be taken.
    if (factor <= 0 ||
        !(isThread(kind) || kind == CheckSymbolKind::Iterations ||
          (isBlock(kind) && !perBlock)))
      return std::nullopt;
    named[symbol] = true;
  }
  std::vector<bool> used(conditions.size(), false);
  for (size_t i = 0; i < terms.size();) {
    // Symbols that follow each other without gaps count as one.
    Sum group{0, {terms[i]}};
    const Number step = terms[i].second;
    const Range &first = d.ranges[terms[i].first];
    std::optional<Number> next;
    if (first.high)
      next = step * (*first.high + 1);
    for (++i; i < terms.size() && next && terms[i].second == *next; ++i) {
      group.terms.push_back(terms[i]);
      const Range &range = d.ranges[terms[i].first];
      next =
          range.high ? std::optional(*next * (*range.high + 1)) : std::nullopt;
    }
    std::vector<Sum> own;
    for (size_t c = 0; c < conditions.size(); ++c) {
      const Number times = conditions[c].factor(group.terms[0].first);
      bool any = false, all = true;
      for (const auto &[symbol, factor] : group.terms) {
        const Number there = conditions[c].factor(symbol);
        any |= there != 0;
        all &= there * step == times * factor;
      }
      if (!any)
        continue;
      for (const auto &[symbol, factor] : conditions[c].terms)
        all &= group.factor(symbol) != 0 || d.ranges[symbol].isOne();
      if (!all)
        return std::nullopt;
      used[c] = true;
      own.push_back(conditions[c]);
    }
    const Range range = bounds.range(group, own);
    if (!range.low || !range.high)
      return std::nullopt;
    const Number low = -floorOf(-*range.low, step),
                 high = floorOf(*range.high, step);
    if (low > high)
      return std::nullopt;
    made.start += low * step;
    if (made.levels.empty() && step == made.run)
      made.run = static_cast<uint64_t>(step * (high - low + 1));
    else
      made.levels.push_back({step, high - low + 1});
  }
  // The others must hold for some thread of each place: of one symbol each.
  for (size_t c = 0; c < conditions.size(); ++c) {
    if (used[c])
      continue;
    for (const auto &[symbol, factor] : conditions[c].terms) {
      const CheckSymbolKind kind = d.symbols[symbol].kind;
      if (conditions[c].terms.size() != 1 ||
          !(isThread(kind) || (isBlock(kind) && !perBlock)))
        return std::nullopt;
      const Range range = bounds.range({0, {{symbol, 1}}}, conditions);
      if (!range.low || !range.high || *range.low > *range.high)
        return std::nullopt;
    }
    if (conditions[c].terms.empty() && conditions[c].constant < 0)
      return std::nullopt;
  }
  Number runs = 1;
  for (const Level &level : made.levels)
    if ((runs *= level.count) > MostRuns)
      return std::nullopt;
  return made;
}

} // namespace cufort::check
