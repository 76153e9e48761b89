//===- SymbolRanges.cpp - what the symbols of a proof may be --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Indices that stand in arrays, as those of sparse matrices and graphs do, are
// looked at before the launch: what lies between the least and the largest of
// them is inside or not. The kernel must not write where they stand.
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Threads.h"
#include "runtime/check/proofs/ProofReader.h"
#include "runtime/cpu/memory/Memory.h"
#include <algorithm>
#include <cstring>
#include <numeric>

namespace cufort::check {

using image::CheckSymbolKind;

bool findMemory(const ProvedAccess &access, Number &low, Number &high) {
  low = 0;
  high = access.size;
  if (access.size >= 0)
    return true;
  const auto *pointer = reinterpret_cast<const char *>(access.address);
  const auto found = cpu::Memory::find(pointer);
  if (!found || found->isReleaseDeferred || found->pool || !found->reachable ||
      found->kind != MemoryKind::Device)
    return false;
  low = found->begin - pointer;
  high = low + static_cast<Number>(found->bytes);
  return true;
}

Number valueFor(const Description &d, const Sum &sum,
                const uint32_t (&thread)[3]) {
  Number value = sum.constant;
  for (const auto &[symbol, factor] : sum.terms) {
    const Description::Symbol &each = d.symbols[symbol];
    if (each.kind == CheckSymbolKind::ThreadHigh)
      value += factor * (thread[0] / each.first.constant);
    else if (each.kind == CheckSymbolKind::ThreadLow)
      value += factor * (thread[0] % each.first.constant);
    else
      value += factor * thread[static_cast<size_t>(each.kind)];
  }
  return value;
}

namespace {

Range ofType(Number bits) {
  if (bits >= 64)
    return {};
  const Number end = Number(1) << static_cast<unsigned>(bits - 1);
  return {-end, end - 1};
}

template <typename Value>
Range leastAndMost(const char *begin, size_t step, size_t count) {
  Value least, value;
  std::memcpy(&least, begin, sizeof least);
  Value most = least;
  if (step == sizeof(Value)) {
    // In several pieces at a time.
    for (size_t i = 0; i < count; ++i) {
      std::memcpy(&value, begin + i * sizeof(Value), sizeof value);
      least = std::min(least, value);
      most = std::max(most, value);
    }
  } else {
    for (size_t i = 0; i < count; ++i) {
      std::memcpy(&value, begin + i * step, sizeof value);
      least = std::min(least, value);
      most = std::max(most, value);
    }
  }
  return {Number(least), Number(most)};
}

class Ranges {
public:
  Ranges(Description &d, bool mayRead)
      : d(d), mayRead(mayRead), bounds(d.ranges) {}

  bool run() {
    d.ranges.assign(d.symbols.size(), {});
    for (uint32_t i = 0; i < d.symbols.size(); ++i) {
      const Range range = of(i);
      if (range.low && range.high && *range.low > *range.high)
        return false;
      d.ranges[i] = range;
    }
    return true;
  }

private:
  Range of(uint32_t number) {
    const Description::Symbol &symbol = d.symbols[number];
    auto below = [](Number count) { return Range{0, count - 1}; };
    switch (symbol.kind) {
    case CheckSymbolKind::ThreadX:
      // Where it is divided, its parts stand for it.
      for (const Description::Symbol &each : d.symbols)
        if (each.kind == CheckSymbolKind::ThreadHigh)
          return {0, 0};
      return below(d.axes[0]);
    case CheckSymbolKind::ThreadY:
    case CheckSymbolKind::ThreadZ:
    case CheckSymbolKind::BlockX:
    case CheckSymbolKind::BlockY:
    case CheckSymbolKind::BlockZ:
      return below(d.axes[static_cast<size_t>(symbol.kind)]);
    case CheckSymbolKind::ThreadHigh:
      return {0, (Number(d.axes[0]) - 1) / symbol.first.constant};
    case CheckSymbolKind::ThreadLow:
      return below(std::min<Number>(d.axes[0], symbol.first.constant));
    case CheckSymbolKind::Iterations:
      return {0, std::nullopt};
    case CheckSymbolKind::Between:
    case CheckSymbolKind::BlockBetween:
      return {bounds.least(symbol.first, {}), bounds.most(symbol.second, {})};
    case CheckSymbolKind::Any:
      return ofType(symbol.first.constant);
    case CheckSymbolKind::Loaded:
      return loaded(number).value_or(ofType(symbol.first.constant));
    default:
      return ofTwo(symbol.kind, bounds.range(symbol.first, {}),
                   bounds.range(symbol.second, {}));
    }
  }

