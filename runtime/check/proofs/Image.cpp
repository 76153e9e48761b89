//===- Image.cpp - the places that a sum takes ----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/proofs/Image.h"
#include <algorithm>

namespace cufort::check {

using image::CheckSymbolKind;

/// More runs than these are not named one by one.
static constexpr Number MostRuns = Number(1) << 22;

/// Makes one image. Every function that returns false has found that the places
/// cannot be named, or that there are none.
class ImageBuilder {
public:
  ImageBuilder(const Description &d, const Sum &distance,
               const std::vector<Sum> &conditions, bool perBlock)
      : d(d), distance(distance), conditions(conditions), perBlock(perBlock),
        bounds(d.ranges), ranges(d.ranges), narrow(ranges),
        used(conditions.size(), false) {}
  std::optional<Image> run(uint32_t bytes);

private:
  bool limitSymbols();
  bool findTerms();
  Sum groupAt(size_t &i) const;
  bool isAlike(const Sum &group, Number step,
               const std::pair<uint32_t, Number> &more) const;
  bool conditionsOf(const Sum &group, std::vector<Sum> &own);
  bool addLevel(const Sum &group);
  bool restHolds();
  bool isOfOtherThreadIndices(const Sum &condition) const;
  bool anyThread(const std::vector<Sum> &ofThreads) const;
  bool hasTooManyRuns() const;

  const Description &d;
  const Sum &distance;
  const std::vector<Sum> &conditions;
  const bool perBlock;
  Bounds bounds;             ///< of all that is known of the symbols
  std::vector<Range> ranges; ///< of the symbols, with conditions on one alone
  Bounds narrow;             ///< of these
  std::vector<bool> used;    ///< conditions that need not be looked at again
  std::vector<std::pair<uint32_t, Number>> terms; ///< by factors, rising
  Image made;
};

/// Leaves out conditions that are true anyway, and makes those of one symbol
/// its range.
bool ImageBuilder::limitSymbols() {
  for (size_t c = 0; c < conditions.size(); ++c) {
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
        return false;
      used[c] = true;
    }
  }
  return true;
}

/// The terms of symbols that are not one number.
bool ImageBuilder::findTerms() {
  terms = distance.terms;
  std::erase_if(terms, [&](const auto &term) {
    const Range &range = ranges[term.first];
    if (!range.isOne())
      return false;
    made.start += term.second * *range.low;
    return true;
  });
  std::sort(terms.begin(), terms.end(),
            [](const auto &x, const auto &y) { return x.second < y.second; });
  return std::all_of(terms.begin(), terms.end(), [&](const auto &term) {
    const CheckSymbolKind kind = d.symbols[term.first].kind;
    // Of others not each value need be taken.
    return term.second > 0 &&
           (isThread(kind) || kind == CheckSymbolKind::Iterations ||
            (isBlock(kind) && !perBlock));
  });
}

/// Whether the conditions ask for no more of \p more than of its sum with
/// \p group, whose first symbol has the factor \p step.
bool ImageBuilder::isAlike(const Sum &group, Number step,
                           const std::pair<uint32_t, Number> &more) const {
  for (size_t c = 0; c < conditions.size(); ++c)
    if (!used[c] &&
        conditions[c].factor(more.first) * step !=
            conditions[c].factor(group.terms[0].first) * more.second)
      return false;
  return true;
}

/// Symbols that follow each other without gaps count as one: those from term
/// \p i on, which goes on behind them.
Sum ImageBuilder::groupAt(size_t &i) const {
  const Number step = terms[i].second;
  Sum group{0, {terms[i]}, 0};
  std::optional<Number> next = step; ///< where the group ends, if it does
  auto extend = [&](uint32_t symbol) {
    const Range &range = ranges[symbol];
    if (next && range.low && range.high)
      next = *next * (*range.high - *range.low + 1);
    else
      next.reset();
  };
  extend(terms[i].first);
  for (++i; i < terms.size() && next && terms[i].second == *next &&
            isAlike(group, step, terms[i]);
       ++i) {
    group.terms.push_back(terms[i]);
    extend(terms[i].first);
  }
  return group;
}

