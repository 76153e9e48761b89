//===- Image.h - the places that a sum takes --------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CHECK_PROOFS_IMAGE_H
#define CUFORT_RUNTIME_CHECK_PROOFS_IMAGE_H

#include "runtime/check/proofs/ProofReader.h"

namespace cufort::check {

/// The places that a sum takes, if they can be named: runs of bytes, repeated.
class Image {
public:
  /// \p perBlock: in each block alone.
  static std::optional<Image> of(const Description &description,
                                 const Sum &distance, uint32_t bytes,
                                 const std::vector<Sum> &conditions,
                                 bool perBlock);
  /// Calls visit(distance, bytes) for each run.
  template <typename Visit> void forEach(Visit visit) const {
    each(levels.size(), start, visit);
  }

private:
  friend class ImageBuilder;
  struct Level {
    Number step, count;
  };
  template <typename Visit>
  void each(size_t level, Number at, Visit &visit) const {
    if (level == 0)
      return void(visit(static_cast<int64_t>(at), run));
    for (Number i = 0; i < levels[level - 1].count; ++i)
      each(level - 1, at + i * levels[level - 1].step, visit);
  }

  Number start = 0;
  uint64_t run = 0;
  std::vector<Level> levels;
};

} // namespace cufort::check

#endif // CUFORT_RUNTIME_CHECK_PROOFS_IMAGE_H
