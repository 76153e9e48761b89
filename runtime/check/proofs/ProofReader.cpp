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

} // namespace cufort::check
