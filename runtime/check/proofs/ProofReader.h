//===- ProofReader.h - a kernel's description, for one launch ---*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CHECK_PROOFS_PROOFREADER_H
#define CUFORT_RUNTIME_CHECK_PROOFS_PROOFREADER_H

#include "runtime/check/proofs/Proofs.h"
#include "runtime/check/proofs/Sums.h"

namespace cufort::check {

/// An access, as image::CheckProof describes it, with the launch's numbers.
struct ProvedAccess {
  uint32_t flags, object;
  int64_t address, size; ///< size -1: the allocation's
  uint32_t bytes, alignment;
  Sum distance;
  std::vector<Sum> conditions;
  std::vector<Sum> deciding; ///< of one that is made wherever they are true
  Range reach;               ///< of the distance
  uint32_t number = image::CheckProof::NoValue; ///< in instrumented code
  /// For all that is known: it is not as it should be by itself; another may
  /// be made at the same time.
  bool wrong = false, races = false;

  /// Its conditions are never true.
  bool isNever() const {
    return reach.low && reach.high && *reach.low > *reach.high;
  }
  bool writes() const { return flags & image::ProofWrites; }
  bool isAtomic() const { return flags & image::ProofAtomic; }
  bool isShared() const { return flags & image::ProofShared; }
  bool isPrivate() const { return flags & image::ProofPrivate; }
  bool isGlobal() const { return !isShared() && !isPrivate(); }
};

/// A write before a read.
struct ProvedCover {
  uint32_t write;
  bool own;
  std::vector<Sum> conditions;
};

struct Description {
  struct Symbol {
    image::CheckSymbolKind kind;
    bool constantInInterval;
    Sum first, second;
    uint32_t access; ///< that reads it
    /// Where all its values stand, if they were looked at.
    struct Found {
      const char *begin = nullptr;
      size_t step = 0, count = 0;
      uint32_t bytes = 0;
      bool operator==(const Found &) const = default;
    } found = {};
    mutable std::optional<bool> distinct = {};
  };
  struct Limit {
    Sum form;
    uint32_t bits, symbol;
    int64_t step;
    uint32_t inner;      ///< the last conditions, which are the loop's
    uint32_t comparison; ///< 0, or the one for which alone it matters
    std::vector<Sum> conditions;
  };
  struct Bound {
    Sum form;
    std::vector<Sum> conditions;
  };
  struct Covered {
    uint32_t read;
    std::vector<ProvedCover> covers;
  };

  uint32_t axes[6]; ///< threads of a block and blocks, along x, y and z
  std::vector<Symbol> symbols;
  std::vector<Range> ranges; ///< of the symbols
  std::vector<Limit> limits;
  std::vector<ProvedAccess> accesses;
  std::vector<Bound> bounds;
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  std::vector<Covered> covered;
  std::vector<Sum> warps; ///< of the threads of each warp all true or none
  uint32_t gaps;          ///< bits of image::CheckProofGap
};

inline bool isThread(image::CheckSymbolKind kind) {
  return kind <= image::CheckSymbolKind::ThreadZ ||
         kind == image::CheckSymbolKind::ThreadHigh ||
         kind == image::CheckSymbolKind::ThreadLow;
}
inline bool isBlock(image::CheckSymbolKind kind) {
  return kind >= image::CheckSymbolKind::BlockX &&
         kind <= image::CheckSymbolKind::BlockZ;
}

/// Reads what stands in the kernel's image::CheckProof. False: the block does
/// not consist of whole pieces, where its threads are counted in pieces.
bool read(const ProofFacts &facts, Description &description);
/// The memory that \p access may be to, as distances from its address; false:
/// it is not a device's.
bool findMemory(const ProvedAccess &access, Number &low, Number &high);
/// Finds the ranges of all symbols. \p mayRead: nobody else writes memory now.
/// False: a range is empty.
bool findRanges(Description &description, bool mayRead);
/// Whether no two of the values that \p symbol, which is Loaded, may be are
/// equal.
bool areDistinct(const Description &description, uint32_t symbol);
/// Whether the threads of each warp agree on Description::warps.
bool warpsAgree(const Description &description);

/// What \p sum, which is of threads alone, is for \p thread.
Number valueFor(const Description &description, const Sum &sum,
                const uint32_t (&thread)[3]);

/// Whether no two different threads come to the same bytes by \p a and \p b; in
/// one block and interval if they are of shared memory.
bool areApart(const Description &description, const ProvedAccess &a,
              const ProvedAccess &b);

} // namespace cufort::check

#endif // CUFORT_RUNTIME_CHECK_PROOFS_PROOFREADER_H
