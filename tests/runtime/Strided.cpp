//===- Strided.cpp - arrays with any strides ------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Descriptors.h"
#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace cufort;

namespace {

TEST(Strided, SimplifyMergesWhatIsContiguousInBoth) {
  std::vector<int> x(1000), y(1000);
  Array a = describe(x.data(), {10, 10, 10}),
        b = describe(y.data(), {10, 10, 10});
  StridedView s = a.header.view(), t = b.header.view();
  simplify(s, t);
  EXPECT_EQ(s.rank, 0);
  EXPECT_EQ(s.elementBytes, 4000u);

  s = section(a, {{1, 10, 1}, {2, 5, 1}, {1, 10, 1}}).header.view();
  t = section(b, {{1, 10, 1}, {2, 5, 1}, {1, 10, 1}}).header.view();
  simplify(s, t);
  EXPECT_EQ(s.rank, 1);
  EXPECT_EQ(s.elementBytes, 160u);
  EXPECT_EQ(s.extent[0], 10);

  s = section(a, {{1, 9, 2}, {1, 1, 1}, {1, 10, 1}}).header.view();
  t = section(b, {{1, 5, 1}, {1, 1, 1}, {1, 10, 1}}).header.view();
  simplify(s, t);
  EXPECT_EQ(s.rank, 2);
  EXPECT_EQ(s.elementBytes, 4u);
}

TEST(Strided, ContiguousAndSpan) {
  std::vector<int> x(100);
  Array a = describe(x.data(), {10, 10});
  EXPECT_TRUE(a.header.contiguous());
  EXPECT_TRUE(section(a, {{1, 10, 1}, {3, 4, 1}}).header.contiguous());
  EXPECT_FALSE(section(a, {{1, 9, 1}, {3, 4, 1}}).header.contiguous());
  EXPECT_TRUE(section(a, {{1, 9, 1}, {3, 3, 1}}).header.contiguous());
  EXPECT_FALSE(section(a, {{1, 10, 2}, {1, 1, 1}}).header.contiguous());
  char *begin, *end;
  section(a, {{10, 1, -1}, {1, 2, 1}}).header.view().span(&begin, &end);
  EXPECT_EQ(begin, reinterpret_cast<char *>(x.data()));
  EXPECT_EQ(end - begin, 80);
}

// Random sections of random arrays, element by element against the copy.
TEST(Strided, RandomSectionsOfAllRanks) {
  std::mt19937 random(7);
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  for (int round = 0; round < 500; ++round) {
    const int rank = pick(1, 5);
    std::vector<int64_t> toShape, fromShape, count;
    std::vector<Range> toRange, fromRange;
    for (int i = 0; i < rank; ++i) {
      const int n = pick(1, 6);
      count.push_back(n);
      for (auto *side : {&toRange, &fromRange}) {
        const int step = pick(1, 3), low = pick(1, 3);
        const int high = low + (n - 1) * step, extent = high + pick(0, 2);
        if (pick(0, 3) == 0)
          side->push_back({high, low, -step});
        else
          side->push_back({low, high, step});
        (side == &toRange ? toShape : fromShape).push_back(extent);
      }
    }
    const auto size = [](const std::vector<int64_t> &shape) {
      return std::accumulate(shape.begin(), shape.end(), int64_t(1),
                             std::multiplies<>());
    };
    std::vector<double> to(size(toShape), -1), from(size(fromShape));
    std::iota(from.begin(), from.end(), 1);
    Array t = section(describe(to.data(), toShape), toRange);
    Array f = section(describe(from.data(), fromShape), fromRange);
    copyStridedOnHost(t.header.view(), f.header.view());
    int64_t written = 0;
    std::vector<int64_t> index(rank, 0);
    for (;;) {
      ASSERT_EQ(at<double>(t, index), at<double>(f, index)) << round;
      ++written;
      int dim = 0;
      for (; dim < rank; ++dim) {
        if (++index[dim] < count[dim])
          break;
        index[dim] = 0;
      }
      if (dim == rank)
        break;
    }
    ASSERT_EQ(std::count(to.begin(), to.end(), -1.0),
              static_cast<int64_t>(to.size()) - written)
        << "touched only the section";
  }
}

} // namespace
