//===- Sums.cpp - how large sums over threads can be ----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/proofs/Sums.h"
#include <algorithm>

namespace cufort::check {

Number Sum::factor(uint32_t symbol) const {
  for (const auto &[each, factor] : terms)
    if (each == symbol)
      return factor;
  return 0;
}

void Sum::add(const Sum &other, Number times) {
  constant += times * other.constant;
  for (const auto &[symbol, factor] : other.terms) {
    auto at =
        std::find_if(terms.begin(), terms.end(),
                     [s = symbol](const auto &t) { return t.first == s; });
    if (at == terms.end())
      terms.push_back({symbol, times * factor});
    else
      at->second += times * factor;
  }
  std::erase_if(terms, [](const auto &term) { return term.second == 0; });
}

/// Sums of more conditions than this are not tried, nor more of them.
static constexpr unsigned MostDepth = 4, MostSteps = 4000;

const Range &Bounds::rangeOf(uint32_t symbol) const {
  for (const auto &[each, range] : tight)
    if (each == symbol)
      return range;
  return symbols[symbol];
}

void Bounds::tighten(const std::vector<Sum> &conditions) {
  tight.clear();
  for (const Sum &condition : conditions) {
    if (condition.terms.size() != 1)
      continue;
    const auto [symbol, factor] = condition.terms.front();
    Range range = rangeOf(symbol);
    if (factor < 0) {
      const Number high = floorOf(condition.constant, -factor);
      range.high = range.high ? std::min(*range.high, high) : high;
    } else {
      const Number low = -floorOf(condition.constant, factor);
      range.low = range.low ? std::max(*range.low, low) : low;
    }
    std::erase_if(tight,
                  [s = symbol](const auto &each) { return each.first == s; });
    tight.push_back({symbol, range});
  }
}

std::optional<Number> Bounds::search(const Sum &sum,
                                     const std::vector<Sum> &conditions,
                                     uint64_t used, unsigned depth) {
  std::optional<Number> best = sum.constant;
  for (const auto &[symbol, factor] : sum.terms) {
    const std::optional<Number> &end =
        factor > 0 ? rangeOf(symbol).high : rangeOf(symbol).low;
    if (!end) {
      best.reset();
      break;
    }
    *best += factor * *end;
  }
  if (depth == MostDepth)
    return best;
  for (size_t i = 0; i < std::min<size_t>(conditions.size(), 64); ++i) {
    if (used >> i & 1)
      continue;
    Number last = 0;
    for (const auto &[symbol, factor] : sum.terms) {
      const Number there = conditions[i].factor(symbol);
      if (there == 0 || factor % there != 0 || -factor / there <= 0 ||
          -factor / there == last)
        continue;
      last = -factor / there;
      if (++steps > MostSteps)
        return best;
      Sum larger = sum;
      larger.add(conditions[i], last);
      const auto found =
          search(larger, conditions, used | uint64_t(1) << i, depth + 1);
      if (found && (!best || *found < *best))
        best = found;
    }
  }
  return best;
}

std::optional<Number> Bounds::most(const Sum &sum,
                                   const std::vector<Sum> &conditions) {
  steps = 0;
  tighten(conditions);
  return search(sum, conditions, 0, 0);
}

std::optional<Number> Bounds::least(const Sum &sum,
                                    const std::vector<Sum> &conditions) {
  Sum negative;
  negative.add(sum, -1);
  if (auto found = most(negative, conditions))
    return -*found;
  return std::nullopt;
}

} // namespace cufort::check
