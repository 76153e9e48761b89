//===- ImageCache.h - device images by the code they are made of ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The name of an entry is a digest of everything that an image is made of: the
// linked device code, the options, the bitcode that later steps add, and the
// compiler itself. So an entry is never out of date, and builds that run at the
// same time can share a folder: LLVM's file cache puts finished files in place
// by renaming them.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LINK_IMAGECACHE_H
#define CUFORT_COMPILER_LINK_IMAGECACHE_H

#include "compiler/link/BuildImage.h"
#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace cufort {

class ImageCache {
public:
  /// The cache of \p job and the place of \p device in it. None of its
  /// functions does anything where the job has no cache, or wants something
  /// that is made on the way to the image (kept files, lists of kernels).
  ImageCache(const ImageJob &job, const llvm::Module &device);

  /// Writes the objects of the entry as buildImage would; none if there is no
  /// entry.
  std::vector<std::string> take() const;

  /// Makes \p objects an entry, and removes old ones where there are too many.
  /// A cache that cannot be written costs time later and nothing else.
  void keep(const std::vector<std::string> &objects) const;

private:
  const ImageJob &job;
  std::string key; ///< empty: no cache
};

} // namespace cufort

#endif // CUFORT_COMPILER_LINK_IMAGECACHE_H
