//===- Mt19937.cpp - the Mersenne twister ---------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 8192 twisters, each 2^2048 numbers ahead of the one before, write 8 numbers
// in turn. A twister makes 624 words at a time; it hands them out in an order
// of 8 lanes, which begin at places from 0 to 567 and go on by 7 words.
//
// A state that many steps ahead is a sum of states near by: which ones says the
// remainder of that power of x modulo the characteristic polynomial.
//
//===----------------------------------------------------------------------===//

#include "libraries/curand/MtPolynomials.h"
#include "libraries/curand/Sequence.h"
#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace cufort::curand {

namespace {

constexpr size_t Twisters = 8192, State = MtWords, PerRow = 8;
constexpr size_t RowsOfState = State / PerRow;

/// Of each row, which words of the state its eight numbers are.
constexpr std::array<uint16_t, State> Order = [] {
  constexpr uint16_t begins[PerRow] = {0, 113, 170, 283, 340, 397, 510, 567};
  std::array<uint16_t, State> order = {};
  std::array<bool, State> taken = {};
  for (size_t r = 0; r != PerRow; ++r) {
    order[r] = begins[r];
    taken[begins[r]] = true;
  }
  // The others in ascending order: 7 rows of a lane, then the next lane's.
  size_t e = 0;
  for (uint16_t j = 0; j != State; ++j) {
    if (taken[j])
      continue;
    const size_t row = 1 + 7 * (e / 56) + e % 7, lane = e % 56 / 7;
    order[row * PerRow + lane] = j;
    ++e;
  }
  return order;
}();

uint32_t temper(uint32_t x) {
  x ^= x >> 11;
  x ^= x << 7 & 0x9d2c5680u;
  x ^= x << 15 & 0xefc60000u;
  return x ^ x >> 18;
}

/// The words of a state and of those that follow, as many as a jump adds up.
constexpr size_t Window = (MtDegree / State + 2) * State;

/// The state \p jump ahead of \p from.
void jumped(const MtPolynomial &jump, const uint32_t *from, uint32_t *to) {
  // By six bits at a time: all places with the same six bits are added up
  // first.
  constexpr size_t Bits = 6, Long = State + Bits;
  static_assert((MtDegree + Bits - 1) / Bits * Bits + State <= Window);
  std::vector<uint32_t> words(Window + Bits), sums((size_t(1) << Bits) * Long);
  std::copy(from, from + State, words.begin());
  for (size_t at = State; at < Window; at += State) {
    std::copy_n(words.begin() + static_cast<ptrdiff_t>(at - State), State,
                words.begin() + static_cast<ptrdiff_t>(at));
    kernels().twist(words.data() + at);
  }
  for (size_t at = 0; at < MtDegree; at += Bits) {
    uint32_t pattern = 0;
    for (size_t k = 0; k != Bits && at + k != MtDegree; ++k)
      pattern |= (jump[(at + k) / 64] >> (at + k) % 64 & 1) << k;
    if (pattern)
      kernels().add(&sums[pattern * Long], &words[at], Long);
  }
  std::fill(to, to + State, 0);
  for (size_t k = 0; k != Bits; ++k) {
    std::vector<uint32_t> with(Long);
    for (size_t pattern = 0; pattern != size_t(1) << Bits; ++pattern)
      if (pattern >> k & 1)
        kernels().add(with.data(), &sums[pattern * Long], Long);
    kernels().add(to, with.data() + k, State);
  }
}

class MtSequence final : public Sequence {
public:
  void begin(Team &, const Beginning &beginning, uint64_t start) override {
    position = start;
    ready = 1;
    uint32_t word = static_cast<uint32_t>(beginning.seed);
    for (uint32_t i = 0; i != State; ++i) {
      states[i] = word;
      word = 1812433253u * (word ^ word >> 30) + i + 1;
    }
    std::fill(blocks.begin(), blocks.end(), 0);
  }

  void generate(Team &team, const Wanted &wanted, void *out,
                size_t count) override {
    const uint64_t end = position + count;
    makeReady(team, position / RowNumbers == (end - 1) / RowNumbers
                        ? (end - 1) % RowNumbers / PerRow + 1
                        : Twisters);
    constexpr size_t Piece = 16;
    inPieces(team, Twisters, Piece, [&](size_t first, size_t last) {
      make(first, last, wanted, out, end);
    });
    position = end;
  }

private:
  static constexpr size_t RowNumbers = Twisters * PerRow;

  /// Brings the first \p count twisters to their beginnings.
  void makeReady(Team &team, size_t count) {
    // From the largest power of two below, so that each round doubles them.
    while (ready < count) {
      const size_t power = std::bit_width(ready) - 1;
      const size_t half = size_t(1) << power;
      const size_t more = std::min(count, 2 * half) - ready;
      const MtPolynomial &jump = mtJump(power);
      team.forEach(more, [&](uint64_t i) {
        const size_t to = ready + i, from = to - half;
        jumped(jump, &states[from * State], &states[to * State]);
        // Both have made as many words.
        blocks[to] = blocks[from];
      });
      ready += more;
    }
  }

  /// Numbers of [position, \p end) that are those of some twisters.
  void make(size_t firstOne, size_t lastOne, const Wanted &wanted, void *out,
            uint64_t end) {
    const size_t bytes = sizeOf(wanted.distribution);
    const size_t width = (lastOne - firstOne) * PerRow;
    std::array<uint32_t, 16 * PerRow> words;
    for (uint64_t row = position / RowNumbers; row * RowNumbers < end; ++row) {
      const uint64_t begin = row * RowNumbers + firstOne * PerRow;
      const uint64_t from = begin < position ? position : begin;
      const uint64_t to = begin + width < end ? begin + width : end;
      if (from >= to)
        continue;
      const uint64_t wantedBlock = row / RowsOfState + 1;
      const uint16_t *order = &Order[row % RowsOfState * PerRow];
      for (size_t i = (from - begin) / PerRow; i * PerRow < to - begin; ++i) {
        uint32_t *state = &states[(firstOne + i) * State];
        for (; blocks[firstOne + i] < wantedBlock; ++blocks[firstOne + i])
          kernels().twist(state);
        for (size_t r = 0; r != PerRow; ++r)
          words[i * PerRow + r] = temper(state[order[r]]);
      }
      kernels().convert(words.data() + (from - begin), to - from, wanted,
                        HalfStep::Half,
                        static_cast<char *>(out) + (from - position) * bytes);
    }
  }

  std::vector<uint32_t> states = std::vector<uint32_t>(Twisters * State);
  /// How often each has made its words.
  std::vector<uint64_t> blocks = std::vector<uint64_t>(Twisters);
  size_t ready = 0; ///< how many twisters have begun
};

} // namespace

std::unique_ptr<Sequence> makeMt19937() {
  return std::make_unique<MtSequence>();
}

} // namespace cufort::curand
