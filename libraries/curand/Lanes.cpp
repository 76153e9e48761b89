//===- Lanes.cpp - XORWOW, MRG32k3a and Philox ----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lane s of XORWOW and MRG32k3a is what curand_init() makes of subsequence s.
//
//===----------------------------------------------------------------------===//

#include "libraries/curand/DeviceFunctions.h"
#include "libraries/curand/Sequence.h"
#include <cmath>
#include <new>
#include <vector>

namespace cufort::curand {

namespace {

/// Numbers that one step of a lane makes.
size_t perStep(Distribution distribution) {
  switch (distribution) {
  case Distribution::Normal:
  case Distribution::NormalDouble:
  case Distribution::LogNormal:
  case Distribution::LogNormalDouble:
    return 2;
  default:
    return 1;
  }
}

/// How many lanes' beginnings are found one from the other.
constexpr size_t Chain = 512;

struct Xorwow {
  using State = curandStateXORWOW;
  static constexpr size_t MostLanes = 4096;
  static size_t lanes(curandOrdering) { return 4096; }
  static void put(const State &s, uint32_t w[6]) {
    w[0] = s.d;
    std::copy(s.v, s.v + 5, w + 1);
  }
  static void nextLane(State &s) { skipahead_sequence(1, &s); }
  static auto kernel() { return kernels().xorwow; }
};

struct Mrg {
  using State = curandStateMRG32k3a;
  static constexpr size_t MostLanes = 81920;
  static size_t lanes(curandOrdering ordering) {
    return ordering == CURAND_ORDERING_PSEUDO_LEGACY ? 4096 : MostLanes;
  }
  static void put(const State &s, uint32_t w[6]) {
    std::copy(s.s1, s.s1 + 3, w);
    std::copy(s.s2, s.s2 + 3, w + 3);
  }
  static void nextLane(State &s) { skipahead_subsequence(1, &s); }
  static auto kernel() { return kernels().mrg; }
};

template <class Engine> class LaneSequence final : public Sequence {
public:
  void begin(Team &team, const Beginning &beginning, uint64_t start) override {
    position = start;
    lanes = Engine::lanes(beginning.ordering);
    const size_t ahead = position % lanes;
    const uint64_t taken = position / lanes;
    inPieces(team, lanes, Chain, [&](size_t from, size_t end) {
      typename Engine::State state;
      if (beginning.ordering != CURAND_ORDERING_PSEUDO_SEEDED)
        curand_init(beginning.seed, from, taken, &state);
      for (size_t lane = from; lane != end; ++lane) {
        if (beginning.ordering == CURAND_ORDERING_PSEUDO_SEEDED)
          curand_init(seedOf(beginning.seed, lane), 0, taken, &state);
        else if (lane != from)
          Engine::nextLane(state);
        typename Engine::State here = state;
        if (lane < ahead)
          ::curand(&here);
        uint32_t each[6];
        Engine::put(here, each);
        for (int k = 0; k != 6; ++k)
          words[k][lane] = each[k];
        kept[lane] = std::nanf("");
      }
    });
  }

  void generate(Team &team, const Wanted &wanted, void *out,
                size_t count) override {
    const size_t width = perStep(wanted.distribution);
    const Lanes all = {
        {words[0], words[1], words[2], words[3], words[4], words[5]}, kept};
    const size_t steps = count / width, first = position % lanes;
    inTurn(team, lanes, first, steps, width * sizeOf(wanted.distribution), out,
           [&](const Steps &which) { Engine::kernel()(all, which, wanted); });
    position += steps;
  }

private:
  /// The seed of a lane that has one of its own.
  static uint64_t seedOf(uint64_t seed, size_t lane) {
    return seed + lane * 3133713;
  }

  size_t lanes = Engine::MostLanes;
  // Whole cache lines belong to the lanes that one thread has.
  alignas(128) uint32_t words[6][Engine::MostLanes];
  alignas(128) float kept[Engine::MostLanes];
};

/// A lane makes four numbers in a step. Of four that are begun the rest comes
/// with the next call, of the same lane at the same counter.
class PhiloxSequence final : public Sequence {
  static constexpr size_t LaneCount = 65536;

public:
  void begin(Team &, const Beginning &beginning, uint64_t start) override {
    position = start;
    seed = beginning.seed;
    const uint64_t fours = position / 4;
    for (size_t lane = 0; lane != LaneCount; ++lane)
      counters[lane] = fours / LaneCount + (lane < fours % LaneCount ? 1 : 0);
  }

  void generate(Team &team, const Wanted &wanted, void *out,
                size_t count) override {
    const size_t bytes = sizeOf(wanted.distribution);
    auto *to = static_cast<char *>(out);
    if (const size_t begun = position % 4; begun && count) {
      const size_t taken = count < 4 - begun ? count : 4 - begun;
      part(wanted, begun, taken, to);
      to += taken * bytes;
      count -= taken;
    }
    const size_t fours = count / 4;
    inTurn(team, LaneCount, position / 4 % LaneCount, fours, 4 * bytes, to,
           [&](const Steps &which) {
             kernels().philox(counters.data() + which.first, seed, which,
                              wanted);
           });
    position += 4 * fours;
    if (count % 4)
      part(wanted, 0, count % 4, to + 4 * fours * bytes);
  }

private:
  /// \p count of the next lane's four, from \p begun on.
  void part(const Wanted &wanted, size_t begun, size_t count, char *to) {
    const size_t lane = position / 4 % LaneCount;
    const size_t bytes = sizeOf(wanted.distribution);
    uint64_t counter = counters[lane];
    alignas(8) char four[4 * 8];
    kernels().philox(&counter, seed, Steps{lane, 1, 1, 1, four}, wanted);
    std::copy(four + begun * bytes, four + (begun + count) * bytes, to);
    if (begun + count == 4)
      counters[lane] = counter;
    position += count;
  }

  uint64_t seed = 0;
  std::vector<uint64_t> counters = std::vector<uint64_t>(LaneCount);
};

} // namespace

std::unique_ptr<Sequence> makeXorwow() {
  return std::make_unique<LaneSequence<Xorwow>>();
}
std::unique_ptr<Sequence> makeMrg() {
  return std::make_unique<LaneSequence<Mrg>>();
}
std::unique_ptr<Sequence> makePhilox() {
  return std::make_unique<PhiloxSequence>();
}

} // namespace cufort::curand
