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
      readSymbol();
    if (!splitThreads())
      return false;
    for (uint32_t n = word(); n; --n) {
      Description::Limit &limit = to.limits.emplace_back();
      limit.form = sum();
      limit.bits = word();
      limit.symbol = word();
      limit.step = value();
      limit.inner = word();
      limit.comparison = word();
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
    to.warps = sums();
    to.gaps = word();
    const uint32_t numbers = word();
    for (uint32_t i = 0; i < numbers; ++i)
      to.accesses[i].number = word();
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
    split(made);
    return made;
  }
  std::vector<Sum> sums() {
    std::vector<Sum> all(word());
    for (Sum &each : all) {
      const uint32_t comparison = word();
      each = sum();
      each.comparison = comparison;
    }
    return all;
  }

  void readSymbol() {
    Description::Symbol &made = to.symbols.emplace_back();
    made.kind = static_cast<CheckSymbolKind>(word());
    made.constantInInterval = (word() & image::ProofConstantInInterval) != 0;
    made.first = sum();
    made.second = sum();
    made.access = word();
  }

  /// Where the index in x is divided, it counts as two symbols from now on.
  bool splitThreads() {
    for (uint32_t i = 0; i < to.symbols.size(); ++i)
      switch (to.symbols[i].kind) {
      case CheckSymbolKind::ThreadX:
        whole = i;
        break;
      case CheckSymbolKind::ThreadHigh:
        high = i;
        by = static_cast<int64_t>(to.symbols[i].first.constant);
        break;
      case CheckSymbolKind::ThreadLow:
        low = i;
        break;
      default:
        break;
      }
    if (!by)
      return true;
    for (Description::Symbol &each : to.symbols) {
      if (each.kind == CheckSymbolKind::ThreadHigh ||
          each.kind == CheckSymbolKind::ThreadLow)
        continue;
      split(each.first);
      split(each.second);
    }
    return to.axes[0] % by == 0 || to.axes[0] < by;
  }
  void split(Sum &sum) const {
    const Number times = by ? sum.factor(whole) : 0;
    if (times == 0)
      return;
    sum.add({0, {{whole, 1}}}, -times);
    sum.add({0, {{high, by}, {low, 1}}}, times);
  }

  const ProofFacts &facts;
  const image::CheckProof &proof;
  Description &to;
  std::vector<int64_t> values;
  const uint32_t *at;
  uint32_t whole = ~0u, high = 0, low = 0; ///< symbols
  int64_t by = 0;
};

} // namespace

