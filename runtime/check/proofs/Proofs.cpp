//===- Proofs.cpp - launches in which nothing can be wrong ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/proofs/Proofs.h"
#include "runtime/check/Check.h"
#include "runtime/check/Shadow.h"
#include "runtime/check/proofs/Image.h"
#include "runtime/check/proofs/ProofReader.h"
#include "runtime/core/process/Environment.h"
#include "runtime/cpu/memory/Memory.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>

namespace cufort::check {

static std::atomic<bool> OtherStreams{false};

void noteStream() { OtherStreams.store(true, std::memory_order_relaxed); }

/// Several devices have a default stream each.
static bool mayHaveStreams() {
  return OtherStreams.load(std::memory_order_relaxed) ||
         environment().cpuDevices > 1;
}

namespace {

/// Ranges of which all has been written. A program launches its kernels many
/// times on the same arrays.
class WrittenRanges {
public:
  bool isWritten(uintptr_t begin, size_t bytes) {
    // Whatever is unset meanwhile, the next launch will ask again.
    const uint64_t times = TimesUnset.load(std::memory_order_acquire);
    {
      std::lock_guard lock(mutex);
      if (times != unset)
        count = 0;
      unset = times;
      for (size_t i = 0; i < std::min(count, Most); ++i)
        if (begin >= all[i].begin && begin + bytes <= all[i].end)
          return true;
    }
    if (firstClear(Plane::Written, begin, bytes) != begin + bytes)
      return false;
    std::lock_guard lock(mutex);
    if (times == unset)
      all[count++ % Most] = {begin, begin + bytes};
    return true;
  }

private:
  /// They are searched one by one; the oldest gives way.
  static constexpr size_t Most = 64;
  std::mutex mutex;
  uint64_t unset = 0; ///< TimesUnset of then
  size_t count = 0;
  struct {
    uintptr_t begin, end;
  } all[Most];
};

WrittenRanges &writtenRanges() {
  static auto *one = new WrittenRanges;
  return *one;
}

class Prover {
public:
  explicit Prover(const ProofFacts &facts) : facts(facts) {}

  /// Why it is not proved; null: it is.
  const char *run() {
    if (checking(image::CheckRace) && mayHaveStreams())
      return "there are several streams";
    if (!read(facts, d))
      return "a block that is not a number of whole warps";
    if (!findRanges(d, !mayHaveStreams() && !(d.gaps & image::GapWrites)))
      return "an empty range";
    bounds.emplace(d.ranges);
    // What is wrong from here on is so of some accesses.
    hasRanges = true;
    findGaps();
    if (!limitsHold()) {
      compareMemory();
      return why;
    }
    if (!warpsAgree(d))
      note("warps of which some threads wait");
    for (const Description::Bound &bound : d.bounds) {
      const auto least = bounds->least(bound.form, bound.conditions);
      if (!least || *least < 0)
        note("a subscript");
    }
    for (ProvedAccess &access : d.accesses)
      if (!isInside(access))
        note("an access outside of its memory", &access);
    if (checking(image::CheckInit))
      findUnset();
    if (checking(image::CheckRace))
      findRaces();
    if (why && checking(image::CheckInit))
      keepUnset();
    for (const auto &[access, image] : writes)
      if (!access->wrong && !access->races)
        image.forEach([&, a = access](int64_t distance, uint64_t bytes) {
          setRange(Plane::Written, a->address + distance, bytes, true);
        });
    return why;
  }

  /// By number: image::CheckNeed.
  void list(std::vector<uint8_t> &accesses) const {
    if (!hasRanges)
      return;
    constexpr uint8_t Unknown = 255;
    for (const ProvedAccess &each : d.accesses) {
      if (each.number == image::CheckProof::NoValue)
        continue;
      if (each.number >= accesses.size())
        accesses.resize(each.number + 1, Unknown);
      uint8_t &need = accesses[each.number];
      if (each.races || each.isAtomic() || need == image::NeedsAll)
        need = image::NeedsAll;
      else if (each.wrong || need == image::NeedsNoRace)
        need = image::NeedsNoRace;
      else
        need = image::NeedsNothing;
    }
    std::replace(accesses.begin(), accesses.end(), Unknown,
                 uint8_t(image::NeedsAll));
  }

private:
  /// \p reason is why the launch is not proved, or one of the reasons.
  void note(const char *reason, ProvedAccess *access = nullptr) {
    if (!why)
      why = reason;
    if (access)
      access->wrong = true;
  }

  /// What the description leaves open.
  void findGaps() {
    if (d.gaps & image::GapParting)
      note("threads may part before a barrier");
    if (d.gaps & (image::GapReads | image::GapWrites))
      note("it follows pointers, or calls procedures");
    else if (d.gaps)
      note("it orders memory by other means than barriers");
    const bool races = checking(image::CheckRace);
    for (ProvedAccess &each : d.accesses) {
      if (each.isPrivate())
        continue;
      each.wrong = each.isShared() && d.gaps & image::GapParting;
      each.races = each.wrong ||
                   (races && (d.gaps & image::GapWrites ||
                              (d.gaps & image::GapReads && each.writes())));
    }
  }

