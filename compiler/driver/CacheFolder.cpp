//===- CacheFolder.cpp - where device images are kept ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/CacheFolder.h"
#include "compiler/driver/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <optional>

using namespace cufort::driver;
using llvm::StringRef;
using llvm::sys::Process;

/// "500M" in bytes.
static std::optional<uint64_t> bytesOf(StringRef text) {
  unsigned shift = 0;
  if (text.consume_back_insensitive("k"))
    shift = 10;
  else if (text.consume_back_insensitive("m"))
    shift = 20;
  else if (text.consume_back_insensitive("g"))
    shift = 30;
  uint64_t number = 0;
  if (text.getAsInteger(10, number) || number > (UINT64_MAX >> shift))
    return std::nullopt;
  return number << shift;
}

bool cufort::driver::findCacheFolder(CommandLine &line) {
  std::string size = Process::GetEnv("CUFORT_CACHE_SIZE").value_or("1G");
  std::optional<uint64_t> bytes = bytesOf(size);
  if (!bytes)
    return error("CUFORT_CACHE_SIZE=" + size +
                 ": give a number of bytes, or one with K, M or G");
  line.cacheBytes = *bytes;
  std::string folder = Process::GetEnv("CUFORT_CACHE_DIR").value_or("");
  if (folder == "none" || *bytes == 0)
    return true;
  if (folder.empty()) {
    llvm::SmallString<256> place;
    if (!llvm::sys::path::cache_directory(place))
      return true;
    llvm::sys::path::append(place, "cufort");
    folder = place.str().str();
  }
  line.cacheFolder = folder;
  return true;
}
