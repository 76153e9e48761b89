//===- Sequence.h - the numbers of one generator ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers come from many lanes in turn, as from threads of a GPU: lane number
// position % lanes makes the next ones. The positions of all lanes are the
// state, for distributions take different numbers of words.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CURAND_SEQUENCE_H
#define CUFORT_LIBRARIES_CURAND_SEQUENCE_H

#include "curand.h"
#include "libraries/curand/Kernels.h"
#include "runtime/core/engine/Team.h"
#include <memory>

namespace cufort::curand {

/// What a sequence begins with.
struct Beginning {
  curandOrdering ordering;
  uint64_t seed;
  unsigned dimensions;
};

class Sequence {
public:
  virtual ~Sequence() = default;

  /// Begins at \p position, counted in what generate() counts.
  virtual void begin(Team &team, const Beginning &beginning,
                     uint64_t position) = 0;
  /// The next \p count numbers.
  virtual void generate(Team &team, const Wanted &wanted, void *out,
                        size_t count) = 0;

  /// Where it is, from its beginning on.
  uint64_t position = 0;
};

/// Sequences of the types; null where there is no memory.
std::unique_ptr<Sequence> makeXorwow();
std::unique_ptr<Sequence> makeMrg();
std::unique_ptr<Sequence> makePhilox();
std::unique_ptr<Sequence> makeMt19937();
std::unique_ptr<Sequence> makeMtgp32();
/// \p type: one of the quasirandom ones.
std::unique_ptr<Sequence> makeSobol(curandRngType type);

/// Shares [0, \p count) in pieces of \p piece: \p body(begin, end).
template <typename Body>
void inPieces(Team &team, size_t count, size_t piece, const Body &body) {
  team.forEach((count + piece - 1) / piece, [&](uint64_t i) {
    const size_t begin = i * piece;
    body(begin, begin + piece < count ? begin + piece : count);
  });
}

/// Cuts what \p lanes lanes in turn do into steps. Lane \p first takes the
/// first of \p steps ones; the numbers of one step have \p bytes bytes. Calls
/// \p body(Steps) for ranges of lanes.
template <typename Body>
void inTurn(Team &team, size_t lanes, size_t first, size_t steps, size_t bytes,
            void *out, const Body &body) {
  const size_t rows = steps / lanes, more = steps % lanes;
  const size_t used = rows ? lanes : more;
  // Two for each thread, so that one which comes late takes less; of a size
  // that stays in a cache, and no smaller than is worth a call.
  const size_t least = rows < 8 ? 512 : 128, most = 4096;
  size_t piece = (used / (2 * team.threads()) + 127) / 128 * 128;
  piece = piece < least ? least : piece > most ? most : piece;
  inPieces(team, used, piece, [&](size_t begin, size_t end) {
    // Where the lanes begin anew, and where those of a last row end.
    while (begin != end) {
      size_t stop = end;
      for (size_t cut : {lanes - first, more})
        if (begin < cut && cut < stop)
          stop = cut;
      const size_t taken = rows + (begin < more ? 1 : 0);
      if (taken)
        body(Steps{(first + begin) % lanes, stop - begin, taken, lanes,
                   static_cast<char *>(out) + begin * bytes});
      begin = stop;
    }
  });
}

} // namespace cufort::curand

#endif // CUFORT_LIBRARIES_CURAND_SEQUENCE_H
