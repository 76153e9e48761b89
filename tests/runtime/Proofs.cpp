//===- Proofs.cpp - sums over threads, and kernels made of them -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/check/proofs/Image.h"
#include "runtime/check/proofs/ProofReader.h"
#include <gtest/gtest.h>
#include <utility>
#include <vector>

using namespace cufort;
using namespace cufort::check;
using Kind = image::CheckSymbolKind;

namespace {

constexpr uint32_t None = image::CheckProof::NoValue;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

TEST(Sums, TermsThatCancelGoAway) {
  Sum sum{3, {{0, 2}, {1, -1}}};
  sum.add({4, {{0, -1}, {1, 1}, {2, 5}}}, 2);
  EXPECT_TRUE(sum.constant == 11);
  EXPECT_TRUE(sum.factor(0) == 0);
  EXPECT_TRUE(sum.factor(1) == 1);
  EXPECT_TRUE(sum.factor(2) == 10);
  sum.add({0, {{1, 1}}}, -1);
  EXPECT_EQ(sum.terms.size(), 1u);
}

TEST(Sums, RangesOfSymbolsBoundSums) {
  const std::vector<Range> symbols{{0, 31}, {-2, 9}, {0, std::nullopt}};
  Bounds bounds(symbols);
  const Sum sum{5, {{0, 4}, {1, -3}}};
  EXPECT_TRUE(bounds.most(sum, {}) == 5 + 4 * 31 + 6);
  EXPECT_TRUE(bounds.least(sum, {}) == 5 - 27);
  EXPECT_FALSE(bounds.most({0, {{2, 1}}}, {}));
  EXPECT_TRUE(bounds.least({0, {{2, 1}}}, {}) == 0);
  EXPECT_FALSE(bounds.least({0, {{2, -1}}}, {}));
}

TEST(Sums, ConditionsBoundThem) {
  // The element i = t + 32 b + 1024 k of n, in a loop whose trip count nobody
  // knows.
  const std::vector<Range> symbols{{0, 31}, {0, 31}, {0, std::nullopt}};
  Bounds bounds(symbols);
  const Sum element{0, {{0, 1}, {1, 32}, {2, 1024}}};
  Sum inside{99999, {}};
  inside.add(element, -1);
  EXPECT_TRUE(bounds.most(element, {inside}) == 99999);
  EXPECT_TRUE(bounds.least(element, {inside}) == 0);
  // Eight bytes each, and the one behind it.
  Sum bytes{8, {}};
  bytes.add(element, 8);
  EXPECT_TRUE(bounds.most(bytes, {inside}) == 8 * 100000);
  // What says nothing of it changes nothing.
  EXPECT_FALSE(bounds.most(element, {{5, {{0, -1}}}}));
}

TEST(Sums, SymbolsAreWholeNumbers) {
  // The tiles of 16 elements that begin before element 1024.
  const std::vector<Range> symbols{{0, std::nullopt}, {0, 15}};
  Bounds bounds(symbols);
  const Sum begins{1023, {{0, -16}}};
  EXPECT_TRUE(bounds.most({0, {{0, 1}}}, {begins}) == 63);
  EXPECT_TRUE(bounds.most({0, {{0, 16}, {1, 1}}}, {begins}) == 1023);
  // Those behind element 5, and numbers below zero, which round down as well.
  const std::vector<Range> any{{std::nullopt, std::nullopt}};
  Bounds both(any);
  EXPECT_TRUE(both.least({0, {{0, 1}}}, {Sum{-5, {{0, 16}}}}) == 1);
  EXPECT_TRUE(both.most({0, {{0, 1}}}, {Sum{-5, {{0, -16}}}}) == -1);
}

TEST(Sums, ConditionsBoundEachOther) {
  // j <= i and i <= 9: then j <= 9.
  const std::vector<Range> symbols{{0, std::nullopt}, {0, std::nullopt}};
  Bounds bounds(symbols);
  const std::vector<Sum> conditions{{0, {{0, 1}, {1, -1}}}, {9, {{0, -1}}}};
  EXPECT_TRUE(bounds.most({0, {{1, 1}}}, conditions) == 9);
  EXPECT_TRUE(bounds.most({0, {{1, 3}}}, conditions) == 27);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Makes the words of an image::CheckProof; every number is a value.
class Words {
public:
  uint32_t number(int64_t value) {
    values.push_back(value);
    return static_cast<uint32_t>(values.size() - 1);
  }
  Words &word(uint32_t value) {
    words.push_back(value);
    return *this;
  }
  Words &value(int64_t value) { return word(number(value)); }
  Words &form(int64_t constant,
              const std::vector<std::pair<uint32_t, int64_t>> &terms = {}) {
    value(constant).word(static_cast<uint32_t>(terms.size()));
    for (const auto &[symbol, factor] : terms)
      word(symbol).value(factor);
    return *this;
  }
  Words &symbol(Kind kind, int64_t first = 0, int64_t second = 0) {
    return word(static_cast<uint32_t>(kind))
        .word(0)
        .form(first)
        .form(second)
        .word(None);
  }

  bool read(Description &to, image::Dim3 grid, image::Dim3 block) {
    image::CheckProof proof{
        static_cast<uint32_t>(values.size()),
        static_cast<uint32_t>(words.size()), words.data(),
        [](const char *arguments, const image::CpuLaunch *, int64_t *values) {
          const auto &all =
              *reinterpret_cast<const std::vector<int64_t> *>(arguments);
          std::copy(all.begin(), all.end(), values);
        }};
    image::Kernel kernel{};
    kernel.proof = &proof;
    const image::CpuLaunch launch{grid, block, 0, 0};
    return check::read(
        {kernel, launch, reinterpret_cast<const char *>(&values)}, to);
  }

private:
  std::vector<uint32_t> words;
  std::vector<int64_t> values;
};

/// a(i) = b(i + more), real(4), with i = t + 32 b where i < n; or of every
/// \p stride elements.
Description copyKernel(int64_t n, int64_t more, int64_t stride = 1,
                       int64_t aAddress = 4096, int64_t bAddress = 4096) {
  Words words;
  words.word(2).symbol(Kind::ThreadX).symbol(Kind::BlockX);
  words.word(0); // limits
  words.word(2);
  for (bool writes : {true, false}) {
    words.word(writes ? image::ProofWrites | image::ProofWhole : 0).word(0);
    words.value(writes ? aAddress : bAddress).value(1 << 20).word(4).word(4);
    words.form(writes ? 0 : 4 * more, {{0, 4 * stride}, {1, 128 * stride}});
    for (int i = 0; i < 2; ++i) // conditions, and those that decide
      words.word(1).word(0).form(n - 1, {{0, -1}, {1, -32}});
  }
  words.word(0).word(0).word(0).word(0); // bounds, pairs, covers, warps
  words.word(0).word(0);                 // gaps, numbers
  Description d;
  EXPECT_TRUE(words.read(d, {8, 1, 1}, {32, 1, 1}));
  EXPECT_TRUE(d.accesses.size() == 2);
  d.ranges = {{0, 31}, {0, 7}};
  Bounds bounds(d.ranges);
  for (ProvedAccess &access : d.accesses)
    access.reach = bounds.range(access.distance, access.conditions);
  return d;
}

TEST(ProofReader, ReadsAccesses) {
  const Description d = copyKernel(200, 3);
  EXPECT_TRUE(d.accesses[0].writes());
  EXPECT_TRUE(d.accesses[0].isGlobal());
  EXPECT_FALSE(d.accesses[1].writes());
  EXPECT_TRUE(*d.accesses[0].reach.low == 0);
  EXPECT_TRUE(*d.accesses[0].reach.high == 4 * 199);
  EXPECT_TRUE(*d.accesses[1].reach.high == 4 * 202);
  EXPECT_EQ(d.axes[0], 32u);
  EXPECT_EQ(d.axes[3], 8u);
}

TEST(ProofReader, ThreadsAreApart) {
  for (int64_t stride : {1, 2, 3}) {
    const Description same = copyKernel(200, 0, stride);
    EXPECT_TRUE(areApart(same, same.accesses[0], same.accesses[0]));
    EXPECT_TRUE(areApart(same, same.accesses[0], same.accesses[1]));
    const Description next = copyKernel(200, stride, stride);
    EXPECT_FALSE(areApart(next, next.accesses[0], next.accesses[1]));
  }
  // Odd elements and even ones; the upper half and the lower one.
  const Description odd = copyKernel(200, 1, 2);
  EXPECT_TRUE(areApart(odd, odd.accesses[0], odd.accesses[1]));
  const Description halves = copyKernel(200, 200);
  EXPECT_TRUE(areApart(halves, halves.accesses[0], halves.accesses[1]));
  const Description almost = copyKernel(200, 199);
  EXPECT_FALSE(areApart(almost, almost.accesses[0], almost.accesses[1]));
}

std::vector<std::pair<int64_t, uint64_t>> runsOf(const Description &d) {
  const ProvedAccess &access = d.accesses[0];
  std::vector<std::pair<int64_t, uint64_t>> runs;
  if (const auto image = Image::of(d, access.distance, access.bytes,
                                   access.deciding, /*perBlock=*/false))
    image->forEach(
        [&](int64_t at, uint64_t bytes) { runs.push_back({at, bytes}); });
  return runs;
}

TEST(ProofReader, ImagesAreWhatIsWritten) {
  using Runs = std::vector<std::pair<int64_t, uint64_t>>;
  EXPECT_EQ(runsOf(copyKernel(200, 0)), (Runs{{0, 800}}));
  EXPECT_EQ(runsOf(copyKernel(1000, 0)), (Runs{{0, 1024}}));
  EXPECT_EQ(runsOf(copyKernel(3, 0, 2)), (Runs{{0, 4}, {8, 4}, {16, 4}}));
  EXPECT_EQ(runsOf(copyKernel(0, 0)), Runs());
}

TEST(ProofReader, ImagesOfTilesHaveRows) {
  // Columns of 40 elements, of which 33 are written, by tiles of 16 x 4; in y a
  // loop goes on.
  Description d;
  d.symbols = {{Kind::ThreadX, false, {}, {}, None},
               {Kind::BlockX, false, {}, {}, None},
               {Kind::ThreadY, false, {}, {}, None},
               {Kind::Iterations, false, {}, {}, None}};
  d.ranges = {{0, 15}, {0, 2}, {0, 3}, {0, std::nullopt}};
  const Sum distance{0, {{0, 4}, {1, 64}, {2, 160}, {3, 640}}, 0};
  const std::vector<Sum> inside{{32, {{0, -1}, {1, -16}}, 0},
                                {1, {{3, -1}}, 0}};
  const auto image = Image::of(d, distance, 4, inside, false);
  ASSERT_TRUE(image);
  std::vector<std::pair<int64_t, uint64_t>> runs;
  image->forEach(
      [&](int64_t at, uint64_t bytes) { runs.push_back({at, bytes}); });
  ASSERT_EQ(runs.size(), 8u);
  EXPECT_EQ(runs[0], (std::pair<int64_t, uint64_t>{0, 132}));
  EXPECT_EQ(runs[7], (std::pair<int64_t, uint64_t>{7 * 160, 132}));
  // Without an end the loop may go on for ever.
  EXPECT_FALSE(Image::of(d, distance, 4, {inside[0]}, false));
  // Nobody knows which tiles a condition of two axes leaves out.
  EXPECT_FALSE(Image::of(d, distance, 4,
                         {inside[1], {9, {{0, -1}, {2, -1}}, 0}}, false));
}

/// s(t / 32) where mod(t, 32) == 0.
bool readWarps(Description &d, uint32_t threads) {
  Words words;
  words.word(3).symbol(Kind::ThreadX).symbol(Kind::ThreadHigh, 32);
  words.symbol(Kind::ThreadLow, 32).word(0).word(1);
  words.word(image::ProofWrites | image::ProofShared).word(0);
  words.value(0).value(128).word(4).word(4);
  words.form(0, {{1, 4}});
  words.word(2).word(0).form(0, {{2, 1}}).word(0).form(0, {{2, -1}});
  words.word(0);
  words.word(0).word(0).word(0);
  words.word(1).word(0).form(31, {{0, -1}}); // warps: t < 32
  words.word(0).word(0);
  return words.read(d, {4, 1, 1}, {threads, 1, 1});
}

TEST(ProofReader, DividedIndicesAreTwoSymbols) {
  Description d;
  ASSERT_TRUE(readWarps(d, 256));
  ASSERT_TRUE(findRanges(d, false));
  EXPECT_TRUE(*d.ranges[1].high == 7);
  EXPECT_TRUE(*d.ranges[2].high == 31);
  EXPECT_TRUE(d.warps[0].factor(0) == 0);
  EXPECT_TRUE(d.warps[0].factor(1) == -32);
  EXPECT_TRUE(d.warps[0].factor(2) == -1);
  EXPECT_TRUE(warpsAgree(d));
  EXPECT_TRUE(areApart(d, d.accesses[0], d.accesses[0]));
  Description few, odd;
  EXPECT_TRUE(readWarps(few, 20));
  EXPECT_FALSE(readWarps(odd, 40));
}

/// y(4 k(t + 32 b)) of 12 bytes, where k is read from \p indices.
bool areScattered(const std::vector<int32_t> &indices) {
  Words words;
  words.word(3).symbol(Kind::ThreadX).symbol(Kind::BlockX);
  words.word(static_cast<uint32_t>(Kind::Loaded)).word(0);
  words.form(32).form(0).word(1); // read by the second access
  words.word(0).word(2);
  words.word(image::ProofWrites | image::ProofWhole).word(0);
  words.value(4096).value(1 << 20).word(12).word(4);
  words.form(0, {{2, 16}}).word(0).word(0);
  words.word(0).word(0);
  words.value(reinterpret_cast<int64_t>(indices.data()));
  words.value(static_cast<int64_t>(4 * indices.size())).word(4).word(4);
  words.form(0, {{0, 4}, {1, 128}}).word(0).word(0);
  words.word(0).word(0).word(0).word(0).word(0).word(0);
  Description d;
  EXPECT_TRUE(words.read(d, {2, 1, 1}, {32, 1, 1}));
  // What is written must be somewhere else.
  d.accesses[0].address = reinterpret_cast<int64_t>(&words) & -4096;
  EXPECT_TRUE(findRanges(d, true));
  return areApart(d, d.accesses[0], d.accesses[0]);
}

TEST(ProofReader, IndicesThatStandOnceAreApart) {
  std::vector<int32_t> indices(64);
  for (int32_t i = 0; i < 64; ++i)
    indices[static_cast<size_t>(i)] = (37 * i + 5) % 64 - 20;
  EXPECT_TRUE(areScattered(indices));
  indices[63] = indices[2];
  EXPECT_FALSE(areScattered(indices));
}

TEST(ProofReader, WarpsThatPartAreFound) {
  Description d;
  ASSERT_TRUE(readWarps(d, 256));
  d.warps[0].constant = 30;
  EXPECT_FALSE(warpsAgree(d));
}

} // namespace
