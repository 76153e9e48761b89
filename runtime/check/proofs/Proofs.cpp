//===- Proofs.cpp - launches in which nothing can be wrong ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/proofs/Proofs.h"
#include "runtime/check/Check.h"
#include "runtime/check/Shadow.h"
#include "runtime/check/proofs/ProofReader.h"
#include "runtime/cpu/memory/Memory.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

namespace cufort::check {

static std::atomic<bool> OtherStreams{false};

void noteStream() { OtherStreams.store(true, std::memory_order_relaxed); }

namespace {

class Prover {
public:
  explicit Prover(const ProofFacts &facts) : facts(facts) {}

  /// Why it is not proved; null: it is.
  const char *run() {
    if (checking(image::CheckRace) &&
        OtherStreams.load(std::memory_order_relaxed))
      return "there are several streams";
    if (!read(facts, d))
      return "a block that is not a number of whole warps";
    if (!findRanges(d, !OtherStreams.load(std::memory_order_relaxed)))
      return "an empty range";
    bounds.emplace(d.ranges);
    if (!limitsHold())
      return "an index may be too large for its type";
    if (!warpsAgree(d))
      return "warps of which some threads wait";
    for (const Description::Bound &bound : d.bounds) {
      const auto least = bounds->least(bound.form, bound.conditions);
      if (!least || *least < 0)
        return "a subscript";
    }
    for (ProvedAccess &access : d.accesses)
      if (!isInside(access))
        return "an access outside of its memory";
    if (checking(image::CheckInit) && !isWritten())
      return "memory that may be unset";
    if (checking(image::CheckRace) && !isRaceFree())
      return "a race";
    for (const auto &[access, image] : writes)
      image.forEach([&, a = access](int64_t distance, uint64_t bytes) {
        setRange(Plane::Written, a->address + distance, bytes, true);
      });
    return nullptr;
  }

private:
  /// Whether all that matters does. Comparisons of numbers that may be too
  /// large tell nothing.
  bool limitsHold() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Description::Limit &limit : d.limits) {
        if (wrong.count(limit.comparison) || holds(limit))
          continue;
        if (!limit.comparison)
          return false;
        wrong.insert(limit.comparison);
        changed = true;
      }
      if (changed)
        forgetWrong();
    }
    return std::none_of(d.warps.begin(), d.warps.end(),
                        [&](const Sum &each) { return isWrong(each); });
  }
  bool isWrong(const Sum &condition) const {
    return condition.comparison && wrong.count(condition.comparison);
  }
  void forgetWrong() {
    auto isOne = [&](const Sum &each) { return isWrong(each); };
    for (Description::Limit &each : d.limits) {
      const auto inner = each.conditions.end() - each.inner;
      each.inner -= static_cast<uint32_t>(
          std::count_if(inner, each.conditions.end(), isOne));
      std::erase_if(each.conditions, isOne);
    }
    for (ProvedAccess &each : d.accesses) {
      std::erase_if(each.conditions, isOne);
      if (std::erase_if(each.deciding, isOne))
        each.flags &= ~uint32_t(image::ProofWhole);
    }
    for (Description::Bound &each : d.bounds)
      std::erase_if(each.conditions, isOne);
    for (Description::Covered &each : d.covered)
      std::erase_if(each.covers, [&](const ProvedCover &cover) {
        return std::any_of(cover.conditions.begin(), cover.conditions.end(),
                           isOne);
      });
  }

  bool holds(const Description::Limit &limit) {
    std::optional<Number> low, high;
    bool hasLow = true, hasHigh = true;
    auto add = [&](const Range &range, Number more) {
      hasLow &= range.low.has_value();
      hasHigh &= range.high.has_value();
      if (range.low)
        low = std::min(low.value_or(*range.low - more), *range.low - more);
      if (range.high)
        high = std::max(high.value_or(*range.high + more), *range.high + more);
    };
    if (limit.symbol) {
      // Before the first iteration; the condition of the loop is the last.
      Sum start = limit.form;
      std::erase_if(start.terms, [&](const auto &term) {
        return term.first == limit.symbol - 1;
      });
      std::vector<Sum> outer = limit.conditions;
      outer.resize(outer.size() - limit.inner);
      add(bounds->range(start, outer), 0);
      add(bounds->range(limit.form, limit.conditions),
          limit.step < 0 ? -Number(limit.step) : Number(limit.step));
    } else {
      add(bounds->range(limit.form, limit.conditions), 0);
    }
    if (limit.bits == 0)
      return hasLow && *low >= 0;
    const Number end = Number(1) << (limit.bits - 1);
    return hasLow && hasHigh && *low >= -end && *high < end;
  }

  bool isInside(ProvedAccess &access) {
    access.reach = bounds->range(access.distance, access.conditions);
    if (!access.reach.low || !access.reach.high)
      return false;
    Number low, high;
    if (!findMemory(access, low, high))
      return false;
    if (*access.reach.low < low || *access.reach.high + access.bytes > high)
      return false;
    if (access.alignment > 1) {
      if ((access.address + access.distance.constant) % access.alignment)
        return false;
      for (const auto &[symbol, factor] : access.distance.terms)
        if (factor % access.alignment)
          return false;
    }
    return true;
  }

  /// The conditions of what a read's place is made of: the others make it fewer
  /// places.
  static std::vector<Sum> conditionsOf(const ProvedAccess &access) {
    std::vector<Sum> all = access.conditions;
    std::erase_if(all, [&](const Sum &condition) {
      return std::any_of(condition.terms.begin(), condition.terms.end(),
                         [&](const auto &term) {
                           return access.distance.factor(term.first) == 0;
                         });
    });
    return all;
  }

  bool isAllWritten(const ProvedAccess &access) const {
    const auto begin =
        static_cast<uintptr_t>(access.address + *access.reach.low);
    const auto bytes = static_cast<size_t>(*access.reach.high -
                                           *access.reach.low + access.bytes);
    if (firstClear(Plane::Written, begin, bytes) == begin + bytes)
      return true;
    // What it leaves out need not be.
    const auto image = Image::of(d, access.distance, access.bytes,
                                 conditionsOf(access), /*perBlock=*/false);
    bool all = image.has_value();
    if (all)
      image->forEach([&](int64_t distance, uint64_t count) {
        const auto at = static_cast<uintptr_t>(access.address + distance);
        all = all && firstClear(Plane::Written, at, count) == at + count;
      });
    return all;
  }

  bool isWritten() {
    for (const ProvedAccess &access : d.accesses) {
      if (!access.isGlobal() || isAllWritten(access))
        continue;
      if (!access.writes() || access.isAtomic() ||
          !(access.flags & image::ProofWhole))
        return false;
      auto image = Image::of(d, access.distance, access.bytes, access.deciding,
                             /*perBlock=*/false);
      if (!image)
        return false;
      writes.push_back({&access, std::move(*image)});
    }
    for (const Description::Covered &covered : d.covered)
      if (!isCovered(covered))
        return false;
    return true;
  }

  static bool areEqual(const Sum &a, const Sum &b) {
    Sum difference = a;
    difference.add(b, -1);
    return difference.constant == 0 && difference.terms.empty();
  }

  /// Whether the block has written all of the shared memory that is read.
  bool isCovered(const Description::Covered &covered) {
    const ProvedAccess &access = d.accesses[covered.read];
    std::vector<bool> bytes(static_cast<size_t>(access.size), false);
    for (const ProvedCover &cover : covered.covers) {
      const ProvedAccess &write = d.accesses[cover.write];
      if (cover.own) {
        if (write.bytes >= access.bytes &&
            areEqual(write.distance, access.distance))
          return true;
        continue;
      }
      auto image = Image::of(d, write.distance, write.bytes, cover.conditions,
                             /*perBlock=*/true);
      if (image)
        image->forEach([&](int64_t distance, uint64_t count) {
          for (uint64_t i = 0; i < count; ++i)
            if (const uint64_t at = distance + i; at < bytes.size())
              bytes[at] = true;
        });
    }
    auto areSet = [&](int64_t at, uint64_t count) {
      const auto begin = bytes.begin() + at;
      return std::all_of(begin, begin + static_cast<ptrdiff_t>(count),
                         [](bool set) { return set; });
    };
    if (areSet(static_cast<int64_t>(*access.reach.low),
               static_cast<uint64_t>(*access.reach.high - *access.reach.low) +
                   access.bytes))
      return true;
    // Between what is read there may be gaps.
    const auto image = Image::of(d, access.distance, access.bytes,
                                 conditionsOf(access), /*perBlock=*/true);
    bool all = image.has_value();
    if (all)
      image->forEach(
          [&](int64_t at, uint64_t count) { all = all && areSet(at, count); });
    return all;
  }

  static bool conflict(const ProvedAccess &a, const ProvedAccess &b) {
    return (a.writes() || b.writes()) && !(a.isAtomic() && b.isAtomic());
  }
  static bool areNear(const ProvedAccess &a, const ProvedAccess &b) {
    const Number first = a.address, second = b.address;
    return first + *a.reach.low < second + *b.reach.high + b.bytes &&
           second + *b.reach.low < first + *a.reach.high + a.bytes;
  }

  bool isRaceFree() {
    for (size_t i = 0; i < d.accesses.size(); ++i)
      for (size_t j = i; j < d.accesses.size(); ++j) {
        const ProvedAccess &a = d.accesses[i], &b = d.accesses[j];
        if (a.isGlobal() && b.isGlobal() && conflict(a, b) && areNear(a, b) &&
            !areApart(d, a, b))
          return false;
      }
    for (const auto &[i, j] : d.pairs) {
      const ProvedAccess &a = d.accesses[i], &b = d.accesses[j];
      if (conflict(a, b) && areNear(a, b) && !areApart(d, a, b))
        return false;
    }
    return true;
  }

  const ProofFacts &facts;
  Description d;
  std::optional<Bounds> bounds;
  std::set<uint32_t> wrong; ///< comparisons
  std::vector<std::pair<const ProvedAccess *, Image>> writes;
};

} // namespace

bool isProved(const ProofFacts &facts) {
  static const bool verbose = std::getenv("CUFORT_CHECK_PROOFS");
  const char *why = Prover(facts).run();
  if (verbose)
    std::fprintf(stderr, "cufort: %s is %s%s\n", facts.kernel.name,
                 why ? "not proved: " : "proved", why ? why : "");
  return !why;
}

} // namespace cufort::check