bool read(const ProofFacts &facts, Description &description) {
  return Reader(facts, description).run();
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Whether some thread of a block fulfils all \p conditions, which are of
/// threads alone.
static bool anyThread(const Description &d,
                      const std::vector<Sum> &conditions) {
  for (uint32_t z = 0; z < d.axes[2]; ++z)
    for (uint32_t y = 0; y < d.axes[1]; ++y)
      for (uint32_t x = 0; x < d.axes[0]; ++x)
        if (std::all_of(conditions.begin(), conditions.end(),
                        [&](const Sum &each) {
                          return valueFor(d, each, {x, y, z}) >= 0;
                        }))
          return true;
  return false;
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
  std::vector<Range> ranges = d.ranges;
  std::vector<bool> used(conditions.size(), false);
  for (size_t c = 0; c < conditions.size(); ++c) {
    // What is true anyway, and what limits one symbol.
    const Sum &condition = conditions[c];
    if (const auto least = bounds.least(condition, {}); least && *least >= 0) {
      used[c] = true;
    } else if (condition.terms.size() == 1) {
      const auto [symbol, factor] = condition.terms[0];
      if (distance.factor(symbol) == 0)
        continue;
      Range &range = ranges[symbol];
      const Number end =
          floorOf(condition.constant, factor < 0 ? -factor : factor);
      if (factor < 0)
        range.high = range.high ? std::min(*range.high, end) : end;
      else
        range.low = range.low ? std::max(*range.low, -end) : -end;
      if (range.low && range.high && *range.low > *range.high)
        return std::nullopt;
      used[c] = true;
    }
  }
  auto terms = distance.terms;
  std::erase_if(terms, [&](const auto &term) {
    const Range &range = ranges[term.first];
    if (!range.isOne())
      return false;
    made.start += term.second * *range.low;
    return true;
  });
  std::sort(terms.begin(), terms.end(),
            [](const auto &x, const auto &y) { return x.second < y.second; });
  for (const auto &[symbol, factor] : terms) {
    const CheckSymbolKind kind = d.symbols[symbol].kind;
    // Of others not each value need be taken.
    if (factor <= 0 ||
        !(isThread(kind) || kind == CheckSymbolKind::Iterations ||
          (isBlock(kind) && !perBlock)))
      return std::nullopt;
  }
  Bounds narrow(ranges);
  for (size_t i = 0; i < terms.size();) {
    // Symbols that follow each other without gaps count as one, where the
    // conditions ask for no more than their sum.
    const Number step = terms[i].second;
    Sum group{0, {terms[i]}, 0};
    auto isAlike = [&](const std::pair<uint32_t, Number> &more) {
      for (size_t c = 0; c < conditions.size(); ++c)
        if (!used[c] &&
            conditions[c].factor(more.first) * step !=
                conditions[c].factor(group.terms[0].first) * more.second)
          return false;
      return true;
    };
    std::optional<Number> next = step;
    auto goOn = [&](uint32_t symbol) {
      const Range &range = ranges[symbol];
      if (next && range.low && range.high)
        next = *next * (*range.high - *range.low + 1);
      else
        next.reset();
    };
    goOn(terms[i].first);
    for (++i; i < terms.size() && next && terms[i].second == *next &&
              isAlike(terms[i]);
         ++i) {
      group.terms.push_back(terms[i]);
      goOn(terms[i].first);
    }
    std::vector<Sum> own;
    for (size_t c = 0; c < conditions.size(); ++c) {
      if (used[c] || conditions[c].factor(group.terms[0].first) == 0)
        continue;
      for (const auto &[symbol, factor] : conditions[c].terms)
        if (group.factor(symbol) == 0 && !ranges[symbol].isOne())
          return std::nullopt;
      own.push_back(conditions[c]);
    }
    for (size_t c = 0; c < conditions.size(); ++c)
      if (conditions[c].factor(group.terms[0].first) != 0)
        used[c] = true;
    const Range range = narrow.range(group, own);
    if (!range.low || !range.high)
      return std::nullopt;
    const Number low = -floorOf(-*range.low, step),
                 high = floorOf(*range.high, step);
    if (low > high)
      return std::nullopt;
    made.start += low * step;
    if (made.levels.empty() && step == static_cast<Number>(made.run))
      made.run = static_cast<uint64_t>(step * (high - low + 1));
    else
      made.levels.push_back({step, high - low + 1});
  }
  // The others must hold for some thread of each place.
  std::vector<Sum> ofThreads;
  for (size_t c = 0; c < conditions.size(); ++c) {
    if (used[c])
      continue;
    const auto &terms = conditions[c].terms;
    if (std::all_of(terms.begin(), terms.end(), [&](const auto &term) {
          return isThread(d.symbols[term.first].kind) &&
                 distance.factor(term.first) == 0;
        })) {
      ofThreads.push_back(conditions[c]);
      continue;
    }
    if (terms.size() != 1 || perBlock ||
        !isBlock(d.symbols[terms[0].first].kind))
      return std::nullopt;
    const Range range = bounds.range({0, {{terms[0].first, 1}}}, conditions);
    if (!range.low || !range.high || *range.low > *range.high)
      return std::nullopt;
  }
  if (!ofThreads.empty() && !anyThread(d, ofThreads))
    return std::nullopt;
  Number runs = 1;
  for (const Level &level : made.levels)
    if ((runs *= level.count) > MostRuns)
      return std::nullopt;
  return made;
}

} // namespace cufort::check
