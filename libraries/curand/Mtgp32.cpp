//===- Mtgp32.cpp - the Mersenne twister for graphics processors ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Twisters with parameters of their own make 256 numbers each in turn.
//
//===----------------------------------------------------------------------===//

#include "libraries/curand/Mtgp32.h"
#include "libraries/curand/Sequence.h"
#include <vector>

namespace cufort::curand {

namespace {

constexpr size_t State = MtgpWords, Block = 256, MostTwisters = 192;

class MtgpSequence final : public Sequence {
public:
  void begin(Team &, const Beginning &beginning, uint64_t start) override {
    position = start;
    twisters =
        beginning.ordering == CURAND_ORDERING_PSEUDO_LEGACY ? 64 : MostTwisters;
    const uint32_t seed =
        static_cast<uint32_t>(beginning.seed ^ beginning.seed >> 32);
    for (uint32_t i = 0; i != twisters; ++i) {
      beginMtgp(mtgpSet(i), seed + i + 1, &states[i * State]);
      blocks[i] = 0;
    }
  }

  void generate(Team &team, const Wanted &wanted, void *out,
                size_t count) override {
    const uint64_t end = position + count;
    team.forEach(twisters, [&](uint64_t i) { make(i, wanted, out, end); });
    position = end;
  }

private:
  /// Numbers of [position, \p end) that are twister \p i's.
  void make(size_t i, const Wanted &wanted, void *out, uint64_t end) {
    const size_t bytes = sizeOf(wanted.distribution);
    const uint64_t round = twisters * Block;
    for (uint64_t k = position / round; k * round < end; ++k) {
      const uint64_t begin = k * round + i * Block;
      const uint64_t from = begin < position ? position : begin;
      const uint64_t to = begin + Block < end ? begin + Block : end;
      if (from >= to)
        continue;
      uint32_t *words = &made[i * Block];
      for (; blocks[i] != k + 1; ++blocks[i])
        kernels().mtgp(&states[i * State], mtgpSet(i), words);
      kernels().convert(words + (from - begin), to - from, wanted,
                        HalfStep::Whole,
                        static_cast<char *>(out) + (from - position) * bytes);
    }
  }

  size_t twisters = MostTwisters;
  std::vector<uint32_t> states = std::vector<uint32_t>(MostTwisters * State);
  /// The last numbers of each, and how many times it has made some.
  std::vector<uint32_t> made = std::vector<uint32_t>(MostTwisters * Block);
  std::vector<uint64_t> blocks = std::vector<uint64_t>(MostTwisters);
};

} // namespace

void beginMtgp(const MtgpSet &set, uint32_t seed, uint32_t *state) {
  const uint32_t hidden = set.recursion[4] ^ set.recursion[8] << 16;
  uint32_t fill = hidden + (hidden >> 16);
  fill += fill >> 8;
  for (size_t i = 0; i != State; ++i)
    state[i] = (fill & 0xff) * 0x01010101u;
  state[0] = seed;
  state[1] = hidden;
  for (uint32_t i = 1; i != State; ++i)
    state[i] ^= 1812433253u * (state[i - 1] ^ state[i - 1] >> 30) + i;
}

std::unique_ptr<Sequence> makeMtgp32() {
  return std::make_unique<MtgpSequence>();
}

} // namespace cufort::curand