  /// Nothing is known of indices, only which memory each access may be to:
  /// whatever leaves that is reported.
  void compareMemory() {
    note("an index may be too large for its type");
    for (ProvedAccess &each : d.accesses) {
      each.wrong = true;
      Number low, high;
      if (each.isPrivate() || each.isShared() || !findMemory(each, low, high))
        each.races |= !each.isPrivate();
      else if (checking(image::CheckMemory))
        each.reach = {low, high - each.bytes};
      else
        each.reach = {};
    }
    compared = MostCompared;
    if (checking(image::CheckRace))
      findRaces();
  }

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
    if (access.isNever())
      return true;
    Number low, high;
    if (!findMemory(access, low, high)) {
      access.races = true;
      return false;
    }
    const Number last = high - access.bytes;
    Range &reach = access.reach;
    if (!reach.low || !reach.high || *reach.low < low || *reach.high > last) {
      // What leaves its memory is reported, and not made there.
      reach = checking(image::CheckMemory)
                  ? Range{std::max(low, reach.low.value_or(low)),
                          std::min(last, reach.high.value_or(last))}
                  : Range{};
      return false;
    }
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
    if (writtenRanges().isWritten(begin, bytes))
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

  void findUnset() {
    constexpr const char *Reason = "memory that may be unset";
    for (ProvedAccess &access : d.accesses) {
      if (!access.isGlobal() || access.isNever() || access.wrong ||
          isAllWritten(access))
        continue;
      if (!access.writes() || access.isAtomic() ||
          !(access.flags & image::ProofWhole)) {
        note(Reason, &access);
        continue;
      }
      auto image = Image::of(d, access.distance, access.bytes, access.deciding,
                             /*perBlock=*/false);
      if (image)
        writes.push_back({&access, std::move(*image)});
      else
        note(Reason, &access);
    }
    for (const Description::Covered &covered : d.covered)
      if (ProvedAccess &read = d.accesses[covered.read];
          !read.wrong && !read.isNever() && !isCovered(covered))
        note(Reason, &read);
  }

  /// Whether instrumented code does not ask for it.
  static bool isAlwaysChecked(const ProvedAccess &access) {
    return access.number == image::CheckProof::NoValue;
  }

  /// The launch is checked: whoever reads asks whether it was set, so that what
  /// is written has to say so; or is set before, if nobody reads it.
  void keepUnset() {
    auto readsNear = [&](const ProvedAccess &write, const ProvedAccess &each) {
      return each.isShared() == write.isShared() &&
             each.isGlobal() == write.isGlobal() &&
             each.object == write.object && !each.isNever() &&
             (!each.writes() || each.isAtomic()) && areNear(write, each);
    };
    for (auto &[access, image] : writes)
      access->wrong |=
          d.gaps != 0 || std::any_of(d.accesses.begin(), d.accesses.end(),
                                     [&, a = access](const ProvedAccess &each) {
                                       return readsNear(*a, each);
                                     });
    for (ProvedAccess &access : d.accesses)
      if (access.isShared() && access.writes() && !access.wrong)
        access.wrong =
            (d.gaps & image::GapReads) ||
            std::any_of(d.accesses.begin(), d.accesses.end(),
                        [&](const ProvedAccess &each) {
                          return (each.wrong || each.races || each.isAtomic() ||
                                  isAlwaysChecked(each)) &&
                                 readsNear(access, each);
                        });
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
    auto set = [&](int64_t distance, uint64_t count) {
      for (uint64_t i = 0; i < count; ++i)
        if (const uint64_t at = distance + i; at < bytes.size())
          bytes[at] = true;
    };
    for (const ProvedCover &cover : covered.covers) {
      const ProvedAccess &write = d.accesses[cover.write];
      if (cover.own) {
        if (write.bytes >= access.bytes &&
            areEqual(write.distance, access.distance))
          return true;
        continue;
      }
      if (auto image =
              Image::of(d, write.distance, write.bytes, cover.conditions,
                        /*perBlock=*/true))
        image->forEach(set);
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
    if (!a.reach.low || !a.reach.high || !b.reach.low || !b.reach.high)
      return true;
    const Number first = a.address, second = b.address;
    return first + *a.reach.low < second + *b.reach.high + b.bytes &&
           second + *b.reach.low < first + *a.reach.high + a.bytes;
  }

  void compare(ProvedAccess &a, ProvedAccess &b) {
    if ((a.races && b.races) || a.isNever() || b.isNever() || !conflict(a, b) ||
        !areNear(a, b))
      return;
    bool isApart = false;
    if (compared < MostCompared) {
      ++compared;
      isApart = areApart(d, a, b);
    }
    if (!isApart) {
      note("a race");
      a.races = b.races = true;
    }
  }
  void findRaces() {
    for (size_t i = 0; i < d.accesses.size(); ++i)
      for (size_t j = i; j < d.accesses.size(); ++j)
        if (d.accesses[i].isGlobal() && d.accesses[j].isGlobal())
          compare(d.accesses[i], d.accesses[j]);
    for (const auto &[i, j] : d.pairs)
      compare(d.accesses[i], d.accesses[j]);
  }

  const ProofFacts &facts;
  Description d;
  std::optional<Bounds> bounds;
  std::set<uint32_t> wrong; ///< comparisons
  std::vector<std::pair<ProvedAccess *, Image>> writes;
  bool hasRanges = false;
  const char *why = nullptr; ///< it is not proved
  unsigned compared = 0;     ///< pairs
  /// Kernels with more are not worth the time.
  static constexpr unsigned MostCompared = 4000;
};

} // namespace

bool isProved(const ProofFacts &facts, std::vector<uint8_t> &accesses) {
  static const bool verbose = std::getenv("CUFORT_CHECK_PROOFS");
  Prover prover(facts);
  const char *why = prover.run();
  prover.list(accesses);
  if (verbose && !why)
    std::fprintf(stderr, "cufort: %s is proved\n", facts.kernel.name);
  else if (verbose)
    std::fprintf(
        stderr,
        "cufort: %s is not proved: %s; of %zu accesses %td need no check\n",
        facts.kernel.name, why, accesses.size(),
        std::count(accesses.begin(), accesses.end(), uint8_t(1)));
  return !why;
}

} // namespace cufort::check