/// The conditions of the symbols of \p group, which must be of no others.
bool ImageBuilder::conditionsOf(const Sum &group, std::vector<Sum> &own) {
  for (size_t c = 0; c < conditions.size(); ++c) {
    if (conditions[c].factor(group.terms[0].first) == 0)
      continue;
    if (!used[c]) {
      for (const auto &[symbol, factor] : conditions[c].terms)
        if (group.factor(symbol) == 0 && !ranges[symbol].isOne())
          return false;
      own.push_back(conditions[c]);
    }
    used[c] = true;
  }
  return true;
}

bool ImageBuilder::addLevel(const Sum &group) {
  std::vector<Sum> own;
  if (!conditionsOf(group, own))
    return false;
  const Range range = narrow.range(group, own);
  if (!range.low || !range.high)
    return false;
  const Number step = group.terms[0].second;
  const Number low = -floorOf(-*range.low, step),
               high = floorOf(*range.high, step);
  if (low > high)
    return false;
  made.start += low * step;
  if (made.levels.empty() && step == static_cast<Number>(made.run))
    made.run = static_cast<uint64_t>(step * (high - low + 1));
  else
    made.levels.push_back({step, high - low + 1});
  return true;
}

/// Whether \p condition is of indices of the thread that the places do not
/// depend on.
bool ImageBuilder::isOfOtherThreadIndices(const Sum &condition) const {
  return std::all_of(condition.terms.begin(), condition.terms.end(),
                     [&](const auto &term) {
                       return isThread(d.symbols[term.first].kind) &&
                              distance.factor(term.first) == 0;
                     });
}

/// Whether some thread of a block fulfils all of \p ofThreads.
bool ImageBuilder::anyThread(const std::vector<Sum> &ofThreads) const {
  auto fulfils = [&](const uint32_t (&thread)[3]) {
    return std::all_of(
        ofThreads.begin(), ofThreads.end(),
        [&](const Sum &each) { return valueFor(d, each, thread) >= 0; });
  };
  for (uint32_t z = 0; z < d.axes[2]; ++z)
    for (uint32_t y = 0; y < d.axes[1]; ++y)
      for (uint32_t x = 0; x < d.axes[0]; ++x)
        if (fulfils({x, y, z}))
          return true;
  return false;
}

/// The conditions that are left must hold for some thread of each place.
bool ImageBuilder::restHolds() {
  std::vector<Sum> ofThreads;
  for (size_t c = 0; c < conditions.size(); ++c) {
    if (used[c])
      continue;
    if (isOfOtherThreadIndices(conditions[c])) {
      ofThreads.push_back(conditions[c]);
      continue;
    }
    const auto &terms = conditions[c].terms;
    if (terms.size() != 1 || perBlock ||
        !isBlock(d.symbols[terms[0].first].kind))
      return false;
    const Range range = bounds.range({0, {{terms[0].first, 1}}}, conditions);
    if (!range.low || !range.high || *range.low > *range.high)
      return false;
  }
  return ofThreads.empty() || anyThread(ofThreads);
}

bool ImageBuilder::hasTooManyRuns() const {
  Number runs = 1;
  for (const auto &level : made.levels)
    if ((runs *= level.count) > MostRuns)
      return true;
  return false;
}

std::optional<Image> ImageBuilder::run(uint32_t bytes) {
  made.start = distance.constant;
  made.run = bytes;
  if (!limitSymbols() || !findTerms())
    return std::nullopt;
  for (size_t i = 0; i < terms.size();)
    if (!addLevel(groupAt(i)))
      return std::nullopt;
  if (!restHolds() || hasTooManyRuns())
    return std::nullopt;
  return made;
}

std::optional<Image> Image::of(const Description &description,
                               const Sum &distance, uint32_t bytes,
                               const std::vector<Sum> &conditions,
                               bool perBlock) {
  return ImageBuilder(description, distance, conditions, perBlock).run(bytes);
}

} // namespace cufort::check
