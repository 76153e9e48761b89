//===- CacheFolder.h - where device images are kept -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_DRIVER_CACHEFOLDER_H
#define CUFORT_COMPILER_DRIVER_CACHEFOLDER_H

#include "compiler/driver/options/CommandLine.h"

namespace cufort::driver {

/// Sets CommandLine::cacheFolder and cacheBytes by the variables
/// CUFORT_CACHE_DIR (a folder; "none": no cache) and CUFORT_CACHE_SIZE (bytes,
/// or K, M, G; 1G), else by what the system says of caches: XDG_CACHE_HOME,
/// ~/.cache. False after a diagnostic.
bool findCacheFolder(CommandLine &line);

} // namespace cufort::driver

#endif // CUFORT_COMPILER_DRIVER_CACHEFOLDER_H
