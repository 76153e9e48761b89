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
//===----------------------------------------------------------------------===//

#include "libraries/curand/MtJumps.h"
#include "libraries/curand/Sequence.h"
#include <algorithm>
#include <array>
#include <vector>

namespace cufort::curand {

namespace {

constexpr size_t Twisters = 8192, State = MtWords, PerRow = 8;
constexpr size_t RowsOfState = State / PerRow;

/// All jumps, prepared for this machine.
const MtPrepared &preparedJumps(size_t level) {
  static const auto all = [] {
    auto prepared = std::make_unique<MtPrepared[]>(MtLevels);
    for (size_t i = 0; i != MtLevels; ++i)
      mtJumper().prepare(MtJumps[i], prepared[i]);
    return prepared;
  }();
  return all[level];
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
    inPieces(team, Twisters, Piece, [&](size_t first, size_t last) {
      make(first, last, wanted, out, end);
    });
    position = end;
  }

private:
  static constexpr size_t RowNumbers = Twisters * PerRow;
  /// So many twisters are one thread's at a time.
  static constexpr size_t Piece = 16;

  /// Brings the first \p count twisters to their beginnings: of those whose
  /// numbers end with a 0 of base 9 to those that end with another digit, the
  /// highest digits first.
  void makeReady(Team &team, size_t count) {
    if (ready >= count)
      return;
    size_t step = 1;
    for (size_t level = 1; level != MtLevels; ++level)
      step *= MtRadix;
    for (size_t level = MtLevels; level-- != 0; step /= MtRadix) {
      const MtPrepared &jumps = preparedJumps(level);
      const size_t apart = MtRadix * step;
      inPieces(team, (count + apart - 1) / apart, 16,
               [&](size_t first, size_t last) {
                 const auto scratch =
                     std::make_unique_for_overwrite<MtScratch>();
                 for (size_t i = first; i != last; ++i)
                   jump(jumps, i * apart, step, count, *scratch);
               });
    }
    ready = count;
  }

  /// From one twister to the eight that are \p step further on each, of those
  /// below \p count.
  void jump(const MtPrepared &jumps, size_t from, size_t step, size_t count,
            MtScratch &scratch) {
    std::array<uint32_t *, MtLanes> to = {};
    bool any = false;
    for (size_t lane = 0; lane != MtLanes; ++lane) {
      const size_t twister = from + (lane + 1) * step;
      if (twister < ready || twister >= count)
        continue;
      any = true;
      to[lane] = &states[twister * State];
      // Both have made as many words.
      blocks[twister] = blocks[from];
    }
    if (any)
      mtJumper().jump(jumps, &states[from * State], to.data(), scratch);
  }

  /// How many twisters before its turn one is fetched into a cache.
  static constexpr size_t Ahead = 2;
  static void fetch(const uint32_t *state) {
    for (size_t i = 0; i < State; i += 16)
      __builtin_prefetch(state + i, 1);
  }

  /// Numbers of [position, \p end) that are those of some twisters, a few rows
  /// of them at a time.
  void make(size_t firstOne, size_t lastOne, const Wanted &wanted, void *out,
            uint64_t end) {
    constexpr size_t Rows = 4 * MtGroupRows, Width = Piece * PerRow;
    const size_t bytes = sizeOf(wanted.distribution);
    const size_t width = (lastOne - firstOne) * PerRow;
    std::array<uint32_t, Rows * Width> words;
    const uint64_t lastRow = (end + RowNumbers - 1) / RowNumbers;
    uint64_t rows;
    for (uint64_t row = position / RowNumbers; row != lastRow; row += rows) {
      const size_t inState = row % RowsOfState;
      // Up to the end of a group, so that none is taken apart twice.
      rows =
          std::min<uint64_t>({Rows - (inState + MtGroupRows - 1) % MtGroupRows,
                              lastRow - row, RowsOfState - inState});
      // Of one row alone it may be some twisters' numbers.
      const uint64_t begin = row * RowNumbers + firstOne * PerRow;
      const uint64_t from = std::max(begin, position) - begin;
      const uint64_t to = std::min(begin + width, end) - std::min(begin, end);
      const size_t firstUsed = rows > 1 ? 0 : from / PerRow;
      const size_t lastUsed =
          rows > 1 ? lastOne - firstOne : (to + PerRow - 1) / PerRow;
      for (size_t i = firstUsed; i < lastUsed; ++i) {
        uint32_t *state = &states[(firstOne + i) * State];
        if (row == position / RowNumbers && firstOne + i + Ahead < Twisters)
          fetch(state + Ahead * State);
        for (; blocks[firstOne + i] < row / RowsOfState + 1;
             ++blocks[firstOne + i])
          kernels().twist(state);
        kernels().temper(state, inState, rows, Width, &words[i * PerRow]);
      }
      for (size_t r = 0; r != rows; ++r) {
        const uint64_t start = begin + r * RowNumbers;
        const uint64_t first = std::max(start, position);
        const uint64_t last = std::min(start + width, end);
        if (first < last)
          kernels().convert(&words[r * Width + (first - start)], last - first,
                            wanted, HalfStep::Half,
                            static_cast<char *>(out) +
                                (first - position) * bytes);
      }
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