  static Range ofTwo(CheckSymbolKind kind, const Range &a, const Range &b) {
    Range range;
    switch (kind) {
    case CheckSymbolKind::Least:
    case CheckSymbolKind::Most: {
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
    case CheckSymbolKind::Either:
      if (a.low && b.low)
        range.low = std::min(*a.low, *b.low);
      if (a.high && b.high)
        range.high = std::max(*a.high, *b.high);
      break;
    case CheckSymbolKind::Quotient:
      if (b.isOne() && *b.low > 0) {
        if (a.low)
          range.low = *a.low / *b.low;
        if (a.high)
          range.high = *a.high / *b.low;
      }
      break;
    case CheckSymbolKind::Remainder:
      if (b.isOne() && *b.low > 0) {
        const bool isPositive = a.low && *a.low >= 0;
        range = {isPositive ? 0 : 1 - *b.low, *b.low - 1};
        if (a.high && *a.high >= 0 && *a.high < *range.high)
          range.high = a.high;
      }
      break;
    case CheckSymbolKind::Unsigned:
      range = a;
      if (!a.low || *a.low < 0)
        range = {0, (Number(1) << static_cast<unsigned>(*b.low)) - 1};
      break;
    default:
      break;
    }
    return range;
  }

  static bool isEarlier(const Sum &sum, uint32_t number) {
    return std::all_of(sum.terms.begin(), sum.terms.end(),
                       [&](const auto &term) { return term.first < number; });
  }

  /// What stands in the memory that the symbol is read from.
  std::optional<Range> loaded(uint32_t number) {
    const uint32_t index = d.symbols[number].access;
    if (!mayRead || index >= d.accesses.size())
      return std::nullopt;
    const ProvedAccess &access = d.accesses[index];
    if (!access.isGlobal() || !isEarlier(access.distance, number))
      return std::nullopt;
    std::vector<Sum> conditions = access.conditions;
    std::erase_if(conditions,
                  [&](const Sum &each) { return !isEarlier(each, number); });
    const Range reach = bounds.range(access.distance, conditions);
    Number low, high;
    if (!reach.low || !reach.high || *reach.low > *reach.high ||
        !findMemory(access, low, high) || *reach.low < low ||
        *reach.high + access.bytes > high || isWritten(access, reach))
      return std::nullopt;
    uint64_t step = 0;
    for (const auto &[symbol, factor] : access.distance.terms)
      step =
          std::gcd(step, static_cast<uint64_t>(factor < 0 ? -factor : factor));
    // Ends that no thread comes to may lie between elements.
    const uint64_t distance = static_cast<uint64_t>(*reach.high - *reach.low);
    if (step == 0)
      step = access.bytes;
    if (step < access.bytes || distance % step != 0)
      return std::nullopt;
    const auto *begin = reinterpret_cast<const char *>(access.address) +
                        static_cast<int64_t>(*reach.low);
    const uint64_t count = distance / step + 1;
    d.symbols[number].found = {begin, step, count, access.bytes};
    switch (access.bytes) {
    case 1:
      return leastAndMost<int8_t>(begin, step, count);
    case 2:
      return leastAndMost<int16_t>(begin, step, count);
    case 4:
      return leastAndMost<int32_t>(begin, step, count);
    case 8:
      return leastAndMost<int64_t>(begin, step, count);
    default:
      return std::nullopt;
    }
  }

  /// Whether the kernel may write there. It writes only to the memory that each
  /// of its accesses names, which is found out later.
  bool isWritten(const ProvedAccess &access, const Range &reach) const {
    for (const ProvedAccess &each : d.accesses) {
      Number low, high;
      if (!each.writes() || !each.isGlobal())
        continue;
      if (!findMemory(each, low, high) ||
          (each.address + low < access.address + *reach.high + access.bytes &&
           access.address + *reach.low < each.address + high))
        return true;
    }
    return false;
  }

  Description &d;
  const bool mayRead;
  Bounds bounds;
};

} // namespace

bool findRanges(Description &description, bool mayRead) {
  return Ranges(description, mayRead).run();
}

static int64_t valueAt(const char *place, uint32_t bytes) {
  int64_t value = 0;
  std::memcpy(&value, place, bytes);
  const unsigned shift = 64 - 8 * bytes;
  return static_cast<int64_t>(static_cast<uint64_t>(value) << shift) >> shift;
}

bool areDistinct(const Description &d, uint32_t number) {
  const Description::Symbol &symbol = d.symbols[number];
  if (symbol.distinct)
    return *symbol.distinct;
  const Description::Symbol::Found &found = symbol.found;
  const Range &range = d.ranges[number];
  // One bit for each value; where the values lie far apart that is too many.
  constexpr uint64_t MostBits = uint64_t(1) << 32, MostTimes = 32;
  bool all = found.count != 0 && range.low && range.high;
  const Number width = all ? *range.high - *range.low + 1 : 0;
  all = all && width <= Number(std::min(MostBits, MostTimes * found.count)) &&
        width >= Number(found.count);
  if (all) {
    std::vector<uint64_t> seen(static_cast<size_t>(width) / 64 + 1);
    const auto least = static_cast<int64_t>(*range.low);
    for (size_t i = 0; i < found.count && all; ++i) {
      const auto at = static_cast<uint64_t>(
          valueAt(found.begin + i * found.step, found.bytes) - least);
      const uint64_t bit = uint64_t(1) << at % 64;
      all = !(seen[at / 64] & bit);
      seen[at / 64] |= bit;
    }
  }
  symbol.distinct = all;
  return all;
}

bool warpsAgree(const Description &d) {
  if (d.warps.empty())
    return true;
  // A warp then lies in one row of the block.
  if (d.axes[0] % WarpSize != 0 && d.axes[1] * d.axes[2] != 1)
    return false;
  for (const Sum &condition : d.warps) {
    for (const auto &term : condition.terms)
      if (const CheckSymbolKind kind = d.symbols[term.first].kind;
          !isThread(kind) || kind == CheckSymbolKind::ThreadY ||
          kind == CheckSymbolKind::ThreadZ)
        return false;
    bool first = false;
    for (uint32_t x = 0; x < d.axes[0]; ++x) {
      const Number value = valueFor(d, condition, {x, 0, 0});
      if (x % WarpSize == 0)
        first = value >= 0;
      else if ((value >= 0) != first)
        return false;
    }
  }
  return true;
}

} // namespace cufort::check
